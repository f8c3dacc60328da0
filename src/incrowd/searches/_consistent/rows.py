"""The released row of every combination: the level of each of its cells, and so which combinations it covers."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import Ladder
from incrowd.core.histograms import Counts
from incrowd.metrics import Numbers
from incrowd.recodings.by_combination import SUPPRESSED, Texts
from incrowd.searches._lattice import Lattice

OwnLevels = NDArray[np.int16]
"""Columns x combinations."""
Mask = NDArray[np.bool_]

_FEW = 1 << 12
"""Of columns with so many values, at most, it is kept which of them meet on which level."""


@dataclass(eq=False)
class Rows:
    """Combinations in the order of their texts, so that nothing depends on the order in which they were counted."""

    codes: NDArray[np.int64]
    """Columns x combinations."""
    counts: Counts
    up: tuple[NDArray[np.int64], ...]
    """Per column, levels x codes: the label."""
    prices: tuple[Numbers, ...]
    """Per column, levels x codes: what a cell costs, its column's priority included."""
    low: NDArray[np.int16]
    """Per column the lowest level allowed."""
    top: NDArray[np.int16]
    """The highest."""
    levels: OwnLevels
    """What is published; it only rises."""
    order: NDArray[np.int64]
    """Where each combination stands in the lattice."""
    _met: dict[tuple[int, int], NDArray[np.int16]] = field(default_factory=dict)

    @classmethod
    def of(cls, lattice: Lattice, kept: Mask) -> "Rows":
        """Those of a table's combinations that are published, on the lowest levels allowed."""
        problem, codes = lattice.problem, lattice.combinations.codes
        weights = problem.priorities or (1.0,) * len(problem.ladders)
        texts = [Texts.of(ladder) for ladder in problem.ladders]
        ranks = [each.order[each.numbers[0]][of] for each, of in zip(texts, codes, strict=True)]
        order = np.lexsort(ranks[::-1])
        order = order[kept[order]]
        low = np.array(lattice.bottom, dtype=np.int16)
        return cls(
            codes=np.ascontiguousarray(codes[:, order], dtype=np.int64),
            counts=lattice.combinations.counts[order],
            up=tuple(np.array(ladder.up, dtype=np.int64) for ladder in problem.ladders),
            prices=tuple(_prices(ladder, weight) for ladder, weight in zip(problem.ladders, weights, strict=True)),
            low=low,
            top=np.array(lattice.top, dtype=np.int16),
            levels=np.repeat(low[:, None], len(order), axis=1),
            order=order,
        )

    def __len__(self) -> int:
        return len(self.counts)

    def meeting(self, at: int) -> OwnLevels:
        """Per column the lowest level on which a combination is the same as each other one; above the top for none."""
        found = np.empty(self.codes.shape, dtype=np.int16)
        for column, codes in enumerate(self.codes):
            np.take(self._meeting(column, int(codes[at])), codes, out=found[column])
        return found

    def _meeting(self, column: int, own: int) -> NDArray[np.int16]:
        """The same, per code of a column."""
        known = self._met.get((column, own))
        if known is not None:
            return known
        top, up = int(self.top[column]), self.up[column]
        found = np.full(len(up[0]), top + 1, dtype=np.int16)
        for level in range(top, -1, -1):
            found[up[level] == up[level][own]] = level
        if len(found) <= _FEW:
            self._met[column, own] = found
        return found

    def cost(self, levels: OwnLevels) -> Numbers:
        """What the cells of a record of each combination cost, on levels that are given for all of them."""
        found, place = np.zeros(len(self)), np.empty(len(self), dtype=np.int64)
        for price, of, codes in zip(self.prices, levels, self.codes, strict=True):
            np.multiply(of, price.shape[1], out=place, casting="unsafe")
            place += codes
            found += np.take(price, place)
        return found

    def widen(self, at: int, levels: NDArray[np.int16]) -> Mask:
        """A row gets levels as high, at least; returns the combinations that it covers now and did not before."""
        meeting = self.meeting(at)
        before = within(meeting, self.levels[:, at])
        self.levels[:, at] = np.maximum(self.levels[:, at], levels)
        return within(meeting, self.levels[:, at]) & ~before

    def in_place(self, n: int) -> OwnLevels:
        """The levels of all n combinations of the lattice, in its order; those that are not here are suppressed."""
        found = np.full((len(self.levels), n), SUPPRESSED, dtype=np.int16)
        found[:, self.order] = self.levels
        return found


def _prices(ladder: Ladder, weight: float) -> Numbers:
    """What a cell costs: the loss, as the metric of this name has it."""
    covered = np.array([ladder.covered(level) for level in range(ladder.height + 1)])
    prices: Numbers = weight * (covered - 1) / max(1, ladder.hierarchy.domain - 1)
    return prices


def within(meeting: OwnLevels, levels: NDArray[np.int16]) -> Mask:
    """Which combinations meet one on its levels: those that its row covers."""
    return np.asarray((meeting <= levels[:, None]).all(axis=0))
