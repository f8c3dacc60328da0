"""Classification (Iyengar's CM): how many records have another label than most of their class."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.release_metrics.contract import SHARE, Bounds, Goal, Reading, Side, nothing
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released

NO_LABEL = nothing("no label (the column to predict) is given")


@dataclass(frozen=True)
class Classification:
    """Share of the records whose label is not their class's most frequent one; a suppressed record is one of them."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "share of records without the majority label of their class (CM)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        if released.label is None:
            return NO_LABEL
        histogram = released.histogram(released.label)
        if histogram is None:
            return nothing("the labels are not published unchanged")
        most = np.zeros(released.classes, dtype=np.int64)
        np.maximum.at(most, histogram.owner, histogram.counts)
        return Reading((released.records - int(most.sum())) / max(1, released.records))

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (Loukides 2.1.6), class by class."""
        if page.label is None:
            return None
        wrong = page.suppressed
        for group in page.classes:
            labels = Counter(page.values(group, page.label))
            wrong += len(group.others) - max(labels.values())
        return wrong / len(page.original) if page.original else 0.0


RELEASE_METRIC = Classification
