"""A frame in memory without what it carries beside its cells: nothing of the input but cells goes into a release.

Categories that no published record has, labels of rows, notes on a frame or a column, and memory that a column still
shares with the table that it was picked from: all of these would be written along with the frame, or pickled.
"""

from typing import Any

import narwhals as nw
import pyarrow as pa


def only_published(rows: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """The rows, and nothing that tells of others or of who they are."""
    native = rows.to_native()
    if rows.implementation.is_pandas():
        native = _in_pandas(native)
    elif rows.implementation.is_pyarrow():
        native = _in_arrow(native)
    elif rows.implementation.is_polars():
        native = only_published_in_polars(native)
    return nw.from_native(native, eager_only=True)


def _in_pandas(frame: Any) -> Any:
    """Without labels of rows and of the header, without `attrs`, and with the categories that are shown."""
    frame = frame.reset_index(drop=True).rename_axis(columns=None)
    frame.attrs = {}
    coded = [name for name, kind in frame.dtypes.items() if getattr(kind, "categories", None) is not None]
    arrow = [name for name, kind in frame.dtypes.items() if _is_coded_in_arrow(kind)]
    shown = {name: _only_shown(frame[name].cat) for name in coded}
    return frame.assign(**shown, **{name: _recoded_in_arrow(frame[name]) for name in arrow})


def _only_shown(categories: Any) -> Any:
    """A column of pandas with the categories that it shows; without an order of their own they tell who came first."""
    shown = categories.remove_unused_categories()
    if shown.cat.ordered:
        return shown
    return shown.cat.set_categories(sorted(shown.cat.categories, key=lambda value: (str(type(value)), str(value))))


def _is_coded_in_arrow(kind: Any) -> bool:
    """Whether pandas has a column as a dictionary of Arrow."""
    held = getattr(kind, "pyarrow_dtype", None)
    return held is not None and bool(pa.types.is_dictionary(held))


def _recoded_in_arrow(column: Any) -> Any:
    from pandas import ArrowDtype

    plain = column.astype(ArrowDtype(column.dtype.pyarrow_dtype.value_type))
    return plain.astype(column.dtype)


def _in_arrow(table: pa.Table) -> pa.Table:
    """Without metadata of the table and of its columns, and with the dictionaries that are needed."""
    columns = [
        column.cast(column.type.value_type).dictionary_encode() if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.table(columns, names=table.column_names)


def only_published_in_polars(frame: Any) -> Any:
    """With the categories that are shown, and with texts in memory of their own.

    A column that was picked from another one shares the memory of its texts, and would be written with all of it.
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
