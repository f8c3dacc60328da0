"""Worst-group utility (Loukides' WGU): which share of their domains the cells of the worst class cover."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics.contract import NO_CLASS, SHARE, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease, spread
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class WorstGroupUtility:
    """Largest mean Q-diversity over the quasi-identifiers that a class has."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "share of the column's domain that a cell covers, in the worst class (WGU)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        return Reading(float(released.spread.max())) if released.classes else NO_CLASS

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (Loukides 5.2.2), class by class."""
        means = []
        for group in page.classes:
            shares = [spread(cell, base) for cell, base in zip(group.cells, page.bases, strict=False)]
            means.append(sum(shares) / len(shares))
        return max(means, default=None)


RELEASE_METRIC = WorstGroupUtility
