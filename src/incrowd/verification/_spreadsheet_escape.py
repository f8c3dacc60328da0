"""Cells as they were before apostrophes kept a spreadsheet from running them."""

import re
from collections.abc import Sequence

from incrowd.verification._rows import Batches, Cells, Rows

_HARMLESS = re.compile(r"'+[=+\-@\t\r]")


def restored(rows: Rows) -> Rows:
    """Return the rows of an escaped file, with their cells as they were published."""

    def batches(columns: Sequence[str]) -> Batches:
        for batch in rows.batches([written(name) for name in columns]):
            yield [Cells(cells.codes, [_restored(text) for text in cells.texts]) for cells in batch]

    return Rows(tuple(_restored(name) or "" for name in rows.columns), batches, rows.sha256)


def written(name: str) -> str:
    """Return the name of a column as an escaped file has it."""
    is_number = re.fullmatch(r"[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?%?", name)
    return f"'{name}" if re.match(r"'*[=+\-@\t\r]", name) and not is_number else name


def _restored(text: str | None) -> str | None:
    return text[1:] if text is not None and _HARMLESS.match(text) else text
