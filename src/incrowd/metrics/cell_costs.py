"""Costs that are a sum over cells: a lookup per column and level, plus what suppressed records add."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Columns, Generalized, Numbers


class CellScore:
    """Scores a node as the sum of its cells' costs, each times its column's factor.

    `costs[column][level][code]` is what a cell costs on a level, by its original code; `lost[column][code]` what it
    costs when its record is suppressed. The difference of the two must be the same for all codes that are equal on
    that level, never negative, and never grow with the level: then a class is judged by one of its combinations, and
    the penalty of suppressed records never grows on the way up. `factors` are the columns' shares for a mean over
    cells, their weights for a sum.
    """

    def __init__(
        self,
        columns: Columns,
        costs: Sequence[Sequence[Numbers]],
        lost: Sequence[Numbers],
        factors: Sequence[float],
    ) -> None:
        self.codes = columns.combinations.codes
        self.parts = [
            np.array([factor * float(cost @ totals) for cost in by_level])
            for factor, by_level, totals in zip(factors, costs, columns.totals, strict=True)
        ]
        gaps = [
            [factor * (gone - cost) for cost in by_level]
            for factor, by_level, gone in zip(factors, costs, lost, strict=True)
        ]
        self.gaps = np.concatenate([each for by_level in gaps for each in by_level])
        """The extra cost of a suppressed cell, by column, level and original code."""
        sizes = iter(np.cumsum([0, *(len(each) for by_level in gaps for each in by_level)]).tolist())
        self.begins = [[next(sizes) for _ in by_level] for by_level in gaps]
        """Where the gaps of each column and level begin."""
        self.worst = sum(
            factor * float(gone @ totals) for factor, gone, totals in zip(factors, lost, columns.totals, strict=True)
        )
        """The score where every record is suppressed."""

    def bound(self, total: Numbers) -> Numbers:
        """Return the score without suppression."""
        return total

    def score(self, node: Generalized) -> float:
        """Return the cost of all cells, those of suppressed records included."""
        if node.own is not None:
            # A difference of two sums may come out a little below nothing.
            return max(0.0, self.worst - float(self._beyond(node.own.levels, node.own.combinations) @ node.own.counts))
        plain = sum(part[level] for part, level in zip(self.parts, node.levels, strict=True))
        return float(plain) + self.penalty(node, ~node.kept)

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return what suppressed cells cost beyond what they would have cost."""
        gone = np.flatnonzero(lost)
        if not len(gone):
            return 0.0
        return float(self._beyond(node.levels, node.origins[gone]) @ node.sizes[gone])

    def _beyond(self, levels: Sequence[int] | NDArray[np.int16], combinations: NDArray[np.integer]) -> Numbers:
        """Return what a record of each combination costs beyond its cost on these levels when it is suppressed."""
        extra = np.zeros(len(combinations))
        for codes, begins, level in zip(self.codes, self.begins, levels, strict=True):
            extra += self.gaps[np.array(begins)[level] + codes[combinations]]
        return extra
