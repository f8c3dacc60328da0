"""How far up each sensitive value of a group goes: greedily, by how much a step helps for what it costs.

Who guards what decides which guards count; which records go up does not matter for any probability. So a group is the
number of its records with each value, and the guards that it has.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.table import Codes
from incrowd.searches._personalized.tree import Numbers, Tree

Counts = NDArray[np.int64]

_NOTHING = 1e-12
"""Less than this is rounding."""


class _Group(NamedTuple):
    """A group on its way."""

    tree: Tree
    counts: Counts
    """Values x levels: records."""
    cells: Counts
    """Values x levels x 2: what they cover."""
    guards: Counts
    """Guards x 2: what lies below them."""
    over: Numbers
    """Per guard, how many records too many lie below it, as far as one can expect; below 0 there is room."""

    def changes(self, steps: "RaisingSteps", guards: Counts) -> Numbers:
        """Return steps x guards: how much more of a record lies below a guard once it went up."""
        low, high = (self.cells[steps.value, level][:, None] for level in (steps.low, steps.high))
        return self.tree.below(high, guards) - self.tree.below(low, guards)


class RaisingSteps(NamedTuple):
    """Ways up: values on one level that could go to a higher one."""

    value: Counts
    low: Counts
    high: Counts
    cost: Counts
    """How many values more a cell covers then, 1 or more."""

    def some(self, at: NDArray[np.integer]) -> "RaisingSteps":
        """Return those at some positions."""
        return RaisingSteps(*(each[at] for each in self))


def generalize(tree: Tree, values: Codes, counts: Counts, guards: Codes, most: float) -> Counts:
    """Return values x levels: how many records of each value are published on each level.

    `values` and `guards` are those of the group, `most` what a probability may be. Nothing goes up where no guard is
    breached, and in the end no record alone could be published on a lower level.
    """
    found = np.zeros((len(values), tree.cells.shape[1]), dtype=np.int64)
    found[:, 0] = counts
    over = tree.counted(values, counts, guards) - most * counts.sum()
    if not (over > 0).any():
        return found
    group = _Group(tree, found, tree.cells[values], tree.guards[guards], over)
    steps = _steps(group)
    _raise(group, steps)
    _lower(group, steps)
    return found


def _raise(group: _Group, steps: RaisingSteps) -> None:
    """Take the step that removes most excess for its loss, for as many records as needed or available.

    Every step goes up, and with all values on the top nothing is too much; so this ends.
    """
    while (group.over > 0).any():
        there = steps.some(np.flatnonzero(group.counts[steps.value, steps.low] > 0))
        helps = (group.changes(there, group.guards[group.over > 0]) < -_NOTHING).any(axis=1)
        some = there.some(np.flatnonzero(helps))
        changes = group.changes(some, group.guards)
        gains = np.maximum(group.over, 0).sum() - np.maximum(group.over + changes, 0).sum(axis=1)
        if gains.max() <= _NOTHING:
            # Whatever goes up breaches another guard: what helps the one that is breached most.
            gains = -changes[:, int(group.over.argmax())]
        best = int((gains / some.cost).argmax())
        at, low, high = int(some.value[best]), int(some.low[best]), int(some.high[best])
        _move(group, (at, low, high), changes[best], _records(group, changes[best], int(group.counts[at, low])))


def _records(group: _Group, change: Numbers, there: int) -> int:
    """Return how many records go at once: until a guard is safe that was not, or would be breached that was safe."""
    falls, rises = (group.over > 0) & (change < -_NOTHING), (group.over <= 0) & (change > _NOTHING)
    enough = np.ceil(group.over[falls] / -change[falls])
    room = np.floor(-group.over[rises] / change[rises])
    return int(max(1, min(there, enough.min(initial=there), room.min(initial=there))))


def _lower(group: _Group, steps: RaisingSteps) -> None:
    """Take back steps that are not needed, the costliest first and as far down as possible."""
    steps = steps.some(np.lexsort((steps.low, -steps.cost)))
    again = True
    while again:
        again = False
        for step in np.flatnonzero(group.counts[steps.value, steps.high] > 0).tolist():
            at, low, high = int(steps.value[step]), int(steps.low[step]), int(steps.high[step])
            there = int(group.counts[at, high])
            change = -group.changes(steps.some(np.array([step])), group.guards)[0]
            rises = change > _NOTHING
            if there and (group.over[rises] + change[rises] <= 0).all():
                room = np.floor(-group.over[rises] / change[rises])
                _move(group, (at, high, low), change, int(max(1, min(there, room.min(initial=there)))))
                again = True


def _move(group: _Group, step: tuple[int, int, int], change: Numbers, records: int) -> None:
    at, source, target = step
    group.counts[at, source] -= records
    group.counts[at, target] += records
    group.over[:] += records * change


def _steps(group: _Group) -> RaisingSteps:
    """Return all ways up that cost something."""
    covered = group.cells[:, :, 1] - group.cells[:, :, 0]
    lows, highs = np.triu_indices(covered.shape[1], 1)
    costs = covered[:, highs] - covered[:, lows]
    value, way = np.nonzero(costs > 0)
    return RaisingSteps(value, lows[way], highs[way], costs[value, way])
