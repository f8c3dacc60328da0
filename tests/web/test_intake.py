"""How a table comes in: by a click anywhere in the drop area, as a sample, or with nothing but a header."""

from pathlib import Path

from selenium.webdriver.common.by import By

from web.driving import VERIFIED, Browser

_OPENED = """
window.opened = 0;
document.querySelector(`[data-mark=${arguments[0]}] input[type=file]`).addEventListener("click", (event) => {
  event.preventDefault();
  window.opened += 1;
});
"""


def test_the_whole_drop_area_is_clickable(browser: Browser, table: Path) -> None:
    browser.go("/")
    browser.find("drop")
    browser.driver.execute_script(_OPENED, "drop")
    browser.find("drop").click()
    browser.until(lambda: browser.driver.execute_script("return window.opened") == 1, "the choice of a file")
    browser.open(table)
    browser.find("open-job").find_element(By.CSS_SELECTOR, ".q-item").click()
    browser.find("job-drop")
    browser.driver.execute_script(_OPENED, "job-drop")
    browser.find("job-drop").click()
    browser.until(lambda: browser.driver.execute_script("return window.opened") == 1, "the choice of a job file")


def test_samples_open_with_one_click(browser: Browser) -> None:
    browser.go("/")
    browser.click("sample-0")
    assert "1,500 records" in browser.text("summary")
    first = browser.driver.current_url
    browser.go("/")
    browser.click("sample-1")
    assert "400 people" in browser.text("people")
    browser.go("/")
    browser.click("sample-0")
    browser.find("summary")
    assert browser.driver.current_url == first, "the one that is there already"


def test_a_header_alone_is_no_dead_end(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "header.csv"
    path.write_text("age,sex,city\n")
    browser.open(path)
    assert "no records" in browser.text("no-records")
    assert [browser.text(f"column-{at}") for at in range(3)] == ["age", "sex", "city"]
    browser.click("to-tables")
    browser.find("drop")


def test_columns_without_a_name_or_with_the_same_one_are_named_and_shown(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "frame.csv"
    path.write_text(
        '"",age,age,sex\n' + "\n".join(f"{at},{20 + at},{30 + at % 3},{'fm'[at % 2]}" for at in range(20)) + "\n"
    )
    browser.open(path)
    assert [browser.text(f"column-{at}") for at in range(4)] == ["column_1", "age", "age (2)", "sex"]
    assert "it has no name in the header" in browser.text("noticed")
    assert "its name repeats in the header" in browser.text("noticed")


def test_codes_for_missing_are_noticed(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    rows = [
        f"{(20, 31, 42, '.')[at % 4]},{(1, 2, 3, 9)[at % 4]},{(1, 2, 3, 99)[at % 4]},{(1, 2, 3, -9)[at % 4]}"
        for at in range(80)
    ]
    path.write_text("age,a,b,c\n" + "\n".join(rows) + "\n")
    browser.open(path)
    noticed = browser.text("noticed")
    assert all(f"'{code}'" in noticed for code in (".", "9", "99", "-9"))


def test_a_release_is_created_from_the_columns_page(browser: Browser, table: Path) -> None:
    browser.open(table)
    assert "at least 5" in browser.text("asked-words")
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    run = browser.driver.current_url.partition("?")[0].rpartition("/")[2]
    for kind in ("release", "manifest"):
        address = browser.find(f"get-{kind}").get_attribute("href")
        assert address is not None
        assert f"/runs/{run}/files/release." in address


def test_without_a_quasi_identifier_there_is_nothing_to_create(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text("remark\n" + "".join(f"this is remark number {at}\n" for at in range(30)))
    browser.open(tmp_path / "notes.csv")
    assert not browser.find("go").is_enabled()
