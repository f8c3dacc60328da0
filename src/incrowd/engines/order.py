"""An order of records that follows from what is published alone, where their order in the source could tell more."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.engines.publish import Published
from incrowd.recodings import RecodingMap


def in_order_of_cells(published: Published, recoding: RecodingMap) -> Published:
    """The same records, all of them held in memory to be sorted."""

    def rows() -> Iterator[pa.RecordBatch]:
        table = pa.Table.from_batches(published.batches(), published.schema)
        yield from table.take(pa.array(order_of_cells(table, recoding))).to_batches()

    return replace(published, rows=rows)


def order_of_cells(table: pa.Table, recoding: RecodingMap) -> NDArray[np.int64]:
    """Where each record stands: sorted by the columns that were added, whose labels are numbers, and then by all."""
    keys = [table.column(name).cast(pa.int64()) for name in recoding.added]
    keys += [_sortable(column) for column in table.columns]
    named = pa.table(keys, [f"k{at}" for at in range(len(keys))])
    order = pc.sort_indices(named, [(name, "ascending") for name in named.column_names])
    return np.asarray(order).astype(np.int64)


def _sortable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The cells, or their texts where Arrow knows no order of them."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        pc.sort_indices(pa.table([column.slice(0, 0)], ["cells"]), [("cells", "ascending")])
    except pa.ArrowNotImplementedError:
        return pa.chunked_array([pa.array(map(str, column.to_pylist()), pa.string())])
    return column
