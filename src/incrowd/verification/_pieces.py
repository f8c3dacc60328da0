"""Tallies of the combinations in the private record, over its columns of numbers."""

from collections.abc import Sequence

import numpy as np

from incrowd.release import RecodedCombinations
from incrowd.verification._tally import Numbers, Tally


def published_cells(pieces: RecodedCombinations, names: Sequence[str]) -> Tally:
    """Return the records with each combination of published cells, in the first columns: those of these names."""
    return Tally(
        tuple(names),
        tuple(map(list, pieces.labels[: len(names)])),
        stacked(pieces.rows[: len(names)], pieces.distinct_rows),
        pieces.records_by_row,
    )


def stacked(columns: Sequence[np.ndarray[tuple[int], np.dtype[np.unsignedinteger]]], size: int) -> Numbers:
    """Return columns of so many numbers as rows of one array."""
    return np.array([column.astype(np.int64) for column in columns], dtype=np.int64).reshape(len(columns), size)
