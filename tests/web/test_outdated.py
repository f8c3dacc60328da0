"""An answer that no longer fits the question is marked, and what was typed survives a reload."""

from collections.abc import Callable
from pathlib import Path

import pytest

from web.downloads import released
from web.driving import VERIFIED, Browser


def is_marked(browser: Browser) -> bool:
    """Return whether some answer on the page is marked as one to another question."""
    shown = "return [...document.querySelectorAll('[data-mark=outdated]')].some((each) => each.offsetParent)"
    return bool(browser.driver.execute_script(shown))


def marked_after(browser: Browser, change: Callable[[], None], back: Callable[[], None]) -> None:
    """The answer is marked when a setting changes, and no longer when it is changed back."""
    assert not is_marked(browser)
    change()
    browser.until(lambda: is_marked(browser), "the mark")
    back()
    browser.until(lambda: not is_marked(browser), "the mark to go")


PAGES: dict[str, tuple[str, str, str, str, str]] = {
    "risk": ("assess", "attackers", "threshold", "10", "20"),
    "frontier": ("frontier-go", "frontier-why", "frontier-k", "3", "2, 5"),
    "table": ("tabulate", "table-cells", "rule-n", "4", ""),
}
"""By page: the button, the answer, a field, another value, and the one before."""


@pytest.mark.parametrize("page", PAGES)
def test_an_answer_to_other_settings_is_marked(browser: Browser, table: Path, page: str) -> None:
    button, answer, field, other, before = PAGES[page]
    file = browser.open(table)
    browser.go(f"/files/{file}/{page}")
    browser.type(field, before)
    browser.click(button)
    browser.find(answer)
    marked_after(browser, lambda: browser.type(field, other), lambda: browser.type(field, before))
    # What was typed is there again after a reload, and the answer is still that to the earlier question.
    browser.type(field, other)
    browser.until(lambda: is_marked(browser), "the mark")
    browser.driver.refresh()
    browser.find(answer)
    assert browser.find(field).get_attribute("value") == other
    browser.until(lambda: is_marked(browser), "the mark after the reload")
    browser.click(button)
    browser.until(lambda: not is_marked(browser), "the new answer")
    # A setting of another page counts too.
    if page != "frontier":
        return
    browser.click("step-privacy")
    browser.type("suppress", "9")
    browser.click("tool-frontier")
    browser.find(answer)
    browser.until(lambda: is_marked(browser), "the mark of an answer to another job")


def test_a_question_that_was_changed(browser: Browser, table: Path) -> None:
    file = browser.open(table)
    browser.go(f"/files/{file}/diagnose")
    browser.text("sentence")
    marked_after(browser, lambda: browser.type("k", "7"), lambda: browser.type("k", "5"))
    marked_after(browser, lambda: browser.toggle("k-kind", "asked"), lambda: browser.toggle("k-kind", "given"))
    browser.type("k", "7")
    browser.until(lambda: is_marked(browser), "the mark")
    browser.click("ask")
    browser.until(lambda: not is_marked(browser) and "7" in browser.text("sentence"), "the new answer")


def test_a_release_is_checked_and_attacked_anew(browser: Browser, table: Path, tmp_path: Path) -> None:
    browser.open(table)
    browser.click("step-privacy")
    browser.type("k", "4")
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    browser.tab("attacks")
    browser.click("attack-go")
    browser.find("attack-found")
    browser.click("attack-besides")
    marked_after(browser, lambda: browser.type("attack-knows", "x"), lambda: browser.type("attack-knows", ""))

    run = browser.driver.current_url.partition("?")[0].rpartition("/")[2]
    release = released(browser, tmp_path)
    browser.go("/check")
    for path in (release.with_name(f"{release.name}.manifest.json"), release):
        browser.drop("check-drop", path)
        browser.shows(path.name)
    browser.click("check")
    assert browser.text("check-verdict").startswith("Verified")
    assert "You can rely on" in browser.text("check-next")
    browser.drop("check-drop", table)
    browser.until(lambda: is_marked(browser), "the mark")
    # That another release was verified must not be read beside this one.
    assert "Verified" not in browser.body()
    browser.click("check")
    browser.until(lambda: browser.text("check-verdict").startswith("Failed"), "the verdict")
    assert "Do not use or pass on" in browser.text("check-next")
    browser.click("check-to-table")
    browser.find("summary")
    browser.go(f"/runs/{run}")
    browser.find("verdict")


def test_releases_of_different_tables(browser: Browser, table: Path) -> None:
    other = table.with_name("others.csv")
    other.write_text(table.read_text().replace("flu", "gout"))
    for path in (table, other):
        browser.open(path)
        browser.click("step-privacy")
        browser.type("k", "4")
        browser.click("go")
        assert browser.text("verdict") == VERIFIED
    browser.go("/")
    browser.click("choose-0")
    browser.click("choose-1")
    browser.click("compare")
    assert "compare them only within one table" in browser.text("lead")
    assert "people.csv" in browser.text("compared")
    assert "others.csv" in browser.text("compared")
    browser.until(lambda: len(browser.all("metrics-table")) == 2, "the metrics of each table")
    browser.go("/compare/r0000000000000000,r0000000000000001")
    browser.find("left-out")
    browser.click("choose-releases")
    browser.find("drop")


def test_a_project_goes_to_another_machine_by_hand(browser: Browser, table: Path, tmp_path: Path) -> None:
    from incrowd.client import Client

    file = browser.open(table)
    browser.click("step-privacy")
    browser.type("k", "4")
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    browser.go("/")
    browser.click("export-file")
    browser.shows("Keep it private")
    browser.click("export-table")
    browser.requests()
    browser.click("export-go")
    asked = f"/v1/files/{file}/project?table=false&private_records=true"
    browser.until(lambda: any(each.endswith(asked) for each in browser.requests()), "the download")
    with Client(browser.server.address) as client:
        path = client.export_project(file, tmp_path / "project.zip")
        whole = path.read_bytes()
        client.export_project(file, path, table=False)
    browser.click("project-import")
    browser.drop("project-drop", path)
    assert "exported without its table (people.csv)" in browser.text("message-error")
    path.write_bytes(whole[:-50])
    browser.drop("project-drop", path)
    browser.shows("it is not a ZIP archive, or damaged")
    path.write_bytes(whole)
    browser.drop("project-drop", path)
    browser.shows("ready, imported")
    browser.click("open-run-0")
    assert browser.text("imported").startswith("Imported with a project on ")
    browser.click("step-privacy")
    assert browser.find("k").get_attribute("value") == "4"
    assert file not in browser.driver.current_url


def test_what_was_typed_and_not_used_yet_survives_a_reload(browser: Browser, table: Path) -> None:
    file = browser.open(table)
    browser.go(f"/files/{file}/hierarchies")
    browser.find("levels-table")
    browser.choose("builder", "intervals")
    browser.type("option-widths", "3, 6")
    browser.driver.refresh()
    browser.until(lambda: browser.find("option-widths").get_attribute("value") == "3, 6", "what was typed")
    browser.click("build")
    browser.shows("Builder: intervals:widths=3/6")
    browser.driver.refresh()
    browser.until(lambda: browser.find("option-widths").get_attribute("value") == "3, 6", "what is used")
    # Undone settings are not brought back by what was typed before.
    browser.click("undo-settings")
    browser.until(lambda: not browser.all("option-widths"), "the hierarchy before")
    browser.go(f"/files/{file}/apply")
    browser.choose("apply-output", "Parquet")
    browser.driver.refresh()
    browser.shows("Parquet")
