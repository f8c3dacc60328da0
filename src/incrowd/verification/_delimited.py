"""Delimited text of a release: every cell is the text that it is; an empty one without quotation marks is missing."""

import csv
import gzip
import zlib
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from io import BufferedReader, StringIO
from pathlib import Path
from string import punctuation
from typing import Any, NamedTuple

import pyarrow as pa

from incrowd.errors import SourceError
from incrowd.verification._fingerprint import Fingerprint
from incrowd.verification._lent import Lending, lending
from incrowd.verification._line_blocks import LineBlocks, Rest, in_turn
from incrowd.verification._rows import Batches, Cells, Rows, cells_of_arrow, distinct_names

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
        with fingerprint.reading() as file, gzip.open(file) if shape.packed else nullcontext(file) as content:
            blocks = LineBlocks(content)
            for batch in in_turn(_parser(shape, columns), blocks):
                if len(batch[0].codes):
                    yield batch
            if blocks.left is not None:
                with lending(BufferedReader(Rest(blocks.left, content), _BLOCK)) as lent:
                    yield from _streamed(shape, columns, lent, 0 if blocks.read else shape.header_lines)
    except (pa.ArrowException, OSError, EOFError, zlib.error):
        # Arrow's message quotes the record.
        raise _damaged(shape.path) from None


def _parser(shape: _Shape, columns: Sequence[str]) -> Callable[[tuple[int, bytes]], list[Cells]]:
    """Return what parses a block of lines without quotation marks."""
    import pyarrow.csv as arrow

    parsing = arrow.ParseOptions(delimiter=shape.delimiter, quote_char=False)
    converting = _converting(shape, columns)

    def parsed(numbered: tuple[int, bytes]) -> list[Cells]:
        number, lines = numbered
        reading = arrow.ReadOptions(
            use_threads=False,
            block_size=len(lines) + 1,
            skip_rows=0 if number else shape.header_lines,
            column_names=shape.header,
        )
        records = arrow.read_csv(pa.BufferReader(lines), reading, parsing, converting).combine_chunks()
        return [cells_of_arrow(column.chunk(0)) for column in records.columns]

    return parsed


def _streamed(shape: _Shape, columns: Sequence[str], lent: Lending, skipped: int) -> Batches:
    import pyarrow.csv as arrow

    stream = lent.stream(None)
    batches = None
    try:
        batches = arrow.open_csv(
            stream,
            arrow.ReadOptions(use_threads=False, block_size=_BLOCK, skip_rows=skipped, column_names=shape.header),
            arrow.ParseOptions(delimiter=shape.delimiter, newlines_in_values=True),
            _converting(shape, columns),
        )
        for batch in batches:
            yield [cells_of_arrow(column) for column in batch.columns]
    finally:
        # An error that is on its way would keep them.
        del batches, stream


def _converting(shape: _Shape, columns: Sequence[str]) -> Any:
    import pyarrow.csv as arrow

    return arrow.ConvertOptions(
        column_types=dict.fromkeys(columns, pa.dictionary(pa.int32(), pa.string())),
        include_columns=list(columns),
        null_values=[""],
        strings_can_be_null=True,
        # A cell that stands alone is quoted even where it is missing: an empty line is no record.
        quoted_strings_can_be_null=len(shape.header) == 1,
    )


def _damaged(path: Path) -> SourceError:
    return SourceError.of(path, "not UTF-8 text whose lines all fit the header, or incomplete", "get the file again")
