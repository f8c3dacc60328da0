"""Members of another package are offered on the pages of the web app, and work there."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from web.driving import VERIFIED, Browser, Server


@pytest.fixture
def browser(outside: Path, tmp_path: Path) -> Iterator[Browser]:
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        pytest.skip("chromium and chromedriver are not installed")
    server = Server(tmp_path / "workspace")
    try:
        opened = Browser(server)
        yield opened
        opened.close()
    finally:
        server.stop()


def test_every_family_is_offered(browser: Browser, people: Path) -> None:
    file = browser.open(people)
    for at, role in enumerate(("quasi", "quasi", "sensitive")):
        browser.choose(f"role-{at}", role)
    browser.click("step-hierarchies")
    browser.click("hierarchy-of-1")
    browser.choose("builder", "initials")
    browser.type("option-letters", "1")
    browser.click("build")
    browser.shows("A…")
    browser.click("step-privacy")
    browser.type("k", "2")
    browser.choose("model-kind", "varied")
    browser.click("model-add")
    browser.shows("varied of disease")
    browser.choose("search", "scored")
    browser.click("expert")
    browser.choose("scored-score", "first_column")
    browser.choose("search", "thorough")
    browser.choose("metric", "steps")
    browser.choose("output", "Pipes")
    browser.click("go")
    assert browser.text("verdict") == VERIFIED
    browser.go(f"/files/{file}/table")
    browser.choose("rule", "few")
    browser.choose("protection", "hiding")
    browser.choose("table-output", "Pipes")
    browser.click("tabulate")
    browser.find("table-cells")
    browser.go(f"/files/{file}/measure")
    browser.click("measure-further")
    browser.choose_several("measure-only", ["kept"])
    browser.click("tool-tally")
    assert browser.text("tallied") == "4 combinations"
    assert browser.complaints() == []
