"""Discernibility (Bayardo and Agrawal): the number of records that are indistinguishable from each record."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.core.classes import squares
from incrowd.release_metrics.contract import ANY, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class DiscernibilityOfRelease:
    """Sum over records of the size of their class; a suppressed record costs as many as there are records."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "number of indistinguishable records, summed over records (DM)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        return Reading(float(squares(released.sizes) + released.records * released.suppressed))

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (Loukides 2.1.2), class by class."""
        kept = sum(len(group.others) ** 2 for group in page.classes)
        return float(kept + len(page.original) * page.suppressed)


RELEASE_METRIC = DiscernibilityOfRelease
