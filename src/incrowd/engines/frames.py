"""Frames: anything narwhals knows. What is in memory is counted here; elsewhere a GROUP BY runs where the data is.

Two cells are equal under the same rules in every engine. NaN is missing, -0.0 is 0.0, a category is the value that it
stands for, and cells of mixed type, or of a type that Arrow lacks, are compared as text. Only where a column was
declared with a collation of its own do the texts equal each other that the engine takes for equal.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from decimal import Decimal
from itertools import compress
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
from narwhals.exceptions import DuplicateError

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.table import Table
from incrowd.engines.source import checked_columns
from incrowd.engines.streams import StreamSource
from incrowd.errors import IncrowdError, SourceError, listed
from incrowd.watch import Stopped, Watch

_ORDERED = ("pandas", "polars", "pyarrow", "modin", "cudf")
"""Engines whose frames have an order of rows; in the others a row has no number."""

_BATCH = 1 << 20
"""Rows of a frame in memory that are counted at a time."""

_UNSHARED = (nw.Categorical, nw.Enum, nw.Int128, nw.UInt128, nw.Time, nw.Unknown)
"""Types that not every engine has, or that lose a part on the way to Arrow; in a GROUP BY they are text."""

_PLAIN = frozenset({bool, int, float, Decimal, str, bytes, date})
"""Python types whose values Arrow keeps; it drops a time zone that only some cells have, and pandas' nanoseconds."""

_EXACT: dict[type[nw.dtypes.DType], pa.DataType] = {nw.Int64: pa.int64(), nw.UInt64: pa.uint64()}
"""Integers that a float cannot hold."""


class FrameSource:
    """A pandas, Polars, PyArrow, DuckDB, Ibis or PySpark frame, or any other that narwhals knows."""

    def __init__(self, frame: Any, name: str = "the frame", missing: Collection[str] = ()) -> None:
        self.name = name
        self._missing = missing
        self._frame = _known(name, frame)
        self._engine = self._frame.implementation
        self.columns = _text_labels(name, self._frame.columns)
        self._stream = StreamSource(name, self.columns, self._batches, missing)

    def count(self, columns: Sequence[str], watch: Watch) -> FrequencySet:
        """The distinct combinations of the columns with their counts; where the rows are not here, by one GROUP BY."""
        with self._reading(columns):
            if isinstance(self._frame, nw.LazyFrame):
                return self._group_by(columns, watch)
            # Sooner done than a GROUP BY of pandas or Polars, whose result would need to be encoded as well.
            return self._stream.count(columns, watch)

    def table(self, columns: Sequence[str], watch: Watch) -> Table:
        """The columns in row order, encoded."""
        if self._engine.value not in _ORDERED:
            raise SourceError.of(
                self.name,
                f"tables in {self._engine.value} have no order of rows, so their records have no numbers",
                "collect it into pandas, Polars or PyArrow to get row numbers",
            )
        with self._reading(columns):
            return self._stream.table(columns, watch)

    @contextmanager
    def _reading(self, columns: Sequence[str]) -> Iterator[None]:
        """Failures of an engine in our own words: theirs may quote a record."""
        try:
            yield
        except (IncrowdError, Stopped):
            raise
        except Exception as error:
            raise SourceError.of(
                self.name,
                f"{self._engine.value} could not read the columns {listed(columns)} ({type(error).__name__})",
                "check that the table can still be read, and turn columns of unusual types into text",
            ) from None

    def _batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        if isinstance(self._frame, nw.LazyFrame):
            arrow = self._shared(columns).collect(backend="pyarrow").to_native()
        else:
            arrow = pa.table([_held(self._frame.get_column(name), name) for name in columns], names=list(columns))
        yield from arrow.to_batches(_BATCH)

    def _group_by(self, columns: Sequence[str], watch: Watch) -> FrequencySet:
        watch.tick(f"counting in {self._engine.value}")
        keys = self._shared(columns)
        names = keys.collect_schema().names()
        counted = keys.group_by(*names, drop_null_keys=False).agg(nw.len().alias("n"))
        counting = Counting(columns, self._missing)
        for batch in self._fetched(counted).select([*names, "n"]).to_batches():
            *cells, weights = batch.columns
            counting.add(cells, np.asarray(weights.cast(pa.int64())))
        return counting.result()

    def _shared(self, columns: Sequence[str]) -> Any:
        """The columns under plain names, and of types that every engine can group by."""
        picked = self._frame.select(*[self._column(name).alias(f"c{at}") for at, name in enumerate(columns)])
        kinds = picked.collect_schema()
        return picked.select(*[_key(picked, key, kinds[key], name) for key, name in zip(kinds, columns, strict=True)])

    def _column(self, name: str) -> nw.Expr:
        twins = [other for other in self.columns if other.lower() == name.lower()]
        if len(twins) > 1 and self._engine.value not in _ORDERED:
            # Spark refuses; DuckDB answers with the first of them, whichever is asked for.
            raise SourceError.of(
                self.name,
                f"the columns {listed(twins)} differ in case alone, which not every SQL engine sees",
                "rename all but one of them",
            )
        if name == "*" and self._engine.is_duckdb():
            raise SourceError.of(self.name, "duckdb takes a column called '*' for all columns", "rename it")
        if self._engine.is_pyspark() or self._engine.is_pyspark_connect():
            # Spark takes a name for an expression, in which a dot is a path; narwhals hands names on as they are.
            return nw.col("`" + name.replace("`", "``") + "`")
        # By its position, because Polars takes some names for patterns.
        return nw.nth(self.columns.index(name))

    def _fetched(self, counted: nw.LazyFrame[Any]) -> pa.Table:
        if not self._engine.is_ibis():
            return counted.collect(backend="pyarrow").to_native()
        # Some of Ibis's back ends fetch through pandas, where one missing cell turns a column of integers into floats.
        exact = {key: _EXACT[type(kind)] for key, kind in counted.collect_schema().items() if type(kind) in _EXACT}
        arrow = counted.with_columns(nw.col(*exact).cast(nw.String)).collect(backend="pyarrow").to_native()
        return arrow.cast(pa.schema([(field.name, exact.get(field.name, field.type)) for field in arrow.schema]))


