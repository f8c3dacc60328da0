"""How far up each sensitive value of a group goes: greedily, by how much a step helps for what it costs.

Who guards what decides which guards count; which records go up does not matter for any probability. So a group is the
number of its records with each value, and the guards that it has.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.table import Codes
from incrowd.searches._personalised.tree import Numbers, Tree

Counts = NDArray[np.int64]

_NOTHING = 1e-12
"""Less than this is rounding."""


class _State(NamedTuple):
    """A group on its way."""

    counts: Counts
    """Values x levels: records."""
    shares: Numbers
    """Values x levels x guards."""
    losses: Numbers
    """Values x levels."""
    over: Numbers
    """Per guard, how many records too many lie below it, as far as one can expect; below 0 there is room."""


class Steps(NamedTuple):
    """Ways up: values on one level that could go to a higher one."""

    value: Counts
    low: Counts
    high: Counts
    cost: Numbers
    """What a record more loses, above 0."""

    def step(self, at: int) -> tuple[int, int, int]:
        """The value, where it is and where it could go."""
        return int(self.value[at]), int(self.low[at]), int(self.high[at])


def generalise(tree: Tree, values: Codes, counts: Counts, guards: Codes, most: float) -> Counts:
    """Values x levels: how many records of each value are published on each level.

    `values` and `guards` are those of the group, `most` what a probability may be. Nothing goes up where no guard is
    breached, and in the end no record alone could be published on a lower level.
    """
    levels = tree.losses.shape[1]
    found = np.zeros((len(values), levels), dtype=np.int64)
    found[:, 0] = counts
    shares = tree.shares[values][:, :, guards]
    limit = most * counts.sum()
    over = np.einsum("v,vg->g", counts.astype(np.float64), shares[:, 0]) - limit
    if not (over > 0).any():
        return found
    state = _State(found, shares, tree.losses[values], over)
    steps = _steps(state.losses)
    _raise(state, steps)
    _lower(state, steps)
    return found


def _raise(state: _State, steps: Steps) -> None:
    """The step that takes most away from what is too much, for its loss; as many records as it takes, or as there are.

    Every step goes up, and with all values on the top nothing is too much; so this ends.
    """
    changes = state.shares[steps.value, steps.high] - state.shares[steps.value, steps.low]
    while (state.over > 0).any():
        helps = (changes[:, state.over > 0] < -_NOTHING).any(axis=1)
        some = np.flatnonzero(helps & (state.counts[steps.value, steps.low] > 0))
        after = np.maximum(state.over + changes[some], 0).sum(axis=1)
        gains = np.maximum(state.over, 0).sum() - after
        if gains.max() <= _NOTHING:
            # Whatever goes up breaches another guard: what helps the one that is breached most.
            gains = -changes[some, int(state.over.argmax())]
        best = some[int((gains / steps.cost[some]).argmax())]
        at, low, high = steps.step(best)
        _move(state, (at, low, high), _records(state, changes[best], int(state.counts[at, low])))


def _records(state: _State, change: Numbers, there: int) -> int:
    """How many records go at once: until a guard is safe that was not, or would be breached that was safe."""
    falls, rises = (state.over > 0) & (change < -_NOTHING), (state.over <= 0) & (change > _NOTHING)
    enough = np.ceil(state.over[falls] / -change[falls])
    room = np.floor(-state.over[rises] / change[rises])
    return int(max(1, min(there, enough.min(initial=there), room.min(initial=there))))


def _lower(state: _State, steps: Steps) -> None:
    """Steps that turned out not to be needed are taken back, the costliest first and as far down as can be."""
    order = np.lexsort((steps.low, -steps.cost))
    changes = state.shares[steps.value, steps.low] - state.shares[steps.value, steps.high]
    again = True
    while again:
        again = False
        for step in order.tolist():
            at, low, high = steps.step(step)
            there = int(state.counts[at, high])
            rises = changes[step] > _NOTHING
            if there and (state.over[rises] + changes[step][rises] <= 0).all():
                room = np.floor(-state.over[rises] / changes[step][rises])
                _move(state, (at, high, low), int(max(1, min(there, room.min(initial=there)))))
                again = True


def _move(state: _State, step: tuple[int, int, int], records: int) -> None:
    at, source, target = step
    state.counts[at, source] -= records
    state.counts[at, target] += records
    state.over[:] += records * (state.shares[at, target] - state.shares[at, source])


def _steps(losses: Numbers) -> Steps:
    """All ways up that cost something."""
    lows, highs = np.triu_indices(losses.shape[1], 1)
    costs = losses[:, highs] - losses[:, lows]
    value, way = np.nonzero(costs > 0)
    return Steps(value, lows[way], highs[way], costs[value, way])
