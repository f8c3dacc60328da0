"""Loss (Iyengar's LM, as a mean): how much of its column's domain a cell still leaves open."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from incrowd.metrics import Cells, Columns, Levels, Score
from incrowd.metrics.cell_costs import CellScore


@dataclass(frozen=True)
class Loss:
    """Mean over cells of (base values covered - 1) / (base values of the hierarchy - 1); a suppressed cell costs 1."""

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        costs = [[ladder.spread(level) for level in range(ladder.height + 1)] for ladder in columns.ladders]
        lost = [np.ones(len(ladder.values) + 1) for ladder in columns.ladders]
        return CellScore(columns, costs, lost, columns.shares)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition, record by record."""
        cost = 0.0
        for record in records:
            for at, (ladder, level) in enumerate(zip(columns.ladders, levels, strict=True)):
                label = ladder.up[level][record.values[at]]
                covered = 1
                if level and label:
                    covered = sum(1 for row in ladder.hierarchy.codes[level] if row + 1 == label)
                    covered += ladder.hierarchy.lists_missing and ladder.hierarchy.missing[level] + 1 == label
                domain = ladder.hierarchy.domain
                cell = (covered - 1) / (domain - 1) if domain > 1 else float(level == ladder.height)
                cost += columns.weights[at] * (1.0 if record.suppressed else cell)
        return cost / (sum(columns.weights) * len(records)) if records else 0.0


METRIC = Loss
MEANING = "information loss of each column, on average"
RANK = 1
