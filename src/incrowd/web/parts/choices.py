"""Fields shared by several pages: columns, other tables, time limit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.web.parts import layout
from incrowd.web.parts.background import fetch_result, run_soon
from incrowd.web.parts.listing import format_time

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace
    from incrowd.web.parts.draft import Draft

NO_TABLES = ("hierarchy", "manifest", "record")
"""Kinds of files without records."""


def columns(space: Workspace, owner: str, draft: Draft, label: str, chosen: list[str] | None, mark: str) -> ui.select:
    """Show a choice of columns; the default is the previous choice, else the quasi-identifiers."""
    known = list(draft.roles)
    value = [name for name in chosen or draft.quasi if name in known]
    select = ui.select(known, value=value, multiple=True, label=label).props("use-chips options-dense").classes("wide")
    if not known:
        run_soon(lambda: _load_columns(space, owner, draft, select))
    return layout.mark(select, mark)


async def _load_columns(space: Workspace, owner: str, draft: Draft, select: ui.select) -> None:
    """Fill the choice for a table whose columns were not inspected yet."""
    with select.parent_slot.parent if select.parent_slot else select:
        head = await fetch_result(space, "head", {**draft.reading, "rows": 1}, owner)
    if head is not None:
        select.set_options(head["columns"])


def tables_of(space: Workspace, owner: str, but: str | None = None) -> dict[str, str]:
    """Return the labels of all stored tables by id."""
    return {each.id: file_label(each) for each in space.files(owner) if each.kind not in NO_TABLES and each.id != but}


def file_label(file: StoredFile) -> str:
    """Return a file's name with its time, because several files may have the same name."""
    return f"{file.name} ({format_time(file.added)})"


def table(space: Workspace, owner: str, but: str, label: str, chosen: Any) -> ui.select:
    """Show a choice of the other stored tables."""
    others = tables_of(space, owner, but)
    return ui.select(others, value=chosen if chosen in others else None, label=label, clearable=True).classes("wide")


def toggle(kinds: dict[str, str], value: str, label: str, mark: str) -> ui.toggle:
    """Show buttons of which exactly one is pressed."""
    made = ui.toggle(kinds, value=value).props("no-caps unelevated toggle-color=primary")
    made.props["aria-label"] = label
    return layout.mark(made, mark)


_KNOWS = {"record": "any one record", "2": "any 2 records", "3": "any 3 records", "history": "all records"}


def attackers() -> ui.select:
    """Return a choice of several attackers, by how much each knows of a person."""
    made = ui.select(_KNOWS, value=[], multiple=True, label="Attackers know of a person (default: three attackers)")
    return layout.mark(made.props("use-chips options-dense").classes("wide"), "attackers")


def knows(own: str) -> ui.select:
    """Return a choice of how much an attacker knows of a person."""
    known = _KNOWS if own in _KNOWS else {**_KNOWS, own: f"any {own} records"}
    return layout.mark(ui.select(known, value=own, label="An attacker knows of a person").classes("middle"), "knows")


def describe_knows(own: str) -> str:
    """Return how much an attacker knows of a person in words."""
    return _KNOWS.get(own, f"any {own} records")


def time_limit(value: float | None) -> ui.number:
    """Show a field for a time limit."""
    field = (
        ui.number("Time limit (seconds)", value=value, min=1, placeholder="none").classes("middle").props("stack-label")
    )
    return layout.mark(field, "seconds")


def parse_numbers(written: str | None, kind: type = int) -> list[Any]:
    """Return the numbers listed in a field; raise ValueError if one is not a number."""
    return [kind(each) for each in re.split(r"[\s,;]+", (written or "").strip()) if each]


def drop_empty(**settings: Any) -> dict[str, Any]:
    """Return a request without its empty settings."""
    return {name: value for name, value in settings.items() if value not in (None, "", [], {})}
