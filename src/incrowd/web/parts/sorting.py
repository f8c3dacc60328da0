"""A table whose rows are sorted by a click on a header; whoever shows it sorts, so that long ones can be paged."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from html import escape
from typing import Any

from nicegui import ui

from incrowd.web.parts import layout


def head(
    names: Mapping[str, str | None],
    current: tuple[str, bool],
    sort: Callable[[str], Any],
    numbers: Container[str] = (),
) -> None:
    """Show a header row: by label what it sorts by, None if it does not sort; `current` is that and if it descends."""
    with ui.element("thead"), ui.element("tr"):
        for label, key in names.items():
            with ui.element("th").classes("number" if label in numbers else "").props("scope=col") as cell:
                if key is None:
                    layout.text(label, "span")
                    continue
                is_current = key == current[0]
                if is_current:
                    cell.props(f"aria-sort={'descending' if current[1] else 'ascending'}")
                sign = ("▼" if current[1] else "▲") if is_current else "↕"
                button = ui.element("button").classes("sort").props("type=button")
                with button:
                    ui.html(f'{escape(label)} <span aria-hidden="true">{sign}</span>', sanitize=False, tag="span")
                layout.mark(button, f"sort-{key}").on("click", lambda _, key=key: sort(key))


def next_order(current: tuple[str, bool], key: str) -> tuple[str, bool]:
    """Return the order after a click: descending on the second one."""
    return key, key == current[0] and not current[1]
