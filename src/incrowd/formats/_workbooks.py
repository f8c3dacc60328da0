"""Workbooks read by python-calamine; damaged ones and those that would exhaust memory are refused.

A sheet is held as a rectangle from its first cell to its last one. A file of a few kilobytes with one cell in the far
corner would need hundreds of gigabytes, and the library would abort the process. Cell positions are therefore checked
first.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from xml.parsers import expat

from incrowd.errors import SourceError

_MOST_BYTES = 1 << 33
"""Most bytes of an unpacked workbook."""
_MOST_CELLS = 1 << 28
"""Most cells in the rectangle of a sheet, including empty ones."""
_BLOCK = 1 << 20
_OVERLAP = 64
"""Longer than a cell reference, which may span two blocks."""

_FAR_CELL = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]{2,}|[A-Za-z](?=\d{5}))(\d+)[\"']")
_NEAR_ROWS, _NEAR_COLUMNS = 9_999, 26
"""Cells within these bounds are not checked one by one."""


@contextmanager
def opened(location: str) -> Iterator[Any]:
    """Open the workbook at a path; replace errors of the library by a SourceError."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise SourceError.needs_extra(location, "python-calamine", "excel") from None
    try:
        _check_size(location)
        workbook = CalamineWorkbook.from_path(location)
        try:
            yield workbook
        finally:
            workbook.close()
    except (CalamineError, OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, expat.ExpatError):
        raise _damaged(location) from None
    except BaseException as error:
        # The library fails this way in a damaged file; the class is not an Exception and cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise _damaged(location) from None


def _damaged(location: str) -> SourceError:
    return SourceError.of(
        location, "not a workbook, or damaged or encrypted", "open it in a spreadsheet program and save it again"
    )


def _check_size(location: str) -> None:
    """Raise SourceError if a packed workbook is too large when unpacked, or its cells are too far apart."""
    if not zipfile.is_zipfile(location):
        return
    with zipfile.ZipFile(location) as archive:
        parts = archive.infolist()
        if sum(part.file_size for part in parts) > _MOST_BYTES:
            raise _too_large(location, f"it unpacks to more than {_MOST_BYTES:,} bytes")
        for part in parts:
            if part.filename.lower().startswith("xl/worksheets/") and part.filename.lower().endswith(".xml"):
                _check_places(location, archive, part)
            if part.filename == "content.xml":
                _check_form(archive, part)


def _check_form(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
    """Parse a LibreOffice sheet as XML to its end: the library may hang on a damaged one."""
    parser = expat.ParserCreate()
    with archive.open(part) as content:
        while block := content.read(_BLOCK):
            parser.Parse(block, False)
    parser.Parse(b"", True)


def _check_places(location: str, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
    rows, columns = _NEAR_ROWS, _NEAR_COLUMNS
    before = b""
    with archive.open(part) as content:
        while block := content.read(_BLOCK):
            text = before + block
            for letters, digits in _FAR_CELL.findall(text):
                rows, columns = max(rows, int(digits[:8])), max(columns, _number(letters))
            before = text[-_OVERLAP:]
    if rows * columns > _MOST_CELLS:
        raise _too_large(location, f"a sheet spans more than {_MOST_CELLS:,} cells")


def _number(letters: bytes) -> int:
    """Return the number of a column: A is 1, AA is 27."""
    found = 0
    for letter in letters[:4].upper():
        found = 26 * found + letter - ord("A") + 1
    return found


def _too_large(location: str, wrong: str) -> SourceError:
    return SourceError.of(location, wrong, "delete the cells outside the table, or save it as CSV or Parquet")
