"""Height (Samarati's absolute distance): how many steps the columns were generalized."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from incrowd.metrics import Cells, Columns, Levels, Score
from incrowd.metrics.level_costs import LevelScore


@dataclass(frozen=True)
class Height:
    """Sum of the levels, each times its column's weight; suppression costs nothing."""

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        return LevelScore(
            [
                weight * np.arange(ladder.height + 1, dtype=np.float64)
                for ladder, weight in zip(columns.ladders, columns.weights, strict=True)
            ]
        )

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition; no record has a say in it."""
        return float(sum(columns.weights[at] * level for at, level in enumerate(levels)))


METRIC = Height
MEANING = "sum of the levels of all columns"
RANK = 8
