"""Format results as plain text: sentences, numbers and aligned tables."""

import math
import unicodedata
from collections.abc import Iterable, Sequence

Cell = str | int | float | None


def number(value: int) -> str:
    """Format 1234 as 1,234."""
    return f"{value:,}"


def count(value: int, noun: str) -> str:
    """Format a number with its noun: '1 record', '2 records', '3 classes', '4 people'."""
    plural = "people" if noun == "person" else noun + ("es" if noun.endswith("s") else "s")
    return f"{value:,} {noun if value == 1 else plural}"


def cautious(value: float, larger_is_safer: bool) -> str:
    """Format a number with up to four decimals, rounded to the side on which the claim stays true."""
    rounded = (math.floor if larger_is_safer else math.ceil)(round(value * 10_000, 6)) / 10_000
    return f"{rounded:,g}"


def percent(share: float) -> str:
    """Format 0.123 as 12.3%; only an exact 0 or 1 becomes 0.0% or 100.0%."""
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 < share < 1:
        return ">99.9%"
    return f"{100 * share:.1f}%"


def attributes(names: Iterable[str]) -> str:
    """Format a set of attributes."""
    return ", ".join(map(printable, names))


def printable(text: str) -> str:
    """Return text that may come from data, such as a column name, without terminal control characters."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


class Table(str):
    """An aligned table: numbers right, text left. It is text, and keeps its cells for other forms."""

    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """The rows that are shown."""
    more: int
    """The number of rows that are not."""

    def __new__(
        cls, headers: Sequence[str], rows: Iterable[Sequence[Cell]], most: int | None = None, of: int = 0
    ) -> "Table":
        """After `most` rows, the text says how many more there are; `of` is their number if not all are given."""
        every = [tuple(row) for row in rows]
        shown = every if most is None else every[:most]
        more = max(of, len(every)) - len(shown)
        made = super().__new__(cls, _aligned(headers, shown, more))
        made.headers, made.rows, made.more = tuple(headers), tuple(shown), more
        return made

    @property
    def to_the_right(self) -> list[bool]:
        """Return for each column whether it holds no text."""
        return _to_the_right(len(self.headers), self.rows)


table = Table
"""Format an aligned table."""


def _aligned(headers: Sequence[str], rows: Sequence[Sequence[Cell]], more: int) -> str:
    cells = [[shown_cell(value) for value in row] for row in rows]
    widths = [max(map(_width, column)) for column in zip(headers, *cells, strict=True)]
    right = _to_the_right(len(headers), rows)
    lines = [_line(headers, widths, right), "  ".join("-" * width for width in widths)]
    lines += [_line(row, widths, right) for row in cells]
    if more:
        lines.append(f"... and {more:,} more")
    return "\n".join(lines)


def _to_the_right(columns: int, rows: Sequence[Sequence[Cell]]) -> list[bool]:
    return [bool(rows) and all(not isinstance(row[at], str) for row in rows) for at in range(columns)]


def shown_cell(value: Cell) -> str:
    """Return a cell as text."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return printable(value)


def _width(text: str) -> int:
    """Return the width on a terminal: wide characters take two columns, combining marks none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, width, to_right in zip(cells, widths, right, strict=True):
        space = " " * (width - _width(cell))
        padded.append(space + cell if to_right else cell + space)
    return "  ".join(padded).rstrip()
