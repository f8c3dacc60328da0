"""Delimited text of a release: every cell is the text that it is; an empty one without quotation marks is missing."""

import csv
import gzip
import zlib
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from string import punctuation
from typing import NamedTuple

import pyarrow as pa

from incrowd.errors import SourceError
from incrowd.verification._fingerprint import Fingerprint
from incrowd.verification._lent import Lending, lending
from incrowd.verification._rows import Batches, Rows, cells_of_arrow, distinct_names

_DELIMITERS = dict.fromkeys([",", ";", "\t", "|", *punctuation.replace('"', "")])
"""The usual ones first; the one that makes the expected columns is right."""
_BEGINNING = 1 << 20
"""The number of bytes in which any header fits."""
_BLOCK = 1 << 22
"""Bytes at a time, and the most that a record may have."""


class _Shape(NamedTuple):
    path: Path
    packed: bool
    delimiter: str
    header: tuple[str, ...]
    header_lines: int


def open_rows(path: Path, expected: Sequence[str]) -> Rows:
    """Return the records of a UTF-8 text file, compressed with gzip or not."""
    shape, fingerprint = _shaped(path, expected), Fingerprint(path)

    def batches(columns: Sequence[str]) -> Batches:
        return _batches(shape, columns, fingerprint)

    return Rows(distinct_names(path, shape.header), batches, fingerprint.sha256)


def _shaped(path: Path, expected: Sequence[str]) -> _Shape:
    packed, beginning = _beginning(path)
    widest = None
    for delimiter in _DELIMITERS:
        shape = _header(path, beginning, delimiter, packed)
        if set(expected) <= set(shape.header):
            return shape
        if widest is None or len(shape.header) > len(widest.header):
            widest = shape
    assert widest is not None
    return widest


def _header(path: Path, beginning: str, delimiter: str, packed: bool) -> _Shape:
    reader = csv.reader(StringIO(beginning, newline=""), delimiter=delimiter)
    try:
        header = next(filter(None, reader), [])
    except csv.Error:
        header = []
    return _Shape(path, packed, delimiter, tuple(header), reader.line_num)


def _beginning(path: Path) -> tuple[bool, str]:
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as content:
            return packed, content.read(_BEGINNING).decode("utf-8-sig", errors="replace")
    except (OSError, EOFError, zlib.error):
        raise _damaged(path) from None


def _batches(shape: _Shape, columns: Sequence[str], fingerprint: Fingerprint) -> Batches:
    try:
        with fingerprint.reading() as file, lending(file) as lent:
            yield from _parsed(shape, columns, lent)
    except (pa.ArrowException, OSError):
        # Arrow's message quotes the record.
        raise _damaged(shape.path) from None


def _parsed(shape: _Shape, columns: Sequence[str], lent: Lending) -> Batches:
    import pyarrow.csv as arrow

    cell = pa.dictionary(pa.int32(), pa.string())
    stream = lent.stream("gzip" if shape.packed else None)
    batches = None
    try:
        batches = arrow.open_csv(
            stream,
            arrow.ReadOptions(
                use_threads=False, block_size=_BLOCK, skip_rows=shape.header_lines, column_names=shape.header
            ),
            arrow.ParseOptions(delimiter=shape.delimiter, newlines_in_values=True),
            arrow.ConvertOptions(
                column_types=dict.fromkeys(columns, cell),
                include_columns=list(columns),
                null_values=[""],
                strings_can_be_null=True,
                # A cell that stands alone is quoted even where it is missing: an empty line is no record.
                quoted_strings_can_be_null=len(shape.header) == 1,
            ),
        )
        for batch in batches:
            yield [cells_of_arrow(column) for column in batch.columns]
    finally:
        # An error that is on its way would keep them.
        del batches, stream


def _damaged(path: Path) -> SourceError:
    return SourceError.of(path, "not UTF-8 text whose lines all fit the header, or incomplete", "get the file again")
