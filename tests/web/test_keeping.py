"""Work is kept after a reload, after a restart, and beside another browser."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from web.driving import Browser, Server

TYPED = [
    pytest.param("step-privacy", "k", "k", "7", id="a field that sends each letter"),
    pytest.param("step-privacy", "details", "losses-0", "0, 0.5, 1", id="a field that waits for the end of typing"),
]


def test_reload_and_restart_keep_the_work(server: Server, browser: Browser, table: Path) -> None:
    file = browser.open(table)
    browser.choose("role-2", "keep")
    browser.until(lambda: "1 published unchanged" in browser.text("summary"), "the role")
    browser.driver.refresh()
    browser.until(lambda: "1 published unchanged" in browser.text("summary"), "the role after a reload")
    browser.click("step-privacy")
    browser.type("k", "4")
    browser.click("go")
    assert "smallest class: " in browser.text("sentence")
    run = browser.driver.current_url.rpartition("/")[2]

    server.stop()
    server.start()
    browser.go(f"/runs/{run}")
    assert "smallest class: " in browser.text("sentence")
    browser.go(f"/files/{file}/privacy")
    assert browser.find("k").get_attribute("value") == "4"
    browser.go("/")
    browser.shows("people.csv")


@pytest.mark.parametrize(("page", "around", "mark", "words"), TYPED)
def test_a_reload_in_the_middle_of_typing_loses_nothing(
    browser: Browser, table: Path, page: str, around: str, mark: str, words: str
) -> None:
    browser.open(table)
    browser.click(page)

    def field() -> WebElement:
        # The page may be loaded anew between two looks.
        found = browser.all(mark)
        if not found or not found[0].is_displayed():
            browser.click(around)
        return browser.find(mark)

    field().send_keys(Keys.CONTROL, "a")
    field().send_keys(words)
    browser.driver.refresh()
    browser.until(lambda: field().get_attribute("value") == words, "what was typed")


def test_what_is_typed_to_connect_a_database_is_kept_in_memory_alone(server: Server, browser: Browser) -> None:
    typed = {"url": "postgresql://me:Swordfish7@db/x", "table": "people", "query": "SELECT 1"}
    browser.go("/")
    for mark, words in typed.items():
        browser.type(mark, words)
    browser.driver.refresh()
    for mark, words in typed.items():
        browser.until(lambda m=mark, w=words: browser.find(m).get_attribute("value") == w, mark)
    files = [each for each in server.folder.rglob("*") if each.is_file()]
    assert files
    assert not any(b"Swordfish7" in each.read_bytes() for each in files)
    # It is of this window alone.
    [first] = browser.driver.window_handles
    browser.driver.switch_to.new_window("tab")
    try:
        browser.go("/")
        browser.type("table", "another")
        assert browser.find("url").get_attribute("value") == ""
    finally:
        browser.driver.close()
        browser.driver.switch_to.window(first)


def test_what_is_typed_on_the_columns_page_and_not_applied_is_kept(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.click("missing-texts")
    browser.type("missing", "n/a")
    browser.click("prepare")
    browser.choose("prepare-column", "region")
    browser.type("new-name", "place")
    browser.type("new-value", "north")
    browser.type("where-values", "S")
    browser.type("sample", "50")
    browser.driver.refresh()
    of_column = {"prepare-column": "region", "new-name": "place", "new-value": "north"}
    for mark, words in {**of_column, "missing": "n/a", "where-values": "S", "sample": "50"}.items():
        browser.until(lambda m=mark, w=words: browser.find(m).get_attribute("value") == w, mark)
    browser.click("rename")
    browser.until(lambda: browser.text("column-1") == "place", "the new name")
    # What was applied is not shown again, what was not is.
    browser.until(lambda: browser.find("where-values").get_attribute("value") == "S", "the rows")
    assert browser.find("prepare-column").get_attribute("value") == ""
    browser.click("look-again")
    # Nothing is left to be applied, so the fields are closed.
    browser.until(lambda: [each.is_displayed() for each in browser.all("missing")] == [False], "the table read again")
    browser.click("undo-settings")
    browser.until(lambda: browser.text("turned").startswith("Undone: missing"), "undone")
    browser.click("missing-texts")
    assert browser.find("missing").get_attribute("value") == ""


def test_undo_keeps_what_the_grid_of_columns_shows(browser: Browser, table: Path) -> None:
    browser.open(table)
    browser.choose("role-2", "keep")
    grid = browser.find("column-grid")
    grid.find_element(By.CSS_SELECTOR, ".ag-header-cell[col-id=distinct] .ag-header-cell-label").click()
    browser.find("find-columns").find_element(By.CSS_SELECTOR, ".q-item").click()
    browser.type("search-columns", "e")
    browser.choose("filter-role", "quasi")
    browser.until(lambda: browser.text("shown-columns") == "2 of 3 shown", "the filters")
    browser.arrived()
    browser.click("undo-settings")
    browser.until(lambda: browser.text("turned").startswith("Undone"), "undone")
    assert browser.find("search-columns").get_attribute("value") == "e"
    chosen = "return arguments[0].closest('.q-field').innerText"
    assert "quasi" in browser.driver.execute_script(chosen, browser.find("filter-role"))
    # Its name has an e in any case, and it is quasi again or still.
    browser.until(lambda: browser.text("shown-columns") == "2 of 3 shown", "the filters again")
    sorted_by = ".ag-header-cell[col-id=distinct][aria-sort=descending]"
    browser.until(lambda: browser.driver.find_elements(By.CSS_SELECTOR, sorted_by), "the order")


def test_two_browsers_at_once(server: Server, browser: Browser, table: Path) -> None:
    other = Browser(server)
    try:
        other_table = table.with_name("others.csv")
        other_table.write_text(table.read_text().replace("region", "place"))
        mine, theirs = browser.open(table), other.open(other_table)
        for each in (browser, other):
            each.click("step-privacy")
            each.type("k", "2")
            each.click("go")
        assert "smallest class: " in browser.text("sentence")
        assert "smallest class: " in other.text("sentence")
        for each, column in ((browser, "region"), (other, "place")):
            each.tab("columns")
            assert column in each.text("levels")
        assert mine != theirs
    finally:
        other.close()


def test_delete_for_good(server: Server, browser: Browser, table: Path) -> None:
    table = table.rename(table.with_name("to-delete.csv"))
    table.write_text(table.read_text().replace("flu", "veryrarevalue"))
    file = browser.open(table)
    browser.click("step-privacy")
    browser.click("go")
    browser.text("sentence")
    run = browser.driver.current_url.rpartition("/")[2]
    browser.go("/")
    browser.until(lambda: browser.all("delete-file")[0].is_displayed(), "the files")
    browser.click("delete-file")
    browser.click("sure")
    browser.until(lambda: "to-delete.csv" not in browser.body(), "the file to go")
    assert not (server.folder / "files" / file).exists()
    assert not (server.folder / "runs" / run).exists()
    kept = [path for path in server.folder.rglob("*") if path.is_file() and b"veryrarevalue" in path.read_bytes()]
    assert kept == []
