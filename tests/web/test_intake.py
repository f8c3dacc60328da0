"""How a table comes in: by a click anywhere in the drop area, as a sample, or with nothing but a header."""

from pathlib import Path

from selenium.webdriver.common.by import By

from web.driving import Browser

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
