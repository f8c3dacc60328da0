"""A text file whose records have no quotation marks, in blocks of whole lines: every line break ends a record, so that
each block can be parsed by itself."""

import codecs
from collections.abc import Iterator
from typing import IO

import pyarrow as pa

BLOCK = 1 << 22
"""Bytes to read at a time; measured: less is slower, more takes memory."""

_ENCODINGS = ("ascii", "utf-8", "cp1252", "iso8859-1", "iso8859-15")
"""Those in which the byte of a line break is nothing else."""


def splits(encoding: str, quotes: int) -> bool:
    """Return whether a text with so many quotation marks after its header can be cut at every line break."""
    return not quotes and codecs.lookup(encoding).name in _ENCODINGS


def line_blocks(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield numbered blocks; pa.ArrowInvalid if a record is longer than one."""
    number, rest = 0, b""
    while fresh := file.read(BLOCK):
        end = fresh.rfind(b"\n") + 1
        if not end and len(fresh) == BLOCK:
            raise pa.ArrowInvalid("a record is longer than a block")
        if end:
            yield number, _begun(number, rest + fresh[:end])
            number, rest = number + 1, fresh[end:]
        else:
            rest += fresh
    if rest:
        yield number, _begun(number, rest)


def _begun(number: int, block: bytes) -> bytes:
    """Return a block that begins as it does in the file: Arrow takes a byte order mark at the beginning for none of the
    text, which it is only there. An empty line is no record."""
    return b"\n" + block if number and block.startswith(codecs.BOM_UTF8) else block
