"""The sets that a test belongs to by what it asks for; pyproject.toml says what the marks mean."""

import re
from collections.abc import Iterator

import pytest

BROWSERS = {"browser", "the_browser"}
"""Fixtures that open a browser."""
ENGINES = re.compile("spark|ibis_sqlite|ibis_postgres")
"""Engines that take longest, as they are called in the names and parameters of tests."""


def marks_of(item: pytest.Item) -> Iterator[str]:
    """The marks of a test that nobody has to give it."""
    if BROWSERS.intersection(getattr(item, "fixturenames", ())):
        yield "browser"
    if ENGINES.search(item.nodeid.partition("::")[2]):
        yield "engines"
