"""The first records of a source, for the eyes of its owner."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from incrowd.engines.source import Source, count
from incrowd.recodings import RecodingMap
from incrowd.watch import Watch


def head(source: Source, rows: int, watch: Watch) -> list[tuple[str | None, ...]]:
    """So many records as text, all columns; those that come first where the source has an order."""
    # What publishes needs a recoding: one column, as it is, of all records.
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
