"""The grid of columns: search, filter, sort, and a role for many columns at once."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from web.driving import Browser

_NAMES = "return [...document.querySelectorAll('[data-mark=column-grid] .ag-row .column-name')].map(e => e.innerText)"


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    """A table with 210 columns, most of which are answers to questions."""
    names = ["person_id", "age", "sex", "postcode", *(f"answer_{at}" for at in range(206))]
    rows = [
        [f"P{at}", 20 + at % 50, "fm"[at % 2], 1000 + at % 7, *(at % (2 + q % 7) for q in range(206))]
        for at in range(60)
    ]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in [names, *rows]) + "\n")
    return path


def shown(browser: Browser) -> list[str]:
    """The names of the rows that are drawn, from the top."""
    return list(browser.driver.execute_script(_NAMES))


def sort_by(browser: Browser, header: str) -> None:
    for each in browser.driver.find_elements(By.CSS_SELECTOR, "[data-mark=column-grid] .ag-header-cell"):
        if each.text.replace("\n", " ") == header:
            each.click()


def test_two_hundred_columns(browser: Browser, wide: Path) -> None:
    """All answers get a role with a few clicks, which one click takes back."""
    file = browser.open(wide)
    browser.shows("210 columns shown")
    browser.type("search-columns", "answer_1")
    browser.shows("111 of 210 shown")
    browser.choose("filter-type", "text")
    browser.until(lambda: "0 of 210" in browser.text("shown-columns"), "no column of that type")
    browser.choose("filter-type", "all types")
    browser.until(lambda: "111 of 210" in browser.text("shown-columns"), "the type to be free")
    browser.click("select-shown")
    browser.until(lambda: browser.text("set-role") == "Set role for 111 columns", "the selection")
    browser.choose("selected-role", "drop")
    browser.click("set-role")
    browser.until(lambda: "111 dropped" in browser.text("summary"), "the roles")
    browser.until(lambda: browser.text("set-role") == "Set role", "nothing to be selected any more")
    assert browser.text("role-5").startswith("drop")
    browser.type("search-columns", "")
    browser.choose("filter-role", "drop")
    browser.until(lambda: "111 of 210" in browser.text("shown-columns"), "the columns with that role")
    browser.choose("filter-role", "all roles")
    browser.choose("filter-state", "changed")
    browser.until(lambda: "111 of 210" in browser.text("shown-columns"), "what was changed")
    browser.go(f"/files/{file}/columns")
    browser.until(lambda: "111 dropped" in browser.text("summary"), "the roles to be kept")
    browser.click("undo-settings")
    browser.until(lambda: "dropped" not in browser.text("summary"), "the roles as before")
    assert browser.complaints() == []


def test_a_column_that_is_not_in_sight_yet(browser: Browser, wide: Path) -> None:
    browser.open(wide)
    assert not browser.all("role-200")
    browser.type("search-columns", "answer_196")
    browser.choose("role-200", "drop")
    browser.until(lambda: "1 dropped" in browser.text("summary"), "the role")


def test_sorted_by_any_column(browser: Browser, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    rows = [f"{20 + at},{'fm'[at % 2]},{1000 + at % 7},{at % 4}" for at in range(40)]
    table.write_text("age,sex,postcode,ward\n" + "\n".join(rows) + "\n")
    browser.open(table)
    browser.find("role-3")
    first = shown(browser)
    sort_by(browser, "unique alone")
    browser.until(lambda: shown(browser)[0] == "age", "the riskiest column first")
    sort_by(browser, "distinct values")
    browser.until(lambda: shown(browser) == ["age", "postcode", "ward", "sex"], "the most values first")
    sort_by(browser, "distinct values")
    browser.until(lambda: shown(browser) == ["sex", "ward", "postcode", "age"], "the fewest values first")
    sort_by(browser, "column")
    browser.until(lambda: shown(browser) == ["age", "postcode", "sex", "ward"], "by name")
    sort_by(browser, "#")
    browser.until(lambda: shown(browser) == ["age", "sex", "postcode", "ward"], "as in the file")
    assert sorted(first) == sorted(shown(browser))


def test_each_role_has_a_color_and_a_sign_and_each_column_its_bars(browser: Browser, table: Path) -> None:
    browser.open(table)
    looks = set()
    for role in ("quasi", "sensitive", "keep", "drop", "identifier"):
        browser.choose("role-0", role)
        box = browser.find("role-0").find_element(By.XPATH, "..")
        looks.add(
            browser.driver.execute_script(
                "return getComputedStyle(arguments[0].firstChild).color + arguments[0].firstChild.innerText", box
            )
        )
    assert len(looks) == 5
    bars = "return [...document.querySelectorAll('.grid-bars')].map((each) => each.childElementCount)"
    assert sorted(browser.driver.execute_script(bars)) == [2, 4, 10]


def test_a_role_by_keys_alone(browser: Browser, table: Path) -> None:
    browser.open(table)
    field = browser.find("role-1")
    browser.driver.execute_script("arguments[0].closest('[role=gridcell]').focus()", field)
    active = browser.driver.switch_to
    active.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: active.active_element.get_attribute("data-mark") == "role-1", "the field")
    active.active_element.send_keys("drop")
    browser.until(lambda: "1 dropped" in browser.text("summary"), "the role")
    assert active.active_element.get_attribute("data-mark") == "role-1", "the field keeps the focus"
    reached = []
    for _ in range(3):
        active.active_element.send_keys(Keys.TAB)
        reached.append(active.active_element.get_attribute("data-mark"))
    assert "role-2" in reached, "the next field"


def test_a_name_that_is_markup_is_text_in_the_grid(browser: Browser, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text('":a","<b>x</b>"\n1,2\n2,3\n')
    browser.open(table)
    assert browser.text("column-0") == ":a"
    assert browser.text("column-1") == "<b>x</b>"
