"""How many records match each combination when missing cells are wildcards (maybe, right maybe).

These two relations are not equivalences: there are no classes, only a number of matching records for each
combination, and k is the least of them (Ciglic, Eder, Koncilia; DEXA 2014).

Combinations are sorted by which columns they miss (their pattern). Two patterns are compared on the columns that both
demand to be equal, and those that are compared with one pattern on the same columns are looked up together, so the cost
is (patterns x combinations), not combinations squared.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.kernels import total
from incrowd.core.keys import Packed
from incrowd.core.schema import Nulls
from incrowd.core.table import MISSING

Counts = NDArray[np.int64]
Places = NDArray[np.int64]

Pattern = frozenset[int]
"""The columns that are missing."""


def matching_records(frequencies: FrequencySet, names: Sequence[str], nulls: Nulls) -> Counts:
    """Return how many records match each combination of the named columns."""
    frequencies = frequencies if frequencies.names == tuple(names) else frequencies.project(names)
    if not names:
        return np.full(frequencies.combinations, frequencies.records, dtype=np.int64)
    packed = Packed(list(frequencies.codes), frequencies.cardinalities)
    missing, pattern_of = np.unique(frequencies.codes == MISSING, axis=1, return_inverse=True)
    patterns = [frozenset(np.flatnonzero(pattern).tolist()) for pattern in missing.T]
    pattern_of = pattern_of.reshape(-1)
    members = [np.flatnonzero(pattern_of == at) for at in range(len(patterns))]
    matches = np.zeros(frequencies.combinations, dtype=np.int64)
    for pattern, mine in zip(patterns, members, strict=True):
        others: dict[Pattern, list[Places]] = defaultdict(list)
        for other, theirs in zip(patterns, members, strict=True):
            open_columns = _open_columns(pattern, other, nulls)
            if open_columns is not None:
                others[open_columns].append(theirs)
        for open_columns, together in others.items():
            columns = set(range(len(names))) - open_columns
            matches[mine] += _equal_records(packed, frequencies.counts, mine, np.concatenate(together), columns)
    return matches


def _open_columns(mine: Pattern, other: Pattern, nulls: Nulls) -> Pattern | None:
    """Return the columns in which a record with pattern `other` need not equal one with pattern `mine`; None: no
    match."""
    if nulls is Nulls.MAYBE:
        return mine | other
    # Right maybe: only the other record's missing cells are wildcards, so it must miss whatever mine misses.
    return other if mine <= other else None


def _equal_records(packed: Packed, counts: Counts, mine: Places, others: Places, columns: Collection[int]) -> Counts:
    """Return for each of `mine` how many records among `others` agree with it in the columns."""
    numbers, n = packed.number(columns, np.concatenate([others, mine]))
    found: Counts = total(numbers[: len(others)], n, counts[others])
    matching: Counts = found[numbers[len(others) :]]
    return matching
