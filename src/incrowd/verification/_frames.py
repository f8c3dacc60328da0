"""Releases that are frames, read cell by cell: the engine that made one hands its cells over and counts nothing."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa

from incrowd.errors import IncrowdError, SourceError
from incrowd.verification._rows import Batches, Cells, Rows, cells_of_arrow, cells_of_values, distinct_names, text

_ROWS = 1 << 17
"""Records a batch."""

Reader = Callable[[Any, Sequence[str]], Batches]


def rows_of_frame(frame: Any, name: str) -> Rows:
    """Return the cells of a pandas, Polars, PyArrow, DuckDB, Ibis, PySpark or other frame that narwhals supports."""
    reader = _READERS.get(type(frame).__module__.partition(".")[0], _any)

    def batches(columns: Sequence[str]) -> Batches:
        with _in_our_words(name):
            yield from reader(frame, columns)

    with _in_our_words(name):
        return Rows(distinct_names(name, _names(frame)), batches)


def _names(frame: Any) -> list[str]:
    if isinstance(frame, pa.Table):
        return list(frame.column_names)
    # Polars looks a lazy frame's names up, and warns where the property is asked.
    names = frame.collect_schema().names() if hasattr(frame, "collect_schema") else frame.columns
    return [str(each) for each in names]


@contextmanager
def _in_our_words(name: str) -> Iterator[None]:
    """Raise SourceError without the engine's message, which may quote a cell."""
    try:
        yield
    except IncrowdError:
        raise
    except Exception as error:
        raise SourceError.of(
            name, f"cannot be read ({type(error).__name__})", "check that its source can still be read"
        ) from None


def _pandas(frame: Any, columns: Sequence[str]) -> Batches:
    for start in range(0, len(frame), _ROWS):
        part = frame.iloc[start : start + _ROWS]
        yield [_cells_of_pandas(part[name]) for name in columns]


def _cells_of_pandas(column: Any) -> Cells:
    """Return the cells of a pandas frame: categories by code, Arrow types through Arrow, mixed types one by one."""
    if getattr(column.dtype, "categories", None) is not None:
        codes = np.asarray(column.cat.codes, dtype=np.int64)
        texts = [text(value) for value in column.cat.categories]
        return Cells(np.where(codes < 0, len(texts), codes), [*texts, None])
    try:
        kind = pa.string() if column.dtype == object else None
        return cells_of_arrow(_whole(pa.array(column, type=kind, from_pandas=True)))
    except (pa.ArrowException, AttributeError, TypeError, ValueError):
        missing = column.isna().tolist()
        return cells_of_values(None if gone else cell for cell, gone in zip(column.tolist(), missing, strict=True))


def _polars(frame: Any, columns: Sequence[str]) -> Batches:
    held = frame.collect() if hasattr(frame, "collect") else frame
    for part in held.iter_slices(_ROWS):
        yield [_cells(part.get_column(name).to_arrow()) for name in columns]


def _arrow(frame: Any, columns: Sequence[str]) -> Batches:
    for batch in frame.select(list(columns)).to_batches(_ROWS):
        yield [_cells(column) for column in batch.columns]


def _duckdb(frame: Any, columns: Sequence[str]) -> Batches:
    chosen = frame.project(", ".join('"' + name.replace('"', '""') + '"' for name in columns))
    # Older versions call it fetch_arrow_reader.
    reader = chosen.to_arrow_reader if hasattr(chosen, "to_arrow_reader") else chosen.fetch_arrow_reader
    for batch in reader(_ROWS):
        yield [_cells(column) for column in batch.columns]


def _ibis(frame: Any, columns: Sequence[str]) -> Batches:
    # Some back ends fetch through pandas, where one missing cell turns integers into floats, and other types change.
    kinds = frame.schema()
    texts = {name: frame[name].cast("string") for name in columns if not _is_handed_over(kinds[name])}
    chosen = frame.select(*[texts.get(name, frame[name]).name(name) for name in columns])
    connection = chosen.get_backend()
    if connection.name == "duckdb":
        # Ibis 12 cannot ask DuckDB 2 for batches; asking for no row puts tables of this process where SQL finds them.
        chosen.head(0).to_pyarrow()
        yield from _duckdb(connection.con.sql(connection.compile(chosen)), columns)
        return
    for batch in chosen.to_pyarrow_batches(chunk_size=_ROWS):
        yield [_cells(column) for column in batch.columns]


def _is_handed_over(kind: Any) -> bool:
    """Return whether Ibis returns the cells of a type unchanged."""
    return any((kind.is_string(), kind.is_floating(), kind.is_boolean(), kind.is_temporal(), kind.is_binary()))


def _spark(frame: Any, columns: Sequence[str]) -> Batches:
    """Yield one partition at a time as Arrow bytes: Spark's own rows would convert timestamps to the local zone."""

    def bytes_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        # It travels to the workers, which need PyArrow alone.
        import pyarrow

        for batch in batches:
            table = pyarrow.Table.from_batches([batch])
            sink = pyarrow.BufferOutputStream()
            with pyarrow.ipc.new_file(sink, table.schema) as file:
                file.write_table(table)
            yield pyarrow.RecordBatch.from_pydict({"cells": [sink.getvalue().to_pybytes()]})

    chosen = frame.select(*["`" + name.replace("`", "``") + "`" for name in columns])
    for (cells,) in chosen.mapInArrow(bytes_of, "cells binary").toLocalIterator():
        yield from _arrow(pa.ipc.open_file(cells).read_all(), columns)


def _any(frame: Any, columns: Sequence[str]) -> Batches:
    import narwhals as nw

    known: Any = nw.from_native(frame)
    chosen = known.select(*columns)
    held = chosen.collect(backend="pyarrow").to_native() if isinstance(known, nw.LazyFrame) else chosen.to_arrow()
    yield from _arrow(held, columns)


def _cells(column: pa.Array) -> Cells:
    """Return the cells of an Arrow column; types that Arrow cannot encode are encoded by their texts."""
    try:
        return cells_of_arrow(_whole(column))
    except (pa.ArrowException, AttributeError):
        return cells_of_values(column.to_pylist())


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


_READERS: dict[str, Reader] = {
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _arrow,
    "duckdb": _duckdb,
    "_duckdb": _duckdb,
    "ibis": _ibis,
    "pyspark": _spark,
}
"""By the package that the type of a frame comes from."""
