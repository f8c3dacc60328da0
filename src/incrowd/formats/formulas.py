"""Find cells that a spreadsheet would run as formulas, and escape them.

A cell that begins with =, +, -, @, a tab or a carriage return is run when a spreadsheet opens the file, unless it is a
number (OWASP, CSV injection). A leading apostrophe makes it text. A cell that already has apostrophes before such a
beginning gets one more: no two cells become equal, and the escape can be reversed.
"""

import re
from collections.abc import Sequence

import pyarrow as pa

from incrowd.formats import _lines

BEGINNINGS = b"=+-@\t\r"
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_HARMLESS = re.compile(r"'+[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?%?")


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet would run a cell, or hide an apostrophe at the beginning of such a cell."""
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None


def escape_cell(text: str) -> str:
    """Return the cell as text that no spreadsheet runs."""
    return f"'{text}" if is_formula(text) else text


def escape_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return records whose cells no spreadsheet runs."""
    columns = [_lines.texts(name, column) for name, column in zip(batch.schema.names, batch.columns, strict=True)]
    changed = [_lines.escaped(cells, BEGINNINGS, escape_cell) for cells in columns]
    return pa.RecordBatch.from_arrays(changed, batch.schema.names)


def restore_cell(text: str) -> str:
    """Return the original cell of an escaped one."""
    return text[1:] if _HARMLESS.match(text) else text


def restore_batch(batch: pa.RecordBatch, names: Sequence[str]) -> pa.RecordBatch:
    """Return the original records of escaped ones, which are dictionary codes."""
    columns = [
        pa.DictionaryArray.from_arrays(column.indices, _lines.each(column.dictionary, restore_cell))
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, list(names))


def columns_with_formulas(batch: pa.RecordBatch) -> set[str]:
    """Return the columns in which a spreadsheet would run a cell."""
    return {name for name, column in zip(batch.schema.names, batch.columns, strict=True) if _has_formula(name, column)}


def _has_formula(name: str, column: pa.Array) -> bool:
    if not (_is_text(column.type) or (pa.types.is_dictionary(column.type) and _is_text(column.type.value_type))):
        return False
    cells = _lines.texts(name, column)
    if not _lines.holds(cells, BEGINNINGS):
        return False
    return any(text is not None and is_formula(text) for text in cells.dictionary_encode().dictionary.to_pylist())


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))
