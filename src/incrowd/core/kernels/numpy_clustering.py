"""The kernels of clustering in NumPy: how much cells spread, and K-Members."""

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels.numpy_needs import Needs

Codes = NDArray[np.int32]
Counts = NDArray[np.int64]
Measured = tuple[Codes, Codes, Codes, Counts, Codes]
Pieces = tuple[Counts, Counts, Counts]

PLACES, NODES, VALUES = 0, 1, 2
BOTH, DISTANCE, PROTECTED = 0, 1, 2


class Spreads:
    """The spans of clusters, column by column, in whole units; see the compiled twin."""

    def __init__(self, kinds: Codes, sizes: Codes, fulls: Codes, begins: Counts, table: Codes) -> None:
        if not len(sizes) == len(fulls) == len(begins) == len(kinds):
            raise ValueError("spreads: lengths differ")
        self._kinds, self._ranks_of, self._fulls = kinds.tolist(), sizes.tolist(), fulls.tolist()
        self._begins, self._table = begins.tolist(), table.astype(np.int64)
        self._columns = range(len(kinds))
        self._rows(0)

    def _rows(self, n: int) -> None:
        """Make room for n clusters, all without records."""
        self._low = np.repeat(np.array(self._ranks_of, dtype=np.int64)[:, None], n, axis=1)
        self._high = np.full((len(self._columns), n), -1, dtype=np.int64)
        self._present = [
            np.zeros((n, size if kind == VALUES else 0), dtype=np.bool_)
            for size, kind in zip(self._ranks_of, self._kinds, strict=True)
        ]

    def _clear(self, row: int) -> None:
        self._low[:, row], self._high[:, row] = self._ranks_of, -1
        for present in self._present:
            present[row] = False

    def _copy(self, one: int, other: int) -> None:
        self._low[:, other], self._high[:, other] = self._low[:, one], self._high[:, one]
        for present in self._present:
            present[other] = present[one]

    def _put(self, row: int, cells: Counts) -> bool:
        """Put a record into a cluster; return whether that changed anything."""
        before = (self._low[:, row].tolist(), self._high[:, row].tolist())
        fresh = False
        for c in self._columns:
            if self._kinds[c] == VALUES:
                fresh |= not self._present[c][row, cells[c]]
                self._present[c][row, cells[c]] = True
            else:
                self._low[c, row], self._high[c, row] = (
                    min(self._low[c, row], cells[c]),
                    max(self._high[c, row], cells[c]),
                )
        return fresh or before != (self._low[:, row].tolist(), self._high[:, row].tolist())

    def _between(self, c: int, low: Counts, high: Counts) -> Counts:
        """Return the span of a column from one rank to another; 0 if there is no rank."""
        wide = high > low
        low, high = np.where(wide, low, 0), np.where(wide, high, 0)
        begin, size = self._begins[c], self._ranks_of[c]
        if self._kinds[c] == PLACES:
            found = np.where(low == 0, self._fulls[c], self._table[begin + high] - self._table[begin + low])
        else:
            jump = np.frexp(np.maximum(1, high - low))[1].astype(np.int64) - 1
            row = begin + jump * size
            other = np.maximum(high - (np.int64(1) << jump), 0)
            found = np.maximum(self._table[row + low], self._table[row + other])
        return np.where(wide, found, 0)

    def _cost(self, c: int, rows: slice | int | NDArray[np.bool_], rank: Counts | int | None) -> Counts:
        """Return the span of a column of some clusters with one more cell, or of one cluster with each of many; None
        for no more cell."""
        if self._kinds[c] != VALUES:
            low, high = self._low[c, rows], self._high[c, rows]
            if rank is not None:
                low, high = np.minimum(low, rank), np.maximum(high, rank)
            return self._between(c, np.asarray(low), np.asarray(high))
        present = self._present[c][rows]
        known, missing = present[..., 1:].sum(axis=-1), present[..., 0]
        if rank is not None:
            known = known + ((np.asarray(rank) > 0) & ~present[..., rank])
            missing = missing | (np.asarray(rank) == 0)
        return self._values_cost(c, known, missing)

    def _values_cost(self, c: int, known: Counts, missing: NDArray[np.bool_]) -> Counts:
        """Return the cost of a number of different values, with or without missing ones."""
        cost: Counts = np.where(missing, np.where(known > 0, self._fulls[c], 0), self._table[self._begins[c] + known])
        return cost

    def _spread(self, rows: slice | int, cells: Counts | None = None) -> Counts:
        """Return the spread of clusters over all columns; with one more record, or of one cluster with each of many."""
        found = [self._cost(c, rows, None if cells is None else cells[c]) for c in self._columns]
        total: Counts = np.sum(np.array(found, dtype=np.int64), axis=0)
        return total


