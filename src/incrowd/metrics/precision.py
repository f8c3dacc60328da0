"""Precision (Sweeney's, as a loss): how far up its hierarchy a cell was moved."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from incrowd.metrics import Cells, Columns, Levels, Score
from incrowd.metrics.cell_costs import CellScore


@dataclass(frozen=True)
class Precision:
    """Mean over cells of level / height of the hierarchy; a suppressed cell costs 1. Sweeney's Prec is 1 minus this."""

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        ones = [np.ones(len(ladder.values) + 1) for ladder in columns.ladders]
        costs = [
            [level / ladder.height * full for level in range(ladder.height + 1)]
            for ladder, full in zip(columns.ladders, ones, strict=True)
        ]
        return CellScore(columns, costs, ones, columns.shares)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition, record by record."""
        if not records:
            return 0.0
        cost = 0.0
        for record in records:
            for ladder, level, weight in zip(columns.ladders, levels, columns.weights, strict=True):
                cost += weight if record.suppressed else weight * level / ladder.height
        return cost / (sum(columns.weights) * len(records))


METRIC = Precision
MEANING = "level of each cell relative to the height of its hierarchy, on average"
RANK = 6
