"""Columns with a value that several records have, found while other columns are counted.

Counting the values of a column that differs in every record would cost more than all else. So its cells are held as
they come, and Arrow looks for equal ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from incrowd.core.frequencies import FrequencySet
from incrowd.engines.source import Source, count_each
from incrowd.engines.streams import StreamSource
from incrowd.watch import Watch


def count_and_compare(
    source: Source, sets: Sequence[Sequence[str]], columns: Sequence[str], watch: Watch
) -> tuple[list[FrequencySet], tuple[str, ...]]:
    """Return the counts of sets of columns, and those of the other columns in which a value may be that of several
    records; a stream of batches is read once for both."""
    held: list[pa.RecordBatch] = []

    def batches(wanted: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for batch in source.cells(tuple(dict.fromkeys([*wanted, *columns]))):
            held.append(batch.select(list(columns)))
            yield batch.select(list(wanted))

    if isinstance(source, StreamSource):
        counted = count_each(replace(source, batches=batches), sets, watch)
    else:
        counted = count_each(source, sets, watch)
        held.extend(source.cells(columns))
    return counted, tuple(name for at, name in enumerate(columns) if _repeats([batch.column(at) for batch in held]))


def _repeats(chunks: Sequence[pa.Array]) -> bool:
    """Return whether two cells may be equal; where types differ from batch to batch that is left open."""
    plain = [chunk.dictionary_decode() if pa.types.is_dictionary(chunk.type) else chunk for chunk in chunks]
    known = [chunk for chunk in plain if chunk.null_count < len(chunk)]
    if len({chunk.type for chunk in known}) > 1:
        return True
    cells = pa.chunked_array(known) if known else pa.chunked_array([], pa.null())
    # Faster than count_distinct; missing is one of them.
    different = len(pc.unique(cells)) - (cells.null_count > 0)
    return bool(different < len(cells) - cells.null_count)
