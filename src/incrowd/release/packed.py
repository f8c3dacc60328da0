"""Columns of whole numbers as text in JSON: fewest bytes a number, compressed, in base64."""

import zlib
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.unsignedinteger[Any]]
"""Numbers from 0 on, in as few bytes each as their largest needs."""

_WIDTHS = ("1", "2", "4", "8")
_LEVEL = 1
"""Higher levels of zlib take several times as long and save a tenth."""


def narrow(numbers: NDArray[Any]) -> Positions:
    """Return the numbers, none below 0, in as few bytes each as the largest needs."""
    kind = np.min_scalar_type(int(numbers.max(initial=0)))
    return np.ascontiguousarray(numbers, dtype=kind.newbyteorder("<"))


def packed(numbers: NDArray[Any]) -> str:
    """Return numbers as text: the bytes of each, a colon, and their little-endian bytes, compressed, in base64."""
    found = narrow(numbers)
    return f"{found.itemsize}:{b64encode(zlib.compress(found.tobytes(), _LEVEL)).decode()}"


def unpacked(text: object, size: int) -> Positions:
    """Return as many numbers as that text must have; ValueError if it has not."""
    if not isinstance(text, str):
        raise ValueError
    width, _, content = text.partition(":")
    if width not in _WIDTHS:
        raise ValueError
    expected = size * int(width)
    # No more than expected is ever decompressed.
    expanding = zlib.decompressobj()
    try:
        found = expanding.decompress(b64decode(content, validate=True), expected + 1)
    except (zlib.error, OverflowError):
        raise ValueError from None
    if len(found) != expected or not expanding.eof or expanding.unused_data:
        raise ValueError
    return np.frombuffer(found, np.dtype(f"<u{width}"))
