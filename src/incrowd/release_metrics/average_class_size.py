"""Average class size (LeFevre's C_AVG, times k): how many records share a published row."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics.contract import ANY, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class AverageClassSizeOfRelease:
    """Records over classes; all suppressed records together are one more class."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "records divided by classes; all suppressed records count as one more class"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        classes = released.classes + bool(released.suppressed)
        return Reading(released.records / classes if classes else 0.0)

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, class by class."""
        groups = [group.others for group in page.classes] + [()] * (page.suppressed > 0)
        return len(page.original) / len(groups) if groups else 0.0


RELEASE_METRIC = AverageClassSizeOfRelease
