"""(1,k)-anonymity (Gionis, Mazza and Tassa): the k that the people of a release have."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.metrics._consistency import of_release
from incrowd.metrics._consistent_page import least_of_people
from incrowd.metrics._page import Page
from incrowd.metrics._released import Released
from incrowd.metrics._yardstick import ANY, Bounds, Goal, Reading, Side


@dataclass(frozen=True)
class OneK:
    """The fewest released records that are consistent with an original one: every cell covers the original value.

    Originals that nothing is consistent with were suppressed, and do not count. Where there are more of them than
    records were suppressed, some cell does not cover what it stands for, and the value is 0.
    """

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.HIGH
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "released records that fit an original one, at least: (1,k)-anonymity"

    def measure(self, released: Released) -> Reading:
        """What it says about a release."""
        found = of_release(released)
        return found if isinstance(found, Reading) else Reading(float(found.least_of_people))

    def textbook(self, page: Page) -> float | None:
        """The definition, record by record."""
        return least_of_people(page)


YARDSTICK = OneK
