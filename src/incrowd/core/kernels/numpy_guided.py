"""The NumPy twin of guided.pxi: clusters with guarantees."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels.numpy_tradeoff import BY_PAIR, Codes, Counts, Pieces, Scale, arrays


class Contributing(Scale):
    """How sensitive values contribute to Range Diversity (see guided.pxi)."""

    def __init__(self, scale: tuple[NDArray[Any], ...], blocks: Codes, block_begins: Counts) -> None:
        super().__init__(scale)
        self._blocks, self._block_begins = blocks, block_begins

    def both(self, r: int, one: int, others: Codes) -> Counts:
        """Return the mutual contributions of a value and each of others."""
        if self.kinds[r] == BY_PAIR:
            return self.table(r)[one * int(self.widths[r]) + others.astype(np.int64)]
        blocks = self._blocks[self._block_begins[r] :]
        return np.where(blocks[others] == blocks[one], 2 * (int(self.full[r]) - self.pair(r, one, others)), 0)


def scaled(number: int, factor: float) -> int:
    """Return the number rounded as in the compiled kernels."""
    return int(float(number) * factor)


class NearCluster(Scale):
    """Greedy clustering with guarantees (see guided.pxi)."""

    def __init__(
        self,
        scale: tuple[NDArray[Any], ...],
        values: Contributing,
        ranks: Codes,
        sensitive: Codes,
        subspaces: Pieces,
        k: int,
        most: int,
        limits: NDArray[np.float64],
        finest: float,
    ) -> None:
        super().__init__(scale)
        self._at, counts, self._starts = subspaces
        if len(ranks) != self.columns or len(sensitive) != values.columns or len(counts) != len(self._at):
            raise ValueError("NearCluster: lengths differ")
        if len(limits) != values.columns:
            raise ValueError("NearCluster: lengths differ")
        self._values, self._ranks, self._sensitive = values, ranks, sensitive
        self._k, self._most, self._limits, self._finest = k, most, limits, finest
        self._left = counts.copy()
        self._alive: list[int] = []
        self._subspace = -1
        self._made: list[list[tuple[int, int]]] = []
        self._holding: list[bool] = []
        self._members: list[set[int]] | None = None

    def work(self, cells: int) -> bool:
        """Grow clusters until about so many cells have been compared; return whether records are left."""
        seen = 0
        while seen < cells:
            if self._members is None:
                while not self._alive:
                    self._subspace += 1
                    if self._subspace + 1 >= len(self._starts):
                        return False
                    self._alive = list(range(self._starts[self._subspace], self._starts[self._subspace + 1]))
                self._begin()
            seen += (len(self._alive) + 1) * (self.columns + self._values.columns)
            if not self._grow():
                self._holding.append(self._holds())
                self._members = None
        return True

    def clusters(self) -> tuple[Counts, Counts, Counts, NDArray[np.bool_]]:
        """Return the pieces cluster by cluster, and which clusters are large and safe enough."""
        holding = [*self._holding, self._holds()] if self._members is not None else self._holding
        return (*arrays(self._made), np.array(holding, dtype=np.bool_))

    def _holds(self) -> bool:
        squared = float(self._size * self._size)
        safe = all(float(summed) <= limit * squared for summed, limit in zip(self._summed, self._limits, strict=True))
        return self._size >= self._k and safe

    def _begin(self) -> None:
        self._size, self._summed = 0, [0] * self._values.columns
        self._near = [np.zeros(width, dtype=np.int64) for width in self._values.widths.tolist()]
        self._members = [set() for _ in range(self.columns)]
        self._made.append([])
        self._put(self._alive[0])

    def _put(self, piece: int) -> None:
        at = int(self._at[piece])
        assert self._members is not None
        for c, held in enumerate(self._members):
            held.add(int(self._ranks[c, at]))
        for r, near in enumerate(self._near):
            value = int(self._sensitive[r, at])
            self._summed[r] += int(near[value]) + int(self._values.full[r])
            near += self._values.both(r, value, np.arange(len(near), dtype=np.int32))
        self._size += 1
        made = self._made[-1]
        if made and made[-1][0] == at:
            made[-1] = (at, made[-1][1] + 1)
        else:
            made.append((at, 1))
        self._left[piece] -= 1
        if not self._left[piece]:
            self._alive.remove(piece)

    def _with(self, piece: int) -> tuple[int, list[int]]:
        """Return the span of the cluster and the contributions of its values with one more record."""
        at = int(self._at[piece])
        assert self._members is not None
        spans = sum(self.spans(c, held | {int(self._ranks[c, at])}) for c, held in enumerate(self._members))
        values = [int(near[self._sensitive[r, at]]) + int(self._values.full[r]) for r, near in enumerate(self._near)]
        return spans, [summed + more for summed, more in zip(self._summed, values, strict=True)]

    def _grow(self) -> bool:
        squared = float((self._size + 1) * (self._size + 1))
        best: tuple[int, int, int, list[int]] | None = None
        for piece in self._alive:
            spans, summed = self._with(piece)
            found = scaled(spans, 1.0 / max(1, self.columns))
            found += sum(scaled(each, self._finest / squared) for each in summed)
            if best is None or found < best[0]:
                best = found, piece, spans, summed
        if best is None or best[2] > self._most:
            return False
        within = all(float(each) <= limit * squared for each, limit in zip(best[3], self._limits, strict=True))
        if self._size + 1 >= self._k and not within:
            return False
        self._put(best[1])
        return True
