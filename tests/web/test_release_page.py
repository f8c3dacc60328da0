"""The page of a release: a verdict that stays in sight, tabs that are in the address, data, and files apart."""

from pathlib import Path

import pytest

from incrowd.client import Client
from web.axe import violations
from web.driving import PATIENCE, Browser, Server

TABS = ("overview", "data", "columns", "risk", "utility", "attacks", "files")
_LINES = """
const side = document.querySelector(`[data-mark="records-${arguments[0]}"]`);
const lines = [...(side?.querySelectorAll(".ag-center-cols-container .ag-row") ?? [])];
const at = (each) => Number(each.getAttribute("row-index"));
return lines.sort((one, two) => at(one) - at(two)).map((each) => each.innerText.split("\\n"));
"""
_SORT = """
document.querySelector(`[data-mark="records-${arguments[0]}"] [col-id="${arguments[1]}"] .ag-header-cell-label`).click()
"""
_VIEWPORT = """document.querySelector('[data-mark="records-{}"] .ag-body-viewport').scrollTop"""


@pytest.fixture(scope="module")
def run(server: Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A release with classes of several sizes, suppressed records, kept numbers and a column without any detail."""
    path = tmp_path_factory.mktemp("release") / "people.csv"
    ages = [30] * 6 + [40] * 9 + [50] * 180 + [77]
    rows = [f"p{at:03},{age},t{at},{'flu' if at % 3 else 'cold'},{at}" for at, age in enumerate(ages)]
    path.write_text("name,age,town,disease,number\n" + "\n".join(rows) + "\n")
    with Client(server.address, timeout=PATIENCE) as client:
        columns = {
            "name": "identifier",
            "age": {"role": "quasi", "limit": 0},
            "town": "quasi",
            "disease": "sensitive",
            "number": "keep",
        }
        job = {"data": client.upload(path).id, "columns": columns, "models": ["k_anonymity:k=5"], "suppress": 0.02}
        return client.wait(client.anonymize({**job, "search": "optimal"})).id


def lines(browser: Browser, side: str) -> list[list[str]]:
    """The lines of a grid that are drawn, each as its cells."""
    found: list[list[str]] = browser.driver.execute_script(_LINES, side)
    return found


def settled(browser: Browser, side: str, first: list[str]) -> None:
    """Wait until the first line of a grid begins so."""
    browser.until(lambda: lines(browser, side)[0][: len(first)] == first, f"{first} in {side}")


def test_the_verdict_is_whole_and_each_part_leads_to_more(browser: Browser, run: str) -> None:
    browser.go(f"/runs/{run}")
    words = browser.text("verdict-bar").split("\n")
    assert words[:5] == [
        "Verified",
        "195 of 196 records",
        "smallest class 6",
        "1 record suppressed (0.5%)",
        "k = 5 satisfied",
    ]
    assert words[5:] == [
        "nearly unique, published unchanged: number",
        "sensitive without a model: disease",
        "no detail left: town",
        "3 warnings",
    ]
    browser.click("promises-more")
    assert "shares its quasi-identifiers with at least 4 others" in browser.text("promises")
    browser.click("checks-more")
    assert "passed" in browser.text("checks")
    for mark, tab, part in (
        ("bar-models", "overview", "guarantees"),
        ("bar-gone", "columns", "levels"),
        ("bar-smallest", "risk", "risk"),
        ("bar-suppressed", "data", "records"),
        ("bar-warnings", "overview", "warnings"),
    ):
        browser.click(mark)
        browser.until(lambda part=part: browser.find(part) == browser.driver.switch_to.active_element, part)
        assert tab == "overview" or browser.driver.current_url.endswith(f"?tab={tab}")
        assert browser.find("verdict-bar").is_displayed()
    browser.driver.execute_script("scrollTo(0, document.body.scrollHeight)")
    top = "return document.querySelector('.verdict-bar').getBoundingClientRect().top"
    browser.until(lambda: browser.driver.execute_script(top) == 0, "the bar at the top")


def test_tabs_are_in_the_address(browser: Browser, run: str) -> None:
    browser.go(f"/runs/{run}?tab=files")
    browser.find("downloads")
    # The work of the others has not begun.
    assert not browser.all("risk-table")
    browser.tab("risk")
    browser.find("risk-table")
    browser.tab("columns")
    browser.find("levels")
    browser.driver.back()
    assert browser.find("risk-table").is_displayed()
    browser.driver.back()
    browser.find("downloads")
    assert browser.driver.current_url.endswith("?tab=files")
    browser.driver.forward()
    browser.find("risk-table")
    browser.driver.refresh()
    browser.find("risk-table")
    browser.go(f"/runs/{run}?tab=nothing")
    browser.find("sentence")
    assert browser.complaints() == []


def test_a_tab_keeps_what_it_shows(browser: Browser, run: str) -> None:
    browser.go(f"/runs/{run}?tab=attacks")
    browser.click("attack-go")
    browser.find("exposures")
    browser.click("attack-besides")
    browser.type("attack-knows", "age=30: disease!=flu")
    browser.tab("overview")
    browser.find("sentence")
    browser.tab("attacks")
    browser.find("exposures")
    assert browser.find("attack-knows").get_attribute("value") == "age=30: disease!=flu"


def test_tabs_work_with_the_keyboard(browser: Browser, run: str) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.go(f"/runs/{run}")
    browser.find("sentence")
    browser.find("tab-overview").send_keys(Keys.ARROW_RIGHT)
    focused = "return document.activeElement.dataset.mark"
    browser.until(lambda: browser.driver.execute_script(focused) == "tab-data", "the next tab")
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.find("records-release")


def test_both_tables_side_by_side(browser: Browser, run: str) -> None:
    browser.go(f"/runs/{run}?tab=data")
    browser.find("records-release")
    settled(browser, "original", ["1", "p000", "30", "t0"])
    settled(browser, "release", ["6", "16.7%", "30", "*"])
    browser.driver.execute_script(_SORT, "original", "o1")
    # A second click sorts the other way round; the release follows.
    settled(browser, "original", ["1", "p000", "30"])
    browser.driver.execute_script(_SORT, "original", "o1")
    settled(browser, "original", ["1", "p195", "77"])
    settled(browser, "release", ["suppressed"])
    browser.driver.execute_script(_SORT, "release", "after")
    browser.driver.execute_script(_SORT, "release", "after")
    settled(browser, "release", ["180", "0.6%", "50"])
    settled(browser, "original", ["1", "p015", "50"])
    browser.driver.execute_script(f"{_VIEWPORT.format('original')} = 3200")
    browser.until(lambda: browser.driver.execute_script(f"return {_VIEWPORT.format('release')}") == 3200, "scrolling")
    browser.until(lambda: any("p115" in line for line in lines(browser, "original")), "records further down")
    browser.toggle("records-which", "Suppressed")
    settled(browser, "original", ["1", "p195", "77"])
    assert len(lines(browser, "release")) == 1
    browser.toggle("records-which", "All")
    field = '[data-mark="records-original"] .ag-floating-filter[col-id="o3"] input, '
    field += '[data-mark="records-original"] .ag-header-row-column-filter .ag-header-cell:nth-child(5) input'
    browser.driver.find_element("css selector", field).send_keys("COLD")
    browser.until(lambda: lines(browser, "release")[0][0] == "180" and len(lines(browser, "release")) > 5, "cold")
    browser.until(lambda: all("cold" in line for line in lines(browser, "original")), "cold alone")
    browser.until(lambda: all("cold" in line for line in lines(browser, "release")), "cold alone in the release")
    assert violations(browser) == {}
    assert browser.complaints() == []


def test_what_is_secret_stands_apart(browser: Browser, run: str) -> None:
    browser.go(f"/runs/{run}?tab=files")
    assert "release.csv.manifest.json" in browser.text("downloads")
    assert "record.json" not in browser.text("downloads")
    assert "undo" in browser.text("secret")
    assert "release.csv.record.json" in browser.text("secret")
    assert "job.yaml" in browser.text("own-files")
    external, internal = browser.find("read-external"), browser.find("read-internal")
    assert external.find_elements("xpath", "ancestor::section[@id='downloads']")
    assert internal.find_elements("xpath", "ancestor::section[@id='own-files']")


def test_a_release_takes_the_list_of_its_records_with_it(server: Server, browser: Browser, table: Path) -> None:
    file = browser.open(table)
    with Client(server.address, timeout=PATIENCE) as client:
        roles = {"age": "quasi", "region": "quasi"}
        job = {"data": file, "columns": roles, "models": ["k_anonymity:k=4"], "suppress": 0.1}
        made = client.wait(client.anonymize(job)).id
        before = {each.id for each in client.runs()}
        browser.go(f"/runs/{made}?tab=data")
        browser.find("records-release")
        browser.until(lambda: lines(browser, "release"), "the records")
        # A second visit shows the same list.
        browser.driver.refresh()
        browser.until(lambda: lines(browser, "release"), "the records again")
        listed = [each.id for each in client.runs() if each.kind == "records" and each.id not in before]
        assert len(listed) == 1
        browser.go(f"/files/{file}/releases")
        browser.click("delete-run-0")
        browser.click("sure")
        browser.until(lambda: not {made, *listed} & {each.id for each in client.runs()}, "both to be gone")
