"""A release of counted columns alone: its classes and how many records each has tell all of it.

No record is joined and none is sorted: the engine repeats each class as often as it was counted. The classes come in
the order of their cells, so nothing is left of the order of the source.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from incrowd.core.table import in_numpy
from incrowd.engines.joins import _labels_in_duckdb
from incrowd.engines.maps import Combinations, Numbers, longs, packed, shown_codes
from incrowd.engines.publish import integers

_ROWS = 1 << 16
"""Records a batch, and the most that a row of classes stands for in an engine, so that workers share large classes."""


@dataclass(frozen=True, eq=False)
class Repeated:
    """The classes of a release, sorted by their cells, each different from all others."""

    cells: pa.Table
    counts: Numbers

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the records."""
        coded = [column.combine_chunks().dictionary_encode() for column in self.cells.columns]
        codes = [in_numpy(column.indices.fill_null(len(column.dictionary))) for column in coded]
        ends = np.cumsum(self.counts)
        for start in range(0, int(self.counts.sum()), _ROWS):
            stop = min(start + _ROWS, int(ends[-1]))
            of = np.searchsorted(ends, np.arange(start, stop), side="right")
            arrays = [_coded(column, places[of]) for column, places in zip(coded, codes, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, self.cells.column_names)

    def parts(self, name: str) -> pa.Table:
        """Return the classes with how many records each row stands for, never more than a batch, under this name."""
        pieces = -(-self.counts // _ROWS)
        of = np.repeat(np.arange(len(self.counts)), pieces)
        left = self.counts - (pieces - 1) * _ROWS
        last = np.cumsum(pieces) - 1
        counts = np.full(len(of), _ROWS, dtype=np.int64)
        counts[last] = left
        return self.cells.take(longs(of)).append_column(name, longs(counts))


def _coded(column: pa.DictionaryArray, codes: Any) -> pa.DictionaryArray:
    """Return the cells with these codes; the one after the last is missing."""
    values = column.dictionary
    if column.null_count:
        values = pa.concat_arrays([values, pa.nulls(1, values.type)])
    return pa.DictionaryArray.from_arrays(integers(np.ascontiguousarray(codes, dtype=np.int32)), values)


def repeated(given: Combinations, counts: Numbers, shown: Sequence[str]) -> Repeated:
    """Return the classes that are published of combinations that occur so often."""
    kept = np.flatnonzero(given.kept)
    words = packed([column[kept] for column in shown_codes(given, shown)])
    order = np.lexsort(words[::-1]) if words else np.arange(len(kept))
    differ = np.zeros(len(kept), dtype=np.bool_)
    differ[:1] = True
    for word in words:
        differ[1:] |= word[order][1:] != word[order][:-1]
    first = np.flatnonzero(differ)
    totals = np.add.reduceat(counts[kept][order], first) if len(first) else np.zeros(0, dtype=np.int64)
    at = longs(kept[order[first]])
    cells = {
        name: given.labels[name].take(at).dictionary_decode()
        if name in given.labels
        else given.cells[given.of[name]].take(at)
        for name in shown
    }
    return Repeated(pa.table(cells), totals)


def _in_duckdb(rows: Any, classes: Repeated, unchanged: Sequence[str]) -> Any:
    kinds = dict(zip(rows.columns, rows.types, strict=True))
    names = classes.cells.column_names
    typed = [f"CAST({name} AS {kinds[name]}) AS {name}" if name in unchanged else name for name in names]
    # In the order of the classes, which DuckDB keeps.
    many = _labels_in_duckdb(rows, classes.parts("n")).project(", ".join([*typed, "unnest(range(n)) AS n"]))
    return many.project(", ".join(names))


def _in_spark(rows: Any, classes: Repeated, unchanged: Sequence[str]) -> Any:
    from pyspark.sql import functions

    parts = rows.sparkSession.createDataFrame(classes.parts("n"))
    names = classes.cells.column_names
    typed = [
        functions.col(name).cast(rows.schema[name].dataType).alias(name) if name in unchanged else functions.col(name)
        for name in names
    ]
    many = parts.select(*typed, functions.explode(functions.sequence(functions.lit(1), functions.col("n"))))
    return many.select(*names)


REPEATING: dict[str, Callable[[Any, Repeated, Sequence[str]], Any]] = {
    "duckdb": _in_duckdb,
    "pyspark": _in_spark,
    "pyspark[connect]": _in_spark,
}
"""By engine: from the rows, the classes and the columns that are published as they are, to a frame of all records."""
