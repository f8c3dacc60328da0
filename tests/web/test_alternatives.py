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
    browser.click("previews")
    browser.until(lambda: "a preview, not verified" in browser.text("previews"), "what it is")
    shown = [mark for mark in ("original", "mondrian", "layered", "k_members") if browser.all(f"preview-{mark}")]
    assert "original" in shown
    assert len(shown) >= 3
    for mark in shown:
        assert len(browser.all(f"preview-{mark}")[0].find_elements("css selector", "tbody tr")) == 10
    first = browser.driver.current_url
    browser.click("create-mondrian" if browser.all("create-mondrian") else "create-k_members")
    browser.until(lambda: browser.driver.current_url != first, "a run of its own")
    browser.until(lambda: not browser.all("tried"), "a release of a job that names its search")
    assert browser.complaints() == []
