"""The published cells of each combination, as the private record has them."""

import numpy as np

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import text_forms
from incrowd.core.keys import number_combinations
from incrowd.recodings import RecodingMap
from incrowd.release import RecodedCombinations
from incrowd.release.packed import Positions, narrow

Texts = tuple[str | None, ...]


def texts_of_column(frequencies: FrequencySet, name: str) -> Texts:
    """Return a column's values as text, missing first."""
    values = frequencies.values[frequencies.names.index(name)]
    return (None, *(text_forms(value)[0] for value in values.to_pylist()))


def recorded_combinations(recoding: RecodingMap) -> RecodedCombinations:
    """Return the published cells of each combination."""
    combinations, kept = recoding.combinations, recoding.kept
    values = tuple(texts_of_column(combinations, name) for name in combinations.names)
    original = [recoding.codes(at) for at in range(len(values))]
    labels = [of if column is None else column.labels for of, column in zip(values, recoding.columns, strict=True)]
    shown = [
        (codes if column is None else column.codes)[kept]
        for codes, column in zip(original, recoding.columns, strict=True)
    ]
    numbers, rows = number_combinations(shown, [max(1, len(of)) for of in labels])
    first = np.zeros(rows, dtype=np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]
    row = np.zeros(len(kept), dtype=np.int64)
    row[kept] = numbers + 1
    return RecodedCombinations(
        combinations.names,
        values,
        tuple(labels),
        tuple(map(narrow, original)),
        tuple(narrow(codes[first]) for codes in shown),
        narrow(row),
        recoding.counts.astype(np.int64),
        *_groups(recoding),
    )


def _groups(recoding: RecodingMap) -> tuple[tuple[str, ...], Positions | None]:
    """Return the names of groups and the number of each piece's, where that is published."""
    if not recoding.added:
        return (), None
    [column] = recoding.added.values()
    return tuple(map(str, column.labels)), narrow(np.where(recoding.kept, column.codes + 1, 0))
