"""K-Members whose objective is Range Diversity (Loukides 2008, definition 5.1.4): K-Members-p of chapter 6."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from incrowd.core.table import Codes
from incrowd.models.contributions import Contributions
from incrowd.searches._clusters.measure import VALUES, Measure

Counts = NDArray[np.int64]

UNITS = 1 << 32
"""In a contribution of 1: sums over the pairs of a cluster are exact, and equals are equal."""
_REMEMBERED = 1 << 22
"""How many contributions of one kind of record to others are kept."""
_NONE = np.iinfo(np.int64).max


class RangedGrower:
    """A cluster begins with the record furthest from the last one taken, and grows to k by the record with which its
    Range Diversity is least, the mean where several columns are judged; of equals the first in order.

    To a cluster all records with the same judged values are alike, so one record of each such kind is looked at.
    """

    def __init__(
        self,
        measure: Measure,
        ranks: Codes,
        judged: Sequence[tuple[Contributions, Codes]],
        counts: Counts,
        k: int,
        last: int,
    ) -> None:
        self._measure, self._ranks, self._k, self._last = measure, ranks, k, last
        self._left, self._records = counts.copy(), int(counts.sum())
        self._contributions = [contributions for contributions, _ in judged]
        self._kinds, kind = np.unique(np.array([codes for _, codes in judged]), axis=1, return_inverse=True)
        self._kind: Counts = kind.reshape(-1).astype(np.int64)
        order = np.argsort(self._kind, kind="stable")
        self._waiting = np.split(order, np.cumsum(np.bincount(self._kind, minlength=self._kinds.shape[1]))[:-1])
        self._reached = [0] * len(self._waiting)
        self._first = np.array([each[0] for each in self._waiting], dtype=np.int64)
        self._known: dict[int, Counts] = {}
        self._near = np.zeros(len(self._waiting), dtype=np.int64)
        self._size = self._clusters = 0
        self._taken: list[tuple[int, int, int]] = []

    def run(self, work: int) -> bool:
        """Go on for about so many steps; return whether fewer than k records are left."""
        while work > 0 and (self._size or self._records >= self._k):
            if self._size:
                least = np.where(self._first < _NONE, self._near, _NONE)
                self._last = int(self._first[least == least.min()].min())
                work -= 100 * len(least)
            else:
                apart = np.where(self._left > 0, self._apart(), -1)
                self._last = int(np.argmax(apart))
                self._near[:] = 0
                work -= 100 * self._ranks.size
            self._near += self._both(int(self._kind[self._last]))
            self._take(self._last, 1)
            if self._size == self._k:
                self._size, self._clusters = 0, self._clusters + 1
        return self._size == 0 and self._records < self._k

    def settle(self) -> Fraction:
        """Join the remaining records to clusters; return the total cost: records times Range Diversity.

        Each record joins the cluster that this makes least worse. All of them are one cluster where they suffice for
        it (after an interruption), and where there is no other.
        """
        waiting = np.flatnonzero(self._left).tolist()
        if self._size or self._records >= self._k or (waiting and not self._clusters):
            for at in waiting:
                self._take(at, int(self._left[at]))
            self._size, self._clusters, waiting = 0, self._clusters + 1, []
        taken = np.array(self._taken, dtype=np.int64).reshape(-1, 3).T
        sizes = np.zeros(self._clusters, dtype=np.int64)
        np.add.at(sizes, taken[2], taken[1])
        costs = [0] * self._clusters
        for kind in np.unique(self._kind[taken[0]]).tolist():
            own = self._kind[taken[0]] == kind
            many = np.bincount(taken[2][own], weights=taken[1][own], minlength=self._clusters).astype(np.int64)
            near = self._to_clusters(kind, taken)
            costs = [cost + int(n) * int(more) for cost, n, more in zip(costs, many, near, strict=True)]
        # Each two were counted twice, and so was each record with itself.
        costs = [cost // 2 for cost in costs]
        for at in np.repeat(waiting, self._left[waiting]).tolist() if waiting else ():
            more = self._to_clusters(int(self._kind[at]), taken)
            grown = [cost + int(each) + self._own for cost, each in zip(costs, more, strict=True)]
            rises = [
                Fraction(with_it, int(size) + 1) - Fraction(cost, int(size))
                for with_it, cost, size in zip(grown, costs, sizes, strict=True)
            ]
            best = rises.index(min(rises))
            costs[best] = grown[best]
            sizes[best] += 1
            self._take(at, 1, best)
            taken = np.append(taken, [[at], [1], [best]], axis=1)
        self._size = 0
        return sum((Fraction(cost, int(size)) for cost, size in zip(costs, sizes, strict=True)), Fraction(0))

    def pieces(self) -> tuple[Counts, Counts, Counts]:
        """Return the combination, the count and the cluster of each piece, in the order in which they were taken."""
        found = np.array(self._taken, dtype=np.int64).reshape(-1, 3).T
        return found[0], found[1], found[2]

    @property
    def _own(self) -> int:
        """The contribution of a record to itself."""
        return UNITS * len(self._contributions)

    def _apart(self) -> Counts:
        """Return how far each combination is from the last record taken, in the quasi-identifiers."""
        kinds, _, fulls, begins, table = self._measure.arrays
        found = np.zeros(len(self._left), dtype=np.int64)
        for c, ranks in enumerate(self._ranks):
            last = ranks[self._last]
            if kinds[c] == VALUES:
                missing = (ranks == 0) | (last == 0)
                found += np.where(ranks == last, 0, np.where(missing, fulls[c], table[begins[c] + 2]))
            else:
                found += self._measure.between(c, ranks, np.full_like(ranks, last))
        return found

    def _both(self, kind: int) -> Counts:
        """Return the mutual contributions of a record of a kind and one of each kind."""
        if kind not in self._known:
            if len(self._known) * len(self._waiting) > _REMEMBERED:
                self._known.clear()
            found = np.zeros(len(self._waiting), dtype=np.int64)
            for contributions, codes in zip(self._contributions, self._kinds, strict=True):
                one = np.full_like(codes, codes[kind])
                both = contributions.between(one, codes) + contributions.between(codes, one)
                found += np.rint(both * UNITS).astype(np.int64)
            self._known[kind] = found
        return self._known[kind]

    def _to_clusters(self, kind: int, taken: Counts) -> Counts:
        """Return the mutual contributions of a record of a kind and the records of each cluster."""
        found = np.zeros(self._clusters, dtype=np.int64)
        np.add.at(found, taken[2], self._both(kind)[self._kind[taken[0]]] * taken[1])
        return found

    def _take(self, at: int, count: int, cluster: int | None = None) -> None:
        self._taken.append((at, count, self._clusters if cluster is None else cluster))
        self._left[at] -= count
        self._records -= count
        self._size += count
        kind = int(self._kind[at])
        waiting, reached = self._waiting[kind], self._reached[kind]
        while reached < len(waiting) and not self._left[waiting[reached]]:
            reached += 1
        self._reached[kind] = reached
        self._first[kind] = waiting[reached] if reached < len(waiting) else _NONE
