"""Frames: anything narwhals knows. The GROUP BY runs in the engine that holds the data; only its result comes here."""

from collections.abc import Collection, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.table import Table
from incrowd.engines.source import checked_columns
from incrowd.errors import SourceError
from incrowd.watch import Watch

_ORDERED = ("pandas", "polars", "pyarrow", "modin", "cudf")
"""Engines whose frames have an order of rows; in the others a row has no number."""


class FrameSource:
    """A pandas, Polars, PyArrow, DuckDB, Ibis or PySpark frame, or any other that narwhals knows."""

    def __init__(self, frame: Any, name: str = "the frame", missing: Collection[str] = ()) -> None:
        self.name = name
        self._frame = nw.from_native(frame)
        self._missing = missing
        self._types = self._frame.collect_schema()
        self.columns = checked_columns(name, [str(column) for column in self._types.names()])

    def count(self, columns: Sequence[str], watch: Watch) -> FrequencySet:
        """The distinct combinations of the columns with their counts: one GROUP BY."""
        watch.tick("counting")
        number = "n" * (1 + max(map(len, columns)))  # longer than any column's name, so never one of them
        counted = self._select(columns).group_by(*columns, drop_null_keys=False).agg(nw.len().alias(number))
        arrow = _arrow(counted)
        counting = Counting(columns, self._missing)
        weights = np.asarray(arrow.column(number).combine_chunks().cast(pa.int64()))
        counting.add([arrow.column(name).combine_chunks() for name in columns], weights)
        return counting.result()

    def table(self, columns: Sequence[str], watch: Watch) -> Table:
        """The columns in row order, encoded."""
        engine = self._frame.implementation.value
        if engine not in _ORDERED:
            raise SourceError.of(
                self.name,
                f"a {engine} table has no order of rows, so its records have no numbers",
                "collect it into pandas, Polars or PyArrow to get row numbers",
            )
        watch.tick("reading")
        arrow = _arrow(self._select(columns))
        return Table.from_batches(columns, arrow.combine_chunks().to_batches(), self._missing)

    def _select(self, columns: Sequence[str]) -> Any:
        return self._frame.select(*[self._key(name) for name in columns])

    def _key(self, name: str) -> nw.Expr:
        """What a column is grouped by: the column itself, unless its type has no like in every engine."""
        kind, column = self._types[name], nw.col(name)
        if isinstance(kind, (nw.Categorical, nw.Enum, nw.Int128, nw.UInt128)):
            return column.cast(nw.String)
        if isinstance(kind, (nw.List, nw.Array, nw.Struct)):
            raise SourceError.of(
                f"column {name!r}",
                "its cells are not single values",
                "turn it into text or split it into columns first",
            )
        return column


def _arrow(frame: Any) -> pa.Table:
    return frame.collect(backend="pyarrow").to_native() if isinstance(frame, nw.LazyFrame) else frame.to_arrow()
