"""Tables of escaped text: data are shown, never executed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from nicegui import ui

MOST = 200
"""Largest number of rows to show."""


def show(
    headers: Sequence[str],
    rows: Sequence[Sequence[Any]],
    classes: str = "",
    chosen: int | None = None,
    labels: int | None = None,
) -> ui.html:
    """Show a scrolling table; highlight row `chosen`; align numbers right, or all columns from `labels` on."""
    numbers = [_are_numbers([row[at] for row in rows[:MOST]]) for at in range(len(headers))]
    if labels is not None:
        numbers = [at >= labels for at in range(len(headers))]
    head = "".join(
        f'<th scope="col"{_right(number)}>{escape(name)}</th>' for name, number in zip(headers, numbers, strict=True)
    )
    body = "".join(_row(row, numbers, at == chosen) for at, row in enumerate(rows[:MOST]))
    more = f'<p class="hint">First {MOST:,} of {len(rows):,} rows.</p>' if len(rows) > MOST else ""
    table = f'<table class="plain {classes}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return ui.html(f'<div class="scroll low" tabindex="0">{table}</div>{more}', sanitize=False)


def _row(row: Sequence[Any], numbers: Sequence[bool], chosen: bool) -> str:
    cells = "".join(
        f"<td{_right(number)}>{escape(format_cell(cell))}</td>" for cell, number in zip(row, numbers, strict=True)
    )
    return f'<tr class="chosen">{cells}</tr>' if chosen else f"<tr>{cells}</tr>"


def _right(number: bool) -> str:
    return ' class="number"' if number else ""


_WRITTEN = re.compile(r"[<>]?[\d,]+(\.\d+)?( ?%)?")
"""A number as pages write it."""


def _are_numbers(cells: Sequence[Any]) -> bool:
    """Return whether a column holds only numbers, as values or as text."""
    known = [cell for cell in cells if cell not in (None, "")]
    return bool(known) and all(map(_is_number, known))


def _is_number(cell: Any) -> bool:
    if isinstance(cell, str):
        return _WRITTEN.fullmatch(cell) is not None
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def format_cell(cell: Any) -> str:
    """Return a cell as readable text."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return _float(cell)
    if isinstance(cell, list | tuple):
        return ", ".join(map(str, cell))
    return str(cell)


def _float(number: float) -> str:
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    # Without an exponent, which few readers know.
    return f"{number:.6f}".rstrip("0").rstrip(".") if abs(number) < 0.001 else f"{number:.4g}"


def format_score(metric: str, value: float) -> str:
    """Return a score as text; loss is a percentage."""
    from incrowd.text import percent

    return percent(value) if metric == "loss" else format_cell(float(value))
