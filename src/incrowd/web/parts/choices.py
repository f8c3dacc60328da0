"""Fields that several pages have: columns, other tables, seconds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.web.parts import layout
from incrowd.web.parts.background import found, later
from incrowd.web.parts.listing import when

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace
    from incrowd.web.parts.draft import Draft

NO_TABLES = ("hierarchy", "manifest", "record")
"""Kinds of files that hold no records."""


def columns(space: Workspace, owner: str, draft: Draft, label: str, chosen: list[str] | None, mark: str) -> ui.select:
    """Some columns of the table; those that outsiders may know where none was chosen before."""
    known = list(draft.roles)
    value = [name for name in chosen or draft.quasi if name in known]
    select = ui.select(known, value=value, multiple=True, label=label).props("use-chips options-dense").classes("wide")
    if not known:
        later(lambda: _looked_up(space, owner, draft, select))
    return layout.marked(select, mark)


async def _looked_up(space: Workspace, owner: str, draft: Draft, select: ui.select) -> None:
    """A table whose columns nobody has looked at yet."""
    with select.parent_slot.parent if select.parent_slot else select:
        head = await found(space, "head", {**draft.reading, "rows": 1}, owner)
    if head is not None:
        select.set_options(head["columns"])


def tables_of(space: Workspace, owner: str, but: str | None = None) -> dict[str, str]:
    """The names of all tables that are kept, by id."""
    return {each.id: file_label(each) for each in space.files(owner) if each.kind not in NO_TABLES and each.id != but}


def file_label(file: StoredFile) -> str:
    """A file as lists name it: several may have the same name."""
    return f"{file.name} ({when(file.added)})"


def table(space: Workspace, owner: str, but: str, label: str, chosen: Any) -> ui.select:
    """Another table that is kept."""
    others = tables_of(space, owner, but)
    return ui.select(others, value=chosen if chosen in others else None, label=label, clearable=True).classes("wide")


def toggle(kinds: dict[str, str], value: str, label: str, mark: str) -> ui.toggle:
    """Buttons of which one is pressed."""
    made = ui.toggle(kinds, value=value).props("no-caps unelevated toggle-color=primary")
    made.props["aria-label"] = label
    return layout.marked(made, mark)


def seconds(value: float | None) -> ui.number:
    """How long something may take."""
    field = (
        ui.number("Time, in seconds", value=value, min=1, placeholder="no limit").classes("middle").props("stack-label")
    )
    return layout.marked(field, "seconds")


def numbers(written: str | None, kind: type = int) -> list[Any]:
    """The numbers that a field lists; ValueError where one is none."""
    return [kind(each) for each in re.split(r"[\s,;]+", (written or "").strip()) if each]


def given(**settings: Any) -> dict[str, Any]:
    """A request without what was left empty."""
    return {name: value for name, value in settings.items() if value not in (None, "", [], {})}
