"""The kernel of microaggregation, in NumPy."""

import numpy as np

from incrowd.core.kernels.numpy_clustering import VALUES, Codes, Counts, Measured, Pieces, Spreads

MODE, MEAN, MEDIAN = 0, 1, 2


class Averager(Spreads):
    """MDAV: see the compiled twin."""

    def __init__(self, measure: Measured, centres: Codes, ranks: Codes, counts: Counts, k: int) -> None:
        super().__init__(*measure)
        if len(centres) != len(self._columns) or len(ranks) != len(centres) or ranks.shape[1] != len(counts):
            raise ValueError("averager: lengths differ")
        if k < 1:
            raise ValueError("averager: no such k")
        self._centres, self._ranks, self._left = centres.tolist(), ranks.astype(np.int64), counts.copy()
        self._k, self._clusters = k, 0
        self._taken: list[tuple[int, int, int]] = []

    def _apart(self, c: int, rank: int) -> Counts:
        """Return the distance of every combination from a rank."""
        own = self._ranks[c]
        if self._kinds[c] == VALUES:
            return np.where(own == rank, 0, self._fulls[c])
        return self._between(c, np.minimum(own, rank), np.maximum(own, rank))

    def _from_center(self, c: int) -> Counts:
        """Return the distance of every combination from the center of the rest."""
        own, left = self._ranks[c], self._left
        known = int(left[own > 0].sum())
        if self._centres[c] == MEAN:
            if not known:
                return np.where(own > 0, self._fulls[c], 0)
            positions = self._table[self._begins[c] + own]
            mean = (2 * int((positions * left)[own > 0].sum()) + known) // (2 * known)
            apart: Counts = np.where(own > 0, np.abs(positions - mean), self._fulls[c])
            return apart
        histogram = np.bincount(own, weights=left, minlength=self._ranks_of[c]).astype(np.int64)
        if self._centres[c] == MODE:
            return self._apart(c, int(np.argmax(histogram)))
        summed = 2 * np.cumsum(histogram[1:])
        return self._apart(c, 1 + int(np.searchsorted(summed, known)) if known else 0)

    def _gather(self, around: int) -> Counts:
        """Return a group of a record and the k - 1 nearest to it; how far everything is from it."""
        distances = self._squared([self._apart(c, int(self._ranks[c, around])) for c in self._columns])
        self._take(around, 1)
        missing = self._k - 1
        for at in np.argsort(distances, kind="stable").tolist():
            count = min(missing, int(self._left[at]))
            if count:
                self._take(at, count)
                missing -= count
        self._clusters += 1
        return distances

    def _squared(self, apart: list[Counts]) -> Counts:
        none = np.zeros(len(self._left), dtype=np.int64)
        return sum((each * each for each in apart), none)

    def _furthest(self, distances: Counts) -> int:
        return int(np.argmax(np.where(self._left > 0, distances, -1)))

    def _take(self, at: int, count: int) -> None:
        self._taken.append((at, count, self._clusters))
        self._left[at] -= count

    def run(self, work: int) -> bool:
        """Go on for about so many steps; return whether fewer than 2 k records are left."""
        while work > 0 and (records := int(self._left.sum())) >= 2 * self._k:
            center = self._squared([self._from_center(c) for c in self._columns])
            distances = self._gather(self._furthest(center))
            if records >= 3 * self._k:
                self._gather(self._furthest(distances))
            work -= 4 * len(self._left) * len(self._columns)
        return int(self._left.sum()) < 2 * self._k

    def settle(self) -> None:
        """Make the rest a group of its own."""
        waiting = np.flatnonzero(self._left).tolist()
        for at in waiting:
            self._take(at, int(self._left[at]))
        self._clusters += bool(waiting)

    def pieces(self) -> Pieces:
        """Return the combination, the count and the group of each piece, in the order in which they were taken."""
        found = np.array(self._taken, dtype=np.int64).reshape(-1, 3).T
        return found[0], found[1], found[2]
