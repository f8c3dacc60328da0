"""The sets that a test belongs to by what it asks for; pyproject.toml says what the marks mean."""

from collections.abc import Iterator

import pytest

BROWSERS = {"browser", "the_browser"}
"""Fixtures that open a browser."""


def marks_of(item: pytest.Item) -> Iterator[str]:
    """The marks of a test that nobody has to give it."""
    if BROWSERS.intersection(getattr(item, "fixturenames", ())):
        yield "browser"
    if "spark" in item.nodeid.partition("::")[2]:
        yield "spark"
