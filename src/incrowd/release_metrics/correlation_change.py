"""Change of correlations: how far the correlation of each pair of number columns moves."""

from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, pstdev
from typing import ClassVar

import numpy as np

from incrowd.release_metrics._moments import Moments, moments, numeric_columns, textbook_numbers
from incrowd.release_metrics.contract import NO_CLASS, Bounds, Goal, Reading, Side, nothing
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Numbers

_STILL = 1e-9
"""A column whose standard deviation is this small a part of its original one does not vary."""


@dataclass(frozen=True)
class CorrelationChange:
    """Mean over pairs of columns with numbers of |Pearson's r in the release - original r|.

    A published cell counts as the mean of the numbers that it covers. A column that does not vary has r = 0.
    """

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = (0.0, 2.0)
    meaning: ClassVar[str] = "change of correlations between numeric columns, mean over pairs"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and for each pair of columns."""
        if not released.published:
            return NO_CLASS
        changes = {}
        for pair in combinations(numeric_columns(released), 2):
            before, after = moments(released, pair)
            names = [released.columns[at].scale.name for at in pair]
            if before.records and after.records:
                change = _correlation(after, before.deviations) - _correlation(before, before.deviations)
                changes[" and ".join(names)] = abs(change)
        if not changes:
            return nothing("fewer than two numeric columns")
        return Reading(float(np.mean(list(changes.values()))), changes)

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, pair by pair."""
        changes = []
        for pair in combinations([at for at, base in enumerate(page.bases) if base.numeric], 2):
            numbers = [textbook_numbers(page, at) for at in pair]
            rows = [[row for row in zip(*each, strict=True) if None not in row] for each in zip(*numbers, strict=True)]
            if all(rows):
                changes.append(abs(_by_definition(rows[1], rows[0]) - _by_definition(rows[0], rows[0])))
        return fmean(changes) if changes else None


def _correlation(of: Moments, original: Numbers) -> float:
    if (of.deviations <= _STILL * original).any():
        return 0.0
    return float(np.clip(of.covariance[0, 1] / of.deviations.prod(), -1, 1))


def _by_definition(rows: list[tuple[float, ...]], original: list[tuple[float, ...]]) -> float:
    xs, ys = ([float(number) for number in column] for column in zip(*rows, strict=True))
    for column, before in zip((xs, ys), zip(*original, strict=True), strict=True):
        if pstdev(column) <= _STILL * pstdev(before):
            return 0.0
    products = [(x - fmean(xs)) * (y - fmean(ys)) for x, y in zip(xs, ys, strict=True)]
    return fmean(products) / (pstdev(xs) * pstdev(ys))


RELEASE_METRIC = CorrelationChange
