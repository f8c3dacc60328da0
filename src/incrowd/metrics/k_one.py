"""(k,1)-anonymity (Gionis, Mazza and Tassa): the k that the records of a release have."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.metrics._consistency import of_release
from incrowd.metrics._consistent_page import least_of_rows
from incrowd.metrics._page import Page
from incrowd.metrics._released import Released
from incrowd.metrics._yardstick import ANY, Bounds, Goal, Reading, Side


@dataclass(frozen=True)
class KOne:
    """The fewest original records that are consistent with a released one: every cell covers the original value."""

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.HIGH
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "original records that fit a released one, at least: (k,1)-anonymity"

    def measure(self, released: Released) -> Reading:
        """What it says about a release."""
        found = of_release(released)
        return found if isinstance(found, Reading) else Reading(float(found.least_of_rows))

    def textbook(self, page: Page) -> float | None:
        """The definition, record by record."""
        return least_of_rows(page)


YARDSTICK = KOne
