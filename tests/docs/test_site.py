"""The documentation builds without warnings, and a reader's browser loads nothing from the network."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

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
