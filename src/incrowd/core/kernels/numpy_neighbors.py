"""The NumPy twin of neighbors.pxi: the nearest of many clusters, all of them looked at."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels.numpy_guided import Contributing, scaled
from incrowd.core.kernels.numpy_tradeoff import Codes, Counts, Pieces, Scale

_FARTHEST = 2**63 - 1


class Neighbors(Scale):
    """The nearest of many clusters, all of them looked at (see neighbors.pxi)."""

    def __init__(
        self,
        scale: tuple[NDArray[Any], ...],
        quasi: int,
        ranks: Codes,
        clusters: Pieces,
        more: int,
        window: int,
        values: Contributing | None = None,
        sensitive: Codes | None = None,
        most: int = _FARTHEST,
        limits: NDArray[np.float64] | None = None,
        finest: float = 0.0,
        largest: int = _FARTHEST,
    ) -> None:
        super().__init__(scale)
        at, counts, starts = clusters
        if len(ranks) != self.columns or len(counts) != len(at):
            raise ValueError("Neighbors: lengths differ")
        if values is not None:
            if sensitive is None or limits is None or not len(sensitive) == len(limits) == values.columns:
                raise ValueError("Neighbors: lengths differ")
            self._rated, self._limits, self._finest = (values, sensitive), limits, finest
        self._values, self._quasi, self._ranks = values, quasi, ranks
        self._most, self._largest, self._window = most, largest, window
        self._pieces = [list(_pairs(at, counts, starts, c)) for c in range(len(starts) - 1)]
        self._members = [[{int(ranks[c, p]) for p, _ in of} for c in range(self.columns)] for of in self._pieces]

    def place(
        self, at: Counts, counts: Counts, around: Counts, found: Counts, first: int, last: int, rising: bool = False
    ) -> None:
        """Put pieces into the clusters where they fit best, one after the other; -1 if none may take one."""
        if rising and self._values is not None:
            raise ValueError("place: clusters with limits are compared by what they have")
        if last > len(at) or first < 0 or not len(counts) == len(around) == len(found) == len(at):
            raise ValueError("place: lengths differ")
        for i in range(first, last):
            piece, count = int(at[i]), int(counts[i])
            asked = [{int(self._ranks[c, piece])} for c in range(self.columns)]
            found[i] = self._best(asked, [(piece, count)], -1, self._around(int(around[i])), rising)[0]
            if found[i] >= 0:
                self._take(int(found[i]), asked, [(piece, count)])

    def nearest(self, cluster: int) -> tuple[int, int]:
        """Return the cluster with which one spans least together, and how much; -1 if there is no other."""
        if not 0 <= cluster < len(self._pieces):
            raise ValueError("nearest: no such cluster")
        asked, pieces = self._members[cluster], self._pieces[cluster]
        found = self._best(asked, pieces, cluster, self._around(cluster))
        return found if found[0] >= 0 else self._best(asked, pieces, cluster, range(len(self._pieces)))

    def join(self, cluster: int, other: int) -> None:
        """Join the cluster into the other one and leave it empty."""
        if cluster == other or not (0 <= cluster < len(self._pieces) and 0 <= other < len(self._pieces)):
            raise ValueError("join: no such clusters")
        if self._values is not None:
            raise ValueError("join: clusters with limits are not joined")
        self._take(other, self._members[cluster], self._pieces[cluster])
        self._pieces[cluster] = []

    def _take(self, cluster: int, members: list[set[int]], pieces: list[tuple[int, int]]) -> None:
        self._members[cluster] = [one | more for one, more in zip(self._members[cluster], members, strict=True)]
        self._pieces[cluster] = self._pieces[cluster] + pieces

    def _around(self, cluster: int) -> range:
        high = min(len(self._pieces), cluster + (self._window + 1) // 2)
        low = high - self._window
        return range(low, high) if low >= 0 else range(min(self._window, len(self._pieces)))

    def _best(
        self, asked: list[set[int]], pieces: list[tuple[int, int]], but: int, clusters: range, rising: bool = False
    ) -> tuple[int, int]:
        best, score = -1, _FARTHEST
        for cluster in clusters:
            own = self._pieces[cluster]
            if own and cluster != but:
                found = self._weighed(cluster, asked, own + pieces)
                if rising and found is not None:
                    found -= self._spanned(self._members[cluster])
                if found is not None and (best < 0 or found < score):
                    best, score = cluster, found
        return best, score

    def _spanned(self, members: list[set[int]]) -> int:
        """Return the span in the quasi-identifiers plus the span lacking in all other columns."""
        each = [self.spans(c, own) for c, own in enumerate(members)]
        return sum(found if c < self._quasi else int(self.full[c]) - found for c, found in enumerate(each))

    def _weighed(self, cluster: int, asked: list[set[int]], pieces: list[tuple[int, int]]) -> int | None:
        spans = self._spanned([own | asked[c] for c, own in enumerate(self._members[cluster])])
        if self._values is None:
            return spans
        size = sum(count for _, count in pieces)
        if spans > self._most or size > self._largest:
            return None
        values, sensitive = self._rated
        squared = float(size * size)
        score = scaled(spans, 1.0 / max(1, self.columns))
        counts = np.array([count for _, count in pieces], dtype=np.int64)
        for r, limit in enumerate(self._limits.tolist()):
            ranks = sensitive[r, [at for at, _ in pieces]]
            contributions = sum(
                count * int(values.both(r, int(rank), ranks) @ counts)
                for rank, count in zip(ranks, counts.tolist(), strict=True)
            )
            # Both counts each two twice; what equals itself contributes in full.
            if float(contributions // 2) > limit * squared:
                return None
            score += scaled(contributions // 2, self._finest / squared)
        return score


def _pairs(at: Counts, counts: Counts, starts: Counts, c: int) -> Iterator[tuple[int, int]]:
    part = slice(int(starts[c]), int(starts[c + 1]))
    yield from zip(at[part].tolist(), counts[part].tolist(), strict=True)
