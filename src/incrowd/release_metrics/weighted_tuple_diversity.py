"""Weighted tuple diversity (Loukides' max-range one): utility and protection of a class in one number."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.errors import UsageError
from incrowd.release_metrics.contract import NO_CLASS, NO_SENSITIVE, SHARE, Bounds, Goal, Reading, Side
from incrowd.release_metrics.protection_measure import class_sensitive_diversity, sensitive_diversity
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.utility_measure import class_spread


@dataclass(frozen=True)
class WeightedTupleDiversity:
    """Mean over classes of w · mean Q-diversity + (1 - w) · mean S-diversity."""

    utility: float = 0.5
    """w, how much utility counts, from 0 to 1; protection counts the rest."""

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "weighted utility and protection of a class, mean over classes (mr_wtd)"

    def __post_init__(self) -> None:
        if not 0 <= self.utility <= 1:
            raise UsageError(f"utility is {self.utility!r}; it must be a weight from 0 to 1")

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and its worst class."""
        if not released.sensitive:
            return NO_SENSITIVE
        if not released.classes:
            return NO_CLASS
        diversity = sensitive_diversity(released)
        if isinstance(diversity, Reading):
            return diversity
        by_class = self.utility * released.spread + (1 - self.utility) * diversity.mean(axis=0)
        return Reading(float(by_class.mean()), {"worst class": float(by_class.max())})

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (Loukides 3.2.1), class by class."""
        if not page.sensitive or not page.classes:
            return None
        total = 0.0
        for at in range(len(page.classes)):
            total += self.utility * class_spread(page, at)
            total += (1 - self.utility) * class_sensitive_diversity(page, at)
        return total / len(page.classes)


RELEASE_METRIC = WeightedTupleDiversity
