"""Queries that count records, each with conditions on some columns, and their answers on original and release."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.keys import different, number_combinations
from incrowd.core.table import Codes
from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.scale import Counts, Numbers, Scale

NO_CONDITION = -1
_SETS = 20
"""The number of column sets that random queries use in turn."""
_TRIES = 100
"""The number of values to draw for a query until an original record has them."""
_AT_ONCE = 2_000_000
"""The number of pairs of a query and a combination to process at once."""


@dataclass(frozen=True, eq=False)
class Workload:
    """Queries over the columns of an original."""

    asked: tuple[Covers, ...]
    """Per column its conditions."""
    conditions: Codes
    """Columns x queries: which of its column's conditions a query has, or NO_CONDITION."""
    actual: Counts
    """The number of original records that match each query."""

    def __len__(self) -> int:
        return len(self.actual)

    @classmethod
    def of_conditions(cls, original: FrequencySet, asked: Sequence[Covers], conditions: Codes) -> "Workload":
        """Return given queries, without those that match no record: their relative error is undefined."""
        values = [Covers.of_values(covers.scale) for covers in asked]
        actual = answers(conditions, asked, values, original.codes, original.counts)
        kept = actual > 0
        return cls(tuple(asked), conditions[:, kept], np.rint(actual[kept]).astype(np.int64))

    @classmethod
    def at_random(
        cls, original: FrequencySet, scales: Sequence[Scale], columns: int, size: int, seed: int
    ) -> "Workload":
        """Return queries for single values of a number of columns (Loukides 4.5.2), drawn uniformly."""
        chance = np.random.default_rng(seed)
        m = len(scales)
        sets = np.array([np.sort(chance.permutation(m)[: min(columns, m)]) for _ in range(min(size, _SETS))])
        chosen = sets[np.arange(size) % len(sets)]
        conditions = np.full((m, size), NO_CONDITION, dtype=np.int32)
        actual = np.zeros(size, dtype=np.int64)
        for among in np.unique(chosen, axis=0):
            queries = np.flatnonzero((chosen == among).all(axis=1))
            drawn = [_drawn(chance, scales[at], len(queries)) for at in among]
            found = _counted(original, among.tolist(), drawn)
            # The first of the tries that is true of somebody.
            taken = np.arange(len(queries)), np.argmax(found > 0, axis=1)
            actual[queries] = found[taken]
            for at, values in zip(among.tolist(), drawn, strict=True):
                conditions[at, queries] = values[taken]
        kept = actual > 0
        return cls(tuple(Covers.of_values(scale) for scale in scales), conditions[:, kept], actual[kept])

    def estimated(self, columns: Sequence[Covers], cells: Codes, counts: Counts) -> Numbers:
        """Return the expected number of records that match each query, if the values of a cell are equally likely."""
        return answers(self.conditions, self.asked, columns, cells, counts)

    def errors(self, estimated: Numbers) -> Numbers:
        """Return the relative error of each query."""
        wrong: Numbers = np.abs(self.actual - estimated) / self.actual
        return wrong


def answers(
    conditions: Codes, asked: Sequence[Covers], columns: Sequence[Covers], cells: Codes, counts: Counts
) -> Numbers:
    """Sum over combinations of their count times the product of what each condition's share of the cell is."""

    def shares(at: int, chosen: Codes) -> Numbers:
        wanted, which = np.unique(chosen, return_inverse=True)
        return columns[at].overlap(asked[at].take(wanted))[which.reshape(-1)]

    return expected(conditions, shares, [len(covers) for covers in columns], cells, counts)


def expected(
    conditions: Codes, shares: Callable[[int, Codes], Numbers], sizes: Sequence[int], cells: Codes, counts: Counts
) -> Numbers:
    """Return the same; `shares` gives conditions x cells of a column, which has `sizes` cells."""
    found = np.zeros(conditions.shape[1])
    has = conditions != NO_CONDITION
    for pattern in np.unique(has, axis=1).T:
        queries = np.flatnonzero((pattern == has.T).all(axis=1))
        among = np.flatnonzero(pattern).tolist()
        if not among:
            found[queries] = counts.sum()
            continue
        # Combinations that are alike in the columns that are asked for are counted together.
        numbers, n = number_combinations([cells[at] for at in among], [max(1, sizes[at]) for at in among])
        together = np.bincount(numbers, weights=counts, minlength=n)
        one = np.zeros(n, dtype=np.int64)
        one[numbers] = np.arange(len(numbers))
        for part in np.array_split(queries, 1 + len(queries) * n // _AT_ONCE):
            product = np.ones((len(part), n))
            for at in among:
                product *= shares(at, conditions[at, part])[:, cells[at, one]]
            found[part] = product @ together
    return found


_ROOM = 1 << 62
"""Combinations are numbered by their codes while there are fewer than so many."""


def _drawn(chance: np.random.Generator, scale: Scale, queries: int) -> NDArray[np.int64]:
    """Return queries x tries: codes of values that occur, equally likely; by position, because that order is stable."""
    n = len(scale.order)
    return scale.order[chance.integers(0, max(1, n), (queries, _TRIES))].astype(np.int64) if n else _none(queries)


def _none(queries: int) -> NDArray[np.int64]:
    return np.full((queries, _TRIES), NO_CONDITION, dtype=np.int64)


def _counted(original: FrequencySet, among: Sequence[int], drawn: Sequence[NDArray[np.int64]]) -> Counts:
    """Return how many records have each of the drawn combinations of values."""
    key, wanted = np.zeros(original.combinations, dtype=np.int64), np.zeros(drawn[0].shape, dtype=np.int64)
    room = 1
    for at, values in zip(among, drawn, strict=True):
        size = max(1, original.cardinalities[at])
        if room * size > _ROOM:
            key, wanted, room = _renumbered(key, wanted)
        key = key * size + original.codes[at]
        wanted = np.where((wanted < 0) | (values < 0), -1, wanted * size + values)
        room *= size
    asked = different(wanted[wanted >= 0])
    if not len(asked) or not len(key):
        return np.zeros(wanted.shape, dtype=np.int64)
    place = np.minimum(np.searchsorted(asked, key), len(asked) - 1)
    there = asked[place] == key
    totals = np.bincount(place[there], weights=original.counts[there], minlength=len(asked))
    of = np.minimum(np.searchsorted(asked, wanted), len(asked) - 1)
    return np.where(wanted >= 0, totals[of], 0).astype(np.int64)


def _renumbered(key: Counts, wanted: NDArray[np.int64]) -> tuple[Counts, NDArray[np.int64], int]:
    """Return smaller numbers for the combinations so far, with -1 for wanted ones that do not occur; and how many."""
    known, smaller = np.unique(key, return_inverse=True)
    place = np.minimum(np.searchsorted(known, wanted), max(0, len(known) - 1))
    found = np.where(known[place] == wanted, place, -1) if len(known) else np.full_like(wanted, -1)
    return smaller.reshape(-1), found, len(known)
