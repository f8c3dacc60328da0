"""The documentation builds without warnings, loads nothing from the network, and can be read in light and dark."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from web.driving import Browser

ROOT = Path(__file__).parents[2]
LOADING = {"src", "srcset", "data", "poster", "background"}
"""Attributes whose address a browser fetches by itself; href does so in <link> alone."""
REMOTE = re.compile(r"^\s*(https?:)?//", re.IGNORECASE)
STYLE_LOADS = re.compile(r"""(?:url\(|@import)\s*["']?\s*((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)


class Loads(HTMLParser):
    """Collects the addresses outside the site that a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        fetched = {*LOADING, "href"} if tag == "link" and attributes.get("rel") != "canonical" else LOADING
        self.found += [value for name, value in attrs if name in fetched and value and REMOTE.match(value)]
        self.found += STYLE_LOADS.findall(attributes.get("style") or "")

    def handle_comment(self, data: str) -> None:
        # Old browsers read what stands in a conditional comment.
        if data.startswith("[if"):
            self.feed_again(data)

    def feed_again(self, text: str) -> None:
        """Read the text of a comment as if it stood in the page."""
        inner = Loads()
        inner.feed(text.partition(">")[2])
        self.found += inner.found


def loads(page: str) -> list[str]:
    """What a page loads from elsewhere."""
    parser = Loads()
    parser.feed(page)
    styles = re.findall(r"<style\b[^>]*>(.*?)</style>", page, re.DOTALL | re.IGNORECASE)
    return parser.found + STYLE_LOADS.findall("\n".join(styles))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built documentation."""
    target = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", target],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return target


def test_pages_load_nothing_from_the_network(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert pages
    assert {page.name: found for page in pages if (found := loads(page.read_text(encoding="utf-8")))} == {}


def test_styles_load_nothing_from_the_network(site: Path) -> None:
    styles = sorted(site.rglob("*.css"))
    assert styles
    assert {style.name: found for style in styles if (found := STYLE_LOADS.findall(style.read_text("utf-8")))} == {}


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def browser(site: Path) -> Iterator[Browser]:
    """A browser that looks at the built documentation."""
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        pytest.skip("chromium and chromedriver are not installed")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as served:
        Thread(target=served.serve_forever, daemon=True).start()
        opened = Browser(SimpleNamespace(address=f"http://127.0.0.1:{served.server_port}"))
        yield opened
        opened.close()
        served.shutdown()


AXE = files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
# Of texts that are readable one is enough; the pages have thousands.
RUN_AXE = "axe.run({runOnly: ['color-contrast'], resultTypes: ['violations']}).then(arguments[0])"
# Text, commands and Python; YAML, JSON and XML; tables; signatures; calls of other languages.
SEEN = ["index.html", "tutorial-python.html", "jobs.html", "metrics.html", "python.html", "from-arx.html"]


SCHEMES = {"light": "default", "dark": "slate"}
"""What a system prefers, and the colors that a page then has."""


def prefer(browser: Browser, scheme: str) -> None:
    """Let the system prefer light or dark."""
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


def shown(browser: Browser) -> str:
    """The colors of the page."""
    return str(browser.driver.execute_script("return document.body.dataset.mdColorScheme"))


def faint(browser: Browser) -> list[str]:
    """What axe says about texts that stand out too little."""
    browser.driver.execute_script(f"if (!window.axe) {{{AXE}}}")
    found = browser.driver.execute_async_script(RUN_AXE)
    assert found["passes"] or found["violations"]
    return [node["failureSummary"] for rule in found["violations"] for node in rule["nodes"]]


@pytest.mark.parametrize(
    ("path", "schemes"), [(path, list(SCHEMES)[:: -1 if at % 2 else 1]) for at, path in enumerate(SEEN)], ids=SEEN
)
def test_texts_have_enough_contrast(browser: Browser, path: str, schemes: list[str]) -> None:
    """Half of the pages are opened in light and half in dark; then the system changes its mind."""
    prefer(browser, schemes[0])
    browser.go(f"/{path}")
    assert shown(browser) == SCHEMES[schemes[0]]
    assert faint(browser) == []
    prefer(browser, schemes[1])
    browser.until(lambda: shown(browser) == SCHEMES[schemes[1]], schemes[1])
    assert faint(browser) == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_faint_text_is_noticed(browser: Browser, site: Path, scheme: str) -> None:
    style = f"@media (prefers-color-scheme: {scheme}) {{ p {{ color: #999 }} }}"
    # A name of its own: the browser may have kept another page of the same second.
    (site / f"faint-{scheme}.html").write_text(
        f"<style>{style}</style><body style='background: #fff'><p>faint</p>", "utf-8"
    )
    other = next(each for each in SCHEMES if each != scheme)
    prefer(browser, other)
    browser.go(f"/faint-{scheme}.html")
    assert faint(browser) == []
    prefer(browser, scheme)
    (summary,) = faint(browser)
    assert "contrast" in summary


def test_the_search_finds_a_page(browser: Browser) -> None:
    browser.go("/index.html?q=anatomy")
    browser.until(
        lambda: browser.driver.find_elements("css selector", "a.md-search-result__link[href*=anatomy]"), "a hit"
    )


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://example.org/a.js"></script>',
        '<link rel="stylesheet" href="//example.org/a.css">',
        '<img src="http://example.org/a.png">',
        "<style>@import 'https://example.org/a.css';</style>",
        '<p style="background: url(https://example.org/a.png)">',
        '<!--[if lt IE 9]><script src="https://example.org/a.js"></script><![endif]-->',
    ],
)
def test_a_load_is_noticed(text: str) -> None:
    assert len(loads(f"<html>{text}</html>")) == 1


def test_links_and_own_files_are_no_loads() -> None:
    assert loads('<a href="https://example.org">x</a><script src="js/a.js"></script><img src="/a.png">') == []
