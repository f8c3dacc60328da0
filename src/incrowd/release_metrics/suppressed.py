"""Suppressed (Samarati's preference): how many records are not published."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics.contract import ANY, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class SuppressedInRelease:
    """Number of records that the original has and the release has not."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "records not published"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and its share of all records."""
        return Reading(float(released.suppressed), {"share": released.suppressed / max(1, released.records)})

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition."""
        return float(len(page.original) - sum(len(group.others) for group in page.classes))


RELEASE_METRIC = SuppressedInRelease
