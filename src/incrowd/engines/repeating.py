"""Columns with a value that several records have, found while other columns are counted.

Counting the values of a column that differs in every record would cost more than all else. So its cells are held as
they come, and Arrow looks for equal ones.
"""

from collections.abc import Iterable, Sequence

import pyarrow as pa
import pyarrow.compute as pc


def repeating(held: Iterable[pa.RecordBatch], columns: Sequence[str]) -> tuple[str, ...]:
    """Return those of the columns in which a value may be that of several records."""
    batches = list(held)
    return tuple(name for at, name in enumerate(columns) if _repeats([batch.column(at) for batch in batches]))


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
