"""The panel of searches that were tried: another one is a click away."""

from pathlib import Path

from web.driving import Browser


def test_another_search_is_one_click_away(browser: Browser, table: Path) -> None:
    browser.open_by_hand(table)
    browser.click("next")
    browser.click("next")
    browser.click("next")
    browser.click("go")
    assert "this release" in browser.text("tried")
    first = browser.driver.current_url
    browser.click("create-mondrian" if browser.all("create-mondrian") else "create-k_members")
    browser.until(lambda: browser.driver.current_url != first, "a run of its own")
    browser.until(lambda: not browser.all("tried"), "a release of a job that names its search")
    assert browser.complaints() == []
