"""The pages of a service that asks who one is: a key is shown once, and everybody sees their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from incrowd.client import Client
from incrowd.rest.access import add_key
from web.axe import violations
from web.downloads import downloaded
from web.driving import PATIENCE, Browser, Server


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    path = tmp_path_factory.mktemp("keys") / "keys.txt"
    return {"file": str(path), **{name: add_key(str(path), name) for name in ("ann", "bob")}}


@pytest.fixture(scope="module")
def guarded(server: Server, keys: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("guarded") / "workspace", "--keys", keys["file"])
    yield running
    running.stop()


@pytest.fixture
def visitor(guarded: Server, the_browser: Browser) -> Iterator[Browser]:
    """The browser of the other tests, at the guarded server and without a session."""
    before, the_browser.server = the_browser.server, guarded
    the_browser.go("/login")
    the_browser.driver.delete_all_cookies()
    yield the_browser
    the_browser.driver.delete_all_cookies()
    the_browser.driver.get("about:blank")
    # What was refused here is no complaint of the tests that come next.
    the_browser.complaints()
    the_browser.requests()
    the_browser.server = before


def signed_in(visitor: Browser, key: str) -> None:
    visitor.type("key", key)
    visitor.click("sign-in")


def test_a_key_opens_the_pages(visitor: Browser, keys: dict[str, str], table: Path) -> None:
    visitor.go("/")
    visitor.shows("Enter your API key to sign in.")
    assert violations(visitor) == {}
    signed_in(visitor, "incrowd_wrong")
    visitor.shows("Unknown API key.")
    assert visitor.find("sign-in").is_displayed()
    signed_in(visitor, keys["ann"])
    visitor.find("drop")
    assert visitor.text("who") == "ann"
    file = visitor.open_by_hand(table)
    visitor.click("step-privacy")
    visitor.type("k", "4")
    visitor.click("go")
    assert "smallest class: " in visitor.text("sentence")
    run = visitor.driver.current_url.rpartition("/")[2]
    visitor.tab("files")
    assert downloaded(visitor, "download-release-csv", table.with_name("got.csv")).read_text().startswith("age,")
    visitor.click("read-internal")
    box = visitor.find("report")
    visitor.driver.switch_to.frame(box)
    visitor.until(lambda: "elease" in visitor.body(), "the report")
    visitor.driver.switch_to.default_content()

    visitor.go(f"/runs/{run}?tab=data")
    visitor.find("records-release")
    with Client(visitor.server.address, keys["ann"], timeout=PATIENCE) as client:
        listed = next(each.id for each in client.runs() if each.kind == "records")
    visitor.go(f"/runs/{listed}/records")
    visitor.shows("total")

    visitor.go("/")
    visitor.click("sign-out")
    visitor.shows("Enter your API key to sign in.")
    visitor.go(f"/runs/{run}")
    visitor.shows("Enter your API key to sign in.")
    signed_in(visitor, keys["bob"])
    visitor.find("drop")
    assert "people.csv" not in visitor.body()
    for address in (f"/runs/{run}", f"/files/{file}/columns", f"/runs/{run}/report"):
        visitor.go(address)
        visitor.shows("Not found")
    for address in (f"/runs/{run}/files/release.csv", f"/runs/{run}/report/internal", f"/runs/{listed}/records"):
        visitor.go(address)
        visitor.shows("no such run")


def test_signing_out_ends_the_pages_of_all_windows(visitor: Browser, keys: dict[str, str]) -> None:
    visitor.go("/")
    signed_in(visitor, keys["ann"])
    visitor.find("drop")
    driver = visitor.driver
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    visitor.go("/")
    visitor.click("sign-out")
    visitor.shows("Enter your API key to sign in.")
    driver.close()
    driver.switch_to.window(first)
    visitor.shows("Enter your API key to sign in.")


def test_no_database_for_others(visitor: Browser, keys: dict[str, str]) -> None:
    visitor.go("/")
    signed_in(visitor, keys["bob"])
    visitor.find("drop")
    assert not visitor.all("connect"), "where databases are not connected to, none is asked for"
