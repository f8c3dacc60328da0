"""Workbooks as python-calamine reads them: damaged ones are refused, and so are those that would fill the memory.

A sheet is held as a rectangle from its first cell to its last one. A file of a few kilobytes that names one cell at
the far corner would need hundreds of gigabytes, and the library would end the process. So places of cells are
checked first.
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
"""Of a workbook once it is unpacked."""
_MOST_CELLS = 1 << 28
"""Of the rectangle of a sheet, empty ones included."""
_BLOCK = 1 << 20
_OVERLAP = 64
"""Longer than what tells the place of a cell, which two blocks may share."""

_FAR_CELL = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]{2,}|[A-Za-z](?=\d{5}))(\d+)[\"']")
_NEAR_ROWS, _NEAR_COLUMNS = 9_999, 26
"""Cells within these are not looked at one by one."""


@contextmanager
def opened(location: str) -> Iterator[Any]:
    """The workbook at a path; whatever the library finds wrong with it on the way is refused in one line."""
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
        # The library's own fault in a damaged file; its class is no Exception and cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise _damaged(location) from None


def _damaged(location: str) -> SourceError:
    return SourceError.of(
        location, "it is no workbook, or a damaged or encrypted one", "open it in a spreadsheet and save it anew"
    )


def _check_size(location: str) -> None:
    """Refuse a packed workbook that is too large once it is unpacked, or whose cells lie too far apart."""
    if not zipfile.is_zipfile(location):
        return
    with zipfile.ZipFile(location) as archive:
        parts = archive.infolist()
        if sum(part.file_size for part in parts) > _MOST_BYTES:
            raise _too_large(location, f"it has more than {_MOST_BYTES:,} bytes once it is unpacked")
        for part in parts:
            if part.filename.lower().startswith("xl/worksheets/") and part.filename.lower().endswith(".xml"):
                _check_places(location, archive, part)
            if part.filename == "content.xml":
                _check_form(archive, part)


def _check_form(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
    """Read a sheet of LibreOffice to its end as XML: the library may not come back from one that is damaged."""
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
        raise _too_large(location, f"a sheet reaches over more than {_MOST_CELLS:,} cells")


def _number(letters: bytes) -> int:
    """The number of a column: A is 1, AA is 27."""
    found = 0
    for letter in letters[:4].upper():
        found = 26 * found + letter - ord("A") + 1
    return found


def _too_large(location: str, wrong: str) -> SourceError:
    return SourceError.of(location, wrong, "delete the cells outside the table, or save it as CSV or Parquet")
