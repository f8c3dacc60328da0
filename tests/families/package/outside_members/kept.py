"""Kept: the share of records that are published."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics.contract import SHARE, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class Kept:
    """Share of the original's records that the release has."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.HIGH
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "share of records that are published"

    def measure(self, released: Released) -> Reading:
        """Measure a release."""
        return Reading(1 - released.suppressed / max(1, released.records))

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the share by definition."""
        return sum(len(group.others) for group in page.classes) / max(1, len(page.original))


RELEASE_METRIC = Kept
