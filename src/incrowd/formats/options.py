"""Options for reading and writing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from incrowd.errors import UsageError, listed

if TYPE_CHECKING:
    from incrowd.core.prepare import Prepare
    from incrowd.engines.publish import Declared

OF_FILES = ("missing", "delimiter", "encoding", "header", "names", "widths", "prepare")
"""The ReadOptions for the content of a file, wherever it is stored."""


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading; each format uses those that apply to it and refuses the others."""

    missing: tuple[str, ...] = ()
    """Missing-value markers, besides empty cells."""
    delimiter: str | None = None
    """Field delimiter of a text file; detected if None."""
    encoding: str | None = None
    """Encoding of a text file; detected if None."""
    table: str | None = None
    """A database's table, or a workbook's sheet."""
    query: str | None = None
    """A database query whose result is the table."""
    spreadsheet_safe: bool = False
    """True to restore cells of a text file that were escaped for spreadsheets."""
    header: bool | None = None
    """True if the first line of a text file or sheet is a header; if None, one that looks like a record is refused."""
    names: tuple[str, ...] = ()
    """Column names, used instead of those in a header; the first line is a record unless header is true."""
    widths: tuple[int, ...] = ()
    """Column widths in characters, of a text file without delimiters."""
    prepare: Prepare | None = None
    """Changes to the table as it is read, in any format."""
    most_combinations: int | None = None
    """How many distinct combinations of a lazy frame may be fetched."""

    def only(self, source: str, kind: str, allowed: Collection[str]) -> None:
        """Raise UsageError for options that are not allowed; a confirmed header is allowed everywhere."""
        _only(self, source, kind, (*allowed, "header") if self.header else allowed)


@dataclass(frozen=True)
class WriteOptions:
    """Options for writing; each format uses those that apply to it and refuses the others."""

    delimiter: str | None = None
    """Field delimiter of a text file; if None, a comma, or a tab in a .tsv file."""
    encoding: str | None = None
    """Encoding of a text file; UTF-8 if None."""
    table: str | None = None
    """A database's table, or a workbook's sheet."""
    replace: bool = False
    """True to replace an existing file or table."""
    spreadsheet_safe: bool = False
    """True to escape cells of a text file that a spreadsheet would run."""
    declared: Declared | None = None
    """Types of a table's columns in their original database."""

    def only(self, target: str, kind: str, allowed: Collection[str]) -> None:
        """Raise UsageError for options that are not allowed; replace is allowed everywhere."""
        _only(self, target, kind, (*allowed, "replace"))


def _only(options: ReadOptions | WriteOptions, location: str, kind: str, allowed: Collection[str]) -> None:
    given = [field.name for field in fields(options) if getattr(options, field.name) != field.default]
    refused = [name for name in given if name not in allowed]
    if refused:
        # Declared types come with the records; users do not set them.
        given = [name for name in allowed if name != "declared"]
        takes = f"{kind} takes {listed(given)}" if given else f"{kind} takes none"
        raise UsageError.invalid(f"{listed(refused)} for {location}", takes, "omit what does not apply")


AS_IT_IS = ReadOptions()
"""The defaults: everything is detected."""

AS_USUAL = WriteOptions()
"""The defaults: a new file or table, in the usual form of its format."""
