"""The table as set-partitioning sees it: each column's values in their order, and what a partition costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Columns
from incrowd.core.table import Codes
from incrowd.errors import UsageError
from incrowd.searches import Problem
from incrowd.searches._parts.costs import Cost
from incrowd.searches._parts.sheet import Sheet, Valued, numbered
from incrowd.searches.mondrian import smallest
from incrowd.text import number

Partition = tuple[NDArray[np.int64], ...]
"""Per column the part of each of its values, the values in their order."""

MOST_VALUES = 1_000
"""Columns with more are refused: every interval of the longest one is looked at, so that time grows with its square."""


class JudgedPartition(NamedTuple):
    """A partition that was counted and judged."""

    cost: float
    suppressed: int
    feasible: bool


@dataclass(frozen=True, eq=False)
class PartTable:
    """Distinct combinations, by the positions of their values."""

    problem: Problem
    codes: tuple[Codes, ...]
    """Per quasi-identifier the codes that occur, in the order of its axis."""
    ranks: tuple[Codes, ...]
    """Per quasi-identifier and combination the position of its value among these."""
    values: Mapping[Columns, Valued]
    """The columns that the models and the label need."""

    @classmethod
    def of(cls, problem: Problem, search: str, label: Columns | None = None) -> "PartTable":
        """Return the table of a problem; refuse columns with too many values."""
        codes, ranks = [], []
        for axis, cells in zip(problem.axes, problem.frequencies.codes, strict=False):
            found, at = np.unique(axis.rank[cells], return_inverse=True)
            if len(found) > MOST_VALUES:
                raise UsageError.invalid(
                    f"{search} with column {axis.name!r}",
                    f"it has {number(len(found))} different values; the limit is {number(MOST_VALUES)}",
                    "round its values first, or choose another search such as mondrian",
                )
            codes.append(axis.code[found])
            ranks.append(at.reshape(-1).astype(np.int32))
        needs = dict.fromkeys([*problem.model.needs, *([] if label is None else [label])])
        return cls(problem, tuple(codes), tuple(ranks), _valued(problem, tuple(needs)))

    @property
    def sizes(self) -> list[int]:
        """Per column how many values it has."""
        return [len(codes) for codes in self.codes]

    @cached_property
    def least(self) -> int:
        """No class that is kept is smaller: k, where the models ask for it."""
        return smallest(self.problem.model)

    @property
    def coarsest(self) -> Partition:
        """One part a column."""
        return tuple(np.zeros(size, dtype=np.int64) for size in self.sizes)

    @property
    def finest(self) -> Partition:
        """Every value is a part."""
        return tuple(np.arange(size) for size in self.sizes)

    def sheet(self, column: int, partition: Partition) -> tuple[Sheet, Codes]:
        """Return a row for each part of one column, a class for each class of the others, and that of each
        combination."""
        others = [at for at in range(len(self.ranks)) if at != column]
        parts = [partition[at][self.ranks[at]] for at in others]
        counts = self.problem.frequencies.counts
        of, n = numbered(parts, [max(1, self.sizes[at]) for at in others], len(counts))
        rows = partition[column][self.ranks[column]]
        return Sheet.of(rows, int(partition[column].max(initial=-1)) + 1, of, n, counts, self.values), of

    def judged(self, partition: Partition, cost: Cost | None = None) -> JudgedPartition:
        """Return the release with these parts; classes that violate the models are suppressed, and the cost is 0 if
        none is given."""
        counts = self.problem.frequencies.counts
        parts = [part[ranks] for part, ranks in zip(partition, self.ranks, strict=True)]
        of, n = numbered(parts, [max(1, size) for size in self.sizes], len(counts))
        sheet = Sheet.of(np.zeros(len(counts), dtype=np.int64), 1, of, n, counts, self.values)
        gone = ~sheet.holds(self.problem.model)
        suppressed = int(sheet.sizes[gone].sum())
        broken = not self.problem.model.suppressible and bool(gone.any())
        paid = 0.0 if cost is None else float(cost.of(sheet, gone)[0])
        return JudgedPartition(paid, suppressed, suppressed <= self.problem.budget and not broken)


def _valued(problem: Problem, needs: Sequence[Columns]) -> dict[Columns, Valued]:
    """Return each combination as a class of its own has one value."""
    frequencies = problem.frequencies
    each = np.arange(frequencies.combinations, dtype=np.int32)
    classes = frequencies.grouped(each, len(each), needs, problem.sensitive)
    return {
        columns: Valued(histogram.domain, histogram.values, max(1, len(histogram.domain.whole)))
        for columns, histogram in classes.histograms.items()
    }
