"""Careless use: two windows on one table, leaving early, deleting a table in use, empty tables."""

from pathlib import Path

from incrowd.text import percent
from web.driving import Browser, Server


def test_two_windows_on_one_table(browser: Browser, table: Path) -> None:
    file = browser.open(table)
    first = browser.driver.current_window_handle
    browser.click("step-privacy")
    browser.find("go")
    browser.driver.switch_to.new_window("tab")
    browser.go(f"/files/{file}/privacy")
    browser.type("k", "7")
    browser.type("priority-0", "3")
    browser.driver.close()
    browser.driver.switch_to.window(first)
    browser.type("suppress", "9")
    browser.type("priority-1", "2")
    browser.driver.refresh()
    fields = ("k", "suppress", "priority-0", "priority-1")
    assert [browser.find(mark).get_attribute("value") for mark in fields] == ["7", "9", "3", "2"]


def test_a_table_in_use_is_not_half_deleted(server: Server, browser: Browser, tmp_path: Path) -> None:
    # Far too many nodes to count them all while the test waits.
    names = [f"age_{at}" for at in range(13)]
    rows = [",".join(str((at * (3 + place)) % 97) for place in range(13)) for at in range(60)]
    path = tmp_path / "busy.csv"
    path.write_text("\n".join([",".join(names), *rows, *rows]) + "\n")
    file = browser.open(path)
    browser.click("step-privacy")
    browser.type("k", "2")
    browser.choose("search", "exhaustive")
    browser.click("go")
    browser.until(lambda: "nodes counted" in browser.text("words"), "the search to be on")
    run = browser.driver.current_url
    browser.go("/")
    browser.click("delete-file")
    browser.click("sure")
    browser.shows("a release of this table is being created")
    assert (server.folder / "files" / file).exists()
    browser.driver.get(run)
    browser.click("cancel")
    browser.text("sentence")
    # The result looks up much that takes long; leaving it at once must not keep the table in use.
    browser.go("/")
    browser.click("delete-file")
    browser.click("sure")
    browser.until(lambda: "busy.csv" not in browser.body(), "the file to go")
    assert not (server.folder / "files" / file).exists()


def test_a_table_without_records(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "nobody.csv"
    path.write_text("age,sex\n")
    browser.open(path)
    assert browser.text("summary").startswith("0 records, 2 columns")
    browser.click("step-privacy")
    browser.click("go")
    assert browser.text("sentence") == "The table is empty; only its header is published."
    browser.tab("files")
    browser.find("download-release-csv")


def test_a_text_that_stands_for_missing_is_pointed_out(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "work.csv"
    path.write_text("age,work\n" + "".join(f"{30 + at % 9},{'?' if at % 5 else 'state'}\n" for at in range(40)))
    browser.open(path)
    # What is likely is read so at first, as in a first job.
    assert browser.text("notice-0") == "work: '?' is read as missing."
    assert percent(0.8) in browser.text("columns")
    browser.click("undo-0")
    browser.until(lambda: bool(browser.all("notice-0-0")), "the table read as it is written")
    assert browser.text("notice-0") == "work: '?' seems to mean missing; it is read as a value."
    browser.go(browser.driver.current_url.removeprefix(browser.server.address))
    assert browser.text("notice-0") == "work: '?' seems to mean missing; it is read as a value."
    browser.click("notice-0-0")
    browser.until(lambda: bool(browser.all("undo-0")), "the table read anew")
    assert browser.text("notice-0") == "work: '?' is read as missing."
