"""Certainty penalty (NCP of Xu et al.): how much of its column's domain a cell covers, nothing for a single value."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.core.axes import Kind
from incrowd.core.hierarchy import Ladder
from incrowd.core.table import MISSING, Codes
from incrowd.errors import UsageError
from incrowd.metrics import Cells, Columns, Levels, Numbers, Score
from incrowd.metrics._cells import CellScore
from incrowd.metrics._covers import Covers
from incrowd.metrics._page import Base, Page, Value, covered, spread
from incrowd.metrics._released import Released
from incrowd.metrics._yardstick import ANY, Bounds, Goal, Reading, Side


@dataclass(frozen=True)
class CertaintyPenalty:
    """Mean over cells of the share of the domain; a suppressed cell costs 1.

    Where a hierarchy knows its numbers, the share of their range; else 0 for a single base value and the share of base
    values for several. (Ranges or values of the records in a class, as Loukides takes them, are no property of a cell.)
    """

    def prepare(self, columns: Columns) -> Score:
        """Lay the metric along a table."""
        costs = [[_cost(ladder, level) for level in range(ladder.height + 1)] for ladder in columns.ladders]
        lost = [np.ones(len(ladder.values) + 1) for ladder in columns.ladders]
        return CellScore(columns, costs, lost, columns.shares)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """The definition, record by record."""
        if not records:
            return 0.0
        cost = 0.0
        for record in records:
            for at, (ladder, level) in enumerate(zip(columns.ladders, levels, strict=True)):
                cell = 1.0 if record.suppressed else _textbook_cell(ladder, level, record.values[at])
                cost += columns.weights[at] * cell
        return cost / (sum(columns.weights) * len(records))


def _cost(ladder: Ladder, level: int) -> Numbers:
    """What the cell of each of the column's codes costs."""
    hierarchy = ladder.hierarchy
    covered = ladder.covered(level)
    if level == 0:
        return np.zeros(len(covered))
    if hierarchy.spans is not None and _range(hierarchy.spans[-1][0]) > 0:
        ranges = [_range(span) for span in hierarchy.spans[level]]
        # In a ladder 0 is missing, a single value.
        return np.array([0.0, *ranges])[ladder.up[level]] / _range(hierarchy.spans[-1][0])
    return np.where(covered > 1, covered / hierarchy.domain, 0.0)


def _range(span: tuple[float, float]) -> float:
    return span[1] - span[0]


def _textbook_cell(ladder: Ladder, level: int, value: int) -> float:
    hierarchy = ladder.hierarchy
    label = int(ladder.up[level][value]) - 1
    if level == 0 or label < 0:
        return 0.0
    if hierarchy.spans is not None:
        lowest, highest = hierarchy.spans[hierarchy.height][0]
        if lowest < highest:
            low, high = hierarchy.spans[level][label]
            return (high - low) / (highest - lowest)
    values = sum(1 for code in hierarchy.codes[level] if code == label)
    values += hierarchy.lists_missing and hierarchy.missing[level] == label
    return values / hierarchy.domain if values > 1 else 0.0


METRIC = CertaintyPenalty


@dataclass(frozen=True)
class CertaintyPenaltyOfRelease:
    """Sum over cells of the share of the domain; a suppressed cell costs 1.

    Of numbers the share of their range. Of other values as `values` says: `distinct`, those behind the cell over those
    of the table (Loukides 2.1.5, where a single value costs something too), `leaves`, the base values that the cell
    covers over all of them, or `xu`, the same with nothing for a single one (Xu et al.).
    """

    values: str = "distinct"
    """`distinct`, `leaves` or `xu`."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "sum over cells of the share of its column's domain that a cell covers (NCP)"

    def __post_init__(self) -> None:
        if self.values not in ("distinct", "leaves", "xu"):
            raise UsageError.not_one_of("values", self.values, ("distinct", "leaves", "xu"))

    def measure(self, released: Released) -> Reading:
        """What it says about a release, about each column, and the mean over cells."""
        costs = {}
        for at, covers in enumerate(released.columns[: released.quasi]):
            shares = self._shares(covers, np.unique(released.original.codes[at]))
            costs[covers.scale.name] = float(shares[released.cells[at]] @ released.counts) + released.suppressed
        cells = max(1, released.records * released.quasi)
        return Reading(sum(costs.values()), {**costs, "mean": sum(costs.values()) / cells})

    def _shares(self, covers: Covers, in_table: Codes) -> Numbers:
        """What each cell costs."""
        if covers.scale.axis.kind == Kind.NUMBERS:
            return covers.spread
        if self.values == "distinct":
            behind = covers.known(MISSING in in_table) if covers.distinct is None else covers.distinct
            return behind / max(1, len(in_table))
        shares = covers.count / max(1, covers.scale.size)
        return shares if self.values == "leaves" else np.where(covers.count > 1, shares, 0.0)

    def textbook(self, page: Page) -> float | None:
        """The definition, cell by cell."""
        cost = float(page.suppressed * page.quasi)
        for group in page.classes:
            for at in range(page.quasi):
                in_table = {record[at] for record in page.original}
                behind = {record[at] for record in group.behind}
                cost += len(group.others) * self._cell(group.cells[at], page.bases[at], behind, in_table)
        return cost

    def _cell(self, cell: frozenset[Value], base: Base, behind: set[Value], in_table: set[Value]) -> float:
        if base.numeric and base.paths is None:
            return spread(cell, base)
        if self.values == "distinct":
            return len(behind) / len(in_table)
        values = covered(cell, base)
        return 0.0 if self.values == "xu" and values == 1 else values / max(1, len(base.values))


YARDSTICK = CertaintyPenaltyOfRelease
