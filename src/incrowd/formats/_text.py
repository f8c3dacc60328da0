"""What the bytes of a text file are: their encoding, found by reading all of them once, and whether they are packed."""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import IO, cast

from incrowd.errors import SourceError, UsageError

_BLOCK = 1 << 18
"""Bytes at a time: a block and its text stay in the processor's cache."""

_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@dataclass(frozen=True)
class Text:
    """A text file that has been looked through once."""

    path: Path
    encoding: str
    packed: bool
    """Compressed with gzip."""
    quotes: int
    """How many quotation marks it has."""
    beginning: str
    """Its first block."""
    whole: bool
    """Whether the beginning is all."""

    def lines(self) -> Iterator[str]:
        """The lines with their ends, without a byte order mark."""
        with _opened(self.path, self.packed) as file, TextIOWrapper(file, self.encoding, newline="") as text:
            yield next(text, "").removeprefix("\ufeff")
            yield from text


def is_text(head: bytes) -> bool:
    """Whether bytes can be the beginning of a text: they hold a byte order mark, or no control characters."""
    controls = bytes({*range(0x20), 0x7F} - set(b"\t\n\v\f\r\x1b"))
    return head.startswith(tuple(_BYTE_ORDER_MARKS)) or head.translate(None, controls) == head


def looked_through(path: Path, encoding: str | None) -> Text:
    """Find the encoding, or see that the given one fits; the last byte counts as much as the first."""
    with path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
    blocks = _blocks(path, packed)
    first, whole = next(blocks, b""), next(blocks, None) is None
    candidates = _candidates(first) if encoding is None else (known(encoding),)
    if "\0" in first.decode(candidates[0], errors="replace"):
        raise SourceError.of(path, "it is not text: it holds NUL characters", "check that this is the right file")
    for candidate in candidates:
        try:
            quotes = _quotes(path, packed, candidate)
        except UnicodeError:
            continue
        beginning = codecs.getincrementaldecoder(candidate)().decode(first, final=whole).removeprefix("\ufeff")
        return Text(path, candidate, packed, quotes, beginning, whole)
    raise SourceError.of(path, f"its bytes are not {' or '.join(candidates)}", "name the encoding that it has")


def _candidates(first: bytes) -> tuple[str, ...]:
    marked = tuple(encoding for mark, encoding in _BYTE_ORDER_MARKS.items() if first.startswith(mark))
    return marked or ("utf-8", "cp1252")


def known(encoding: str) -> str:
    """An encoding that there is."""
    try:
        "".encode(encoding)
    except LookupError:
        raise UsageError.senseless(
            f"encoding {encoding!r}", "there is no such text encoding", "utf-8, utf-16, cp1252 and latin-1 are common"
        ) from None
    return encoding


def _quotes(path: Path, packed: bool, encoding: str) -> int:
    """How many quotation marks the text has; UnicodeError when it is not in this encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    quotes = 0
    for block in _blocks(path, packed):
        text = decoder.decode(block)
        # Most texts have none, and looking for one is faster than counting.
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
        raise SourceError.of(path, "its compressed content is damaged", "compress it anew") from None


def _opened(path: Path, packed: bool) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path) if packed else path.open("rb"))
