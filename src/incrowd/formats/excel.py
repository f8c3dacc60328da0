"""Workbooks of Excel and LibreOffice: one sheet is a table, its first row with content the header."""

from collections.abc import Iterator
from typing import Any

from incrowd.engines.source import Source, checked_columns
from incrowd.errors import SourceError, listed
from incrowd.formats._rows import source_of_rows, text_form
from incrowd.formats.options import ReadOptions

KIND = "a workbook"
OPTIONS = ("missing", "table")
SUFFIXES = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")


def recognises(head: bytes) -> bool:
    """A zip archive that holds a workbook's parts, or the older compound document."""
    parts = (b"[Content_Types].xml", b"_rels/", b"xl/", b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet")
    archive = head.startswith(b"PK\x03\x04") and any(part in head for part in parts)
    return archive or head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def open(location: str, options: ReadOptions) -> Source:
    """The records of one sheet."""
    rows = [row for row in _cells(location, options.table) if any(cell is not None for cell in row)]
    if not rows:
        raise SourceError.of(location, "the sheet is empty", "a table has at least a header")
    used = [at for at in range(len(rows[0])) if any(row[at] is not None for row in rows)]
    header = checked_columns(location, ["" if rows[0][at] is None else text_form(rows[0][at]) for at in used])
    records = ({name: row[at] for name, at in zip(header, used, strict=True)} for row in rows[1:])
    return source_of_rows(location, records, options, header)


def _cells(location: str, sheet: str | None) -> Iterator[list[object]]:
    workbook = _workbook(location)
    if sheet is not None and sheet not in workbook.sheet_names:
        raise SourceError.of(
            location, f"it has no sheet {sheet!r}", f"its sheets are {listed(workbook.sheet_names)}; name one as table"
        )
    try:
        found = workbook.get_sheet_by_index(0) if sheet is None else workbook.get_sheet_by_name(sheet)
        for row in found.to_python():
            yield [_value(cell) for cell in row]
    finally:
        workbook.close()


def _workbook(location: str) -> Any:
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise SourceError.needs_extra(location, "python-calamine", "excel") from None
    try:
        return CalamineWorkbook.from_path(location)
    except (CalamineError, OSError):
        raise SourceError.of(
            location, "it is no workbook, or a damaged or encrypted one", "open it in a spreadsheet and save it anew"
        ) from None


def _value(cell: object) -> object:
    """Workbooks know only one kind of number, and hold a text of length 0 where a cell is empty."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return None if cell == "" else cell
