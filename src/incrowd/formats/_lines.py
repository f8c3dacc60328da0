"""Rows of text, joined from columns by Arrow: no Python object a cell, unless one must be escaped."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.core.table import text_array
from incrowd.errors import SourceError

Escape = Callable[[str], str]


def texts(name: str, cells: pa.Array) -> pa.StringArray:
    """The cells as text; NaN is a missing cell."""
    kind = cells.type
    if pa.types.is_floating(kind):
        cells = pc.if_else(pc.is_nan(cells), None, cells)
    if pa.types.is_nested(kind) or _is_bytes(kind):
        wrong = "bytes" if _is_bytes(kind) else "lists or records"
        raise SourceError.of(
            f"column {name!r}", f"it holds {wrong}, which are no text", "write Parquet, or leave it out"
        )
    try:
        return cells.cast(pa.string())
    except pa.ArrowException:
        raise SourceError.of(
            f"column {name!r}", f"values of type {kind} have no text form", "write Parquet, or turn them into text"
        ) from None


def escaped(cells: pa.StringArray, special: bytes, escape: Escape) -> pa.StringArray:
    """The texts with `escape` applied to each; called only if one holds a special (ASCII) character."""
    return each(cells, escape) if holds(cells, special) else cells


def each(cells: pa.StringArray, change: Escape) -> pa.StringArray:
    """The texts, each changed; equal ones are changed once."""
    coded = cells.dictionary_encode()
    changed = text_array([change(text) for text in coded.dictionary.to_pylist()])
    return changed.take(coded.indices)


def holds(cells: pa.StringArray, characters: bytes) -> bool:
    """Whether one of the texts holds one of the (ASCII) characters."""
    found = content(cells)
    return len(found.translate(None, characters)) < len(found)


def joined(parts: Sequence[pa.StringArray | str], between: str = "") -> bytes:
    """The parts of all rows, row after row; a missing cell is nothing."""
    return content(_joined(parts, between))


def _joined(parts: Sequence[pa.StringArray | str], between: str) -> pa.StringArray:
    arrow = [_arrow(part) for part in (*parts, between)]
    return pc.binary_join_element_wise(*arrow, null_handling="replace", null_replacement="")


def _arrow(part: pa.StringArray | str) -> pa.StringArray | pa.StringScalar:
    """A text of Python as one of Arrow; handed over as it is, it would import pandas."""
    return text_array([part])[0] if isinstance(part, str) else part


def delimited(batch: pa.RecordBatch, delimiter: str, quoted: bytes = b"") -> bytes:
    """Lines of cells as RFC 4180 has them: a missing cell is nothing, an empty text a pair of quotation marks.

    Cells with the delimiter, a quotation mark, an end of line or one of the `quoted` characters are quoted.
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
    """Whether one of the texts is empty; asked in NumPy because a number handed to Arrow would import pandas."""
    there = cells.drop_null()
    if not len(there):
        return False
    bounds = np.frombuffer(there.buffers()[1], np.int32)[there.offset : there.offset + len(there) + 1]
    return bool((np.diff(bounds) == 0).any())


def quoted_cell(text: str, special: str) -> str:
    """A cell, in quotation marks where it is empty or holds a special character."""
    if text and not any(character in text for character in special):
        return text
    return '"' + text.replace('"', '""') + '"'


def _is_bytes(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind))


def content(cells: pa.StringArray) -> bytes:
    """The texts one after the other, as they lie in memory."""
    _, ends, characters = cells.buffers()
    if len(cells) == 0 or characters is None:
        return b""
    bounds = np.frombuffer(ends, np.int32)
    start, end = int(bounds[cells.offset]), int(bounds[cells.offset + len(cells)])
    return bytes(characters[start:end])
