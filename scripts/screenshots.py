"""Pictures of the web app for the documentation: python scripts/screenshots.py

Starts the app on a workspace of its own, goes the way of the tutorial in a headless Chromium, writes docs/web/*.png.
"""

import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from web.driving import EXAMPLE, Browser, Server  # noqa: E402 - the tests know how to drive a browser

FOLDER = ROOT / "docs" / "web"
_COLORS = 128
_DROPPED = (4, 6, 9)
"""Columns that the tutorial leaves out: marital status, occupation and income."""


def main() -> None:
    """Take them all."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "workspace")
        browser = Browser(server, 1280, 900)
        try:
            walk(browser)
        finally:
            browser.close()
            server.stop()


def walk(browser: Browser) -> None:
    """The way of the tutorial, with a picture of each page."""
    browser.go("/")
    browser.find("drop")
    taken(browser, "tables", 620)
    browser.open(EXAMPLE)
    for column in _DROPPED:
        browser.choose(f"role-{column}", "drop")
    taken(browser, "columns", 900)
    browser.click("next")
    browser.text("sentence")
    browser.text("explored")
    taken(browser, "diagnose", 1000)
    browser.click("next")
    browser.click("hierarchy-of-2")
    browser.text("levels-table")
    taken(browser, "hierarchies", 1000)
    browser.click("next")
    browser.find("go")
    taken(browser, "privacy", 1150)
    browser.click("go")
    for part in ("sentence", "tried"):
        browser.find(part)
    browser.click("whatif-many")
    browser.find("whatif-row-4")
    taken(browser, "result", 1300)
    browser.tab("data")
    browser.find("records-release")
    time.sleep(1)
    taken(browser, "data", 1000)
    browser.tab("overview")
    # The neighbors are those of a release with one level per column.
    browser.click("create-optimal")
    browser.tab("lattice")
    browser.find("node-0")
    browser.click("lattice-go")
    browser.find("lattice-list")
    taken(browser, "lattice", 1100, "explorer")
    browser.tab("files")
    browser.click("read-internal")
    browser.find("report")
    time.sleep(1)
    taken(browser, "report", 900)
    browser.driver.back()
    browser.tab("overview")
    browser.click("whatif-many")
    browser.click("whatif-make-2")
    browser.shows("k = 10")
    browser.find("sentence")
    browser.click("step-releases")
    browser.click("choose-0")
    browser.click("choose-1")
    browser.click("compare")
    browser.find("metrics-table")
    taken(browser, "compare", 1100)
    tools(browser)


def tools(browser: Browser) -> None:
    """What is not on the way to a release."""
    browser.click("tool-risk")
    browser.click("assess")
    browser.find("special-rows")
    taken(browser, "risk", 1000)
    browser.click("tool-table")
    browser.choose_several("table-by", ["sex", "marital_status"], only=True)
    browser.type("rule-n", "5")
    browser.click("tabulate")
    browser.find("audit")
    taken(browser, "table", 1150)


def taken(browser: Browser, name: str, height: int, at: str | None = None) -> None:
    """A picture of the page, from its top or from a part of it, in few colors."""
    size = {"width": 1280, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    where = "window.scrollTo(0, 0)" if at is None else f"document.getElementById('{at}').scrollIntoView()"
    browser.driver.execute_script(f"document.activeElement?.blur(); {where}")
    time.sleep(0.5)
    path = FOLDER / f"{name}.png"
    browser.driver.save_screenshot(str(path))
    Image.open(path).convert("RGB").quantize(_COLORS).save(path, optimize=True)
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


if __name__ == "__main__":
    main()
