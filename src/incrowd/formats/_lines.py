"""Rows of text, joined from columns by Arrow: no Python objects for cells, unless one must be escaped."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.core.table import text_array
from incrowd.errors import SourceError

Escape = Callable[[str], str]


def texts(name: str, cells: pa.Array) -> pa.StringArray:
    """Return the cells as text; NaN is missing."""
    kind = cells.type
    if pa.types.is_floating(kind):
        cells = pc.if_else(pc.is_nan(cells), None, cells)
    if pa.types.is_nested(kind) or _is_bytes(kind):
        wrong = "bytes" if _is_bytes(kind) else "lists or records"
        raise SourceError.of(
            f"column {name!r}", f"it contains {wrong}, which are not text", "write Parquet, or drop it"
        )
    try:
        return cells.cast(pa.string())
    except pa.ArrowException:
        raise SourceError.of(
            f"column {name!r}", f"values of type {kind} have no text form", "write Parquet, or convert them to text"
        ) from None


def escaped(cells: pa.StringArray, special: bytes, escape: Escape) -> pa.StringArray:
    """Return the texts with `escape` applied to each if one contains a special (ASCII) character, else unchanged."""
    return each(cells, escape) if holds(cells, special) else cells


def each(cells: pa.StringArray, change: Escape) -> pa.StringArray:
    """Return the texts, each changed; equal ones are changed once."""
    coded = cells.dictionary_encode()
    changed = text_array([change(text) for text in coded.dictionary.to_pylist()])
    return changed.take(coded.indices)


def holds(cells: pa.StringArray, characters: bytes) -> bool:
    """Return whether a text contains one of the (ASCII) characters."""
    found = content(cells)
    return len(found.translate(None, characters)) < len(found)


def joined(parts: Sequence[pa.StringArray | str], between: str = "") -> bytes:
    """Return the parts of all rows, row after row; a missing cell is empty."""
    return content(_joined(parts, between))


def _joined(parts: Sequence[pa.StringArray | str], between: str) -> pa.StringArray:
    arrow = [_arrow(part) for part in (*parts, between)]
    return pc.binary_join_element_wise(*arrow, null_handling="replace", null_replacement="")


def _arrow(part: pa.StringArray | str) -> pa.StringArray | pa.StringScalar:
    """Return a Python text as an Arrow scalar; passed directly, it would import pandas."""
    return text_array([part])[0] if isinstance(part, str) else part


def delimited(batch: pa.RecordBatch, delimiter: str, quoted: bytes = b"") -> bytes:
    """Return lines of cells as defined by RFC 4180: a missing cell is empty, an empty text a pair of quotation marks.

    Cells with the delimiter, a quotation mark, a line break or one of the `quoted` characters are quoted.
    """
    special = b'"\r\n' + delimiter.encode() + quoted
    parts: list[pa.StringArray] = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        cells = texts(name, column)
        if holds(cells, special) or _has_empty(cells):
            cells = each(cells, lambda text: quoted_cell(text, special.decode()))
        parts.append(cells)
    *most, last = parts
    return joined([*most, _joined([last, "\n"], "")], delimiter)


def _has_empty(cells: pa.StringArray) -> bool:
    """Return whether a text is empty; computed in NumPy because a number passed to Arrow would import pandas."""
    there = cells.drop_null()
    if not len(there):
        return False
    bounds = np.frombuffer(there.buffers()[1], np.int32)[there.offset : there.offset + len(there) + 1]
    return bool((np.diff(bounds) == 0).any())


def quoted_cell(text: str, special: str) -> str:
    """Return a cell, in quotation marks if it is empty or contains a special character."""
    if text and not any(character in text for character in special):
        return text
    return '"' + text.replace('"', '""') + '"'


def _is_bytes(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind))


def content(cells: pa.StringArray) -> bytes:
    """Return the concatenated bytes of the texts."""
    _, ends, characters = cells.buffers()
    if len(cells) == 0 or characters is None:
        return b""
    bounds = np.frombuffer(ends, np.int32)
    start, end = int(bounds[cells.offset]), int(bounds[cells.offset + len(cells)])
    return bytes(characters[start:end])
