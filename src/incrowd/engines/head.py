"""Show the first records of a source to its owner."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from incrowd.core.brief import Brief
from incrowd.engines.source import Source, count
from incrowd.errors import UsageError
from incrowd.recodings import RecodingMap
from incrowd.text import table
from incrowd.watch import Watch, all_or_nothing


@dataclass(frozen=True, repr=False)
class Head(Brief):
    """The first records of a table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    """Cells as text, None if missing; the first record is rows[0]."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"columns": list(self.columns), "rows": [list(row) for row in self.rows]}

    def __str__(self) -> str:
        return table(self.columns, self.rows)


def head(source: Source, rows: int, watch: Watch) -> Head:
    """Return the first records, all columns, as text; any of them if the source has no row order."""
    if rows < 1:
        raise UsageError.invalid(f"{rows} rows", "at least one is needed", "give a whole number, 1 or more")
    with all_or_nothing(f"{source.name} was being read"):
        return Head(source.columns, tuple(_first(source, rows, watch)))


def _first(source: Source, rows: int, watch: Watch) -> list[tuple[str | None, ...]]:
    # Publishing needs a recoding: here one column of all records, unchanged.
    counted = count(source, source.columns[:1], watch)
    as_it_is = RecodingMap(counted, np.ones(len(counted.counts), dtype=np.bool_), (None,))
    found: list[tuple[str | None, ...]] = []
    for batch in _batches(source, as_it_is, watch):
        texts = [_texts(column, rows - len(found)) for column in batch.columns]
        found += zip(*texts, strict=True)
        if len(found) >= rows:
            break
    return found


def _batches(source: Source, recoding: RecodingMap, watch: Watch) -> Iterator[pa.RecordBatch]:
    return source.publish(recoding, source.columns, watch).batches()


def _texts(column: pa.Array, rows: int) -> list[str | None]:
    return [None if cell is None else str(cell) for cell in column.slice(0, rows).to_pylist()]
