"""Greedy set-partitioning: parts of a column are joined, and single values moved, whatever lies between them.

Whatever becomes of one column, its parts are sums of rows of one sheet, so that all steps in it are weighed at once.
"""

from collections.abc import Callable
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Counts
from incrowd.core.table import Codes
from incrowd.metrics.loss import Loss
from incrowd.searches._parts.costs import Cost, Costs, DiscernibilityCost, LossCost
from incrowd.searches._parts.sheet import Sheet
from incrowd.searches._parts.table import Partition, PartTable
from incrowd.watch import Watch

Numbers = NDArray[np.int64]
Sums = Callable[[Numbers], Callable[[Counts], Counts]]
"""For the numbers of some sets of values: how their rows are made from those of the column's values."""

_CELLS = 1 << 18
"""Sheets are worked through in pieces of about so many cells."""
_LESS = 1e-9
"""A step must save more than rounding."""


class Weighed(NamedTuple):
    """The cost of sets of values of a column as parts."""

    cost: Costs
    """With what violates the models suppressed."""
    whole: Costs
    """With nothing suppressed."""
    lost: Counts
    """Records that are suppressed."""

    def of(self, at: Numbers) -> "Weighed":
        """Return the sets with these numbers."""
        return Weighed(self.cost[at], self.whole[at], self.lost[at])

    def minus(self, *others: "Weighed") -> "Weighed":
        """Return the difference."""
        return Weighed(*(mine - sum(theirs) for mine, *theirs in zip(self, *others, strict=True)))


class Step(NamedTuple):
    """Another partition of a column, and by how much it raises what `Weighed` tells."""

    cost: float
    whole: float
    lost: int
    column: int
    part: Numbers


