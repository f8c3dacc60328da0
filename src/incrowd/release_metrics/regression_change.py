"""Change of regression coefficients: how far the coefficients of a linear model fitted to the release move."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import ClassVar

import numpy as np

from incrowd.release_metrics._moments import Moments, moments, numeric_columns, textbook_numbers
from incrowd.release_metrics.contract import ANY, NO_CLASS, Bounds, Goal, Reading, Side, nothing
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Numbers

_RIDGE = 1e-6
"""Added to the variance of each column, which keeps coefficients defined where one does not vary or repeats another."""

NO_MODEL = nothing("a linear model needs a label or sensitive column, and a quasi-identifier, with distinct numbers")


@dataclass(frozen=True)
class RegressionChange:
    """Mean over coefficients of |coefficient in the release - original one|, by least squares.

    The label, or else the first sensitive column with numbers, is explained by the quasi-identifiers with numbers, all
    in original standard deviations. A published cell counts as the mean of the numbers that it covers.
    """

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "change of a linear model's coefficients, in standard deviations, mean"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and for each coefficient."""
        if not released.published:
            return NO_CLASS
        numeric = [at for at in numeric_columns(released) if moments(released, [at])[0].deviations[0] > 0]
        wanted = [released.label, *released.sensitive]
        target = next((at for name in wanted for at in numeric if released.original.names[at] == name), None)
        causes = [at for at in numeric if at < released.quasi and at != target]
        if target is None or not causes:
            return NO_MODEL
        before, after = moments(released, [*causes, target])
        if not before.records or not after.records or not before.deviations.all():
            return NO_MODEL
        changes = np.abs(_coefficients(after, before.deviations) - _coefficients(before, before.deviations))
        names = [released.columns[at].scale.name for at in causes]
        return Reading(float(changes.mean()), dict(zip(names, changes.tolist(), strict=True)))

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, by the normal equations."""
        numbers = {at: textbook_numbers(page, at) for at, base in enumerate(page.bases) if base.numeric}
        numbers = {at: each for at, each in numbers.items() if _varies(each[0])}
        wanted = [page.label, *page.sensitive]
        target = next((at for at in wanted if at in numbers), None)
        causes = [at for at in numbers if at < page.quasi and at != target]
        if target is None or not causes:
            return None
        fitted = []
        scale: list[float] = []
        for side in (0, 1):
            columns = [numbers[at][side] for at in (*causes, target)]
            rows = [row for row in zip(*columns, strict=True) if None not in row]
            scale = scale or [pstdev(column) for column in zip(*rows, strict=True)]
            if not rows or 0 in scale:
                return None
            fitted.append(_least_squares([[x / s for x, s in zip(row, scale, strict=True)] for row in rows]))
        return fmean(abs(after - before) for before, after in zip(*fitted, strict=True))


def _coefficients(of: Moments, scale: Numbers) -> Numbers:
    covariance = of.covariance / np.outer(scale, scale)
    causes = covariance[:-1, :-1] + _RIDGE * np.eye(len(scale) - 1)
    return np.linalg.solve(causes, covariance[:-1, -1]).astype(np.float64)


def _varies(numbers: Sequence[float | None]) -> bool:
    return len({number for number in numbers if number is not None}) > 1


def _least_squares(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the coefficients of all columns but the last, which they explain, by Gaussian elimination."""
    means = [fmean(column) for column in zip(*rows, strict=True)]
    centered = [[x - mean for x, mean in zip(row, means, strict=True)] for row in rows]
    m = len(means) - 1
    system = [[fmean(row[i] * row[j] for row in centered) + _RIDGE * (i == j) for j in range(m + 1)] for i in range(m)]
    for at in range(m):
        pivot = max(range(at, m), key=lambda row: abs(system[row][at]))
        system[at], system[pivot] = system[pivot], system[at]
        for row in range(m):
            if row != at:
                factor = system[row][at] / system[at][at]
                system[row] = [x - factor * y for x, y in zip(system[row], system[at], strict=True)]
    return [system[at][m] / system[at][at] for at in range(m)]


RELEASE_METRIC = RegressionChange
