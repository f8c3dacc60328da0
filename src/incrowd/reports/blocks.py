"""The parts of a report in any format: sections of sentences, tables and pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from incrowd.core.brief import Brief
from incrowd.text import attributes, number, percent, printable


@dataclass(frozen=True)
class Share:
    """A share of something, shown as a percentage."""

    value: float


Cell = str | int | float | Share | None


@dataclass(frozen=True, repr=False)
class Words(Brief):
    """A paragraph."""

    text: str
    warns: bool = False


@dataclass(frozen=True, repr=False)
class Points(Brief):
    """Short sentences, one below the other."""

    texts: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Grid(Brief):
    """A table, with what it shows in a few words."""

    caption: str
    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def without_empty(self) -> "Grid":
        """Return the table without columns that are empty in every row."""
        kept = [at for at in range(len(self.headers)) if any(row[at] is not None for row in self.rows)]
        rows = tuple(tuple(row[at] for at in kept) for row in self.rows)
        return Grid(self.caption, tuple(self.headers[at] for at in kept), rows)


@dataclass(frozen=True, repr=False)
class Picture(Brief):
    """A chart with its numbers as a table, for screen readers and formats without charts."""

    draw: Callable[[], str]
    """Gives SVG."""
    grid: Grid
    folded: bool = True
    """True if the numbers are folded away, because the chart shows all of them."""


@dataclass(frozen=True, repr=False)
class Listing(Brief):
    """Text of another language, such as a job file."""

    caption: str
    text: str


Block = Words | Points | Grid | Picture | Listing


@dataclass(frozen=True, repr=False)
class Section(Brief):
    """A part of a report."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A report before it has a form."""

    title: str
    subtitle: str
    notice: str
    """The notice on who may read the report."""
    is_private: bool
    sections: tuple[Section, ...]


def shown(cell: Cell) -> str:
    """Return a cell as text."""
    if cell is None:
        return "-"
    if isinstance(cell, Share):
        return percent(cell.value)
    if isinstance(cell, str):
        return printable(cell)
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int) or (float(cell).is_integer() and abs(cell) < 1e15):
        return number(int(cell))
    return f"{cell:,.4g}" if abs(cell) < 1000 else number(round(cell))


def several(names: Sequence[str], most: int = 12) -> str:
    """Return names in a list; of very many only the first ones, since a table has them all."""
    if len(names) <= most:
        return attributes(names)
    return f"{attributes(names[: most - 4])} and {number(len(names) - most + 4)} more"


def order_of(cell: Cell) -> float | None:
    """Return the sort key of a number; None for a text."""
    if isinstance(cell, Share):
        return cell.value
    return float(cell) if isinstance(cell, int | float) else None