def _known(name: str, frame: Any) -> Any:
    """The frame as narwhals sees it."""
    try:
        return nw.from_native(frame)
    except DuplicateError:
        _text_labels(name, getattr(frame, "column_names", None) or frame.columns)
        raise
    except TypeError:
        kind = type(frame)
        raise SourceError.of(
            name,
            f"{kind.__module__}.{kind.__qualname__} is not a kind of table that is known",
            "give a pandas, Polars or PyArrow table, a DuckDB relation, an Ibis table or a PySpark DataFrame",
        ) from None


def _text_labels(name: str, labels: Sequence[object]) -> tuple[str, ...]:
    """Column labels that are fit for use; pandas allows others."""
    texts = [label for label in labels if isinstance(label, str)]
    if len(texts) < len(labels):
        kind = next(type(label).__name__ for label in labels if not isinstance(label, str))
        raise SourceError.of(
            name,
            f"{len(labels) - len(texts)} of its {len(labels)} column labels are no text (one is of type {kind})",
            "give every column a text as its name",
        )
    return checked_columns(name, texts)


def _not_single(name: str) -> SourceError:
    return SourceError.of(
        f"column {name!r}", "its cells are not single values", "turn it into text or split it into columns first"
    )


def _key(frame: nw.LazyFrame[Any], key: str, kind: nw.dtypes.DType, name: str) -> nw.Expr:
    """A column as it is, or as text when its type is one that engines do not share."""
    if isinstance(kind, nw.Object):
        raise SourceError.of(
            f"column {name!r}", "a lazy frame does not tell what its Python objects are", "collect the frame first"
        )
    nested = kind.is_nested()
    if isinstance(kind, nw.Unknown):
        # Maps and unions are unknown to narwhals; Arrow knows what they are, and no row is needed to ask.
        empty = frame.select(key).head(0).collect(backend="pyarrow").to_native()
        nested = pa.types.is_nested(empty.schema.field(key).type)
    if nested:
        raise _not_single(name)
    return nw.col(key).cast(nw.String) if isinstance(kind, _UNSHARED) else nw.col(key)


def _held(column: nw.Series[Any], name: str) -> pa.Array | pa.ChunkedArray:
    """A column's cells in Arrow: as the values they are where one type of Arrow holds them, else as text."""
    arrow = None
    if not isinstance(column.dtype, nw.Object):
        # Fails where narwhals took Python objects for text, because the first hundred of them are.
        with suppress(pa.ArrowException):
            arrow = _without_dictionary(column.to_arrow())
    if arrow is None or isinstance(arrow.type, pa.BaseExtensionType):
        arrow = _from_cells(column, name)
    if pa.types.is_nested(arrow.type):
        raise _not_single(name)
    return arrow


def _without_dictionary(arrow: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    return arrow.cast(arrow.type.value_type) if pa.types.is_dictionary(arrow.type) else arrow


def _from_cells(column: nw.Series[Any], name: str) -> pa.Array:
    """Python objects: as values where all are of one plain type, else the text of each."""
    cells, missing = column.to_list(), column.is_null().to_numpy()
    kinds = set(map(type, compress(cells, ~missing)))
    if len(kinds) < 2 and kinds <= _PLAIN:
        with suppress(pa.ArrowException, OverflowError):
            return pa.array(cells, mask=missing)
    if any(issubclass(kind, Collection) and not issubclass(kind, (str, bytes)) for kind in kinds):
        raise _not_single(name)
    return pa.array([None if gone else str(cell) for cell, gone in zip(cells, missing, strict=True)], pa.string())
