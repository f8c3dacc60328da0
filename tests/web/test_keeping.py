"""Work is kept after a reload, after a restart, and beside another browser."""

from pathlib import Path

import pytest
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
