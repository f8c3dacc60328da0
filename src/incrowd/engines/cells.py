"""Cells of frames: their types in Arrow, and the form in which engines compare them."""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal
from itertools import compress
from typing import Any, TypeVar
from uuid import uuid4

import narwhals as nw
import pyarrow as pa

from incrowd.engines.collations import with_bytes
from incrowd.engines.decimals import decimal_of, declared_decimal, widest, with_missing_nan
from incrowd.engines.publish import Kinds, without
from incrowd.engines.sqlite_texts import with_texts
from incrowd.errors import SourceError

_UNSHARED = (nw.Categorical, nw.Enum, nw.Int128, nw.UInt128, nw.Time, nw.Unknown)
"""Types that not every engine has, or that Arrow truncates; in a GROUP BY they are text."""

_PLAIN = frozenset({bool, int, float, Decimal, str, bytes, date})
"""Python types whose values Arrow keeps; it drops a time zone that only some cells have, and pandas' nanoseconds."""

_EXACT: dict[type[nw.dtypes.DType], pa.DataType] = {nw.Int64: pa.int64(), nw.UInt64: pa.uint64()}
"""Integers that a float cannot hold."""

Sent = Mapping[str, pa.DataType | None]
"""The types of columns that are sent as text; None if only their cells show it."""

Frame = TypeVar("Frame", nw.DataFrame[Any], nw.LazyFrame[Any])
Rows = TypeVar("Rows", pa.Table, pa.RecordBatch)


def shared(frame: nw.LazyFrame[Any], names: Mapping[str, str]) -> nw.LazyFrame[Any]:
    """Return the frame with text in columns whose types not all engines share; `names` has their names for messages."""
    kinds = frame.collect_schema()
    unshared = [column for column, name in names.items() if _is_unshared(frame, column, kinds[column], name)]
    return _with_text(frame, unshared)


def _is_unshared(frame: nw.LazyFrame[Any], column: str, kind: nw.dtypes.DType, name: str) -> bool:
    if isinstance(kind, nw.Object):
        raise SourceError.of(
            f"column {name!r}", "the types of Python objects in a lazy frame are unknown", "collect the frame first"
        )
    nested = kind.is_nested()
    if isinstance(kind, nw.Unknown):
        # Maps and unions are unknown to narwhals; Arrow knows what they are, and no row is needed to ask.
        empty = frame.select(column).head(0).collect(backend="pyarrow").to_native()
        nested = pa.types.is_nested(empty.schema.field(column).type)
    if nested:
        raise _not_single(name)
    return isinstance(kind, _UNSHARED)


def _with_text(frame: nw.LazyFrame[Any], columns: Collection[str]) -> nw.LazyFrame[Any]:
    if columns and frame.implementation.is_ibis() and frame.to_native().get_backend().name == "sqlite":
        texts: nw.LazyFrame[Any] = nw.from_native(with_texts(frame.to_native(), columns))
        return texts
    return frame.with_columns(nw.col(*columns).cast(nw.String)) if columns else frame


def kept_kinds(frame: nw.LazyFrame[Any]) -> Kinds:
    """Return the Arrow types of columns that engines transfer as text, if all their values share one."""
    kinds: dict[str, pa.DataType] = {}
    endless = [column for column, kind in exact(frame)[1].items() if kind is None]
    for column, kind in frame.collect_schema().items():
        if isinstance(kind, nw.Time):
            kinds[column] = pa.time64("us")
    return {**kinds, **(widest(frame.to_native(), endless) if endless else {})}


def without_named(frame: Frame, missing: Collection[str]) -> Frame:
    """Return the frame with null in place of missing-value markers: two kinds of missing would be two values."""
    if not missing:
        return frame
    return _without_named_here(frame, missing) if isinstance(frame, nw.DataFrame) else _without_named(frame, missing)


def _without_named(frame: nw.LazyFrame[Any], missing: Collection[str]) -> nw.LazyFrame[Any]:
    kinds = frame.collect_schema()
    texts = [name for name, kind in kinds.items() if isinstance(kind, nw.String | nw.Categorical | nw.Enum)]
    named = {f"missing{at}": text for at, text in enumerate(missing)}
    spelled = frame.with_columns(*[nw.col(name).cast(nw.String).alias(f"{name}_text") for name in texts])
    compared = with_bytes(spelled, {f"{name}_bytes": f"{name}_text" for name in texts}, named) if texts else frame
    gone = {
        name: nw.any_horizontal(*[nw.col(f"{name}_bytes") == nw.col(text) for text in named], ignore_nulls=True)
        for name in texts
    }
    for name, kind in kinds.items():
        numbers = _named(missing) if kind.is_numeric() else []
        if numbers:
            gone[name] = nw.col(name).cast(nw.String).is_in(numbers)
    changed = [nw.when(~which).then(nw.col(name)).alias(name) for name, which in gone.items()]
    return compared.with_columns(*changed).select(*kinds) if changed else frame


def _without_named_here(frame: nw.DataFrame[Any], missing: Collection[str]) -> nw.DataFrame[Any]:
    found = {at: _present(column, frozenset(missing)) for at, column in enumerate(frame.iter_columns())}
    present = {at: cells for at, cells in found.items() if cells is not None}
    if not present:
        return frame
    names = {at: f"{uuid4().hex} {at}" for at in present}
    marks = nw.from_arrow(pa.table([*present.values()], [*names.values()]), backend=frame.implementation)
    # Integers of pandas that have no missing ones would become floats, which do not hold all of them.
    whole = [column for at, column in enumerate(frame.iter_columns()) if at in present and column.dtype.is_integer()]
    marked = frame.with_columns(*map(nw.maybe_convert_dtypes, whole), *marks.iter_columns())
    changed = marked.with_columns(*[nw.when(nw.col(name)).then(nw.nth(at)) for at, name in names.items()])
    return changed.drop(*names.values())


