"""Excel and LibreOffice workbooks: one sheet is a table, its first row with content is the header."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from itertools import chain
from math import isfinite
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pyarrow as pa

from incrowd.engines.source import Source, checked_columns
from incrowd.errors import SourceError, UsageError, listed
from incrowd.formats import _header, _lines, _workbooks
from incrowd.formats._rows import source_of_rows, text_form
from incrowd.formats.options import ReadOptions, WriteOptions

KIND = "a workbook"
OPTIONS = ("missing", "table", "header", "names")
SUFFIXES = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
WRITE_OPTIONS = ("table",)
WRITTEN_SUFFIXES = (".xlsx",)
RANK = 3
OUTPUTS = {".xlsx": "Excel"}
SAME_FOR_RELEASE = False

_MOST_RECORDS = (1 << 20) - 1
_MOST_COLUMNS = 1 << 14
_MOST_CHARACTERS = (1 << 15) - 1
_NOT_IN_CELLS = frozenset(map(chr, range(0x20))) - set("\t\n")
_DIGITS = 15
"""Most digits of a number; with more it becomes text, because a workbook's numbers are floats of this precision."""

_NO_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip archive can store."""

_FIRST_DAY = date(1900, 3, 1)
"""Before it, Excel counts a day that did not exist."""


def recognizes(head: bytes) -> bool:
    """Return whether it is a zip archive with a workbook's parts, or the older compound document."""
    parts = (b"[Content_Types].xml", b"_rels/", b"xl/", b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet")
    archive = head.startswith(b"PK\x03\x04") and any(part in head for part in parts)
    return archive or head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def open(location: str, options: ReadOptions) -> Source:
    """Open the records of one sheet."""
    rows = [row for row in _cells(location, options.table) if any(cell is not None for cell in row)]
    if not rows:
        raise SourceError.of(location, "the sheet is empty", "a table has at least a header")
    used = [at for at in range(len(rows[0])) if any(row[at] is not None for row in rows)]
    first, *below = ([_as_text(row[at]) for at in used] for row in rows[: _header.LOOKED_AT + 1])
    header = checked_columns(location, _header.named(location, first, below, options))
    held = rows[1:] if _header.has_header(options) else rows
    records = ({name: row[at] for name, at in zip(header, used, strict=True)} for row in held)
    return source_of_rows(location, records, options, header)


def _as_text(cell: object) -> str:
    return "" if cell is None else text_form(cell)


def tables(location: str) -> list[str]:
    """Return the names of all sheets."""
    with _workbooks.opened(location) as workbook:
        return list(workbook.sheet_names)


def _cells(location: str, sheet: str | None) -> Iterator[list[object]]:
    with _workbooks.opened(location) as workbook:
        if sheet is not None and sheet not in workbook.sheet_names:
            known = f"its sheets are {listed(workbook.sheet_names)}; name one as table"
            raise SourceError.of(location, f"it has no sheet {sheet!r}", known)
        found = workbook.get_sheet_by_index(0) if sheet is None else workbook.get_sheet_by_name(sheet)
        for row in found.to_python():
            yield [_value(cell) for cell in row]


def _value(cell: object) -> object:
    """Return a cell's value: whole floats as integers, since workbooks have one number type, and None for ""."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return None if cell == "" else cell


def write(
    file: IO[bytes], location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions
) -> None:
    """Write one sheet with a header. Texts stay texts, even if they look like formulas; empty ones are empty cells."""
    try:
        from openpyxl import Workbook
        from openpyxl.worksheet._writer import WorksheetWriter
        from openpyxl.writer.excel import ExcelWriter
    except ImportError:
        raise SourceError.of(
            location, "writing it needs openpyxl, which is not installed", "run: pip install 'incrowd[excel]'"
        ) from None
    if len(schema) > _MOST_COLUMNS:
        raise SourceError.of(location, f"a sheet has at most {_MOST_COLUMNS:,} columns", "write CSV or Parquet")
    workbook = Workbook(write_only=True)
    sheet = workbook.create_sheet(_title(options.table))
    archive = _Archive(file, "w", ZIP_DEFLATED)
    # No time: equal records give equal bytes.
    workbook.properties.created = workbook.properties.modified = datetime(*_NO_TIME)
    with TemporaryFile() as cells:
        # Else the cells are kept in a named file that a killed run would leave behind.
        sheet._writer = WorksheetWriter(sheet, out=cells)
        sheet._writer.cleanup = cells.close
        try:
            sheet._writer.write_top()
            for row in chain([[_text(location, name) for name in schema.names]], _records(location, batches)):
                sheet.append([_as_meant(sheet, cell) for cell in row])
            ExcelWriter(workbook, archive).save()
        except BaseException as error:
            # Else the archive is closed after its file, which fails with a warning.
            archive.fp = None
            with suppress(Exception):
                sheet.close()
            if type(error).__module__.startswith("lxml"):
                # The library that openpyxl uses has its own errors for a full disk.
                wrong = "its temporary file cannot be written"
                remedy = "check the disk and your permissions on the temporary folder"
                raise SourceError.of(location, wrong, remedy) from None
            raise


def _title(wanted: str | None) -> str:
    title = "Sheet1" if wanted is None else wanted
    if not 0 < len(title) < 32 or set(title) & set("[]:*?/\\") or "'" in (title[0], title[-1]):
        raise UsageError.invalid(
            f"table {title!r}", "a sheet name must have 1 to 31 characters and none of []:*?/\\", "choose another name"
        )
    return title


def _records(location: str, batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[object, ...]]:
    records = 0
    for batch in batches:
        records += batch.num_rows
        if records > _MOST_RECORDS:
            raise SourceError.of(location, f"a sheet holds at most {_MOST_RECORDS:,} records", "write CSV or Parquet")
        columns = zip(batch.schema.names, batch.columns, strict=True)
        yield from zip(*(_column(location, name, column) for name, column in columns), strict=True)


def _column(location: str, name: str, column: pa.Array) -> list[object]:
    """Return the cells that a workbook can hold, and the text of those that it cannot."""
    kind = column.type
    if pa.types.is_boolean(kind):
        return list(column.to_pylist())
    found: list[object] = [_text(location, text) for text in _lines.texts(name, column).to_pylist()]
    if pa.types.is_timestamp(kind) and kind.tz is None:
        values = column.cast(pa.timestamp("us"), safe=False).to_pylist()
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_date(kind):
        values = column.to_pylist()
    else:
        return found
    return [value if _fits(value, text) else text for value, text in zip(values, found, strict=True)]


def _fits(value: Any, text: Any) -> bool:
    """Return whether a cell of a workbook preserves the value exactly."""
    if text is None:
        return False
    if isinstance(value, datetime):
        # The last digits are fractions of a second.
        return value.date() >= _FIRST_DAY and not text.partition(".")[2].strip("0")
    if isinstance(value, date):
        return value >= _FIRST_DAY
    if isinstance(value, Decimal):
        return len(value.as_tuple().digits) <= _DIGITS
    return isfinite(value) and (isinstance(value, float) or abs(value) < 10**_DIGITS)


def _text(location: str, text: str | None) -> str | None:
    if text is not None and (len(text) > _MOST_CHARACTERS or not _NOT_IN_CELLS.isdisjoint(text)):
        raise SourceError.of(
            location,
            f"a text has control characters or more than {_MOST_CHARACTERS:,} characters, which a workbook cannot hold",
            "write CSV or Parquet",
        )
    return text


def _as_meant(sheet: Any, value: object) -> object:
    """Return a cell that openpyxl does not read as a formula or an error, or a float with all its digits."""
    from openpyxl.cell import WriteOnlyCell

    if isinstance(value, str) and value.startswith(("=", "#")):
        cell = WriteOnlyCell(sheet, value)
        cell.data_type = "s"
        return cell
    if isinstance(value, float) and float(f"{value:.16g}") != value:
        cell = WriteOnlyCell(sheet, repr(value))
        cell.data_type = "n"
        return cell
    return value


class _Archive(ZipFile):
    """A zip archive without creation times."""

    def writestr(self, name: Any, content: Any, *_: Any) -> None:
        super().writestr(ZipInfo(name, _NO_TIME), content, ZIP_DEFLATED)

    def write(self, filename: Any, arcname: Any = None, *_: Any) -> None:
        """Copy a sheet from its open temporary file."""
        part = ZipInfo(arcname, _NO_TIME)
        part.compress_type = ZIP_DEFLATED
        filename.seek(0)
        with self.open(part, "w", force_zip64=True) as target:
            copyfileobj(filename, target)