class Grower(Spreads):
    """K-Members: see the compiled twin. Every sum is made anew for each record."""

    def __init__(
        self,
        measure: Measured,
        roles: Codes,
        ranks: Codes,
        counts: Counts,
        k: int,
        last: int,
        judged: Codes,
        least: Counts,
    ) -> None:
        super().__init__(*measure)
        self._needs = Needs(judged, least)
        if len(roles) != len(self._columns) or len(ranks) != len(roles):
            raise ValueError("grower: lengths differ")
        if not ranks.shape[1] == judged.shape[1] == len(counts):
            raise ValueError("grower: lengths differ")
        if not 0 <= last < max(1, len(counts)) or k < 1:
            raise ValueError("grower: no such record, or no such k")
        self._rows(2)
        self._roles, self._ranks, self._left = roles.tolist(), ranks.astype(np.int64), counts.copy()
        self._k, self._size, self._clusters = k, 0, 0
        self._over, self._begun = False, 0
        self._taken: list[tuple[int, int, int]] = []
        if len(counts):
            self._put(1, self._ranks[:, last])

    def _wanted(self, rows: slice | int, cells: Counts | None = None) -> Counts:
        """Return the quantity to minimize."""
        total: Counts = np.zeros((), dtype=np.int64)
        for c, role in enumerate(self._roles):
            cost = self._cost(c, rows, None if cells is None else cells[c]) if role != DISTANCE else 0
            total = total + (self._fulls[c] - cost if role == PROTECTED else cost)
        return total

    def _take(self, at: int, count: int, cluster: int) -> None:
        self._taken.append((at, count, cluster))
        self._needs.note(at, count)
        self._left[at] -= count
        self._size += count

    def _give_back(self) -> None:
        """Take the open cluster apart, and begin no other."""
        for at, count, _ in self._taken[self._begun :]:
            self._left[at] += count
        del self._taken[self._begun :]
        self._size, self._over = 0, True

    def _next(self) -> int:
        """Take what comes next; how many columns had to be looked at."""
        there = self._left > 0
        if self._size == 0:
            used = [c for c, role in enumerate(self._roles) if role != PROTECTED]
            distance = sum((self._cost(c, 1, self._ranks[c]) for c in used), np.zeros(len(there), dtype=np.int64))
            at = int(np.argmax(np.where(there, distance, -1)))
            self._clear(0)
            self._put(0, self._ranks[:, at])
            self._begun, count = len(self._taken), 1
            self._needs.forget()
        else:
            places = max(1, self._k - self._size)
            chosen = self._needs.most_lacking() >= places
            if chosen:
                there = np.array([each and self._needs.adds(at, places) for at, each in enumerate(there.tolist())])
            if not there.any():
                self._give_back()
                return len(there) * len(self._columns)
            sums = np.where(there, self._wanted(0, self._ranks), np.iinfo(np.int64).max)
            at = int(np.argmin(sums))
            changed = self._put_wanted(at)
            most = places - self._needs.most_lacking()
            count = 1 if changed or chosen else min(int(self._left[at]), most)
        self._clear(1)
        self._put(1, self._ranks[:, at])
        self._take(at, count, self._clusters)
        return len(there) * len(self._columns)

    def _put_wanted(self, at: int) -> bool:
        """Add a record to the open cluster; return whether a column that is grown by changed."""
        before = [(self._low[c, 0], self._high[c, 0], int(self._present[c][0].sum())) for c in self._columns]
        self._put(0, self._ranks[:, at])
        after = [(self._low[c, 0], self._high[c, 0], int(self._present[c][0].sum())) for c in self._columns]
        return any(
            one != other for one, other, role in zip(before, after, self._roles, strict=True) if role != DISTANCE
        )

    def run(self, work: int) -> bool:
        """Go on for about so many steps; return whether fewer than k records are left."""
        while work > 0 and (self._size or (self._left.sum() >= self._k and not self._over)):
            work -= self._next()
            if self._size >= self._k and not self._needs.lacking:
                self._size = 0
                self._clusters += 1
        return self._size == 0 and (self._over or int(self._left.sum()) < self._k)

    def settle(self) -> int:
        """Join the rest to the clusters; return the total cost: records times spread."""
        waiting = np.flatnonzero(self._left).tolist()
        records = int(self._left.sum())
        if self._size or (records >= self._k and not self._over) or (records and not self._clusters):
            for at in waiting:
                self._take(at, int(self._left[at]), self._clusters)
            self._clusters += 1
            waiting = []
        self._rows(self._clusters)
        sizes = np.zeros(self._clusters, dtype=np.int64)
        for at, count, cluster in self._taken:
            self._put(cluster, self._ranks[:, at])
            sizes[cluster] += count
        every = slice(None)
        for at in waiting:
            increase = (sizes + 1) * self._wanted(every, self._ranks[:, at]) - sizes * self._wanted(every)
            best, count = int(np.argmin(increase)), int(self._left[at])
            self._take(at, count, best)
            self._put(best, self._ranks[:, at])
            sizes[best] += count
        self._size = 0
        return int((sizes * self._wanted(every)).sum())

    def pieces(self) -> Pieces:
        """Return the combination, the count and the cluster of each piece, in the order in which they were taken."""
        found = np.array(self._taken, dtype=np.int64).reshape(-1, 3).T
        return found[0], found[1], found[2]
