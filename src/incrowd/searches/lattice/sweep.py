"""One pass over all nodes of a lattice that fits in memory, from general to detailed (SPEED: static top-down order)."""

from collections.abc import Iterator
from math import inf

import numpy as np

from incrowd.core.kernels import NodeSchedule
from incrowd.searches import Node
from incrowd.searches.lattice.lattice import Lattice


class LatticeSweep:
    """Visits what may still be better than the best node found; knows what remains.

    A counted node tells about everything below it: that nothing there is feasible (`dead`), or that nothing there
    scores less than its own bound plus the counted node's penalty.
    """

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        shape = tuple(high - low + 1 for low, high in zip(lattice.bottom, lattice.top, strict=True))
        total, height = np.zeros(shape), np.zeros(shape)
        for axis, (part, low, n) in enumerate(zip(lattice.metric.parts, lattice.bottom, shape, strict=True)):
            along = [-1 if at == axis else 1 for at in range(len(shape))]
            total += part[low : low + n].reshape(along)
            height += (np.arange(n) / max(1, n - 1)).reshape(along)
        self._board = NodeSchedule(
            np.ascontiguousarray(lattice.metric.bound(total.reshape(-1))),
            np.argsort(-height, axis=None, kind="stable"),
            np.array(shape, dtype=np.int64),
            np.array(lattice.bottom, dtype=np.int64),
        )

    def run(self) -> Iterator[Node]:
        """Count node after node; the receiver stops when it wants to."""
        best = inf
        while (levels := self._board.next(best)) is not None:
            node = self._lattice.count(levels)
            if node.dead or node.penalty > 0:
                self._board.prune(levels, node.dead, node.penalty)
            if node.feasible:
                best = min(best, node.score)
            yield node

    def floor(self) -> float:
        """Return a score that no open node undercuts."""
        return float(self._board.floor())
