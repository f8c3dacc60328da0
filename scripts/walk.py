"""A newcomer's way through the web app with a file of their own, timed: python scripts/walk.py [FOLDER]

From the command that `make demo` names last to a downloaded and verified release, by what the pages show alone: the
walker reads each page, in the time that a reader takes, and presses what leads on. Pictures of every page go to FOLDER,
at 1280 and at 1920 pixels.
"""

import csv
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from web.driving import Browser, Server  # noqa: E402 - the tests know how to drive a browser

WORDS_A_MINUTE = 238
"""How fast adults read (Brysbaert 2019, non-fiction in English)."""
SECONDS_AN_ACT = 4.0
"""To find a button that one has read about, and to press it."""
PROSE = "h1, h2, h3, p, .message, .q-field__label, .q-btn, .label, a"
"""What is read; tables are looked over, a second for each line of the first fifteen."""
LIMIT = 300.0
TABS = {
    "overview": "sentence",
    "data": "records-release",
    "columns": "levels",
    "risk": "risk-table",
    "utility": "utility-table",
    "attacks": "attack-go",
}
"""The tabs of a release, each with a part to wait for."""


def members_of_a_club(path: Path, people: int = 800) -> None:
    """A table as somebody may bring it: members of a sports club, with a text of its own for what is missing."""
    luck = random.Random(3)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["Member", "E-mail", "Born", "Sex", "Town", "Joined", "Sport", "Injury", "Fee"])
        for at in range(people):
            born = f"{luck.randint(1, 28):02d}.{luck.randint(1, 12):02d}.{luck.randint(1950, 2008)}"
            writer.writerow(
                [
                    f"M{at + 1:05d}",
                    f"member{at + 1}@example.org",
                    born,
                    luck.choice("fm"),
                    luck.choice(["Graz", "Leoben", "Bruck an der Mur", "Kapfenberg", "Mürzzuschlag"]),
                    luck.randint(1990, 2025),
                    luck.choice(["tennis", "football", "swimming", "judo"]),
                    luck.choice(["none", "none", "none", "knee", "shoulder", "back", "n/a"]),
                    luck.choice([80, 120, 160]),
                ]
            )


class Walk:
    """One visit, with the time that reading takes."""

    def __init__(self, browser: Browser, pictures: Path | None) -> None:
        self.browser, self.pictures = browser, pictures
        self.began, self.reading, self.pages, self.took = time.monotonic(), 0.0, 0, 0.0

    def look(self, name: str) -> None:
        """Read the page that is open, and keep its picture."""
        words, lines = self.browser.driver.execute_script(
            "const seen = [...document.querySelectorAll(arguments[0])].filter(each => each.checkVisibility() && "
            "!each.closest('table') && !each.parentElement.closest(arguments[0]));"
            "return [seen.map(each => each.innerText).join(' ').split(/\\s+/).filter(Boolean).length,"
            " [...document.querySelectorAll('tbody tr')].filter(each => each.checkVisibility()).length]",
            PROSE,
        )
        took = words / WORDS_A_MINUTE * 60 + min(lines, 15) + SECONDS_AN_ACT
        self.reading += took
        self.pages += 1
        print(f"{self.seconds:6.1f} s  {name}: {words} words and {lines} lines of tables, {took:.0f} s to read and act")
        if self.pictures is not None:
            for width in (1280, 1920):
                self._picture(name, width)

    def _picture(self, name: str, width: int) -> None:
        assert self.pictures is not None
        driver = self.browser.driver
        size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        height = driver.execute_script("return Math.min(document.documentElement.scrollHeight, 6000)")
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**size, "height": max(1000, height)})
        time.sleep(0.4)
        driver.save_screenshot(str(self.pictures / f"{self.pages}-{name}-{width}.png"))
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def arrived(self) -> None:
        """The file is there; what is looked at from now on does not count."""
        self.took = self.seconds

    @property
    def seconds(self) -> float:
        """The time so far: what the machine took, and what a reader would."""
        return time.monotonic() - self.began + self.reading


def main() -> None:
    """Walk, and say how long it took."""
    pictures = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "club.csv"
        members_of_a_club(own)
        began = time.monotonic()
        server = Server(Path(folder) / "workspace")
        started = time.monotonic() - began
        browser = Browser(server)
        try:
            walk = Walk(browser, pictures)
            release = through(walk, own, Path(folder))
            total = walk.took + started
        finally:
            browser.close()
            server.stop()
        print(f"The server was there after {started:.1f} s; {walk.pages} pages.")
        print(f"From the start to {release.name}, downloaded and verified: {total:.0f} s of {LIMIT:.0f} s.")
        if total > LIMIT:
            raise SystemExit("too slow")


def through(walk: Walk, own: Path, folder: Path) -> Path:
    """Go page by page with the suggested settings; return the downloaded release."""
    from web.downloads import released

    browser = walk.browser
    browser.go("/")
    browser.find("drop")
    walk.look("tables")
    browser.open(own)
    walk.look("columns")
    browser.click("next")
    browser.text("sentence")
    browser.text("explored")
    walk.look("diagnose")
    browser.click("next")
    browser.text("levels-table")
    walk.look("hierarchies")
    browser.click("next")
    browser.find("go")
    walk.look("privacy")
    browser.click("go")
    browser.text("sentence")
    release = released(browser, folder)
    walk.arrived()
    walk.look("files")
    for tab, part in TABS.items():
        browser.tab(tab)
        browser.find(part)
        walk.look(tab)
    browser.tab("files")
    browser.click("read-internal")
    browser.find("report")
    time.sleep(1)
    walk.look("report")
    from incrowd import api

    verdict = api.verify(release)
    assert verdict.holds, verdict
    return release


if __name__ == "__main__":
    main()
