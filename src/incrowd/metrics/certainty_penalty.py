"""Certainty penalty (NCP of Xu et al.): how much of its column's domain a cell covers, nothing for a single value."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.metrics import Cells, Columns, Levels, Numbers, Score
from incrowd.metrics.cell_costs import CellScore


@dataclass(frozen=True)
class CertaintyPenalty:
    """Mean over cells of the share of the domain; a suppressed cell costs 1.

    Where a hierarchy knows its numbers, the share of their range; else 0 for a single base value and the share of base
    values for several. (Ranges or values of the records in a class, as Loukides takes them, are no property of a cell.)
    """

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        costs = [[_cost(ladder, level) for level in range(ladder.height + 1)] for ladder in columns.ladders]
        lost = [np.ones(len(ladder.values) + 1) for ladder in columns.ladders]
        return CellScore(columns, costs, lost, columns.shares)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition, record by record."""
        if not records:
            return 0.0
        cost = 0.0
        for record in records:
            for at, (ladder, level) in enumerate(zip(columns.ladders, levels, strict=True)):
                cell = 1.0 if record.suppressed else _textbook_cell(ladder, level, record.values[at])
                cost += columns.weights[at] * cell
        return cost / (sum(columns.weights) * len(records))


def _cost(ladder: EncodedHierarchy, level: int) -> Numbers:
    """Return what the cell of each of the column's codes costs."""
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


def _textbook_cell(ladder: EncodedHierarchy, level: int, value: int) -> float:
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
MEANING = "width of the published values, relative to the whole column"
RANK = 2
