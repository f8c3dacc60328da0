"""Change of means: how far the mean of each number column moves."""

from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import ClassVar

import numpy as np

from incrowd.release_metrics._moments import moments, numeric_columns, textbook_numbers
from incrowd.release_metrics.contract import ANY, NO_CLASS, Bounds, Goal, Reading, Side, nothing
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class MeanChange:
    """Mean over the columns with numbers of |mean in the release - original mean| / original standard deviation.

    A published cell counts as the mean of the numbers that it covers.
    """

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "change of column means, in standard deviations, mean over columns"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and for each column."""
        if not released.published:
            return NO_CLASS
        changes = {}
        for at in numeric_columns(released):
            before, after = moments(released, [at])
            if before.deviations[0] > 0 and after.records:
                change = abs(after.means[0] - before.means[0]) / before.deviations[0]
                changes[released.columns[at].scale.name] = float(change)
        if not changes:
            return nothing("no numeric column with distinct values")
        return Reading(float(np.mean(list(changes.values()))), changes)

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, column by column."""
        changes = []
        for at, base in enumerate(page.bases):
            before, after = textbook_numbers(page, at)
            there, here = [x for x in before if x is not None], [x for x in after if x is not None]
            if base.numeric and here and there and pstdev(there) > 0:
                changes.append(abs(fmean(here) - fmean(there)) / pstdev(there))
        return fmean(changes) if changes else None


RELEASE_METRIC = MeanChange
