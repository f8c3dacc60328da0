"""A release from what was counted: if every published column was counted, no record is read a second time.

Records that publish the same are indistinguishable, so that it is enough to know how many there are of each.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import places
from incrowd.engines.publish import Publishing, Weighted, integers, label_array, relabeled
from incrowd.recodings import RecodingMap


def counted_rows(
    source: str, recoding: RecodingMap, columns: Sequence[str], wider: FrequencySet | None
) -> Weighted | None:
    """Return rows of published cells, and of how many records each is; None if a column was not counted together with
    the quasi-identifiers.

    `wider` are the same records, counted by more columns than the recoding has.
    """
    combinations = recoding.combinations
    if {*combinations.names, *recoding.further}.issuperset(columns):
        return _by_piece(recoding, columns)
    if wider is None or not {*wider.names, *recoding.further}.issuperset([*columns, *combinations.names]):
        return None
    if recoding.pieces is not None or wider.records != combinations.records:
        # Which of the wider combinations are in which piece is unknown; or they are not about the same records.
        return None
    publishing, batch = Publishing(source, recoding), _cells(wider, wider.names, slice(None))
    numbers = publishing.numbers(batch, wider.counts)
    return publishing.cells(batch, numbers, columns), wider.counts[publishing.kept(numbers)]


def _by_piece(recoding: RecodingMap, columns: Sequence[str]) -> Weighted:
    """Return one row for each piece that is published."""
    pieces = np.flatnonzero(recoding.kept)
    at = pieces if recoding.pieces is None else recoding.pieces[0][pieces]
    became = relabeled(recoding)
    original = _cells(recoding.combinations, [name for name in columns if name not in became], at)
    arrays = [
        pa.DictionaryArray.from_arrays(integers(became[name].codes[pieces]), label_array(became[name]))
        if name in became
        else original.column(name)
        for name in columns
    ]
    return pa.RecordBatch.from_arrays(arrays, list(columns)), recoding.counts[pieces]


def _cells(frequencies: FrequencySet, names: Sequence[str], at: NDArray[np.int64] | slice) -> pa.RecordBatch:
    """Return the cells of combinations, with missing ones null."""
    indices = frequencies.indices(names)
    arrays = [
        pa.DictionaryArray.from_arrays(places(frequencies.codes[index, at]), frequencies.values[index])
        for index in indices
    ]
    return pa.RecordBatch.from_arrays(arrays, list(names))
