"""What a user may say about what is read or written."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from incrowd.errors import UsageError, listed

if TYPE_CHECKING:
    from incrowd.engines.publish import Declared

OF_FILES = ("missing", "delimiter", "encoding", "header", "names", "widths")
"""The options of ReadOptions that say how the content of a file is read, wherever it lies."""


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
    spreadsheet_safe: bool = False
    """Whether the cells of a text file were made harmless for spreadsheets, and are to be read as they were."""
    header: bool | None = None
    """Whether the first line of a text file or sheet is a header; if None, one that looks like a record is refused."""
    names: tuple[str, ...] = ()
    """What the columns are called, instead of what a header says; the first line is a record unless header is true."""
    widths: tuple[int, ...] = ()
    """How many characters each column of a text file without delimiters has."""

    def only(self, source: str, kind: str, allowed: Collection[str]) -> None:
        """Refuse options beyond the allowed ones; that the columns have their right names can be said of all."""
        _only(self, source, kind, (*allowed, "header") if self.header else allowed)


@dataclass(frozen=True)
class WriteOptions:
    """How to write; each format takes what concerns it and refuses what cannot apply."""

    delimiter: str | None = None
    """Between the cells of a text file; a comma when None, a tab in a .tsv file."""
    encoding: str | None = None
    """Of a text file; UTF-8 when None."""
    table: str | None = None
    """A database's table, or a workbook's sheet."""
    replace: bool = False
    """Whether a file or table that exists may be replaced."""
    spreadsheet_safe: bool = False
    """Whether cells of a text file that a spreadsheet would run are made harmless."""
    declared: Declared | None = None
    """Types that columns of a database's table had in the database that they are from."""

    def only(self, target: str, kind: str, allowed: Collection[str]) -> None:
        """Refuse options beyond the allowed ones; whether to replace can be said of all."""
        _only(self, target, kind, (*allowed, "replace"))


def _only(options: ReadOptions | WriteOptions, location: str, kind: str, allowed: Collection[str]) -> None:
    given = [field.name for field in fields(options) if getattr(options, field.name) != field.default]
    refused = [name for name in given if name not in allowed]
    if refused:
        # The types that a database declared travel with the records; no user gives them.
        given = [name for name in allowed if name != "declared"]
        takes = f"{kind} takes {listed(given)}" if given else f"{kind} takes none"
        raise UsageError.senseless(f"{listed(refused)} for {location}", takes, "leave out what does not apply")


AS_IT_IS = ReadOptions()
"""Nothing said: everything is found by looking."""

AS_USUAL = WriteOptions()
"""Nothing said: a new file or table, written as its format usually is."""
