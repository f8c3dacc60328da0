"""Grouping by hand in the browser: with the mouse and with the keyboard, undone, saved, downloaded, used."""

from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from web.axe import violations
from web.driving import Browser
from web.test_accessibility import fits_a_phone

TOWNS = ("Graz", "Leoben", "Linz", "Wels", "Steyr", "Bruck")


def groups(browser: Browser) -> dict[str, str]:
    """The labels that are listed, each with its group."""
    rows = browser.find("edit-labels").find_elements(By.CSS_SELECTOR, "tbody tr")
    return {cells[1].text: cells[2].text for row in rows if len(cells := row.find_elements(By.TAG_NAME, "td")) > 2}


def shows(browser: Browser, **expected: str) -> None:
    """Wait until these labels are in these groups."""
    browser.until(lambda: expected.items() <= groups(browser).items(), str(expected))


def select(browser: Browser, *labels: str) -> None:
    """Tick labels with the space bar, as those without a mouse do."""
    for label in labels:
        box = f'[aria-label="Select {label}"]'
        browser.until(lambda at=box: browser.driver.find_elements(By.CSS_SELECTOR, at), label)
        browser.driver.find_element(By.CSS_SELECTOR, box).send_keys(Keys.SPACE)
        ticked = f'{box}[aria-checked="true"]'
        browser.until(lambda at=ticked: browser.driver.find_elements(By.CSS_SELECTOR, at), f"{label} to be ticked")
    browser.arrived()


def test_values_are_grouped_by_hand(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("town,ill\n" + "".join(f"{TOWNS[at % 6]},flu\n" for at in range(36)))
    browser.open(path)
    browser.choose("role-0", "quasi")
    browser.click("step-hierarchies")
    browser.find("edit-labels")
    browser.choose("edit-level", "Level 1")
    for suggested, one in (("Bruck, Graz and 2 more", "Graz"), ("Steyr, Wels", "Wels")):
        select(browser, suggested)
        browser.click("split")
        shows(browser, **{one: "*"})
    browser.choose("edit-level", "Values")

    browser.type("edit-filter", "gra")
    browser.until(lambda: list(groups(browser)) == ["Graz"], "the filter")
    browser.type("edit-filter", "")
    select(browser, "Graz", "Leoben", "Bruck")
    browser.type("edit-new", "Styria")
    browser.click("group")
    shows(browser, Graz="Styria", Leoben="Styria", Bruck="Styria", Linz="")
    select(browser, "Linz", "Wels")
    browser.find("edit-new").send_keys("Upper Austria", Keys.ENTER)
    shows(browser, Linz="Upper Austria", Wels="Upper Austria", Steyr="")
    select(browser, "Steyr")
    browser.choose("edit-parent", "Upper Austria")
    browser.click("move")
    shows(browser, Steyr="Upper Austria")
    assert "Not saved yet" in browser.text("groups-state")

    browser.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.CONTROL, "z")
    shows(browser, Steyr="")
    browser.click("redo")
    shows(browser, Steyr="Upper Austria")
    assert violations(browser) == {}
    assert fits_a_phone(browser)

    browser.click("rename")
    assert "no such label" in browser.text("message-error")
    browser.choose("edit-level", "Level 1")
    shows(browser, Styria="*")
    select(browser, "Styria")
    browser.until(lambda: browser.find("edit-new").get_attribute("value") == "Styria", "its name to be taken over")
    browser.type("edit-new", "south")
    browser.click("rename")
    shows(browser, south="*")
    select(browser, "south")
    browser.click("split")
    shows(browser, Graz="*", Bruck="*")
    browser.click("undo")
    shows(browser, south="*")

    browser.click("save-groups")
    browser.until(lambda: "south" in browser.text("levels-table"), "the hierarchy that was saved")
    browser.click("undo")
    shows(browser, Styria="*")
    browser.click("redo")
    shows(browser, south="*")
    allowed = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", allowed)
    browser.click("download-groups")
    file = tmp_path / "hierarchy.csv"
    browser.until(file.exists, "the file")
    assert sorted(file.read_text().splitlines()) == [
        "Bruck;south;*",
        "Graz;south;*",
        "Leoben;south;*",
        "Linz;Upper Austria;*",
        "Steyr;Upper Austria;*",
        "Wels;Upper Austria;*",
    ]
    browser.driver.refresh()
    browser.until(lambda: "south" in browser.text("levels-table"), "the hierarchy after a reload")
    assert browser.complaints() == []
