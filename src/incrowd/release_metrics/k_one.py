"""(k,1)-anonymity (Gionis, Mazza and Tassa): the k that the records of a release have."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics._consistency import of_release
from incrowd.release_metrics._consistent_reference import least_of_rows
from incrowd.release_metrics.contract import ANY, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class KOne:
    """The fewest original records that are consistent with a released one: every cell covers the original value."""

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.HIGH
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "fewest original records consistent with a released one: (k,1)-anonymity"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        found = of_release(released)
        return found if isinstance(found, Reading) else Reading(float(found.least_of_rows))

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, record by record."""
        return least_of_rows(page)


RELEASE_METRIC = KOne
