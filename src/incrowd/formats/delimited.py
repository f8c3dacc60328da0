"""Delimited text: CSV, TSV and similar files, also compressed with gzip.

Every cell is read as text ("007" is not "7"), directly into dictionary codes; an empty cell is missing. An empty text
is written as "", which other programs can distinguish from a missing cell; read here, both are missing.
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
RANK = 1
OUTPUTS = {".csv": "CSV", ".tsv": "TSV"}
UPLOADS = (".csv", ".tsv", ".txt")
TYPED = False

_DELIMITERS = (",", ";", "\t", "|")
_NO_DELIMITER = "\x1f"
"""The delimiter used for a file of one column: a control character that does not occur in text."""

_LOOKED_AT = 100
"""Number of records used to detect the delimiter."""

_AFTER_ALL = "\x1fafter all\x1f"
"""A line that does not occur in any file."""

_BLOCK = 1 << 22
"""Bytes to read at a time, and the most that one record may have; measured: less is slower, more takes memory."""

recognizes = _text.is_text


@dataclass(frozen=True)
class _Delimited:
    """A text file with known delimiter and columns."""

    text: Text
    delimiter: str
    names: tuple[str, ...]
    header_lines: int
    """Number of lines before the first record."""
    empty: bool
    """True if the beginning of the text has no record."""


def open(location: str, options: ReadOptions) -> Source:
    """Open the records of a text file."""
    text = _text.detect_text(Path(location), options.encoding)
    if options.widths:
        return _fixed_width.source_of(text, options)
    delimiter = _delimiter(text) if options.delimiter is None else _given(options.delimiter)
    file = _shaped(text, delimiter, options)
    if file.empty and not text.whole:
        raise _too_long(text, 1)
    # An odd number of quotation marks: one is part of a cell, or one is open and hides the records after it.
    if text.quotes % 2 and (fault := _fault(file)):
        raise fault

    header = type(file.names)(map(formulas.restore_cell, file.names)) if options.spreadsheet_safe else file.names

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        found = _batches(file, [file.names[header.index(name)] for name in columns])
        return (formulas.restore_batch(batch, columns) for batch in found) if options.spreadsheet_safe else found

    return StreamSource(location, header, batches, options.missing, dict.fromkeys(header, pa.string()), False)


def _given(delimiter: str) -> str:
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise UsageError.invalid(
            f"delimiter {delimiter!r}",
            "it must be one ASCII character, not a quotation mark or a line break",
            "omit it to detect it",
        )
    return delimiter


def _records(text: Text, delimiter: str, most: int = _LOOKED_AT) -> list[list[str]]:
    """Return the first records, header included, without a last one that may be incomplete."""
    found: list[list[str]] = []
    reader = csv.reader(StringIO(text.beginning, newline=""), delimiter=delimiter)
    # A cell beyond the parser's limit, such as one with an unclosed quote, ends it; what came before will do.
    with suppress(csv.Error):
        found.extend(islice(filter(None, reader), most + 1))
    ended = len(found) <= most
    return found[:-1] if ended and not text.whole and len(found) > 1 else found


def _delimiter(text: Text) -> str:
    """Return the delimiter that splits the header and most records into equally many cells; most cells win."""
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
        raise SourceError.of(file.text.path, "it can no longer be read", "check that it still exists") from None
    except (pa.ArrowInvalid, UnicodeError):
        # PyArrow's message quotes the record.
        raise _fault(file) or SourceError.of(
            file.text.path, "a record does not match the first line", "correct it"
        ) from None


def _fault(file: _Delimited) -> SourceError | None:
    """Return the error for the first record that does not match the columns, found by a slow second pass."""
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
        f"the record at line {line} is not closed, or has a cell of more than {csv.field_size_limit():,} characters",
        "look for an unclosed quotation mark",
    )


def write(
    file: IO[bytes], location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions
) -> None:
    """Write a header and one line per record; cells are quoted only if necessary."""
    usual = "\t" if ".tsv" in Path(location.lower()).suffixes else ","
    delimiter = usual if options.delimiter is None else _given(options.delimiter)
    encoded = _encoder(location, options.encoding)
    packed = location.lower().endswith(".gz")
    # No name and no time: equal records give equal bytes.
    with gzip.GzipFile("", "wb", fileobj=file, mtime=0) if packed else nullcontext(file) as target:
        names = list(map(formulas.escape_cell, schema.names)) if options.spreadsheet_safe else schema.names
        target.write(encoded(_first_line(names, delimiter).encode()))
        for batch in map(formulas.escape_batch, batches) if options.spreadsheet_safe else batches:
            # Where there is one column, the reader's stand-in for a delimiter must not be taken for one.
            lines = _lines.delimited(_without_blank_lines(batch), delimiter, quoted=_NO_DELIMITER.encode())
            if b"\0" in lines:
                raise SourceError.of(
                    location, "a cell contains a NUL character, which a text file cannot hold", "write Parquet"
                )
            target.write(encoded(lines))


def _without_blank_lines(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch with quoted missing cells if it has one column, because a blank line is not a record."""
    if batch.num_columns > 1:
        return batch
    (name,) = batch.schema.names
    return pa.RecordBatch.from_arrays([_lines.texts(name, batch.column(0)).fill_null("")], [name])


def _first_line(names: Sequence[str], delimiter: str) -> str:
    """Return the header line; names that contain a possible delimiter or a byte order mark are quoted."""
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
                location, f"a cell contains characters that {encoding} cannot encode", "use utf-8"
            ) from None

    return encoded
