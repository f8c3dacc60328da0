"""(k,k)-anonymity (Gionis, Mazza and Tassa): the k that people and records of a release both have."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics._consistency import of_release
from incrowd.release_metrics._consistent_reference import least_of_people, least_of_rows
from incrowd.release_metrics.contract import ANY, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class KK:
    """The lesser of one_k and k_one."""

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.HIGH
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "fewest consistent records on either side: (k,k)-anonymity"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        found = of_release(released)
        if isinstance(found, Reading):
            return found
        return Reading(float(min(found.least_of_people, found.least_of_rows)))

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, record by record."""
        people, rows = least_of_people(page), least_of_rows(page)
        return None if people is None or rows is None else min(people, rows)


RELEASE_METRIC = KK
