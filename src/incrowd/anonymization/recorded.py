"""The published cells of each combination, as the private record has them."""

import numpy as np

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import text_forms
from incrowd.recodings import RecodingMap
from incrowd.release import RecodedCombinations

Texts = tuple[str | None, ...]


def texts_of_column(frequencies: FrequencySet, name: str) -> Texts:
    """Return a column's values as text, missing first."""
    values = frequencies.values[frequencies.names.index(name)]
    return (None, *(text_forms(value)[0] for value in values.to_pylist()))


def recorded_combinations(recoding: RecodingMap) -> RecodedCombinations:
    """Return the published cells of each combination."""
    combinations = recoding.combinations
    values = tuple(texts_of_column(combinations, name) for name in combinations.names)
    original = [recoding.codes(at) for at in range(len(values))]
    labels, codes = [], []
    for at, column in enumerate(recoding.columns):
        labels.append(values[at] if column is None else column.labels)
        codes.append(original[at] if column is None else column.codes)
    published = [
        tuple(cells) if keep else None
        for cells, keep in zip(np.array(codes).T.tolist(), recoding.kept.tolist(), strict=True)
    ]
    return RecodedCombinations(
        combinations.names,
        values,
        tuple(labels),
        tuple(map(tuple, np.array(original).T.tolist())),
        tuple(published),
        tuple(recoding.counts.tolist()),
        _groups(recoding),
    )


def _groups(recoding: RecodingMap) -> Texts:
    """Return per piece its group, where that is published."""
    if not recoding.added:
        return ()
    [column] = recoding.added.values()
    pieces = zip(column.codes.tolist(), recoding.kept.tolist(), strict=True)
    return tuple(column.labels[code] if keep else None for code, keep in pieces)
