"""What a report is made of, whatever it is written as: sections of sentences, tables and pictures."""

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
        """The table without columns of which no row knows anything."""
        kept = [at for at in range(len(self.headers)) if any(row[at] is not None for row in self.rows)]
        rows = tuple(tuple(row[at] for at in kept) for row in self.rows)
        return Grid(self.caption, tuple(self.headers[at] for at in kept), rows)


@dataclass(frozen=True, repr=False)
class Picture(Brief):
    """A chart beside the numbers that it shows, for those who cannot see it and for forms without charts."""

    draw: Callable[[], str]
    """Gives SVG."""
    grid: Grid
    folded: bool = True
    """Whether the numbers are shown only when asked for, because the chart tells them all."""


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
    """Who may read it."""
    is_private: bool
    sections: tuple[Section, ...]


def shown(cell: Cell) -> str:
    """A cell as text."""
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
    """Names one after the other; of very many the first ones, the others being in a table."""
    if len(names) <= most:
        return attributes(names)
    return f"{attributes(names[: most - 4])} and {number(len(names) - most + 4)} more"


def order_of(cell: Cell) -> float | None:
    """By which a number is sorted; None for what is not one."""
    if isinstance(cell, Share):
        return cell.value
    return float(cell) if isinstance(cell, int | float) else None
