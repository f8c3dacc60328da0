"""What a user may say about a source."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ReadOptions:
    """How to read; each format takes what concerns it and refuses what cannot apply."""

    missing: tuple[str, ...] = ()
    """Texts that stand for missing, beside empty cells."""
    delimiter: str | None = None
    """Between the cells of a text file; found by looking when None."""
    encoding: str | None = None
    """Of a text file; found by looking when None."""
    table: str | None = None
    """A database's table, or a workbook's sheet."""
    query: str | None = None
    """A database query whose result is the table."""
