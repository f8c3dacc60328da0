"""Encoding and compression of text files; the encoding is found by reading the whole file once."""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import IO, cast

from incrowd.errors import SourceError, UsageError

_BLOCK = 1 << 18
"""Bytes to read at a time: a block and its text stay in the processor's cache."""

_ASCII_INSIDE = ("ascii", "utf-8", "cp1252", "iso8859-1", "iso8859-15")
"""Encodings in which the bytes of ASCII stand for themselves."""

_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@dataclass(frozen=True)
class Text:
    """A text file that has been read once to find its encoding."""

    path: Path
    encoding: str
    packed: bool
    """Compressed with gzip."""
    quotes: int
    """Number of quotation marks."""
    beginning: str
    """The first block as text."""
    whole: bool
    """True if the beginning is the whole file."""

    def quotes_in(self, lines: int) -> int:
        """Return the number of quotation marks in the first lines, which the beginning has."""
        return "".join(islice(StringIO(self.beginning, newline=""), lines)).count('"')

    def opened(self) -> IO[bytes]:
        """Open the file, decompressed."""
        return _opened(self.path, self.packed)

    def lines(self) -> Iterator[str]:
        """Yield the lines with their line breaks, without a byte order mark."""
        with self.opened() as file, TextIOWrapper(file, self.encoding, newline="") as text:
            yield next(text, "").removeprefix("\ufeff")
            yield from text


def is_text(head: bytes) -> bool:
    """Return whether bytes can be the beginning of a text: with a byte order mark, or without control characters."""
    controls = bytes({*range(0x20), 0x7F} - set(b"\t\n\v\f\r\x1b"))
    return head.startswith(tuple(_BYTE_ORDER_MARKS)) or head.translate(None, controls) == head


def detect_text(path: Path, encoding: str | None) -> Text:
    """Return a text file with its encoding, detected or checked on every byte."""
    with path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
    blocks = _blocks(path, packed)
    first, whole = next(blocks, b""), next(blocks, None) is None
    candidates = _candidates(first) if encoding is None else (known(encoding),)
    if "\0" in first.decode(candidates[0], errors="replace"):
        raise SourceError.of(path, "not a text file: it contains NUL characters", "check that this is the right file")
    for candidate in candidates:
        try:
            quotes = _quotes(path, packed, candidate)
        except UnicodeError:
            continue
        beginning = codecs.getincrementaldecoder(candidate)().decode(first, final=whole).removeprefix("\ufeff")
        return Text(path, candidate, packed, quotes, beginning, whole)
    raise SourceError.of(path, f"its encoding is not {' or '.join(candidates)}", "name its encoding")


def _candidates(first: bytes) -> tuple[str, ...]:
    marked = tuple(encoding for mark, encoding in _BYTE_ORDER_MARKS.items() if first.startswith(mark))
    return marked or ("utf-8", "cp1252")


def known(encoding: str) -> str:
    """Return the encoding if it exists, else raise UsageError."""
    try:
        "".encode(encoding)
    except LookupError:
        raise UsageError.invalid(
            f"encoding {encoding!r}", "not a known text encoding", "utf-8, utf-16, cp1252 and latin-1 are common"
        ) from None
    return encoding


def _quotes(path: Path, packed: bool, encoding: str) -> int:
    """Return the number of quotation marks; raise UnicodeError if the text is not in this encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    quotes = 0
    no_more = decoder.getstate()
    holds_ascii = codecs.lookup(encoding).name in _ASCII_INSIDE
    for block in _blocks(path, packed):
        if holds_ascii and decoder.getstate() == no_more and block.isascii():
            # Text in every such encoding; decoding it would take longer than all else.
            quotes += block.count(b'"') if b'"' in block else 0
            continue
        text = decoder.decode(block)
        # Most texts have none, and searching for one is faster than counting.
        if '"' in text:
            quotes += text.count('"')
    decoder.decode(b"", final=True)
    return quotes


def _blocks(path: Path, packed: bool) -> Iterator[bytes]:
    try:
        with _opened(path, packed) as file:
            while block := file.read(_BLOCK):
                yield block
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise SourceError.of(path, "its compressed content is damaged", "compress it again") from None


def _opened(path: Path, packed: bool) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path) if packed else path.open("rb"))
