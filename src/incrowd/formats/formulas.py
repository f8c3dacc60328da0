"""Cells that a spreadsheet would take for formulas: found, and made harmless.

A cell that begins with =, +, -, @, a tab or a carriage return is run when a spreadsheet opens the file, unless it is a
number (OWASP, CSV injection). An apostrophe before it makes it a text. So that no two cells become equal, and so that
the first ones can be told again, a cell that has apostrophes before such a beginning gets one more.
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
    """Whether a spreadsheet would run a cell, or shows it without an apostrophe that was put before such a one."""
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None


def harmless(text: str) -> str:
    """The cell as a text that nothing runs."""
    return f"'{text}" if is_formula(text) else text


def neutral(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Records none of whose cells is run."""
    columns = [_lines.texts(name, column) for name, column in zip(batch.schema.names, batch.columns, strict=True)]
    changed = [_lines.escaped(cells, BEGINNINGS, harmless) for cells in columns]
    return pa.RecordBatch.from_arrays(changed, batch.schema.names)


def restored(text: str) -> str:
    """The cell as it was."""
    return text[1:] if _HARMLESS.match(text) else text


def as_before(batch: pa.RecordBatch, names: Sequence[str]) -> pa.RecordBatch:
    """Records as they were, from dictionary codes."""
    columns = [
        pa.DictionaryArray.from_arrays(column.indices, _lines.each(column.dictionary, restored))
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, list(names))


def columns_with_formulas(batch: pa.RecordBatch) -> set[str]:
    """The columns in which a cell would be run."""
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
