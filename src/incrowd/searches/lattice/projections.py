"""Projections: what some columns cost at least by themselves, with all others on their highest levels.

Where a model allows it, nodes above a feasible one are feasible. So the levels of a feasible node in a block of columns
are feasible with all other columns on top, and no node costs less than the cheapest such levels of each block together.
"""

from collections.abc import Callable, Iterator, Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels import NodeSchedule
from incrowd.metrics import Levels
from incrowd.searches import Node
from incrowd.searches.lattice.lattice import Lattice

Count = Callable[[Levels], Node]
"""Returns the node at some levels, which may have been counted before."""

_NODES = 1 << 16
"""How many nodes a block of columns has at most: their costs are listed, and looked through for every box."""


class Block:
    """The nodes of some columns; those that are not known to be infeasible have a cost."""

    def __init__(self, lattice: Lattice, columns: Sequence[int]) -> None:
        self._lattice, self._columns = lattice, tuple(columns)
        self._low = tuple(lattice.bottom[column] for column in columns)
        shape = tuple(lattice.top[column] - low + 1 for column, low in zip(columns, self._low, strict=True))
        self._cost: NDArray[np.float64] = np.zeros(shape)
        height = np.zeros(shape)
        for axis, (column, low, n) in enumerate(zip(columns, self._low, shape, strict=True)):
            along = [-1 if at == axis else 1 for at in range(len(shape))]
            self._cost += lattice.metric.parts[column][low : low + n].reshape(along)
            height += (np.arange(n) / max(1, n - 1)).reshape(along)
        self._board = NodeSchedule(
            self._cost.reshape(-1).copy(),
            np.argsort(-height, axis=None, kind="stable"),
            np.array(shape, dtype=np.int64),
            np.array(self._low, dtype=np.int64),
        )

    def sweep(self, count: Count) -> Iterator[None]:
        """Count nodes until none that is open costs less than the cheapest feasible one."""
        least = inf
        while (levels := self._board.next(least)) is not None:
            node = count(self._raised(levels))
            at = tuple(level - low for level, low in zip(levels, self._low, strict=True))
            if node.dead:
                self._board.prune(levels, True, 0.0)
                self._cost[tuple(slice(0, each + 1) for each in at)] = inf
            elif node.feasible:
                least = min(least, float(self._cost[at]))
            yield

    def least(self, low: Levels, high: Levels) -> float:
        """Return what no feasible node between two undercuts; infinite if none is there."""
        part = tuple(
            slice(low[column] - least, high[column] - least + 1)
            for column, least in zip(self._columns, self._low, strict=True)
        )
        return float(self._cost[part].min())

    def _raised(self, levels: Sequence[int]) -> Levels:
        found = list(self._lattice.top)
        for column, level in zip(self._columns, levels, strict=True):
            found[column] = level
        return tuple(found)


class Projections:
    """All columns in blocks."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        # Without the claim nothing is known of a block, and its cheapest node is the lowest.
        self._blocks = [Block(lattice, columns) for columns in blocks_of(lattice)]

    def sweep(self, count: Count) -> Iterator[None]:
        """Count what the bounds of the blocks follow from; they are right whenever it is left."""
        for block in self._blocks if self._lattice.keeps_feasible else ():
            yield from block.sweep(count)

    def floor(self, low: Levels, high: Levels) -> float:
        """Return a score that no release between two nodes undercuts."""
        total = sum(block.least(low, high) for block in self._blocks)
        return inf if total == inf else float(self._lattice.metric.bound(np.array([total]))[0])


def blocks_of(lattice: Lattice) -> list[list[int]]:
    """Return the columns in blocks, those first that cost most: in a large block they raise each other's cost most."""
    ends = zip(lattice.metric.parts, lattice.bottom, lattice.top, strict=True)
    spans = [float(part[high] - part[low]) for part, low, high in ends]
    found: list[list[int]] = []
    nodes = 1
    for column in sorted(range(len(lattice.top)), key=lambda column: -spans[column]):
        levels = lattice.top[column] - lattice.bottom[column] + 1
        nodes *= levels
        if nodes > _NODES or not found:
            found.append([])
            nodes = levels
        found[-1].append(column)
    return found
