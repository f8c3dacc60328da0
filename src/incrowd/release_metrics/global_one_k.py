"""Global (1,k)-anonymity (Gionis, Mazza and Tassa): k against an attacker who knows the whole table."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics._consistency import matched
from incrowd.release_metrics._consistent_reference import least_matches
from incrowd.release_metrics.contract import ANY, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class GlobalOneK:
    """The fewest matches of an original record: released ones that are consistent with it and may be its own.

    One may where all released records can be given to different originals they are consistent with, this one to this
    original. Originals without a match were suppressed, and do not count. Where the released records cannot be given to
    different originals at all, the value is 0.
    """

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.HIGH
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "fewest released records that match an original, against full knowledge: global (1,k)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        return matched(released)

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition: every pair is tried."""
        return least_matches(page)


RELEASE_METRIC = GlobalOneK
