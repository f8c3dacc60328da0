"""Tables of plain text: whatever the data hold is shown, never run."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from nicegui import ui

MOST = 200
"""So many rows of a table are shown."""


def show(
    headers: Sequence[str],
    rows: Sequence[Sequence[Any]],
    classes: str = "",
    chosen: int | None = None,
    labels: int | None = None,
) -> ui.html:
    """A table that scrolls in itself; the row `chosen` stands out, numbers are to the right: all behind `labels`."""
    numbers = [bool(rows) and all(_is_number(row[at]) for row in rows[:MOST]) for at in range(len(headers))]
    if labels is not None:
        numbers = [at >= labels for at in range(len(headers))]
    head = "".join(
        f'<th scope="col"{_right(number)}>{escape(name)}</th>' for name, number in zip(headers, numbers, strict=True)
    )
    body = "".join(_row(row, numbers, at == chosen) for at, row in enumerate(rows[:MOST]))
    more = f'<p class="hint">The first {MOST:,} of {len(rows):,} rows are shown.</p>' if len(rows) > MOST else ""
    table = f'<table class="plain {classes}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return ui.html(f'<div class="scroll low" tabindex="0">{table}</div>{more}', sanitize=False)


def _row(row: Sequence[Any], numbers: Sequence[bool], chosen: bool) -> str:
    cells = "".join(
        f"<td{_right(number)}>{escape(shown(cell))}</td>" for cell, number in zip(row, numbers, strict=True)
    )
    return f'<tr class="chosen">{cells}</tr>' if chosen else f"<tr>{cells}</tr>"


def _right(number: bool) -> str:
    return ' class="number"' if number else ""


def _is_number(cell: Any) -> bool:
    return cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool))


def shown(cell: Any) -> str:
    """A cell as a reader wants it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.4g}" if abs(cell) < 1000 else f"{cell:,.0f}"
    if isinstance(cell, list | tuple):
        return ", ".join(map(str, cell))
    return str(cell)
