"""The NumPy twin of tradeoff.pxi: subspaces, and clusters around seeds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

ON_LINE, IN_TREE, IN_SET, BY_PAIR = 0, 1, 2, 3

Codes = NDArray[np.int32]
Counts = NDArray[np.int64]
Pieces = tuple[Counts, Counts, Counts]
"""Positions, counts, and where each group of pieces begins."""


class Scale:
    """How columns are measured (see tradeoff.pxi)."""

    def __init__(self, scale: tuple[NDArray[Any], ...]) -> None:
        self.kinds, self.widths, self.full, self._begins, self._units = scale
        self.columns = len(self.kinds)
        if not len(self.widths) == len(self.full) == len(self._begins) == self.columns:
            raise ValueError("Scale: lengths differ")

    def table(self, c: int) -> Counts:
        """Return the units of a column, from its first on."""
        return self._units[self._begins[c] :]

    def pair(self, c: int, one: int, other: Codes) -> Counts:
        """Return the span of a rank with each of others."""
        table, full = self.table(c), int(self.full[c])
        if self.kinds[c] == IN_TREE:
            found = self._in_tree(c, np.minimum(other, one), np.maximum(other, one))
        elif self.kinds[c] == BY_PAIR:
            found = table[one * int(self.widths[c]) + other.astype(np.int64)]
        else:
            near = np.full(len(other), table[2]) if self.kinds[c] == IN_SET else np.abs(table[other] - table[one])
            found = np.where((other == 0) | (one == 0), full, near)
        return np.where(other == one, 0, found).astype(np.int64)

    def _in_tree(self, c: int, low: NDArray[np.integer], high: NDArray[np.integer]) -> Counts:
        table, width = self.table(c), int(self.widths[c])
        apart = np.maximum(1, high - low)
        jump = np.frexp(apart)[1].astype(np.int64) - 1
        one, other = table[jump * width + low], table[jump * width + np.maximum(high - (1 << jump), 0)]
        return np.where(low == high, 0, np.maximum(one, other))

    def spans(self, c: int, members: set[int]) -> int:
        """Return the span of a group of ranks."""
        if self.kinds[c] == IN_TREE:
            return int(self._in_tree(c, np.array([min(members)]), np.array([max(members)]))[0])
        known = members - {0}
        if not known:
            return 0
        if 0 in members:
            return int(self.full[c])
        table = self.table(c)
        return int(table[len(known)] if self.kinds[c] == IN_SET else table[max(known)] - table[min(known)])


class MedianPartitioner:
    """Median-based pre-partitioning (see tradeoff.pxi)."""

    def __init__(self, ranks: Codes, counts: Counts, lines: tuple[NDArray[Any], ...], least: int) -> None:
        self._kinds, self._begins, self._places, self._spans = lines
        if ranks.shape[1] != len(counts) or len(ranks) != len(self._kinds) or least < 1:
            raise ValueError("MedianPartitioner: lengths differ, or there is no least size")
        self._ranks, self._least = ranks, least
        self._waiting = [(np.arange(len(counts), dtype=np.int64), counts.copy())] if len(counts) else []
        self._done: list[tuple[Counts, Counts]] = []

    def work(self, pieces: int) -> bool:
        """Halve until about so many pieces have been looked at; return whether any are left."""
        seen = 0
        while self._waiting and seen < pieces:
            at, counts = self._waiting.pop()
            seen += len(at)
            halves = self._halved(at, counts)
            if halves is None:
                self._done.append((at, counts))
            else:
                left, right = halves
                self._waiting += [right, left]
        return bool(self._waiting)

    def subspaces(self) -> Pieces:
        """Return the positions and counts of all pieces, subspace by subspace, and where each begins."""
        return _joined(self._done)

    def _width(self, c: int, at: Counts) -> float:
        ranks = self._ranks[c, at]
        if self._kinds[c] != ON_LINE:
            return float((len(np.unique(ranks)) - 1) / self._spans[c])
        known = ranks[ranks > 0]
        places = self._places[self._begins[c] :]
        if not len(known):
            return 0.0
        return 1.0 if len(known) < len(ranks) else float((places[known.max()] - places[known.min()]) / self._spans[c])

    def _halved(self, at: Counts, counts: Counts) -> tuple[tuple[Counts, Counts], tuple[Counts, Counts]] | None:
        records = int(counts.sum())
        if records < 2 * self._least:
            return None
        widths = [self._width(c, at) for c in range(len(self._ranks))]
        if max(widths, default=0.0) <= 0:
            return None
        widest = int(np.argmax(widths))
        ranks = self._ranks[widest, at]
        order = np.argsort(ranks, kind="stable")
        reached = np.cumsum(counts[order])
        first, second = (
            ranks[order[np.searchsorted(reached, middle, side="right")]]
            for middle in ((records - 1) // 2, records // 2)
        )
        ties = int(counts[ranks == first].sum())
        to_left = (ties + 1) // 2 if first == second else ties
        # Of the ties each piece gives what is still wanted.
        tied = np.where(ranks == first, counts, 0)
        taken = np.clip(to_left - (np.cumsum(tied) - tied), 0, tied)
        taken[ranks < first] = counts[ranks < first]
        left = int(taken.sum())
        if left < self._least or records - left < self._least:
            return None
        rest = counts - taken
        return (at[taken > 0], taken[taken > 0]), (at[rest > 0], rest[rest > 0])


def _joined(parts: list[tuple[Counts, Counts]]) -> Pieces:
    nothing = np.zeros(0, dtype=np.int64)
    starts = np.append(0, np.cumsum([len(at) for at, _ in parts])).astype(np.int64)
    at = np.concatenate([nothing, *(at for at, _ in parts)])
    return at, np.concatenate([nothing, *(counts for _, counts in parts)]), starts


def arrays(parts: list[list[tuple[int, int]]]) -> Pieces:
    """Return groups of pieces as arrays."""
    return _joined([(np.array([at for at, _ in part]), np.array([n for _, n in part])) for part in parts])


class NearSeed(Scale):
    """Greedy clustering around seeds (see tradeoff.pxi)."""

    def __init__(
        self, scale: tuple[NDArray[Any], ...], quasi: int, ranks: Codes, subspaces: Pieces, limit: int
    ) -> None:
        super().__init__(scale)
        self._at, counts, self._starts = subspaces
        if len(ranks) != self.columns or len(counts) != len(self._at):
            raise ValueError("NearSeed: lengths differ")
        self._left = counts.copy()
        self._ranks, self._quasi, self._limit = ranks, quasi, limit
        self._alive: list[int] = []
        self._subspace = -1
        self._made: list[list[tuple[int, int]]] = []
        self._singles: list[bool] = []

    def work(self, cells: int) -> bool:
        """Make clusters until about so many cells have been compared; return whether records are left."""
        seen = 0
        while seen < cells:
            while not self._alive:
                self._subspace += 1
                if self._subspace + 1 >= len(self._starts):
                    return False
                self._alive = list(range(self._starts[self._subspace], self._starts[self._subspace + 1]))
            seen += len(self._alive) * self.columns
            self._cluster()
            self._alive = [piece for piece in self._alive if self._left[piece] > 0]
        return True

    def clusters(self) -> tuple[Counts, Counts, Counts, NDArray[np.bool_]]:
        """Return the pieces cluster by cluster, and which clusters stand for as many clusters of one record each."""
        return (*arrays(self._made), np.array(self._singles, dtype=np.bool_))

    def _cost(self, c: int, spans: Any) -> Any:
        return spans if c < self._quasi else int(self.full[c]) - spans

    def _cluster(self) -> None:
        seed = self._alive[0]
        self._left[seed] -= 1
        made = [(int(self._at[seed]), 1)]
        members = [{int(self._ranks[c, self._at[seed]])} for c in range(self.columns)]
        others = np.array([piece for piece in self._alive if self._left[piece] > 0], dtype=np.int64)
        apart = np.zeros(len(others), dtype=np.int64)
        for c in range(self.columns):
            ranks = self._ranks[c, self._at[others]]
            apart += self._cost(c, self.pair(c, int(self._ranks[c, self._at[seed]]), ranks))
        nearest = others[np.argsort(apart, kind="stable")].tolist()
        for piece in nearest:
            more = [held | {int(self._ranks[c, self._at[piece]])} for c, held in enumerate(members)]
            if sum(self._cost(c, self.spans(c, held)) for c, held in enumerate(more)) > self._limit:
                break
            members = more
            made.append((int(self._at[piece]), int(self._left[piece])))
            self._left[piece] = 0
        self._made.append(made)
        self._singles.append(False)
        if len(made) == 1 and self._left[seed]:
            # The other records that equal the seed fare as it does, one by one.
            alone = int(self._left[seed]) - (nearest[0] == seed)
            self._left[seed] -= alone
            if alone:
                self._made.append([(int(self._at[seed]), alone)])
                self._singles.append(True)
