"""One pass over all nodes of a lattice that fits in memory, from general to detailed (SPEED: static top-down order)."""

from collections.abc import Iterator
from math import inf

import numpy as np

from incrowd.metrics import Levels
from incrowd.searches import Node
from incrowd.searches._lattice.lattice import Lattice

_CHUNK = 4096


class Sweep:
    """Visits what may still be better than the best node found; knows what remains.

    A counted node tells about everything below it: that nothing there is feasible (`dead`), or that nothing there
    scores less than its own bound plus the counted node's penalty. Both are written over the box below it.
    """

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._low = np.array(lattice.bottom)
        shape = tuple(high - low + 1 for low, high in zip(lattice.bottom, lattice.top, strict=True))
        total, height = np.zeros(shape), np.zeros(shape)
        for axis, (part, low, n) in enumerate(zip(lattice.metric.parts, lattice.bottom, shape, strict=True)):
            along = [-1 if at == axis else 1 for at in range(len(shape))]
            total += part[low : low + n].reshape(along)
            height += (np.arange(n) / max(1, n - 1)).reshape(along)
        self._bound = lattice.metric.bound(total)
        self._order = np.argsort(-height, axis=None, kind="stable")
        self._next = 0
        self._open = np.ones(shape, dtype=bool)
        self._penalty = np.zeros(shape)
        self._shape = shape

    def run(self, best: float = inf) -> Iterator[Node]:
        """Count node after node; the receiver stops when it wants to."""
        bound, penalty, open_ = self._bound.reshape(-1), self._penalty.reshape(-1), self._open.reshape(-1)
        for start in range(0, len(self._order), _CHUNK):
            chunk = self._order[start : start + _CHUNK]
            promising = chunk[open_[chunk] & (bound[chunk] + penalty[chunk] < best)]
            for at in promising.tolist():
                if open_[at] and bound[at] + penalty[at] < best:
                    node = self._count(at)
                    if node.feasible:
                        best = min(best, node.score)
                    yield node
            open_[chunk] = False

    def _count(self, at: int) -> Node:
        place = np.unravel_index(at, self._shape)
        levels: Levels = tuple((np.array(place) + self._low).tolist())
        node = self._lattice.count(levels)
        below = tuple(slice(0, int(each) + 1) for each in place)
        if node.dead:
            self._open[below] = False
        elif node.penalty > 0:
            np.maximum(self._penalty[below], node.penalty, out=self._penalty[below])
        self._open[place] = False
        return node

    def floor(self) -> float:
        """No node that is still open scores less."""
        left = self._open
        return float((self._bound[left] + self._penalty[left]).min()) if left.any() else inf
