"""Delimited text: CSV, TSV and their kin, packed with gzip or not.

Every cell is read as the text it is ("007" is not "7"), straight into dictionary codes; an empty cell is missing.
Written is an empty text as "", which other programs can tell from a missing cell; read here, both are missing.
"""

import codecs
import csv
import gzip
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import IO

import pyarrow as pa

from incrowd.engines.source import Source
from incrowd.engines.streams import StreamSource
from incrowd.errors import SourceError, UsageError
from incrowd.formats import _fixed_width, _header, _lines, _text, formulas
from incrowd.formats._text import Text
from incrowd.formats.options import ReadOptions, WriteOptions

KIND = "a text file"
OPTIONS = ("missing", "delimiter", "encoding", "spreadsheet_safe", "header", "names", "widths")
SUFFIXES = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
WRITE_OPTIONS = ("delimiter", "encoding", "spreadsheet_safe")
WRITTEN_SUFFIXES = SUFFIXES

_DELIMITERS = (",", ";", "\t", "|")
_NO_DELIMITER = "\x1f"
"""Stands for the delimiter in a file of one column: a control character that no text has."""

_LOOKED_AT = 100
"""How many records tell the delimiter."""

_AFTER_ALL = "\x1fafter all\x1f"
"""A line that no file has."""

_BLOCK = 1 << 22
"""Bytes at a time, and the most that one record may have: measured; less costs time, more only costs memory."""

recognises = _text.is_text


@dataclass(frozen=True)
class _Delimited:
    """A text file whose shape is known."""

    text: Text
    delimiter: str
    names: tuple[str, ...]
    header_lines: int
    """How many lines come before the first record."""
    empty: bool
    """There is no record in the beginning of the text."""


def open(location: str, options: ReadOptions) -> Source:
    """The records of a text file."""
    text = _text.looked_through(Path(location), options.encoding)
    if options.widths:
        return _fixed_width.source_of(text, options)
    delimiter = _delimiter(text) if options.delimiter is None else _given(options.delimiter)
    file = _shaped(text, delimiter, options)
    if file.empty and not text.whole:
        raise _too_long(text, 1)
    # An odd number of quotation marks: one is part of a cell, or one is open and hides the records after it.
    if text.quotes % 2 and (fault := _fault(file)):
        raise fault

    header = type(file.names)(map(formulas.restored, file.names)) if options.spreadsheet_safe else file.names

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        found = _batches(file, [file.names[header.index(name)] for name in columns])
        return (formulas.as_before(batch, columns) for batch in found) if options.spreadsheet_safe else found

    return StreamSource(location, header, batches, options.missing, dict.fromkeys(header, pa.string()))


def _given(delimiter: str) -> str:
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise UsageError.senseless(
            f"delimiter {delimiter!r}",
            "it must be one ASCII character, and neither a quotation mark nor the end of a line",
            "leave it out to have it found",
        )
    return delimiter


def _records(text: Text, delimiter: str, most: int = _LOOKED_AT) -> list[list[str]]:
    """The first records, the header included; a last one that the beginning may have cut is left out."""
    found: list[list[str]] = []
    reader = csv.reader(StringIO(text.beginning, newline=""), delimiter=delimiter)
    # A cell beyond the parser's limit, such as one with an unclosed quote, ends it; what came before will do.
    with suppress(csv.Error):
        found.extend(islice(filter(None, reader), most + 1))
    ended = len(found) <= most
    return found[:-1] if ended and not text.whole and len(found) > 1 else found


def _delimiter(text: Text) -> str:
    """The delimiter that divides the header, and most records into as many cells; the one with most cells wins."""
    best, most = _NO_DELIMITER, 1
    for delimiter in _DELIMITERS:
        header, *records = _records(text, delimiter) or [[]]
        fitting = sum(len(record) == len(header) for record in records)
        if len(header) > most and 2 * fitting >= len(records):
            best, most = delimiter, len(header)
    return best


def _shaped(text: Text, delimiter: str, options: ReadOptions) -> _Delimited:
    reader = csv.reader(StringIO(text.beginning, newline=""), delimiter=delimiter)
    records = filter(None, reader)
    try:
        first = next(records, None)
    except csv.Error:
        raise _too_long(text, 1) from None
    if first is None:
        raise SourceError.of(text.path, "it is empty", "a table has at least a header")
    names = _header.named(str(text.path), first, _records(text, delimiter, _header.LOOKED_AT)[1:], options)
    if not _header.has_header(options):
        return _Delimited(text, delimiter, names, 0, empty=False)
    lines = reader.line_num
    return _Delimited(text, delimiter, names, lines, _at_end(records))


def _at_end(records: Iterator[list[str]]) -> bool:
    try:
        return next(records, None) is None
    except csv.Error:
        # There is a record, though one too long for this parser.
        return False


