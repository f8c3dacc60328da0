"""A hierarchy as a tree whose labels can be renamed and moved."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.hierarchies.editing import moved, renamed
from incrowd.web.parts import layout

Rows = Sequence[tuple[str | None, ...]]
_CHILDREN = 50
"""Largest number of children to show below a label."""


def nodes(rows: Rows) -> list[dict[str, Any]]:
    """Return the tree as nested nodes, from the top down."""
    known = [row for row in rows if row[0] is not None]
    return _children(known, len(rows[0]) - 1)


def _children(rows: Rows, level: int) -> list[dict[str, Any]]:
    groups: dict[str, list[tuple[str | None, ...]]] = {}
    for row in rows:
        groups.setdefault(str(row[level]), []).append(row)
    found = []
    for label, members in list(groups.items())[:_CHILDREN]:
        size = f" ({len(members):,})" if level else ""
        node = {"id": f"{level}|{label}", "label": f"{label}{size}"}
        found.append({**node, "children": _children(members, level - 1)} if level else node)
    if len(groups) > _CHILDREN:
        rest = len(groups) - _CHILDREN
        found.append({"id": f"{level}|... {rows[0][-1]} {rows[0][0]}", "label": f"... and {rest:,} more"})
    return found


def show(rows: Rows, keep: Callable[[Any], Awaitable[None]]) -> None:
    """Show the tree, and beside it the editor for the chosen label."""
    height = len(rows[0]) - 1
    with ui.element("div").classes("two"):
        with ui.element("div").classes("scroll low"):
            tree = layout.mark(ui.tree(nodes(rows)), "tree-nodes")
            tree.expand([f"{height}|{rows[0][-1]}"])
        with layout.stack():
            editor = TreeEditor(rows, keep)
        tree.on_select(lambda event: editor.choose(event.value))


class TreeEditor:
    """Fields that rename or move a label."""

    def __init__(self, rows: Rows, keep: Callable[[Any], Awaitable[None]]) -> None:
        self.rows, self.keep = rows, keep
        self.height = len(rows[0]) - 1
        with layout.line():
            self.level = ui.number("Level", value=min(1, self.height), min=0, max=self.height, precision=0)
            self.label = ui.input("Label or value").classes("middle")
        with layout.line():
            self.new = ui.input("New label").classes("middle")
            layout.mark(ui.button("Rename", on_click=self._rename).props("outline no-caps"), "rename")
        with layout.line():
            self.parent = ui.select([], label="New parent", with_input=True).classes("middle")
            layout.mark(ui.button("Move", on_click=self._move).props("outline no-caps"), "move")
        self.place = ui.element("div")
        self.level.on_value_change(self._parents)
        self._parents()
        for field, mark in ((self.level, "edit-level"), (self.label, "edit-label"), (self.new, "edit-new")):
            layout.mark(field, mark)
        layout.mark(self.parent, "edit-parent")

    def choose(self, node: str | None) -> None:
        """Fill in the fields for the label clicked in the tree."""
        level, _, label = (node or "").partition("|")
        if level and not label.startswith("... "):
            self.level.value, self.label.value, self.new.value = int(level), label, label
            self._parents()

    def _parents(self) -> None:
        above = int(self.level.value or 0) + 1
        known = sorted({str(row[above]) for row in self.rows}) if above < self.height else []
        self.parent.set_options(known, value=None)

    async def _rename(self) -> None:
        await self._changed(lambda: renamed(self.rows, self._at(), self.label.value, (self.new.value or "").strip()))

    async def _move(self) -> None:
        await self._changed(lambda: moved(self.rows, self._at(), self.label.value, self.parent.value))

    def _at(self) -> int:
        return int(self.level.value or 0)

    async def _changed(self, change: Callable[[], Any]) -> None:
        self.place.clear()
        try:
            rows = change()
        except IncrowdError as error:
            with self.place:
                layout.message(str(error), "error")
            return
        await self.keep(rows)
