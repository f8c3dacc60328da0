"""Smallest class: the k that a release has."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics.contract import ANY, NO_CLASS, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class SmallestClass:
    """Records of the smallest class; 1 over it is the highest risk of being found."""

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.HIGH
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "records of the smallest class (k)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        return Reading(float(released.smallest)) if released.classes else NO_CLASS

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, class by class."""
        return min((float(len(group.others)) for group in page.classes), default=None)


RELEASE_METRIC = SmallestClass
