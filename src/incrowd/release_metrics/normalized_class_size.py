"""Normalized class size (LeFevre's C_AVG): how much larger than necessary a class is on average."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics.contract import ANY, NO_CLASS, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class NormalizedClassSize:
    """Published records divided by classes and k; if k is not known, the smallest class takes its place."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "mean class size, in units of k (C_AVG)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        if not released.classes:
            return NO_CLASS
        return Reading(released.published / (released.classes * (released.k or released.smallest)))

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (Loukides 2.1.3), of the published classes alone."""
        sizes = [len(group.others) for group in page.classes]
        return sum(sizes) / (len(sizes) * (page.k or min(sizes))) if sizes else None


RELEASE_METRIC = NormalizedClassSize
