"""Results and progress in a notebook: plain HTML that needs no style sheet, no script and no widgets."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from incrowd.text import Table, printable, shown_cell

if TYPE_CHECKING:
    from incrowd.watch import Progress

_MOST_ROWS = 60
"""Rows of a table in a notebook."""
_LINE = "1px solid rgba(128,128,128,.4)"
"""Visible on a light and on a dark page; all other colors are those of the page."""
_TEXT = "margin:.5em 0;max-width:60em;white-space:pre-wrap;overflow-wrap:anywhere"
_CELL = "padding:.1em .9em .1em 0;text-align"
_MARKED = ("Warning: ",)
_PATIENCE = 0.5
"""Seconds before progress is shown: what is over sooner needs no bar."""


def as_html(parts: Sequence[str]) -> str:
    """Return parts of a result as HTML; everything is escaped, and the first line is the answer."""
    written = [_part(part, at == 0) for at, part in enumerate(parts) if part]
    return f'<div style="line-height:1.4">{"".join(written)}</div>'


def _part(part: str, is_first: bool) -> str:
    if isinstance(part, Table):
        return _table(part)
    first, *others = [escape(printable(line)) for line in part.splitlines()]
    lines = "\n".join([f"<strong>{first}</strong>" if is_first else first, *others])
    if part.startswith(_MARKED):
        return f'<div style="{_TEXT};border-left:4px solid #E69F00;padding-left:.6em">{lines}</div>'
    is_code = any(line.startswith("  ") for line in part.splitlines())
    return f'<div style="{_TEXT}{";font-family:monospace" if is_code else ""}">{lines}</div>'


def _table(table: Table) -> str:
    sides = ["right" if on_right or _is_padded(table, at) else "left" for at, on_right in enumerate(table.to_the_right)]
    heads = "".join(
        f'<th scope="col" style="{_CELL}:{side};border-bottom:{_LINE}">{escape(printable(name.strip()))}</th>'
        for name, side in zip(table.headers, sides, strict=True)
    )
    shown = table.rows[:_MOST_ROWS]
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td style="{_CELL}:{side}">{escape(shown_cell(cell).strip())}</td>'
            for cell, side in zip(row, sides, strict=True)
        )
        + "</tr>"
        for row in shown
    )
    more = table.more + len(table.rows) - len(shown)
    rest = f'<div style="{_TEXT}">... and {more:,} more</div>' if more else ""
    body = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div style="overflow-x:auto">{body}</div>{rest}'


def _is_padded(table: Table, at: int) -> bool:
    """Return whether the texts of a column are numbers that were moved to the right."""
    texts = [row[at] for row in table.rows if isinstance(row[at], str)]
    return any(text.startswith(" ") for text in texts if isinstance(text, str))


class Bar:
    """The progress of a run as a bar, which disappears with its end."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._shown: Any = None

    def __call__(self, progress: Progress) -> None:
        """Show the bar, or move it."""
        if self._shown is None and time.monotonic() - self._since < _PATIENCE:
            return
        # A page that is gone does not end the run.
        with suppress(Exception):
            self._show(_bar(progress))

    def close(self) -> None:
        """Remove the bar."""
        if self._shown is not None:
            with suppress(Exception):
                self._show("")

    def _show(self, page: str) -> None:
        shown = import_module("IPython.display")
        if self._shown is None:
            self._shown = shown.display(shown.HTML(page), display_id=True)
        else:
            self._shown.update(shown.HTML(page))


def _bar(progress: Progress) -> str:
    words = escape(printable(progress.words))
    value = "" if progress.share is None else f' value="{progress.share:.3f}"'
    return f'<progress max="1"{value} aria-label="{words}" style="width:20em"></progress> {words}'


def bar() -> Bar | None:
    """Return a bar if this is a notebook; a terminal, also that of IPython, has none."""
    if "IPython" not in sys.modules:
        return None
    shell = getattr(sys.modules["IPython"], "get_ipython", lambda: None)()
    return Bar() if getattr(shell, "kernel", None) is not None else None
