"""Distribution distance: how far the distribution of each column, as the release shows it, is from the original one."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.core.axes import Kind
from incrowd.release_metrics.contract import NO_CLASS, SHARE, Bounds, Goal, Reading, Side
from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.reference import Base, ReferenceRelease, Value
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Counts


@dataclass(frozen=True)
class DistributionDistance:
    """Mean over columns of the distance of two distributions; the values that a cell covers are equally likely.

    Of numbers and ordered values the earth mover's distance along their order (as ordered t-closeness measures it),
    without missing values; of others the total variation, which counts missing as a value.
    """

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "distance of a column's distribution from the original, mean over columns"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and for each column."""
        if not released.published:
            return NO_CLASS
        found = {}
        for at, covers in enumerate(released.columns):
            given = np.bincount(
                released.original.codes[at], released.original.counts, minlength=len(covers.scale.positions)
            )
            found[covers.scale.name] = _distance(covers, given.astype(np.int64), released.total(at))
        return Reading(float(np.mean(list(found.values()))), found)

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, column by column and record by record."""
        if not page.published:
            return None
        total = 0.0
        for at, base in enumerate(page.bases):
            cells: list[frozenset[Value]] = []
            for group in page.classes:
                for others in group.others:
                    cells.append(group.cells[at] if at < page.quasi else frozenset([others[at - page.quasi]]))
            total += _by_definition([record[at] for record in page.original], cells, base)
        return total / len(page.bases)


def _distance(covers: Covers, given: Counts, published: Counts) -> float:
    if covers.scale.axis.kind in (Kind.NUMBERS, Kind.ORDER):
        there = int(published[~np.isnan(covers.low)].sum())
        before = int(given[1:].sum())
        if not there or not before:
            return float(there != before)
        original = np.cumsum(given[covers.scale.order]) / before
        gaps = np.abs(original - covers.up_to(published) / there)
        return float(gaps.sum() / max(1, len(gaps) - 1))
    expected = covers.spread_over(published) / published.sum()
    shares = given / given.sum()
    # What is expected of base values that do not occur is on nobody's side.
    elsewhere = max(0.0, 1.0 - float(expected.sum()))
    return float(np.abs(shares - expected).sum() + elsewhere) / 2


def _by_definition(original: list[Value], cells: list[frozenset[Value]], base: Base) -> float:
    values = [value for value in base.values if value in original]
    if base.paths is None and (base.numeric or base.ordered):
        here = [cell - {None} for cell in cells if cell != {None}]
        there = [value for value in original if value is not None]
        if not here or not there:
            return float(len(here) != len(there))
        distance = 0.0
        for at in range(len(values)):
            below = set(base.values[: base.values.index(values[at]) + 1])
            expected = sum(len(cell & below) / len(cell) for cell in here) / len(here)
            distance += abs(sum(value in below for value in there) / len(there) - expected)
        return distance / max(1, len(values) - 1)
    known = set(base.values)
    spread = [(cell & known) or cell for cell in cells]
    distance = 0.0
    for value in {*known, None}:
        expected = sum((value in cell) / len(cell) for cell in spread) / len(spread)
        distance += abs(original.count(value) / len(original) - expected)
    return distance / 2


RELEASE_METRIC = DistributionDistance
