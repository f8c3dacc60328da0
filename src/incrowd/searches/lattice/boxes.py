"""Branch and bound for lattices of any size: boxes of nodes are split and bounded, never listed."""

import heapq
from collections.abc import Iterator
from itertools import count
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Levels
from incrowd.searches import Node
from incrowd.searches.lattice.lattice import Lattice
from incrowd.searches.lattice.projections import Projections

_OPEN = 200_000
"""Open boxes beyond this are taken newest first, which bounds the memory by the depth of the lattice."""

_COUNTED = 20_000
"""How many counted nodes of each kind are asked about what they tell of nodes below them; older ones are forgotten."""


class Box(NamedTuple):
    """All nodes from `low` to `high`; none scores less than `floor`."""

    floor: float
    number: int
    low: Levels
    high: Levels


class Knowledge:
    """Facts about nodes that follow from counted nodes above them."""

    def __init__(self, columns: int) -> None:
        self._dead: NDArray[np.int16] = np.empty((0, columns), dtype=np.int16)
        self._levels: NDArray[np.int16] = np.empty((_COUNTED, columns), dtype=np.int16)
        self._penalty: NDArray[np.float64] = np.zeros(_COUNTED)
        self._n = 0

    def learn(self, node: Node) -> None:
        """Remember a counted node if it says something about others."""
        levels = np.array(node.levels, dtype=np.int16)
        if node.dead:
            covered = (self._dead <= levels).all(axis=1)
            self._dead = np.vstack([self._dead[~covered], levels])[-_COUNTED:]
        elif node.penalty > 0:
            self._levels[self._n % _COUNTED] = levels
            self._penalty[self._n % _COUNTED] = node.penalty
            self._n += 1

    def dead(self, levels: Levels) -> bool:
        """Return whether the node lies below one that rules out everything below it."""
        return bool((self._dead >= np.array(levels, dtype=np.int16)).all(axis=1).any())

    def penalty(self, levels: Levels) -> float:
        """Return the largest penalty of a counted node above."""
        n = min(self._n, _COUNTED)
        above = (self._levels[:n] >= np.array(levels, dtype=np.int16)).all(axis=1)
        return float(self._penalty[:n][above].max(initial=0.0))


class Boxes:
    """Best-first over boxes: the one with the lowest floor is split next, so the lowest floor is the proven bound."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._known = Knowledge(len(lattice.top))
        self._heap: list[Box] = []
        self._stack: list[Box] = []
        self._numbers = count()
        self._best = inf
        self._started = False
        self._in_hand: Box | None = None
        self._started_with: dict[Levels, Node] = {}
        self._projections = Projections(lattice)

    def run(self) -> Iterator[Node]:
        """Count node after node; the receiver stops when it wants to."""
        self._started_with[self._lattice.top] = self._count(self._lattice.top)
        yield self._started_with[self._lattice.top]
        if not self._known.dead(self._lattice.top):
            yield from self._descend(self._lattice.top)
            yield from self._project()
            self._push(self._lattice.bottom, self._lattice.top)
        self._started = True
        while self._heap or self._stack:
            box = self._stack.pop() if self._stack else heapq.heappop(self._heap)
            if box.floor >= self._best or self._known.dead(box.high):
                continue
            # A run that is stopped in here has its parts not in place yet.
            self._in_hand = box
            yield from self._split(box)
            self._in_hand = None

    def _count(self, levels: Levels) -> Node:
        node = self._lattice.count(levels)
        self._known.learn(node)
        if node.feasible:
            self._best = min(self._best, node.score)
        return node

    def _project(self) -> Iterator[Node]:
        """Count the nodes of blocks of columns that were not counted on the way down."""
        new: list[Node] = []

        def count(levels: Levels) -> Node:
            if levels not in self._started_with:
                new.append(self._count(levels))
                self._started_with[levels] = new[-1]
            return self._started_with[levels]

        for _ in self._projections.sweep(count):
            yield from new
            new.clear()

    def _descend(self, levels: Levels) -> Iterator[Node]:
        """Descend greedily from the top to the best neighbor below: a good node to start with."""
        while True:
            found = []
            for lower in self._lattice.below(levels):
                if not self._known.dead(lower):
                    node = self._started_with[lower] = self._count(lower)
                    yield node
                    found += [(node.score, lower)] if node.feasible else []
            if not found:
                return
            levels = min(found)[1]

    def _push(self, low: Levels, high: Levels) -> None:
        if self._known.dead(high):
            return
        floor = self._projections.floor(low, high) + self._known.penalty(high)
        if floor < self._best:
            box = Box(floor, next(self._numbers), low, high)
            if len(self._heap) < _OPEN:
                heapq.heappush(self._heap, box)
            else:
                self._stack.append(box)

    def _split(self, box: Box) -> Iterator[Node]:
        """Yield the column that matters most stays on its highest level, or goes below it."""
        parts = self._lattice.metric.parts
        matters = [part[high] - part[low] for part, low, high in zip(parts, box.low, box.high, strict=True)]
        free = [at for at, (low, high) in enumerate(zip(box.low, box.high, strict=True)) if low < high]
        if not free:
            return
        at = max(free, key=lambda column: matters[column])
        lower = (*box.high[:at], box.high[at] - 1, *box.high[at + 1 :])
        raised = (*box.low[:at], box.high[at], *box.low[at + 1 :])
        if not self._known.dead(lower):
            # Boxes have different upper corners, so only what came before them can have counted this one.
            if lower not in self._started_with:
                yield self._count(lower)
            self._push(box.low, lower)
        self._push(raised, box.high)

    def floor(self) -> float:
        """Return a score that no open node undercuts."""
        if not self._started:
            return self._projections.floor(self._lattice.bottom, self._lattice.top)
        in_hand = [] if self._in_hand is None else [self._in_hand]
        return min((box.floor for box in (*self._heap, *self._stack, *in_hand)), default=inf)