def _batches(file: _Delimited, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    import pyarrow.csv as arrow

    if file.empty:
        return
    code = pa.dictionary(pa.int32(), pa.string())
    try:
        with pa.input_stream(str(file.text.path), compression="gzip" if file.text.packed else None) as stream:
            yield from arrow.open_csv(
                stream,
                arrow.ReadOptions(
                    # Measured: threads save no time here, and processor time is what counts.
                    use_threads=False,
                    block_size=_BLOCK,
                    skip_rows=file.header_lines,
                    column_names=file.names,
                    encoding=file.text.encoding,
                ),
                arrow.ParseOptions(delimiter=file.delimiter, newlines_in_values=True),
                arrow.ConvertOptions(
                    check_utf8=False,  # every byte has been looked at
                    column_types=dict.fromkeys(columns, code),
                    include_columns=list(columns),
                    null_values=[""],
                    strings_can_be_null=True,
                ),
            )
    except OSError:
        raise SourceError.of(file.text.path, "it cannot be read any more", "check that it is still there") from None
    except (pa.ArrowInvalid, UnicodeError):
        # PyArrow's message quotes the record.
        raise _fault(file) or SourceError.of(
            file.text.path, "a record does not fit the first line", "correct it"
        ) from None


def _fault(file: _Delimited) -> SourceError | None:
    """The first record that does not fit the columns, found by a slow second look."""
    text, width, line = file.text, len(file.names), 1
    first = "header" if file.header_lines else "first record"
    # A line after the last one becomes a record of its own, unless a quotation mark is open.
    reader = csv.reader(chain(text.lines(), [_AFTER_ALL]), delimiter=file.delimiter)
    try:
        for record in reader:
            if record == [_AFTER_ALL]:
                break
            if record and record[-1].endswith(_AFTER_ALL):
                return SourceError.of(
                    text.path, f"a quotation mark in the record at line {line} is never closed", "close or remove it"
                )
            if record and len(record) != width:
                return SourceError.of(
                    text.path,
                    f"the record at line {line} has {len(record)} cells, the {first} has {width}",
                    "correct the record, or quote the cells that hold the delimiter",
                )
            line = reader.line_num + 1
    except csv.Error:
        return _too_long(text, line)
    return None


def _too_long(text: Text, line: int) -> SourceError:
    return SourceError.of(
        text.path,
        f"the record at line {line} has no end, or a cell of more than {csv.field_size_limit():,} characters",
        "look for a quotation mark that is never closed",
    )


def write(
    file: IO[bytes], location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions
) -> None:
    """A header and a line a record; cells are quoted only where they must be."""
    usual = "\t" if ".tsv" in Path(location.lower()).suffixes else ","
    delimiter = usual if options.delimiter is None else _given(options.delimiter)
    encoded = _encoder(location, options.encoding)
    packed = location.lower().endswith(".gz")
    # No name and no time, so that equal records give equal bytes.
    with gzip.GzipFile("", "wb", fileobj=file, mtime=0) if packed else nullcontext(file) as target:
        names = list(map(formulas.harmless, schema.names)) if options.spreadsheet_safe else schema.names
        target.write(encoded(_first_line(names, delimiter).encode()))
        for batch in map(formulas.neutral, batches) if options.spreadsheet_safe else batches:
            # Where there is one column, the reader's stand-in for a delimiter must not be taken for one.
            lines = _lines.delimited(_without_blank_lines(batch), delimiter, quoted=_NO_DELIMITER.encode())
            if b"\0" in lines:
                raise SourceError.of(location, "a cell holds a NUL character, which text lacks", "write Parquet")
            target.write(encoded(lines))


def _without_blank_lines(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A missing cell that stands alone must be quoted, because a blank line is no record."""
    if batch.num_columns > 1:
        return batch
    (name,) = batch.schema.names
    return pa.RecordBatch.from_arrays([_lines.texts(name, batch.column(0)).fill_null("")], [name])


def _first_line(names: Sequence[str], delimiter: str) -> str:
    """Quoted where a name holds anything that may be taken for a delimiter, or a byte order mark, which is dropped."""
    special = "".join((*_DELIMITERS, _NO_DELIMITER, delimiter, '"\r\n\ufeff'))
    return delimiter.join(_lines.quoted_cell(name, special) for name in names) + "\n"


def _encoder(location: str, encoding: str | None) -> Callable[[bytes], bytes]:
    if encoding is None:
        return bytes
    encoder = codecs.getincrementalencoder(_text.known(encoding))()

    def encoded(text: bytes) -> bytes:
        try:
            return encoder.encode(text.decode("utf-8"))
        except UnicodeEncodeError:
            raise SourceError.of(
                location, f"a cell holds characters that {encoding} does not have", "write it in utf-8"
            ) from None

    return encoded