def _present(column: nw.Series[Any], missing: frozenset[str]) -> pa.Array | None:
    """Return a mask of the cells that are not missing-value markers; None if there are no markers."""
    try:
        cells = held(column, column.name)
    except SourceError:
        # Lists and the like, which no text names.
        return None
    cells = cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells
    left = without(cells, missing)
    return left.is_valid() if left.null_count > cells.null_count else None


def with_one_zero(frame: Frame) -> Frame:
    """Return the frame with 0.0 in place of -0.0: counted as equal, they must not distinguish records."""
    kinds = enumerate(frame.collect_schema().dtypes())
    floats = {at: kind for at, kind in kinds if isinstance(kind, nw.Float32 | nw.Float64)}
    changed = [
        nw.when((nw.nth(at) != 0) | nw.nth(at).is_null()).then(nw.nth(at)).otherwise(nw.lit(0.0, kind)).cast(kind)
        for at, kind in floats.items()
    ]
    return frame.with_columns(*changed) if changed else frame


def in_order(frame: nw.LazyFrame[Any], columns: Sequence[str]) -> nw.LazyFrame[Any]:
    """Return the frame sorted by the columns in its engine; categories by value, not by first occurrence."""
    kinds = frame.collect_schema()
    texts = {name: f"{name}_text" for name in columns if isinstance(kinds[name], _UNSHARED)}
    if texts:
        frame = frame.with_columns(*[nw.col(name).cast(nw.String).alias(text) for name, text in texts.items()])
    return frame.sort(*[texts.get(name, name) for name in columns])


def _named(missing: Collection[str]) -> list[str]:
    """Return the missing-value markers that are numbers."""
    numbers = [text for text in missing if re.fullmatch(r"[-+]?\d+(\.\d+)?", text)]
    return [*numbers, *(f"{text}.0" for text in numbers)]


def fetched(frame: nw.LazyFrame[Any]) -> pa.Table:
    """Return all rows in Arrow."""
    sent, types = exact(frame)
    return retyped(sent.collect(backend="pyarrow").to_native(), types)


def exact(frame: nw.LazyFrame[Any]) -> tuple[nw.LazyFrame[Any], Sent]:
    """Return the frame with text in columns that Arrow would change, and the types of those columns."""
    if not frame.implementation.is_ibis():
        return frame, {}
    # Some of Ibis's back ends fetch through pandas, where one missing cell turns a column of integers into floats; and
    # where a decimal number has no declared scale, Ibis takes it for one of nine digits.
    types: dict[str, pa.DataType | None] = {}
    for column, kind in frame.collect_schema().items():
        if type(kind) in _EXACT:
            types[column] = _EXACT[type(kind)]
        elif isinstance(kind, nw.Decimal):
            types[column] = declared_decimal(frame.to_native().schema()[column])
    return _with_text(frame, types), types


def retyped(rows: Rows, types: Sent) -> Rows:
    """Return rows sent by `exact` with their original types."""
    for at, field in enumerate(rows.schema):
        if field.name in types:
            kind = types[field.name] or decimal_of(rows.column(at))
            rows = rows.set_column(at, field.name, with_missing_nan(rows.column(at)).cast(kind))
    return rows


def _not_single(name: str) -> SourceError:
    return SourceError.of(
        f"column {name!r}", "nested values are not supported", "convert it to text, or split it into columns"
    )


def held(column: nw.Series[Any], name: str, coded: bool = False) -> pa.Array | pa.ChunkedArray:
    """Return a column's cells in Arrow: as values if one Arrow type holds them all, else as text.

    If `coded`, categories of texts and integers stay dictionaries.
    """
    arrow = None
    if not isinstance(column.dtype, nw.Object):
        # Fails where narwhals took Python objects for text, because the first hundred of them are.
        with suppress(pa.ArrowException):
            cells = column.to_arrow()
            arrow = cells if coded and _is_simple(cells.type) else _without_dictionary(cells)
    if arrow is None or isinstance(arrow.type, pa.BaseExtensionType):
        arrow = _from_cells(column, name)
    if pa.types.is_nested(arrow.type):
        raise _not_single(name)
    return arrow


def _is_simple(kind: pa.DataType) -> bool:
    """Return whether it is a dictionary of texts or integers."""
    if not pa.types.is_dictionary(kind):
        return False
    of = kind.value_type
    return bool(pa.types.is_string(of) or pa.types.is_large_string(of) or pa.types.is_integer(of))


def _without_dictionary(arrow: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    return arrow.cast(arrow.type.value_type) if pa.types.is_dictionary(arrow.type) else arrow


def _from_cells(column: nw.Series[Any], name: str) -> pa.Array:
    """Return Python objects as values if all have one plain type, else as text."""
    cells, missing = column.to_list(), column.is_null().to_numpy()
    kinds = set(map(type, compress(cells, ~missing)))
    if len(kinds) < 2 and kinds <= _PLAIN:
        with suppress(pa.ArrowException, OverflowError):
            return pa.array(cells, mask=missing)
    if any(issubclass(kind, Collection) and not issubclass(kind, (str, bytes)) for kind in kinds):
        raise _not_single(name)
    return pa.array([None if gone else str(cell) for cell, gone in zip(cells, missing, strict=True)], pa.string())
