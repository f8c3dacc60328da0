"""Means and covariances of number columns, in the original and as the release shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.reference import ReferenceRelease
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Counts, Numbers


@dataclass(frozen=True, eq=False)
class Moments:
    """Moments of the records without missing values in some columns."""

    records: int
    means: Numbers
    covariance: Numbers

    @property
    def deviations(self) -> Numbers:
        """Return standard deviations."""
        roots: Numbers = np.sqrt(np.maximum(0.0, np.diag(self.covariance)))
        return roots


def numeric_columns(released: Released) -> list[int]:
    """Return the columns whose values are numbers or dates, and of which there are any."""
    return [at for at, covers in enumerate(released.columns) if covers.scale.is_numeric and len(covers.scale.order)]


def moments(released: Released, columns: Sequence[int]) -> tuple[Moments, Moments]:
    """Return the moments of columns in original and release; a cell counts as the mean of the numbers it covers."""
    given = released.original
    before = [Covers.of_values(released.columns[at].scale).centers[given.codes[at]] for at in columns]
    after = [released.columns[at].centers[released.cells[at]] for at in columns]
    return _moments(np.array(before), given.counts), _moments(np.array(after), released.counts)


def _moments(numbers: Numbers, counts: Counts) -> Moments:
    there = ~np.isnan(numbers).any(axis=0)
    numbers, weights = numbers[:, there], counts[there].astype(np.float64)
    total = float(weights.sum())
    if not total:
        return Moments(0, np.zeros(len(numbers)), np.zeros((len(numbers), len(numbers))))
    means = numbers @ weights / total
    centered = numbers - means[:, None]
    return Moments(round(total), means, (centered * weights) @ centered.T / total)


def textbook_numbers(page: ReferenceRelease, at: int) -> tuple[list[float | None], list[float | None]]:
    """Return a column of numbers in the original and in the release, record by record; None for missing."""
    before = [record[at] for record in page.original]
    after: list[float | None] = []
    for group in page.classes:
        for others in group.others:
            cell = group.cells[at] if at < page.quasi else frozenset([others[at - page.quasi]])
            there = [number for number in cell if number is not None]
            after.append(sum(there) / len(there) if page.bases[at].numeric and there else None)
    return before, after
