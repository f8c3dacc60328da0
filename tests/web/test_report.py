"""The report within the app: read in a frame that reaches nothing, and taken away in every form."""

import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from web.downloads import downloaded
from web.driving import Browser, Server

HOSTILE = "<img src=x onerror=parent.owned=1>"


def test_it_is_read_and_taken_away(server: Server, browser: Browser, table: Path) -> None:
    table.write_text(table.read_text().replace("flu", f"{HOSTILE}</script><script>parent.owned=1</script>"))
    browser.complaints()
    browser.open(table)
    browser.click("step-privacy")
    browser.type("k", "4")
    browser.click("go")
    browser.text("sentence")
    run = browser.driver.current_url.rpartition("/")[2]
    browser.tab("files")
    browser.click("read-internal")
    assert browser.find("report").get_attribute("sandbox") == "allow-scripts"
    browser.driver.switch_to.frame(browser.find("report"))
    browser.until(lambda: browser.driver.find_elements(By.CSS_SELECTOR, "th button"), "the report")
    assert "&lt;img src=x" in browser.driver.page_source
    assert browser.driver.execute_script("return window.origin") == "null"
    # The script of the report itself runs: tables are sorted by their heads.
    assert browser.driver.find_elements(By.CSS_SELECTOR, "th button")
    browser.driver.switch_to.default_content()
    assert browser.driver.execute_script("return window.owned === undefined")
    browser.click("report-external")
    browser.driver.switch_to.frame(browser.find("report"))
    browser.until(lambda: browser.driver.find_elements(By.CSS_SELECTOR, "th button"), "the external report")
    assert "onerror" not in browser.driver.page_source
    browser.driver.switch_to.default_content()
    folder = table.parent
    assert downloaded(browser, "download-report-external-md", folder / "r.md").read_text().startswith("# ")
    facts = json.loads(downloaded(browser, "download-report-external-json", folder / "r.json").read_text())
    assert (facts["audience"], facts["kind"]) == ("external", "release")
    assert "<html" in downloaded(browser, "download-report-external-html", folder / "r.html").read_text()
    assert browser.complaints() == []

    with urllib.request.urlopen(f"{server.address}/runs/{run}/report/internal") as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "'unsafe-inline'; script-src 'sha256-" in policy
        assert "sandbox allow-scripts" in policy
        assert "frame-ancestors 'self'" in policy
        assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
    for address in (f"/runs/{run}/report/..%2frelease.csv", f"/runs/{run}/report/record", "/runs/r0/report/internal"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(server.address + address)
