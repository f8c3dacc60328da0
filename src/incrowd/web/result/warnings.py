"""The panel of what must be known before a release is shared; long lists of columns are shortened, and whole below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from nicegui import ui

from incrowd.web.parts import layout
from incrowd.web.parts.column_names import shortened

_QUOTED = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?: \([^()]*\))?"""
_LIST = re.compile(rf"{_QUOTED}(?:, {_QUOTED}){{3,}}(?: and (?P<more>[0-9]+) more)?")
_FIRST_CLAUSE = re.compile(rf"(?:{_QUOTED}|[^;:])*?(?=[;:] )")
_SAME = {"nearly_unique": "nearly any class satisfies l-diversity", "unprotected": "no privacy model protects"}
"""By kind of caution a part of the warning that says the same at length."""
_SHOWN = 2
"""Columns of a list that are named; further ones are counted."""
_ASIDE = re.compile(r" \([^()]*\)")
_SENTENCES = re.compile(r"(?<=[.]) (?=[A-Z])")
_NO_PEOPLE = (
    "Records are counted, because no column tells the person. Give one the role person if people may have several "
    "records: a class may be of fewer people."
)


def show(facts: dict[str, Any]) -> None:
    """Show the panel, if there is anything to know."""
    is_stopped = facts["stopped"] is not None
    # Results of an older version have no cautions.
    kinds = [each["kind"] for each in facts.get("cautions", ())]
    warnings, notes = list(facts["warnings"]), joined(facts.get("notes", ()))
    if not (is_stopped or "people" in kinds or warnings or notes):
        return
    with layout.panel("Before you share it", mark="warnings"):
        if is_stopped:
            layout.mark(layout.message("Stopped early: this is the best release found so far.", "warning"), "stopped")
        if "people" in kinds:
            layout.mark(layout.message(_NO_PEOPLE, "warning"), "no-people")
        for warning in warnings:
            # The bar above, which stays in sight, says it in fewer words.
            if not any(_SAME[kind] in warning for kind in kinds if kind in _SAME):
                layout.message(in_short(warning), "warning")
        for note in notes:
            layout.mark(layout.message(note, "warning"), "note")
        if whole := [*warnings, *facts.get("notes", ())]:
            with layout.mark(ui.expansion("Why, and what you can do"), "warnings-more"):
                for each in whole:
                    layout.paragraph(each)


def in_short(warning: str) -> str:
    """Return the first clause of a warning, which says what is so, with two names of each list of columns."""
    first = _SENTENCES.split(_LIST.sub(_few, warning))[0]
    clause = _FIRST_CLAUSE.match(first)
    said = _ASIDE.sub("", clause.group() if clause else first).rstrip(".")
    return f"{said[:1].upper()}{said[1:]}."


def _few(found: re.Match[str]) -> str:
    names = [re.sub(r" \([^()]*\)$", "", each) for each in re.findall(_QUOTED, found.group())]
    return f"{', '.join(names[:_SHOWN])} and {len(names) - _SHOWN + int(found['more'] or 0):,} more"


def joined(notes: Sequence[str]) -> list[str]:
    """Return notes that say the same of several columns as one."""
    alike: dict[str, list[str]] = {}
    for note in notes:
        column, _, said = note.partition(": ")
        alike.setdefault(said, []).append(column)
    return [
        f"{shortened(columns, _SHOWN)}: {said.partition('; to change it')[0]}." if said else columns[0]
        for said, columns in alike.items()
    ]
