"""(1,k)-anonymity (Gionis, Mazza and Tassa): the k that the people of a release have."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics._consistency import of_release
from incrowd.release_metrics._consistent_reference import least_of_people
from incrowd.release_metrics.contract import ANY, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class OneK:
    """The fewest released records that are consistent with an original one: every cell covers the original value.

    Originals without a consistent record were suppressed, and do not count. If there are more of them than suppressed
    records, some cell does not cover its original value, and the value is 0.
    """

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.HIGH
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "fewest released records consistent with an original one: (1,k)-anonymity"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        found = of_release(released)
        return found if isinstance(found, Reading) else Reading(float(found.least_of_people))

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, record by record."""
        return least_of_people(page)


RELEASE_METRIC = OneK
