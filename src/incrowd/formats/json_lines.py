"""JSON: one object per line, or one array of objects.

Parsed by Python's own module: PyArrow's reader converts texts to dates, rounds long numbers and fails on broken lines.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.compute as pc

from incrowd.engines.source import Source
from incrowd.errors import SourceError
from incrowd.formats import _lines
from incrowd.formats._rows import Row, source_of_rows
from incrowd.formats.options import ReadOptions, WriteOptions

KIND = "a JSON file"
OPTIONS = ("missing",)
SUFFIXES = (".jsonl", ".ndjson", ".json")
WRITE_OPTIONS = ()
WRITTEN_SUFFIXES = SUFFIXES
RANK = 4
OUTPUTS = {".jsonl": "JSON lines"}
SAME_FOR_RELEASE = False
BEGINNINGS = b"{["

_SHAPE = "write one object per line, or one array of objects"
_SPACE = " \t\r\n"
_ESCAPED = bytes(range(0x20)) + b'"\\'
_DIGITS = 15
"""Decimals with more are written as text, because most programs read a number into a float."""


def open(location: str, options: ReadOptions) -> Source:
    """Open the records of a JSON file; a key that an object lacks is a missing value."""
    try:
        with Path(location).open(encoding="utf-8-sig") as file:
            return source_of_rows(location, _rows(location, file), options)
    except UnicodeDecodeError:
        raise SourceError.of(location, "not encoded in UTF-8, which JSON requires", "convert it to UTF-8") from None


def _rows(location: str, file: IO[str]) -> Iterator[Row]:
    first = ""
    while (character := file.read(1)) in _SPACE and character:
        first += character
    if character == "[":
        return _of_array(location, first + character + file.read())
    return _of_lines(location, first, character + file.readline(), file)


def _of_lines(location: str, before: str, first: str, file: IO[str]) -> Iterator[Row]:
    start = before.count("\n") + 1
    if first.strip():
        yield _object(location, start, first)
    for number, line in enumerate(file, start + 1):
        if not line.isspace():
            yield _object(location, number, line)


def _object(location: str, number: int, line: str) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise _broken(location, number) from None
    if not isinstance(row, dict):
        raise SourceError.of(location, f"line {number} is not an object", _SHAPE)
    return row


def _of_array(location: str, text: str) -> Iterator[Row]:
    """Yield the objects one by one; only the text is held as a whole."""
    decode = json.JSONDecoder().raw_decode
    at = _next(text, text.index("[") + 1)
    if text[at : at + 1] == "]":
        return
    while True:
        try:
            row, end = decode(text, at)
        except (ValueError, RecursionError):
            raise _broken(location, _line(text, at)) from None
        if not isinstance(row, dict):
            raise SourceError.of(location, f"line {_line(text, at)} is not an object", _SHAPE)
        yield row
        after = _next(text, end)
        if text[after : after + 1] == "]":
            if _next(text, after + 1) < len(text):
                raise _broken(location, _line(text, after))
            return
        if text[after : after + 1] != ",":
            raise _broken(location, _line(text, after))
        at = _next(text, after + 1)


def _next(text: str, at: int) -> int:
    """Return the position of the next character that is not white space."""
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _broken(location: str, line: int) -> SourceError:
    return SourceError.of(location, f"line {line} is not valid JSON", f"correct it; {_SHAPE}")


def write(
    file: IO[bytes], location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions
) -> None:
    """Write one object per line, within one array in a .json file; a missing value is null."""
    array = location.lower().endswith(".json")
    start, between, end = (b"[\n", b",\n", b"\n]\n") if array else (b"", b"\n", b"\n")
    before = start
    for batch in batches:
        objects = _lines.joined([*_members(location, batch), "}" + between.decode()])
        file.write(before + objects.removesuffix(between))
        before = between
    file.write(end if before == between else start + end.lstrip() if array else b"")


def _members(location: str, batch: pa.RecordBatch) -> Iterator[pa.StringArray | str]:
    before = "{"
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        yield f"{before}{json.dumps(name, ensure_ascii=False)}: "
        yield _values(location, name, column).fill_null("null")
        before = ", "


def _values(location: str, name: str, cells: pa.Array) -> pa.StringArray:
    if pa.types.is_floating(cells.type) and pc.any(pc.is_inf(cells)).as_py():
        raise SourceError.of(
            location, f"column {name!r} contains infinity, which JSON cannot hold", "write CSV or Parquet"
        )
    found = _lines.texts(name, cells)
    if _is_number(cells.type) or pa.types.is_boolean(cells.type):
        return found
    quoted = _lines.escaped(found, _ESCAPED, lambda text: json.dumps(text, ensure_ascii=False)[1:-1])
    return pc.binary_join_element_wise('"', quoted, '"', "")


def _is_number(kind: pa.DataType) -> bool:
    decimal = pa.types.is_decimal(kind) and kind.precision <= _DIGITS
    return bool(decimal or pa.types.is_integer(kind) or pa.types.is_floating(kind))
