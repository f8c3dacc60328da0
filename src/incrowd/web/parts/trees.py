"""A hierarchy as a tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from incrowd.core.hierarchy import Row
from incrowd.web.parts import layout

Rows = Sequence[Row]
_CHILDREN = 50
"""Largest number of children to show below a label."""


def nodes(rows: Rows) -> list[dict[str, Any]]:
    """Return the tree as nested nodes, from the top down."""
    known = [row for row in rows if row[0] is not None]
    return _children(known, len(rows[0]) - 1)


def _children(rows: Rows, level: int) -> list[dict[str, Any]]:
    groups: dict[str, list[Row]] = {}
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


def show(rows: Rows, choose: Callable[[int, str], None]) -> None:
    """Show the tree; a label that is clicked is chosen with its level."""

    def clicked(node: str | None) -> None:
        level, _, label = (node or "").partition("|")
        if level and not label.startswith("... "):
            choose(int(level), label)

    with ui.element("div").classes("scroll low").props('tabindex=0 role=region aria-label="Tree"'):
        tree = layout.mark(ui.tree(nodes(rows)), "tree-nodes")
        tree.expand([f"{len(rows[0]) - 1}|{rows[0][-1]}"])
        tree.on_select(lambda event: clicked(event.value))
