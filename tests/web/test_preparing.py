"""A table is changed as it is read: rename, recode, convert, choose rows; each can be undone."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from web.downloads import released
from web.driving import Browser


@pytest.fixture
def rough(tmp_path: Path) -> Path:
    """Sixty people whose sex is spelled in many ways."""
    rows = [f"{20 + at % 10},{('m', 'male', 'f', 'w')[at % 4]},{'NSX'[at % 3]},flu" for at in range(60)]
    path = tmp_path / "rough.csv"
    path.write_text("age,sx,region,disease\n" + "\n".join(rows) + "\n")
    return path


def change(browser: Browser, column: str | None = None) -> None:
    """Open the part of the page that changes the table."""
    part = browser.find("prepare").find_elements(By.CSS_SELECTOR, ".q-expansion-item--collapsed > div > .q-item")
    for each in part:
        each.click()
    if column is not None:
        browser.choose("prepare-column", column)


def select_values(browser: Browser, *values: str) -> None:
    browser.find("values-grid")
    for value in values:

        def pressed(value: str = value) -> bool:
            rows = browser.find("values-grid").find_elements(By.CSS_SELECTOR, ".ag-row")
            row = next(each for each in rows if each.text.strip() == value)
            if row.get_attribute("aria-selected") != "true":
                row.find_element(By.CSS_SELECTOR, ".ag-checkbox-input").click()
            return row.get_attribute("aria-selected") == "true"

        browser.until(pressed, value)


def test_rename_and_merge_values_up_to_the_release(browser: Browser, rough: Path, tmp_path: Path) -> None:
    browser.open(rough)
    browser.choose("role-1", "sensitive")
    change(browser, "sx")
    browser.type("new-name", "sex")
    browser.click("rename")
    browser.until(lambda: browser.text("column-1") == "sex", "the new name")
    assert browser.text("role-1").startswith("sensitive"), "its role stays"
    browser.choose("role-1", "quasi")
    change(browser, "sex")
    select_values(browser, "m", "male")
    browser.type("new-value", "man")
    browser.click("recode")
    assert browser.text("prepared-1") == "sex: 2 values recoded."
    change(browser, "sex")
    select_values(browser, "f", "w")
    browser.type("new-value", "woman")
    browser.click("recode")
    browser.until(lambda: browser.text("prepared-1") == "sex: 4 values recoded.", "all values")
    browser.click("step-privacy")
    browser.click("go")
    browser.text("sentence")
    assert "man" in browser.text("records-original"), "beside the table as it was prepared"
    browser.text("risk-table")
    browser.text("utility-table")
    text = released(browser, tmp_path).read_text()
    assert "sx" not in text
    assert "sex" in text.splitlines()[0]
    assert {line.split(",")[1] for line in text.splitlines()[1:]} <= {"man", "woman", "*"}


def test_rows_and_undo(browser: Browser, rough: Path) -> None:
    browser.open(rough)
    change(browser)
    browser.choose("where-column", "region")
    browser.type("where-values", "N, S")
    browser.click("choose-rows")
    browser.until(lambda: "40 records" in browser.text("summary"), "the rows")
    assert browser.text("prepared-0") == "Rows: region is N or S."
    change(browser, "age")
    browser.type("new-name", "years")
    browser.click("rename")
    browser.until(lambda: browser.text("column-0") == "years", "the name")
    change(browser)
    browser.choose("where-column", "years")
    browser.type("where-from", "25")
    browser.type("first", "5")
    browser.click("choose-rows")
    browser.until(lambda: "5 records" in browser.text("summary"), "fewer rows")
    assert browser.text("prepared-1") == "Rows: region is N or S; years from 25; the first 5."
    change(browser)
    browser.click("unprepare-0")
    browser.until(lambda: browser.text("prepared-0").startswith("Rows: region is N or S; age from 25"), "the old name")
    browser.click("undo-settings")
    browser.until(lambda: browser.text("column-0") == "years", "the name again")
    change(browser)
    browser.click("unprepare-1")
    browser.until(lambda: "60 records" in browser.text("summary"), "all rows")
    change(browser)
    browser.click("unprepare-0")
    browser.until(lambda: browser.text("column-0") == "age", "the table of the file")
    change(browser)
    browser.type("sample", "50")
    browser.click("choose-rows")
    browser.until(lambda: browser.text("prepared-0") == "Rows: a sample of 50%.", "the sample")
    assert "60 records" not in browser.text("summary")


def test_no_row_is_left_and_that_is_no_dead_end(browser: Browser, rough: Path) -> None:
    browser.open(rough)
    change(browser)
    browser.choose("where-column", "age")
    browser.type("where-from", "99")
    browser.click("choose-rows")
    assert "No record satisfies" in browser.text("no-records")
    change(browser)
    browser.click("unprepare-0")
    browser.until(lambda: "60 records" in browser.text("summary"), "all rows")


def test_a_type_that_does_not_fit_is_refused_and_undone(browser: Browser, rough: Path) -> None:
    browser.open(rough)
    change(browser, "region")
    browser.choose("new-type", "integer")
    browser.click("convert")
    assert "3 of its 3 different values are not whole numbers" in browser.text("message-error")
    browser.click("unprepare-0")
    browser.until(lambda: "60 records" in browser.text("summary"), "the table as before")
    change(browser, "age")
    browser.choose("new-type", "integer")
    browser.click("convert")
    browser.until(lambda: browser.text("prepared-0") == "age is converted to integer.", "the type")


def test_names_and_values_are_text(browser: Browser, tmp_path: Path) -> None:
    """A grid runs some of its options as code."""
    hostile = "'+(window.owned=1)+'"
    path = tmp_path / "hostile.csv"
    path.write_text(
        f'"{hostile}",":b"\n'
        + "".join(f'"<img src=x onerror=window.owned={at}>",:(window.owned=1)\n' for at in range(3))
    )
    browser.open(path)
    change(browser, hostile)
    browser.find("values-grid")
    browser.shows("<img src=x onerror=window.owned=2>")
    labels = "return [...document.querySelectorAll('.ag-root')].map((each) => each.ariaLabel)"
    browser.until(lambda: f"Values of {hostile}" in browser.driver.execute_script(labels), "the label")
    assert browser.driver.execute_script("return window.owned === undefined")
