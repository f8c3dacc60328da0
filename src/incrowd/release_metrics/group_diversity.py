"""Group diversity (Loukides): utility and range disclosure of a class, with equal weights."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics.contract import SHARE, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.utility_measure import class_spread
from incrowd.release_metrics.worst_group_protection import class_range_diversity, range_diversity


@dataclass(frozen=True)
class GroupDiversity:
    """Mean over classes of (mean Q-diversity + range diversity) / 2."""

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "utility and range disclosure of a class, equal weights, mean over classes"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and its worst class."""
        found = range_diversity(released)
        if isinstance(found, Reading):
            return found
        by_class = (released.spread + found) / 2
        return Reading(float(by_class.mean()), {"worst class": float(by_class.max())})

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (Loukides 5.2.4), class by class."""
        if not page.sensitive or not page.classes:
            return None
        numbers = range(len(page.classes))
        return sum(class_spread(page, at) / 2 + class_range_diversity(page, at) / 2 for at in numbers) / len(numbers)


RELEASE_METRIC = GroupDiversity
