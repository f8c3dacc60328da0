"""Downloads from the pages."""

import urllib.request
from pathlib import Path

from web.driving import Browser


def downloaded(browser: Browser, mark: str, to: Path) -> Path:
    """Fetch the target of a link with the cookies of the browser."""
    address = browser.find(mark).get_attribute("href")
    assert address is not None
    cookies = "; ".join(f"{each['name']}={each['value']}" for each in browser.driver.get_cookies())
    with urllib.request.urlopen(urllib.request.Request(address, headers={"Cookie": cookies})) as answer:
        to.write_bytes(answer.read())
    return to


def released(browser: Browser, folder: Path) -> Path:
    """Fetch the release of the current page and its manifest, from its files."""
    browser.tab("files")
    downloaded(browser, "download-release-csv-manifest-json", folder / "release.csv.manifest.json")
    return downloaded(browser, "download-release-csv", folder / "release.csv")
