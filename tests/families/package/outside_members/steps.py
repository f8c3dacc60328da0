"""Steps: how many levels up in all."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from incrowd.metrics import Cells, Columns, Levels, Score
from incrowd.metrics.level_costs import LevelScore


@dataclass(frozen=True)
class Steps:
    """Sum of the levels, each times a factor."""

    factor: float = 1

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        return LevelScore([self.factor * np.arange(ladder.height + 1, dtype=np.float64) for ladder in columns.ladders])

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the sum by definition."""
        return float(self.factor * sum(levels))


METRIC = Steps
MEANING = "levels up in all"
