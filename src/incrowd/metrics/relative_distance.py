"""Relative distance (Samarati): how many of the possible steps the columns were generalized."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from incrowd.metrics import Cells, Columns, Levels, Score
from incrowd.metrics.level_costs import LevelScore


@dataclass(frozen=True)
class RelativeDistance:
    """Sum of level / height of its hierarchy, each times its column's weight; suppression costs nothing."""

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        return LevelScore(
            [
                weight * np.arange(ladder.height + 1) / ladder.height
                for ladder, weight in zip(columns.ladders, columns.weights, strict=True)
            ]
        )

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition; no record has a say in it."""
        distance = 0.0
        for at, level in enumerate(levels):
            distance += columns.weights[at] * level / columns.ladders[at].height
        return distance


METRIC = RelativeDistance
MEANING = "sum of the levels, each relative to the height of its hierarchy"
RANK = 11
