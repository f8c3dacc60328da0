"""The page in a real browser: it fits, it sorts, it prints, and nothing in it is refused or fetched."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import incrowd
from reports.releases import ROWS, released

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
SORTED = """
const table = [...document.querySelectorAll("table")].find(each => each.caption || each.tBodies[0].rows.length > 3);
const heads = [...table.tHead.rows[0].cells], at = heads.findIndex(each => each.className === "number");
const shown = () => [...table.tBodies[0].rows].map(row => Number(row.cells[at].dataset.order));
heads[at].querySelector("button").click(); const up = shown();
heads[at].querySelector("button").click(); return [up, shown(), heads[at].getAttribute("aria-sort")];
"""
CUT = """
return [...document.querySelectorAll(".scroll")].filter(each => each.scrollWidth > each.clientWidth + 1)
  .map(each => each.innerText);
"""
A4 = 688
"""Pixels between the margins of a printed page."""
PROSE = "return [...document.querySelectorAll('td.prose')].map(each => each.offsetWidth)"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("chromium and chromium-driver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for option in OPTIONS:
        options.add_argument(option)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    rows = [
        {f"a long name of a column, with the number {at}": (row * (at + 1)) % (at + 2) for at in range(14)}
        for row in range(90)
    ]
    released(folder, rows, columns={name: {"role": "quasi"} for name in rows[0]}, suppress=0.5)
    incrowd.report(folder / "release.csv").write(folder / "report.html")
    return folder / "report.html"


@pytest.mark.parametrize("width", [1280, 1920, 480])
def test_the_page_fits(browser: Any, page: Path, width: int) -> None:
    browser.set_window_size(width, 900)
    browser.get(page.as_uri())
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    assert browser.get_log("browser") == []


@pytest.mark.parametrize(("width", "media"), [(1280, ""), (1920, ""), (A4, "print")])
def test_no_table_of_a_release_is_cut(browser: Any, tmp_path: Path, width: int, media: str) -> None:
    rows = [{**row, "disease": f"{row['town']} fever", "wage": row["town"]} for row in ROWS]
    released(tmp_path, rows, models=["k_anonymity:k=2"])
    incrowd.report(tmp_path / "release.csv").write(tmp_path / "report.html")
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})
    browser.get((tmp_path / "report.html").as_uri())
    cut, prose = browser.execute_script(CUT), browser.execute_script(PROSE)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert cut == []
    assert min(prose) > (100 if media else 200)


def test_tables_can_be_sorted(browser: Any, page: Path) -> None:
    browser.get(page.as_uri())
    up, down, direction = browser.execute_script(SORTED)
    assert up == sorted(up)
    assert down == sorted(up, reverse=True)
    assert direction == "descending"


def test_it_prints(browser: Any, page: Path) -> None:
    browser.get(page.as_uri())
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert browser.execute_script("return getComputedStyle(document.querySelector('nav')).display") == "none"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert browser.print_page().startswith("JVBERi")  # %PDF in base 64
