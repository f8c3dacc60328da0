"""How many records match each combination when missing cells are wildcards (maybe, right maybe).

These two relations are not equivalences: there are no classes, only a number of matching records for each
combination, and k is the least of them (Ciglic, Eder, Koncilia; DEXA 2014).

Combinations are sorted by which columns they miss (their pattern). Two patterns are compared on the columns that both
demand to be equal, with one lookup per pair of patterns, so the cost is (patterns x combinations), not
combinations squared.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.core._kernels import total
from incrowd.core.frequencies import FrequencySet
from incrowd.core.keys import number_combinations
from incrowd.core.schema import Nulls
from incrowd.core.table import MISSING

Counts = NDArray[np.int64]


def matching_records(frequencies: FrequencySet, names: Sequence[str], nulls: Nulls) -> Counts:
    """For every combination of the named columns, how many records match it."""
    frequencies = frequencies if frequencies.names == tuple(names) else frequencies.project(names)
    missing = frequencies.codes == MISSING
    patterns, pattern_of = np.unique(missing, axis=1, return_inverse=True)
    pattern_of = pattern_of.reshape(-1)
    members = [np.flatnonzero(pattern_of == at) for at in range(patterns.shape[1])]
    matches = np.zeros(frequencies.combinations, dtype=np.int64)
    for here, mine in enumerate(members):
        for there, others in enumerate(members):
            columns = _compared(patterns[:, here], patterns[:, there], nulls)
            if columns is not None:
                matches[mine] += _equal_records(frequencies, mine, others, columns)
    return matches


def _compared(mine: NDArray[np.bool_], other: NDArray[np.bool_], nulls: Nulls) -> NDArray[np.int64] | None:
    """The columns in which a record with pattern `other` must equal one with pattern `mine`; None: no match."""
    if nulls is Nulls.MAYBE:
        return np.flatnonzero(~(mine | other))
    # Right maybe: only the other record's missing cells are wildcards, so it must miss whatever mine misses.
    return np.flatnonzero(~other) if not (mine & ~other).any() else None


def _equal_records(
    frequencies: FrequencySet, mine: NDArray[np.int64], others: NDArray[np.int64], columns: NDArray[np.int64]
) -> Counts:
    """For each of `mine`, how many records among `others` agree with it in the columns."""
    if len(columns) == 0:
        return np.full(len(mine), frequencies.counts[others].sum(), dtype=np.int64)
    both = list(frequencies.codes[np.ix_(columns, np.concatenate([others, mine]))])
    numbers, n = number_combinations(both, [frequencies.cardinalities[column] for column in columns])
    found: Counts = total(numbers[: len(others)], n, frequencies.counts[others])
    matching: Counts = found[numbers[len(others) :]]
    return matching
