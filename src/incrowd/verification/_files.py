"""Parquet, JSON, XML and workbooks of a release."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from incrowd.errors import SourceError
from incrowd.verification._rows import Batches, Rows, batches_of_rows, cells_of_arrow, distinct_names, text

_AGAIN = "get it anew"
_INSTANCE = "{http://www.w3.org/2001/XMLSchema-instance}"


def _parquet(path: Path, expected: Sequence[str], table: str | None) -> Rows:
    from pyarrow.parquet import ParquetFile

    def batches(columns: Sequence[str]) -> Batches:
        try:
            with ParquetFile(path) as file:
                for batch in file.iter_batches(columns=list(columns), use_threads=False):
                    yield [cells_of_arrow(batch.column(name)) for name in columns]
        except (pa.ArrowException, OSError, KeyError):
            raise SourceError.of(path, "its content is damaged, or no cells of a table", _AGAIN) from None

    try:
        with ParquetFile(path) as file:
            return Rows(distinct_names(path, file.schema_arrow.names), batches)
    except (pa.ArrowException, OSError, UnicodeError):
        raise SourceError.of(path, "it is no Parquet file, or not a whole one", _AGAIN) from None


def _json(path: Path, expected: Sequence[str], table: str | None) -> Rows:
    return _keyed(lambda: _objects(path), expected)


def _objects(path: Path) -> Iterator[Mapping[str, Any]]:
    """One object a line, or one array of objects."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            is_array = file.read(1 << 10).lstrip().startswith("[")
            file.seek(0)
            for row in json.load(file) if is_array else map(json.loads, filter(str.strip, file)):
                if not isinstance(row, dict):
                    raise ValueError
                yield row
    except (ValueError, OSError, RecursionError):
        raise SourceError.of(path, "it does not consist of JSON objects, or not of whole ones", _AGAIN) from None


def _xml(path: Path, expected: Sequence[str], table: str | None) -> Rows:
    return _keyed(lambda: _elements(path), expected)


def _elements(path: Path) -> Iterator[Mapping[str, Any]]:
    """The children of the root are records, their children and attributes cells."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    depth, root = 0, None
    try:
        for event, element in iterparse(path, events=("start", "end"), forbid_dtd=True):
            root = element if root is None else root
            depth += 1 if event == "start" else -1
            if event == "end" and depth == 1:
                yield {_name(key): cell for key, cell in [*element.attrib.items(), *map(_cell, element)]}
                root.clear()
    except (ParseError, DefusedXmlException, ValueError, LookupError, OSError):
        raise SourceError.of(path, "it is no XML table, or not a whole one", _AGAIN) from None


def _cell(element: Any) -> tuple[str, str | None]:
    """An element and its text; one that is not said to be nil is there, if empty."""
    return element.tag, None if element.get(f"{_INSTANCE}nil") == "true" else element.text or ""


def _name(tag: str) -> str:
    """A name without its namespace; _x0020_ is a character that the name of an element cannot have."""
    return re.sub(r"_x([0-9A-F]{4}|[0-9A-F]{6})_", lambda coded: chr(int(coded[1], 16)), tag.rpartition("}")[2])


def _excel(path: Path, expected: Sequence[str], table: str | None) -> Rows:
    try:
        from python_calamine import CalamineError, CalamineWorkbook, WorksheetNotFound
    except ImportError:
        raise SourceError.needs_extra(path, "python-calamine", "excel") from None
    try:
        workbook = CalamineWorkbook.from_path(path)
        sheet = workbook.get_sheet_by_index(0) if table is None else workbook.get_sheet_by_name(table)
        header, *records = [[None if cell == "" else cell for cell in row] for row in sheet.to_python()] or [[]]
    except (CalamineError, WorksheetNotFound, OSError):
        raise SourceError.of(path, "it is no workbook with that sheet, or not a whole one", _AGAIN) from None
    names = distinct_names(path, [text(name) or "" for name in header])

    def batches(columns: Sequence[str]) -> Batches:
        at = [names.index(name) for name in columns]
        return batches_of_rows([row[place] for place in at] for row in records)

    return Rows(names, batches)


def _keyed(rows: Callable[[], Iterator[Mapping[str, Any]]], expected: Sequence[str]) -> Rows:
    """Records that name their cells: a cell that is not there is missing, and the names have no order of their own."""
    names = dict.fromkeys(expected)
    for row in rows():
        names.update(dict.fromkeys(row))

    def batches(columns: Sequence[str]) -> Batches:
        return batches_of_rows([row.get(name) for name in columns] for row in rows())

    return Rows(tuple(names), batches)


READERS: dict[str, Callable[[Path, Sequence[str], str | None], Rows]] = {
    "parquet": _parquet,
    "json_lines": _json,
    "xml_rows": _xml,
    "excel": _excel,
}
"""By the format's name; each takes the path, the expected columns, and the sheet of a workbook."""
