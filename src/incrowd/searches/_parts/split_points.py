"""The splits of a set-enumeration, and the lower bound of a node of its tree.

Splits of the column with the most values, the **line**, are not enumerated: given the splits of all other columns, its
best intervals are a shortest way, because what an interval costs does not depend on the others.

The lower bound of a node with the splits of its **head** made and those of its **tail** left open. Let I be an interval
of the line and E a class of the head among its records. Below the node

1. E is split further or stays as it is. Records of E that the model calls lost, however E is split, are suppressed;
   where all of E is lost, E costs what suppressed records cost.
2. No class of head and tail together is split any further. So a record is in a class at least as large as that one,
   and where it is kept, at least as large as k. A cost that never falls when classes are joined is at least what the
   classes of head and tail cost, each record counted as in no class smaller than k; a suppressed record costs no less.

So I costs at least the sum over its classes, and no release below the node costs less than the shortest way through
such intervals, or than the shortest one that loses no more records than may be suppressed. An interval through which
no way is shorter than the best release known is none of a better release here or below, since both sums only grow on
the way down: it is never looked at again.
"""

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.table import Codes
from incrowd.searches._parts.costs import Cost
from incrowd.searches._parts.intervals import Costs, Intervals, Way, cheapest, reached
from incrowd.searches._parts.sheet import Sheet, numbered
from incrowd.searches._parts.table import Partition, PartTable
from incrowd.watch import Watch

Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_CELLS = 1 << 16
"""Sheets are worked through in pieces of about so many cells, which fit into a processor's cache."""


class Best(NamedTuple):
    """The best partition so far."""

    cost: float
    splits: Mask
    way: Way


class Bound(NamedTuple):
    """The lower bound of a node."""

    cost: float
    """No release below costs less; where the tail is empty this is what the best one costs."""
    way: Way | None
    intervals: Numbers
    """Those that a better release may have."""


@dataclass(frozen=True, eq=False)
class SplitPoints:
    """The line, and the splits of the other columns."""

    table: PartTable
    cost: Cost
    watch: Watch

    @cached_property
    def line(self) -> int:
        """The column with the most values."""
        return int(np.argmax(self.table.sizes)) if self.table.sizes else 0

    @cached_property
    def values(self) -> int:
        """How many values the line has."""
        return self.table.sizes[self.line]

    @cached_property
    def others(self) -> list[int]:
        """The other columns."""
        return [at for at in range(len(self.table.sizes)) if at != self.line]

    @cached_property
    def column(self) -> Numbers:
        """The column of each split."""
        return np.array([at for at in self.others for _ in range(1, self.table.sizes[at])], dtype=np.int64)

    @cached_property
    def position(self) -> Numbers:
        """The position of the value that each split opens an interval with."""
        found = [place for at in self.others for place in range(1, self.table.sizes[at])]
        return np.array(found, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.column)

    @cached_property
    def _ground(self) -> tuple[Sheet, Codes]:
        """The line against all combinations of the other columns, summed up, and their positions in these."""
        table, counts = self.table, self.table.problem.frequencies.counts
        ranks = [table.ranks[at] for at in self.others]
        of, n = numbered(ranks, [max(1, table.sizes[at]) for at in self.others], len(counts))
        positions = np.zeros((len(ranks), n), dtype=np.int32)
        for row, each in zip(positions, ranks, strict=True):
            row[of] = each
        return Sheet.of(table.ranks[self.line], self.values, of, n, counts, table.values).summed(), positions

    @cached_property
    def ends(self) -> tuple[Numbers, Numbers]:
        """Where every interval of the line begins and ends."""
        first, last = np.triu_indices(self.values + 1, 1)
        return first.astype(np.int64), last.astype(np.int64)

    def parts(self, splits: Mask, column: int) -> Numbers:
        """Return the part of each value of a column that is not the line."""
        return np.append(0, np.cumsum(splits[self.column == column]))

    def classes(self, splits: Mask) -> tuple[Codes, int]:
        """Return the class of each combination of the other columns."""
        positions = self._ground[1]
        parts = [self.parts(splits, at) for at in self.others]
        cells = [part[row] for part, row in zip(parts, positions, strict=True)]
        return numbered(cells, [int(part[-1]) + 1 for part in parts], positions.shape[1])

    def useless(self, head: Mask, tail: Mask) -> Mask:
        """Return splits of the tail that split classes of the head only into parts that are all smaller than k.

        All records of the classes that such a split splits are suppressed with it, here and below. Without it each of
        them costs no more, and no more of them are suppressed; all other classes are the same. So it is never needed.
        """
        of, n = self.classes(head)
        positions = self._ground[1]
        sizes = self._ground[0].sizes[-1]
        found = np.zeros(len(tail), dtype=np.bool_)
        for split in np.flatnonzero(tail):
            self.watch.tick("looking for splits that help")
            above = positions[self.others.index(int(self.column[split]))] >= self.position[split]
            low, high = (np.bincount(of[side], weights=sizes[side], minlength=n) for side in (~above, above))
            parted = (low > 0) & (high > 0)
            found[split] = (np.maximum(low, high)[parted] < self.table.least).all()
        return found

    def bound(self, head: Mask, tail: Mask, intervals: Numbers, limit: float) -> Bound:
        """Return the lower bound of a node from intervals that may be used, and those that a cheaper release may
        have."""
        found = self._costs(head, tail, intervals)
        before, after = reached(found, self.values)
        way = cheapest(found, self.values, self.table.problem.budget, before, after)
        left = before[found.first] + found.cost + after[found.last] < limit
        return Bound(inf if way is None else way.cost, way, intervals[left])

    def _costs(self, head: Mask, tail: Mask, intervals: Numbers) -> Intervals:
        """Return lower bounds of the cost of intervals and of their lost records; they are exact without a tail."""
        problem, ground = self.table.problem, self._ground[0]
        model = problem.model
        of, n = self.classes(head)
        of_fine, n_fine = self.classes(head | tail)
        above = np.empty(n_fine, dtype=np.int64)
        above[of_fine] = of
        coarse, fine = ground.only(model.needs).joined(of, n), ground.only(self.cost.needs).joined(of_fine, n_fine)
        first, last = (ends[intervals] for ends in self.ends)
        pieces = max(1, len(intervals) * n_fine // _CELLS)
        costs: list[Costs] = []
        losts: list[Numbers] = []
        for low, high in zip(np.array_split(first, pieces), np.array_split(last, pieces), strict=True):
            self.watch.tick(f"bounding {len(intervals):,} intervals")
            here, there = _between(coarse, low, high), _between(fine, low, high)
            lost = here.lost(model) if tail.any() else np.where(here.holds(model), 0, here.sizes)
            gone, total = lost == here.sizes, lost.sum(axis=1)
            cost = self.cost.of(there, gone[:, above], self.table.least if tail.any() else 0)
            allowed = problem.budget if model.suppressible or tail.any() else 0
            cost[total > allowed] = inf
            costs.append(cost)
            losts.append(total)
        return Intervals(first, last, np.concatenate(costs), np.concatenate(losts))

    def partition(self, best: Best) -> Partition:
        """Return the part of each value of each column."""
        opened = np.zeros(self.values, dtype=np.int64)
        opened[list(best.way.starts[1:])] = 1
        return tuple(
            np.cumsum(opened) if at == self.line else self.parts(best.splits, at) for at in range(len(self.table.sizes))
        )


def _between(summed: Sheet, first: Numbers, last: Numbers) -> Sheet:
    return summed.rows(lambda counts: counts[last] - counts[first])
