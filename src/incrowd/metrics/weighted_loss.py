"""Weighted information loss (ANON's WIL): what the levels cost by the losses that their hierarchies declare."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from incrowd.metrics import Cells, Columns, Levels, Score
from incrowd.metrics.level_costs import LevelScore


@dataclass(frozen=True)
class WeightedLoss:
    """Sum of the loss of each column's level, times the column's weight; suppression costs nothing."""

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        return LevelScore(
            [
                weight * np.array(ladder.hierarchy.losses)
                for ladder, weight in zip(columns.ladders, columns.weights, strict=True)
            ]
        )

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition; no record has a say in it."""
        loss = 0.0
        for at, level in enumerate(levels):
            loss += columns.weights[at] * columns.ladders[at].hierarchy.losses[level]
        return loss


METRIC = WeightedLoss
MEANING = "declared losses of the levels, multiplied by the priorities"
RANK = 13
