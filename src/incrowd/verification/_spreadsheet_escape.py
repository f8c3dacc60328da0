"""Cells as they were before apostrophes kept a spreadsheet from running them."""

import re
from collections.abc import Sequence

from incrowd.verification._rows import Batches, Cells, Rows

_HARMLESS = re.compile(r"'+[=+\-@\t\r]")


def restored(rows: Rows) -> Rows:
    """The rows of a file that was made harmless, with their cells as they were published."""

    def batches(columns: Sequence[str]) -> Batches:
        for batch in rows.batches([written(name) for name in columns]):
            yield [Cells(cells.codes, [_restored(text) for text in cells.texts]) for cells in batch]

    return Rows(tuple(_restored(name) or "" for name in rows.columns), batches)


def written(name: str) -> str:
    """How such a file has the name of a column."""
    is_number = re.fullmatch(r"[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?%?", name)
    return f"'{name}" if re.match(r"'*[=+\-@\t\r]", name) and not is_number else name


def _restored(text: str | None) -> str | None:
    return text[1:] if text is not None and _HARMLESS.match(text) else text
