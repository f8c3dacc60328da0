"""One server and one browser for all tests of a worker; each test brings its own tables."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from web.driving import Browser, Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        pytest.skip("chromium and chromedriver are not installed")
    running = Server(tmp_path_factory.mktemp("web") / "workspace", "--allow-host", "127.0.0.1")
    yield running
    running.stop()


@pytest.fixture(scope="session")
def the_browser(server: Server) -> Iterator[Browser]:
    opened = Browser(server)
    yield opened
    opened.close()


@pytest.fixture
def browser(the_browser: Browser) -> Iterator[Browser]:
    # What a server that is gone left unanswered is not about this test.
    the_browser.complaints()
    yield the_browser
    # The page of one test must not ask for anything while the next one begins.
    the_browser.leave()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Forty people, small enough for every run to be quick."""
    rows = [f"{20 + at % 10},{'NSEW'[at % 4]},{'flu' if at % 3 else 'cold'}" for at in range(40)]
    path = tmp_path / "people.csv"
    path.write_text("age,region,disease\n" + "\n".join(rows) + "\n")
    return path
