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
from incrowd.results import Result
from incrowd.text import count as counted
from incrowd.text import table
from incrowd.watch import Watch, all_or_nothing


@dataclass(frozen=True, repr=False)
class Head(Brief, Result):
    """The first records of a table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    """Cells as text, None if missing; the first record is rows[0]."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"columns": list(self.columns), "rows": [list(row) for row in self.rows]}

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the records, every cell as text."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def _columns(self) -> list[str]:
        return list(self.columns)

    def parts(self) -> list[str]:
        """Return the records as a table."""
        return [table(self.columns, self.rows)]

    def look(self) -> list[str]:
        """Return the columns alone: a notebook is kept and shared with what it shows."""
        cells = [tuple(row[at] for row in self.rows) for at in range(len(self.columns))]
        named = zip(self.columns, cells, strict=True)
        rows = [(name, len(set(of) - {None}), of.count(None)) for name, of in named]
        size = f"The first {counted(len(self.rows), 'record')}, {counted(len(self.columns), 'column')}."
        shown = "The cells are not shown here: print(...) and .to_pandas() show them."
        return [size, table(("column", "different values", "missing"), rows), shown]


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
