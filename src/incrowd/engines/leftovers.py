"""Remove everything but its cells from a frame in memory: nothing else of the input may reach a release.

Categories that no published record has, row labels, metadata of a frame or a column, and memory that a column shares
with the table it was selected from would all be written or pickled with the frame.
"""

from typing import Any

import narwhals as nw
import pyarrow as pa


def only_published(rows: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """Return the rows without anything that discloses other records or the people behind them."""
    native = rows.to_native()
    if rows.implementation.is_pandas():
        native = _in_pandas(native)
    elif rows.implementation.is_pyarrow():
        native = _in_arrow(native)
    elif rows.implementation.is_polars():
        native = only_published_in_polars(native)
    return nw.from_native(native, eager_only=True)


def _in_pandas(frame: Any) -> Any:
    """Return the frame without row and header labels and `attrs`, with only the categories that occur."""
    frame = frame.reset_index(drop=True).rename_axis(columns=None)
    frame.attrs = {}
    coded = [name for name, kind in frame.dtypes.items() if getattr(kind, "categories", None) is not None]
    arrow = [name for name, kind in frame.dtypes.items() if _is_coded_in_arrow(kind)]
    shown = {name: _only_shown(frame[name].cat) for name in coded}
    return frame.assign(**shown, **{name: _recoded_in_arrow(frame[name]) for name in arrow})


def _only_shown(categories: Any) -> Any:
    """Return a pandas column with only the categories that occur, sorted if unordered: their order is the records'."""
    shown = categories.remove_unused_categories()
    if shown.cat.ordered:
        return shown
    return shown.cat.set_categories(sorted(shown.cat.categories, key=lambda value: (str(type(value)), str(value))))


def _is_coded_in_arrow(kind: Any) -> bool:
    """Return whether a pandas column is an Arrow dictionary."""
    held = getattr(kind, "pyarrow_dtype", None)
    return held is not None and bool(pa.types.is_dictionary(held))


def _recoded_in_arrow(column: Any) -> Any:
    from pandas import ArrowDtype

    plain = column.astype(ArrowDtype(column.dtype.pyarrow_dtype.value_type))
    return plain.astype(column.dtype)


def _in_arrow(table: pa.Table) -> pa.Table:
    """Return the table without metadata, with dictionaries of only the values that occur."""
    columns = [
        column.cast(column.type.value_type).dictionary_encode() if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.table(columns, names=table.column_names)


def only_published_in_polars(frame: Any) -> Any:
    """Return the frame with only the categories that occur, and with its texts copied.

    A column selected from another one shares the memory of its texts, all of which would be written.
    """
    import polars as pl

    return frame.with_columns(*[_alone(column, pl) for column in frame.get_columns() if _may_share(column.dtype, pl)])


def _may_share(kind: Any, pl: Any) -> bool:
    return bool(kind.is_nested() or kind in (pl.String, pl.Binary, pl.Enum, pl.Categorical))


def _alone(column: Any, pl: Any) -> Any:
    if column.dtype == pl.Enum:
        texts = column.cast(pl.String)
        shown = set(texts.unique())
        return texts.cast(pl.Enum([each for each in column.dtype.categories if each in shown]))
    if column.dtype == pl.Categorical:
        return column.cast(pl.String).cast(column.dtype)
    return pl.from_arrow(column.to_arrow()).cast(column.dtype).alias(column.name)
