"""The released row of every combination: the level of each of its cells, and so which combinations it covers."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.histograms import Counts
from incrowd.core.kernels import Covering
from incrowd.metrics import Numbers
from incrowd.recodings.by_combination import SUPPRESSED, Texts
from incrowd.searches.lattice import Lattice

OwnLevels = NDArray[np.int16]
"""Columns x combinations."""
Pieces = tuple[NDArray[np.int64], Counts]
"""The combination of each piece, never falling, and its records."""
Mask = NDArray[np.bool_]
Met = NDArray[np.int16]
"""By place; see Rows.met."""

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
    """The published levels, which only rise. In memory the levels of a combination lie side by side."""
    order: NDArray[np.int64]
    """Where each combination stands in the lattice."""
    _met: dict[tuple[int, int], NDArray[np.int16]] = field(default_factory=dict)

    @classmethod
    def of(cls, lattice: Lattice, kept: Mask) -> "Rows":
        """Return those of a table's combinations that are published, on the lowest levels allowed."""
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
            levels=np.repeat(low[None], len(order), axis=0).T,
            order=order,
        )

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def places(self) -> NDArray[np.int32]:
        """Combinations x columns: where the value of each stands when those of all columns stand in one row."""
        begins = np.cumsum([0, *(up.shape[1] for up in self.up[:-1])])
        return np.ascontiguousarray(self.codes.T + begins, dtype=np.int32)

    @cached_property
    def _covering(self) -> Covering:
        prices = np.zeros((max(map(len, self.prices)), sum(price.shape[1] for price in self.prices)))
        begin = 0
        for price in self.prices:
            prices[: len(price), begin : begin + price.shape[1]] = price
            begin += price.shape[1]
        return Covering(self.places, prices, self.top)

    def met(self, at: int) -> Met:
        """Return by place the lowest level on which a combination equals the value there; above the top if none."""
        return np.concatenate([self._meeting(column, int(code)) for column, code in enumerate(self.codes[:, at])])

    def _meeting(self, column: int, own: int) -> Met:
        """Return the same for the places of a column."""
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

    def covered(self, met: Met, levels: NDArray[np.int16]) -> Mask:
        """Return which combinations meet one on its levels: those that its row covers."""
        found = np.empty(len(self), dtype=np.uint8)
        self._covering.covered(met, np.ascontiguousarray(levels), found)
        return found.view(np.bool_)

    def dearer(self, met: Met, wanted: int) -> Numbers:
        """Return the least extra cost of the row of each combination if it covers one.

        Infinite where it does already or never can, and where so many others cost less.
        """
        found = np.empty(len(self))
        self._covering.dearer(met, self.levels.T, wanted, found)
        return found

    def cost(self, levels: OwnLevels) -> Numbers:
        """Return the cost of the cells of a record of each combination, on levels given for all of them."""
        found, place = np.zeros(len(self)), np.empty(len(self), dtype=np.int64)
        for price, of, codes in zip(self.prices, levels, self.codes, strict=True):
            np.multiply(of, price.shape[1], out=place, casting="unsafe")
            place += codes
            found += np.take(price, place)
        return found

    def widen(self, at: int, levels: NDArray[np.int16]) -> Mask:
        """Raise a row to these levels, at least; return the combinations that it covers now and did not before."""
        met = self.met(at)
        before = self.covered(met, self.levels[:, at])
        self.levels[:, at] = np.maximum(self.levels[:, at], levels)
        return self.covered(met, self.levels[:, at]) & ~before

    def parted(self, most: int) -> tuple["Rows", NDArray[np.int64]]:
        """Return the same with up to so many records of each combination as rows of their own, and whose each row is.

        The others of a combination stay one row, the last one of its rows.
        """
        singles = np.minimum(self.counts - 1, most)
        of = np.repeat(np.arange(len(self)), singles + 1)
        counts = np.ones(len(of), dtype=np.int64)
        counts[np.cumsum(singles + 1) - 1] = self.counts - singles
        levels = np.ascontiguousarray(self.levels[:, of].T).T
        return replace(self, codes=self.codes[:, of], counts=counts, levels=levels, order=self.order[of]), of

    def in_pieces(self, every: FrequencySet) -> tuple[OwnLevels, Pieces | None]:
        """Return the levels of all combinations of the lattice, or where they part, of their pieces."""
        left = np.setdiff1d(np.arange(every.combinations), self.order)
        combination = np.concatenate([self.order, left])
        counts = np.concatenate([self.counts, every.counts[left]])
        suppressed = np.full((len(self.levels), len(left)), SUPPRESSED, dtype=np.int16)
        levels = np.concatenate([self.levels, suppressed], axis=1)
        order = np.lexsort([*levels, combination])
        combination, counts, levels = combination[order], counts[order], levels[:, order]
        differs = (combination[1:] != combination[:-1]) | (levels[:, 1:] != levels[:, :-1]).any(axis=0)
        first = np.flatnonzero(np.append(True, differs)) if len(order) else order
        own = np.ascontiguousarray(levels[:, first])
        if len(first) == every.combinations:
            return own, None
        return own, (combination[first], np.add.reduceat(counts, first))


def _prices(ladder: EncodedHierarchy, weight: float) -> Numbers:
    """Return the cost of a cell: the loss, as in the metric of this name."""
    return weight * np.array([ladder.spread(level) for level in range(ladder.height + 1)])
