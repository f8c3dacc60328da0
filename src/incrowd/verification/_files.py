"""Parquet, JSON, XML and workbooks of a release."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import pyarrow as pa

from incrowd.errors import SourceError
from incrowd.verification._fingerprint import Fingerprint
from incrowd.verification._rows import Batches, Rows, batches_of_rows, cells_of_arrow, distinct_names, text

_ROWS = 1 << 18
"""Records of a Parquet file at a time: as many as the codes of one dictionary are for."""
_FEW = 8
"""Bytes a record."""
_AGAIN = "get the file again"
_INSTANCE = "{http://www.w3.org/2001/XMLSchema-instance}"


def _parquet(path: Path, expected: Sequence[str], table: str | None) -> Rows:
    from pyarrow.parquet import ParquetFile

    def batches(columns: Sequence[str]) -> Batches:
        try:
            with ParquetFile(path, read_dictionary=[name for name in columns if name in repeating]) as file:
                for batch in file.iter_batches(_ROWS, columns=list(columns), use_threads=False):
                    # Codes are taken from the file as they are: one without a value would be seen by nobody.
                    batch.validate(full=True)
                    yield [cells_of_arrow(batch.column(name)) for name in columns]
        except (pa.ArrowException, OSError, KeyError):
            raise SourceError.of(path, "damaged, or not a table", _AGAIN) from None

    try:
        with ParquetFile(path) as file:
            repeating = _repeating(file)
            return Rows(distinct_names(path, file.schema_arrow.names), batches)
    except (pa.ArrowException, OSError, UnicodeError):
        raise SourceError.of(path, "not a Parquet file, or incomplete", _AGAIN) from None


def _repeating(file: Any) -> set[str]:
    """Return the columns of text that take few bytes a record, and are read as codes: their values repeat."""
    metadata, schema = file.metadata, file.schema_arrow
    sizes: Counter[str] = Counter()
    for group in range(metadata.num_row_groups):
        for at in range(metadata.num_columns):
            column = metadata.row_group(group).column(at)
            sizes[column.path_in_schema] += column.total_uncompressed_size
    texts = [field.name for field in schema if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)]
    return {name for name in texts if sizes[name] < _FEW * metadata.num_rows}


def _json(path: Path, expected: Sequence[str], table: str | None) -> Rows:
    return _keyed(path, _objects, expected)


def _objects(path: Path, fingerprint: Fingerprint) -> Iterator[Mapping[str, Any]]:
    """Yield objects, one per line or from one array."""
    try:
        with path.open(encoding="utf-8-sig") as beginning:
            is_array = beginning.read(1 << 10).lstrip().startswith("[")
        with fingerprint.reading() as content:
            file = TextIOWrapper(content, encoding="utf-8-sig")
            for row in json.load(file) if is_array else map(json.loads, filter(str.strip, file)):
                if not isinstance(row, dict):
                    raise ValueError
                yield row
    except (ValueError, OSError, RecursionError):
        raise SourceError.of(path, "not a list of JSON objects, or incomplete", _AGAIN) from None


def _xml(path: Path, expected: Sequence[str], table: str | None) -> Rows:
    return _keyed(path, _elements, expected)


def _elements(path: Path, fingerprint: Fingerprint) -> Iterator[Mapping[str, Any]]:
    """Yield records: the children of the root, with their children and attributes as cells."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    depth, root = 0, None
    try:
        with fingerprint.reading() as file:
            for event, element in iterparse(file, events=("start", "end"), forbid_dtd=True):
                root = element if root is None else root
                depth += 1 if event == "start" else -1
                if event == "end" and depth == 1:
                    yield {_name(key): cell for key, cell in [*element.attrib.items(), *map(_cell, element)]}
                    root.clear()
    except (ParseError, DefusedXmlException, ValueError, LookupError, OSError):
        raise SourceError.of(path, "not an XML table, or incomplete", _AGAIN) from None


def _cell(element: Any) -> tuple[str, str | None]:
    """Return the name and text of an element; an empty one that is not marked nil is an empty text."""
    return element.tag, None if element.get(f"{_INSTANCE}nil") == "true" else element.text or ""


def _name(tag: str) -> str:
    """Return a name without its namespace; _x0020_ stands for a character that element names cannot have."""
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
        raise SourceError.of(path, "not an Excel workbook with this sheet, or incomplete", _AGAIN) from None
    names = distinct_names(path, [text(name) or "" for name in header])

    def batches(columns: Sequence[str]) -> Batches:
        at = [names.index(name) for name in columns]
        return batches_of_rows([row[place] for place in at] for row in records)

    return Rows(names, batches)


def _keyed(
    path: Path, rows: Callable[[Path, Fingerprint], Iterator[Mapping[str, Any]]], expected: Sequence[str]
) -> Rows:
    """Return records that name their cells: an absent cell is missing, and the names have no order."""
    names, fingerprint = dict.fromkeys(expected), Fingerprint(path)
    for row in rows(path, fingerprint):
        names.update(dict.fromkeys(row))

    def batches(columns: Sequence[str]) -> Batches:
        return batches_of_rows([row.get(name) for name in columns] for row in rows(path, fingerprint))

    return Rows(tuple(names), batches, fingerprint.sha256)


READERS: dict[str, Callable[[Path, Sequence[str], str | None], Rows]] = {
    "parquet": _parquet,
    "json_lines": _json,
    "xml_rows": _xml,
    "excel": _excel,
}
"""By the format's name; each takes the path, the expected columns, and the sheet of a workbook."""