class Merging:
    """A partition on its way from the finest one."""

    def __init__(self, table: PartTable, watch: Watch) -> None:
        self.table, self._watch = table, watch
        self.partition: Partition = table.finest
        self.counted = 0
        """Sets of values weighed."""
        sheet, _ = table.sheet(0, self.partition)
        self.suppressed = int(sheet.sizes[~sheet.holds(table.problem.model)].sum())
        self._budget = table.problem.budget if table.problem.model.suppressible else 0

    @property
    def feasible(self) -> bool:
        """Whether suppressing what violates the models stays within the budget."""
        return self.suppressed <= self._budget

    def run(self) -> None:
        """Join parts until a release is feasible, and then while that costs less; last, move values while that does."""
        for steps in (self._joins, self._moves):
            while True:
                found = [steps(column) for column in range(len(self.partition))]
                best = min((step for step in found if step is not None), key=self._price, default=None)
                if best is None:
                    break
                at = best.column
                self.partition = (*self.partition[:at], best.part, *self.partition[at + 1 :])
                self.suppressed += best.lost
            if not self.feasible:
                return

    def _words(self) -> str:
        parts = sum(int(part.max(initial=-1)) + 1 for part in self.partition)
        return f"{parts:,} parts; {self.suppressed:,} records would be suppressed"

    def _price(self, step: Step) -> tuple[float, float]:
        """Return the cost saved; if too many records are suppressed, the price of each that no longer is."""
        if self.feasible:
            return step.cost, step.whole
        return (step.whole / -step.lost if step.lost < 0 else inf), step.whole

    def _joins(self, column: int) -> Step | None:
        """Return the best two parts of a column to join."""
        part = self.partition[column]
        widths = np.bincount(part)
        one, other = np.triu_indices(len(widths), 1)
        sheet, of = self.table.sheet(column, self.partition)
        alone = self._weighed(column, sheet, of, widths, lambda at: lambda counts: counts[at])
        joined = self._weighed(
            column,
            sheet,
            of,
            widths[one] + widths[other],
            lambda at: lambda counts: counts[one[at]] + counts[other[at]],
        )
        best = self._best(joined.minus(alone.of(one), alone.of(other)))
        if best is None:
            return None
        at, more = best
        return Step(*more, column, _numbered(np.where(part == other[at], one[at], part)))

    def _moves(self, column: int) -> Step | None:
        """Return the best value of a column to go from its part to another, or to be one alone."""
        part, values = self.partition[column], np.arange(len(self.partition[column]))
        widths = np.append(np.bincount(part), 0)
        value, to = (each.reshape(-1) for each in np.meshgrid(values, np.arange(len(widths)), indexing="ij"))
        fits = (to != part[value]) & (widths[part[value]] > 1)
        value, to = value[fits], to[fits]
        single = (*self.partition[:column], values, *self.partition[column + 1 :])
        sheet, of = self.table.sheet(column, single)

        def sums(counts: Counts) -> Counts:
            found = np.zeros((len(widths), counts.shape[1]), dtype=counts.dtype)
            np.add.at(found, part, counts)
            return found

        parts = self._weighed(column, sheet, of, widths, lambda at: lambda counts: sums(counts)[at])
        without = self._weighed(
            column, sheet, of, widths[part] - 1, lambda at: lambda counts: sums(counts)[part[at]] - counts[at]
        )
        joined = self._weighed(
            column, sheet, of, widths[to] + 1, lambda at: lambda counts: sums(counts)[to[at]] + counts[value[at]]
        )
        more = joined.minus(parts.of(to), parts.of(part[value]))
        left = without.of(value)
        more = Weighed(more.cost + left.cost, more.whole + left.whole, more.lost + left.lost)
        best = self._best(more)
        if best is None:
            return None
        at, told = best
        return Step(*told, column, _numbered(np.where(values == value[at], to[at], part)))

    def _best(self, more: Weighed) -> tuple[int, tuple[float, float, int]] | None:
        """Return the best of some steps; where a release is feasible, only one that keeps it so and costs less."""
        allowed = np.ones(len(more.cost), dtype=np.bool_)
        if self.feasible:
            allowed = (more.cost < -_LESS) & (self.suppressed + more.lost <= self._budget)
        at = np.flatnonzero(allowed)
        if not len(at):
            return None
        first, second = more.cost[at], more.whole[at]
        if not self.feasible:
            saved = np.maximum(-more.lost[at], 0)
            first = np.divide(second, saved, out=np.full(len(at), inf), where=saved > 0)
        best = int(at[np.lexsort((second, first))[0]])
        return best, (float(more.cost[best]), float(more.whole[best]), int(more.lost[best]))

    def _weighed(self, column: int, sheet: Sheet, of: Codes, widths: Numbers, made: Sums) -> Weighed:
        """Return the cost of sets of values, each of a given size, as parts of a column."""
        self.counted += len(widths)
        pieces = max(1, len(widths) * sheet.sizes.shape[1] // _CELLS)
        found = []
        for at in np.array_split(np.arange(len(widths)), pieces):
            self._watch.tick(self._words())
            rows, cost = sheet.rows(made(at)), self._cost(column, of, sheet, widths[at])
            gone = ~rows.holds(self.table.problem.model)
            lost = np.where(gone, rows.sizes, 0).sum(axis=1)
            found.append(Weighed(cost.of(rows, gone), cost.of(rows, np.zeros_like(gone)), lost))
        return Weighed(*(np.concatenate(each) for each in zip(*found, strict=True)))

    def _cost(self, column: int, of: Codes, sheet: Sheet, widths: Numbers) -> Cost:
        problem = self.table.problem
        records = problem.frequencies.records
        if not isinstance(problem.metric, Loss):
            return DiscernibilityCost(records)
        weights = np.array(problem.priorities or (1.0,) * len(self.partition))
        shares = weights / weights.sum() / np.maximum(1, np.array(self.table.sizes) - 1)
        classes = np.zeros(sheet.sizes.shape[1])
        for at, (part, ranks) in enumerate(zip(self.partition, self.table.ranks, strict=True)):
            if at != column:
                cells = (np.bincount(part)[part] - 1)[ranks] * shares[at]
                each = np.zeros(len(classes))
                each[of] = cells
                classes += each
        return LossCost((widths - 1) * shares[column], classes, 1 / max(1, records))


def _numbered(part: Numbers) -> Numbers:
    """Return parts numbered from 0 on without gaps."""
    return np.unique(part, return_inverse=True)[1].reshape(-1).astype(np.int64)
