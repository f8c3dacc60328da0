"""A table as a frame of the same kind as another, held in the engine of that: the second table of some releases."""

from collections.abc import Callable
from typing import Any, NamedTuple

import narwhals as nw
import pyarrow as pa

from incrowd.engines.frozen import Frozen
from incrowd.engines.joins import Drop, _labels_in_duckdb, _labels_in_ibis, nothing


class SecondTable(NamedTuple):
    """A table in an engine."""

    frame: Any
    discard: Drop
    """Remove what the engine holds for it."""


def second_table(frame: Any, table: pa.Table) -> SecondTable:
    """Return a table as a frame of the same kind as another one; a lazy one is held by its engine."""
    like = nw.from_native(frame)
    if not isinstance(like, nw.LazyFrame):
        return SecondTable(nw.from_arrow(table, backend=like.implementation).to_native(), nothing)
    # In a statement that makes a table a name may be a word of the language.
    names = {f"c{at}": name for at, name in enumerate(table.column_names)}
    native, drop = _ENGINES[like.implementation.value](frame, table.rename_columns(list(names)))
    frozen = Frozen(nw.from_native(native), drop)
    rows = frozen.freeze().select(*[nw.col(cell).alias(name) for cell, name in names.items()])
    return SecondTable(rows.to_native(), frozen.drop)


def _in_polars(frame: Any, table: pa.Table) -> tuple[Any, Drop]:
    import polars as pl

    return pl.LazyFrame(table), nothing


def _in_duckdb(frame: Any, table: pa.Table) -> tuple[Any, Drop]:
    return _labels_in_duckdb(frame, table), nothing


def _in_spark(frame: Any, table: pa.Table) -> tuple[Any, Drop]:
    return frame.sparkSession.createDataFrame(table), nothing


def _in_ibis(frame: Any, table: pa.Table) -> tuple[Any, Drop]:
    found: tuple[Any, Drop] = _labels_in_ibis(frame.get_backend(), table)
    return found


_ENGINES: dict[str, Callable[[Any, pa.Table], tuple[Any, Drop]]] = {
    "polars": _in_polars,
    "duckdb": _in_duckdb,
    "ibis": _in_ibis,
    "pyspark": _in_spark,
    "pyspark[connect]": _in_spark,
}
