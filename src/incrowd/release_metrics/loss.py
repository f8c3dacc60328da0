"""Loss (Iyengar's LM, as a mean): how much of its column's domain a cell still leaves open."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.release_metrics.contract import SHARE, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease, spread
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class LossOfRelease:
    """Mean over cells of the share of the domain that a cell covers beyond one value; a suppressed cell costs 1.

    Of numbers the share of their range, else (base values covered - 1) / (base values - 1). Iyengar's own LM is the sum
    over the columns of their means.
    """

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "information loss: share of the column's domain that a cell leaves open, mean (LM)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, for each column, and the sum over the columns."""
        if not released.records:
            return Reading(0.0)
        means = (released.spreads @ released.sizes + released.suppressed) / released.records
        weights = np.array(released.weights or (1.0,) * released.quasi)
        by_column = dict(zip(released.original.names, means.tolist(), strict=False))
        return Reading(float(weights @ means / weights.sum()), {**by_column, "sum": float(means.sum())})

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, cell by cell."""
        weights = page.weights or (1.0,) * page.quasi
        cost = page.suppressed * sum(weights)
        for group in page.classes:
            for cell, base, weight in zip(group.cells, page.bases, weights, strict=False):
                cost += len(group.others) * weight * spread(cell, base)
        return cost / (sum(weights) * len(page.original)) if page.original else 0.0


RELEASE_METRIC = LossOfRelease
