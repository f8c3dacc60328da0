"""Protection measure (Loukides' MPM): how close together the sensitive values of a class are, averaged over classes."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.release_metrics.contract import NO_CLASS, NO_SENSITIVE, SHARE, Bounds, Goal, Reading, Side, nothing
from incrowd.release_metrics.reference import ReferenceRelease, spread, under_one_node
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Numbers


@dataclass(frozen=True)
class ProtectionMeasure:
    """Mean over classes of the mean S-diversity over the sensitive columns.

    S-diversity is 1 minus the share of the domain that the class's sensitive values span: 1 where all have one value.
    """

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "1 - share of the domain that a class's sensitive values span, mean over classes (MPM)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and for each sensitive column."""
        if not released.sensitive:
            return NO_SENSITIVE
        if not released.classes:
            return NO_CLASS
        found = sensitive_diversity(released)
        if isinstance(found, Reading):
            return found
        by_column = dict(zip(released.sensitive, found.mean(axis=1).tolist(), strict=True))
        return Reading(float(found.mean()), by_column)

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (Loukides 3.1.3 and 3.1.4), class by class."""
        if not page.sensitive or not page.classes:
            return None
        means = [class_sensitive_diversity(page, at) for at in range(len(page.classes))]
        return sum(means) / len(means)


def sensitive_diversity(released: Released) -> Numbers | Reading:
    """Return sensitive columns x classes: S-diversity; or the reason why it is not known."""
    rows = []
    for name in released.sensitive:
        spanned = released.spanned(name)
        if spanned is None:
            return nothing(f"the values of {name} are not published unchanged")
        rows.append(1 - spanned.spread)
    return np.array(rows).reshape(len(released.sensitive), released.classes)


def class_sensitive_diversity(page: ReferenceRelease, at: int) -> float:
    """Return the mean S-diversity of a class over the sensitive columns."""
    diversity = 0.0
    for column in page.sensitive:
        values = under_one_node(page.values(page.classes[at], column), page.bases[column])
        diversity += 1 - spread(values, page.bases[column])
    return diversity / len(page.sensitive)


RELEASE_METRIC = ProtectionMeasure
