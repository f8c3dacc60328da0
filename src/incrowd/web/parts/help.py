"""Help that opens beside what it is about: terms of the glossary, and the members of a family in a sentence each.

The glossary is docs/glossary.md, which scripts/reference.py copies into the package: the words stand in one place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from nicegui import ui

from incrowd.families import Family
from incrowd.web.parts import layout

_GLOSSARY = Path(__file__).parents[1] / "glossary.md"
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"[*`]")


@cache
def terms() -> dict[str, str]:
    """Return the explanation of each term, as plain text."""
    parts = re.split(r"^## ", _GLOSSARY.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    named = (part.partition("\n") for part in parts)
    return {name.strip(): _as_text(body) for name, _, body in named}


def _as_text(body: str) -> str:
    """Return a text without markup, and without the links at its end, which lead to pages that are not here."""
    text = " ".join(body.split())
    while (shorter := re.sub(r"(?:^|(?<=[.)]))[\s,]*\[[^\]]*\]\([^)]*\)(?:, \[[^\]]*\]\([^)]*\))*$", "", text)) != text:
        text = shorter
    return _MARKUP.sub("", _LINK.sub(r"\1", text)).strip()


def button(about: str, names: Iterable[str], family: Family | None = None) -> None:
    """Show a button that opens the help about something; Escape and a click beside it close it.

    The browser does that itself, and gives the focus back: nothing is asked of the server.
    """
    known = terms()
    opener = ui.element("button").classes("help-button").props("type=button")
    opener.props["aria-label"] = opener.props["title"] = f"Help: {about}"
    with opener:
        layout.text("?", "span")
    layout.mark(opener, f"help-{about.lower().replace(' ', '-')}")
    with ui.element("div").classes("help").props("popover=auto role=dialog tabindex=-1") as box:
        place = f"help-{box.id}"
        box.props["id"], opener.props["popovertarget"] = place, place
        box.props["aria-label"] = f"Help: {about}"
        with ui.element("div").classes("help-head"):
            layout.text(about, "b")
            close = ui.element("button").classes("help-button").props("type=button popovertargetaction=hide")
            close.props["popovertarget"], close.props["aria-label"] = place, "Close the help"
            with close:
                layout.text("\u00d7", "span")
        with ui.element("dl"):
            for name in names:
                _entry(name, known[name])
            if family is not None:
                for name in family.ranked():
                    _entry(name, f"{family.meaning(name).rstrip('.')}.")


def _entry(name: str, words: str) -> None:
    layout.text(name, "dt")
    layout.text(words, "dd")
