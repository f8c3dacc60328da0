"""Small changes of a table that an attacker cannot see: for most cells they show that a range is wide enough.

People move from one category to another of some columns, and are added or taken away in the others. Such a change is
the product of one vector for each column: up at a category and at all its subtotals and, if people only move, down at
another category and its subtotals. So all parts still add up, and if every cell stays within what the attacker knows of
it, the attacker cannot rule out the changed table. No linear program needs to be solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.axis import Axis
from incrowd.tables.cells import Cells, Numbers

_Mask = NDArray[np.bool_]
Change = tuple[Numbers, Numbers]
"""The cells that change, and by how much."""

_PARTNERS = 24
"""The largest number of other categories that people move from, spread over all of them."""


class _Ways(NamedTuple):
    """The possible parts of a change in one column, one way per row; the number of nodes stands for none."""

    up: Numbers
    down: Numbers


class Moves:
    """All such changes of a table, of which an attacker knows between which bounds each cell lies."""

    def __init__(self, cells: Cells, lower: Numbers, upper: Numbers) -> None:
        self._cells = cells
        self._ways = [_ways(axis) for axis in cells.axes]
        self._above = (upper - cells.values).reshape(cells.shape)
        self._below = (cells.values - lower).reshape(cells.shape)

    def reach(self, asked: Numbers, target: Numbers) -> _Mask:
        """Return which of the given cells reach their `target` after one change."""
        return np.array([change is not None for change in self.changes(asked, target)], dtype=np.bool_)

    def changes(self, asked: Numbers, target: Numbers) -> list[Change | None]:
        """Return for each given cell a change after which it has the value of `target`; None if there is none."""
        nodes = np.stack(np.unravel_index(asked, self._cells.shape), axis=1)
        steps = (target - self._cells.values)[asked]
        nothing: Change = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
        found: list[Change | None] = [nothing] * len(asked)
        for step in np.unique(steps[steps != 0]):
            more, less = (self._above, self._below) if step > 0 else (self._below, self._above)
            fits = more >= abs(step), less >= abs(step)
            for at in np.flatnonzero(steps == step):
                ways = [of[node] for of, node in zip(self._ways, nodes[at], strict=True)]
                found[at] = self._change(_any_way(*fits, ways), ways, int(step))
        return found

    def _change(self, chosen: tuple[int, ...] | None, ways: Sequence[_Ways], step: int) -> Change | None:
        """Return the cells that change, and by how much, if these ways are taken."""
        if chosen is None:
            return None
        whole = np.array(step)
        for way, at, nodes in zip(ways, chosen, self._cells.shape, strict=True):
            line = np.zeros(nodes + 1, dtype=np.int64)
            line[way.up[at]], line[way.down[at]] = 1, -1
            whole = np.multiply.outer(whole, line[:nodes])
        cells = np.flatnonzero(whole)
        return cells, whole.ravel()[cells]


def _any_way(up: _Mask, down: _Mask, ways: Sequence[_Ways]) -> tuple[int, ...] | None:
    """Return a product of ways, one per column, that keeps every cell within its bounds; None if there is none.

    `up` has the cells that can take the whole step, `down` those that can take it backwards. Column by column the nodes
    of an axis are replaced by its ways: a product fits if all its cells do; cells whose signs differ change sides.
    """
    for side, way in enumerate(ways):
        wide = [(0, int(at == side)) for at in range(up.ndim)]
        # One node more that always fits, for ways that go down nowhere.
        more, less = (np.pad(fits, wide, constant_values=True) for fits in (up, down))
        up, down = _fitting(more, less, way, side), _fitting(less, more, way, side)
    best = int(np.argmax(up))
    return tuple(map(int, np.unravel_index(best, up.shape))) if up.flat[best] else None


def _fitting(more: _Mask, less: _Mask, way: _Ways, side: int) -> _Mask:
    """Return per way whether all its cells fit, those of its own sign and those of the other."""
    ups = np.logical_and.reduce(np.take(more, way.up, axis=side), axis=side + 1)
    return np.asarray(ups & np.logical_and.reduce(np.take(less, way.down, axis=side), axis=side + 1))


@lru_cache(maxsize=64)
def _ways(axis: Axis) -> tuple[_Ways, ...]:
    """Return per node all ways that go up at it: people are added to one of its categories, or move there."""
    paths = [_path(axis, leaf) for leaf in range(axis.leaves)]
    longest, none = max(map(len, paths), default=1), len(axis)
    found: list[list[tuple[list[int], list[int]]]] = [[] for _ in range(len(axis))]
    for at, leaf in enumerate(paths):
        others = paths[:at] + paths[at + 1 :]
        for other in [[], *others[:: max(1, len(others) // _PARTNERS)]]:
            up, down = ([node for node in one if node not in set(two)] for one, two in ((leaf, other), (other, leaf)))
            for node in up:
                found[node].append((up, down))
    return tuple(_Ways(*(_rows([way[side] for way in ways], longest, none) for side in (0, 1))) for ways in found)


def _path(axis: Axis, leaf: int) -> list[int]:
    path = [leaf]
    while axis.parents[path[-1]] >= 0:
        path.append(axis.parents[path[-1]])
    return path


def _rows(lists: list[list[int]], length: int, filling: int) -> Numbers:
    return np.array([each + [filling] * (length - len(each)) for each in lists], dtype=np.int64).reshape(-1, length)
