"""Worst-group protection (Loukides' WGP): how surely the worst class gives away who is in which sensitive range.

A sensitive range (5.1.1) holds values that nobody may be found to be among, such as all low incomes. Two values
contribute to each other (5.1.2) the more the nearer they are; disclosure confidence (5.1.3) is what the values of a
class that lie in the range of one contribute to it; range diversity (5.1.4) is its mean over a class.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, Kind
from incrowd.core.histograms import Histogram
from incrowd.core.table import Codes
from incrowd.metrics._covers import Covers
from incrowd.metrics._page import Base, Page, Value, spread, under_one_node
from incrowd.metrics._released import Released
from incrowd.metrics._scale import Numbers
from incrowd.metrics._yardstick import NO_CLASS, NO_SENSITIVE, SHARE, Bounds, Goal, Reading, Side, nothing


@dataclass(frozen=True)
class WorstGroupProtection:
    """Largest range diversity of a class; of several sensitive columns that of the least protected one."""

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "how surely the worst class tells who is in which sensitive range (WGP)"

    def measure(self, released: Released) -> Reading:
        """What it says about a release, and the mean over its classes."""
        found = range_diversity(released)
        if isinstance(found, Reading):
            return found
        return Reading(float(found.max()), {"mean over classes": float(found.mean())})

    def textbook(self, page: Page) -> float | None:
        """The definition (5.1.5), class by class."""
        if not page.sensitive:
            return None
        return max((class_range_diversity(page, at) for at in range(len(page.classes))), default=None)


def range_diversity(released: Released) -> Numbers | Reading:
    """Per class its range diversity, of several sensitive columns the largest; or why it is not known."""
    if not released.sensitive:
        return NO_SENSITIVE
    if not released.classes:
        return NO_CLASS
    rows = []
    for name in released.sensitive:
        histogram = released.histogram(name)
        if histogram is None:
            return nothing(f"the values of {name} are not published as they were")
        axis = released.columns[released.index(name)].scale.axis
        rows.append(_by_class(histogram, axis, released.ranges.get(name)))
    worst: Numbers = np.array(rows).max(axis=0)
    return worst


def _by_class(histogram: Histogram, axis: Axis, ranges: Covers | None) -> Numbers:
    """Per class (1/|G|^2) · sum over u of f(u) · sum over x in u's range of f(x) · pc(u, x)."""
    counts = histogram.counts.astype(np.float64)
    # A value that is in no range is a range of its own, and contributes to itself alone.
    contributed = counts.copy()
    free = np.ones(len(counts), dtype=np.bool_)
    for inside in [] if ranges is None else [_inside(ranges, at)[histogram.values] for at in range(len(ranges))]:
        mine = inside & free
        contributed[mine] = _contributions(histogram, axis, np.flatnonzero(inside))[free[inside]]
        free &= ~inside
    return histogram.total(counts * contributed) / np.maximum(1, histogram.sizes).astype(np.float64) ** 2


def _inside(ranges: Covers, number: int) -> NDArray[np.bool_]:
    """Which codes lie in a range."""
    positions = ranges.scale.positions
    if ranges.scattered[number]:
        return np.isin(positions, ranges.members_of(number))
    between: NDArray[np.bool_] = (positions >= ranges.low[number]) & (positions <= ranges.high[number])
    return between


def _contributions(histogram: Histogram, axis: Axis, entries: NDArray[np.int64]) -> Numbers:
    """For each of some entries what all of them in the same class contribute: the sum of f(x) · pc(u, x)."""
    owner, values, counts = histogram.owner[entries], histogram.values[entries], histogram.counts[entries]
    _, owner = np.unique(owner, return_inverse=True)
    owner = owner.reshape(-1)
    total: Numbers = np.bincount(owner, weights=counts)[owner].astype(np.float64)
    if axis.span == 0:
        return total
    if axis.kind == Kind.SET:
        return total - (total - counts) / axis.span
    if axis.kind == Kind.TREE:
        return total - _up_the_tree(axis, owner, values, counts)
    return total - _distances(axis.places[axis.rank[values]], owner, counts) / axis.span


def _up_the_tree(axis: Axis, owner: NDArray[np.int64], values: Codes, counts: NDArray[np.int64]) -> Numbers:
    """For each entry the sum over those of its class of f(x) times what their closest common ancestor spans."""
    assert axis.ladder is not None
    below, found = counts.astype(np.float64), np.zeros(len(counts))
    for level in range(1, axis.ladder.height + 1):
        nodes = owner.astype(np.int64) * (int(axis.ladder.up[level].max(initial=0)) + 1) + axis.ladder.up[level][values]
        _, node = np.unique(nodes, return_inverse=True)
        here = np.bincount(node.reshape(-1), weights=counts)[node.reshape(-1)]
        found += axis.covered[level][values] * (here - below)
        below = here
    return found


def _distances(places: Numbers, owner: NDArray[np.int64], counts: NDArray[np.int64]) -> Numbers:
    """For each entry the sum over those of its class of f(x) · |u - x|."""
    order = np.lexsort((places, owner))
    u, f, of = places[order] - places.min(initial=np.inf), counts[order].astype(np.float64), owner[order]
    first = np.flatnonzero(np.append(True, of[1:] != of[:-1])) if len(of) else np.zeros(0, dtype=np.int64)
    lengths = np.diff(np.append(first, len(of)))
    before = [np.cumsum(each) - each for each in (f, f * u)]
    begins = [np.repeat(each[first], lengths) for each in before]
    sums = [np.repeat(np.add.reduceat(each, first), lengths) if len(first) else each for each in (f, f * u)]
    left = [each - begin for each, begin in zip(before, begins, strict=True)]
    right = [total - below - own for total, below, own in zip(sums, left, (f, f * u), strict=True)]
    found = np.empty(len(u))
    found[order] = u * left[0] - left[1] + right[1] - u * right[0]
    return found


# The definitions.


def pairwise_contribution(one: Value, other: Value, base: Base) -> float:
    """pc (5.1.2): 1 less the share of the domain that lies between two values."""
    return 1 - spread(under_one_node([one, other], base), base)


def disclosure_confidence(value: Value, values: Sequence[Value], own_range: frozenset[Value], base: Base) -> float:
    """dc (5.1.3) of a value in a class that has these values."""
    close = sum(pairwise_contribution(value, other, base) for other in values if other in own_range)
    return values.count(value) * close / len(values)


def sensitive_range(value: Value, ranges: Sequence[frozenset[Value]]) -> frozenset[Value]:
    """SR (5.1.1): the first range that the value is in; where it is in none, the value itself."""
    return next((each for each in ranges if value in each), frozenset([value]))


def class_range_diversity(page: Page, at: int) -> float:
    """rd (5.1.4) of a class, of several sensitive columns the largest."""
    found = []
    for column in page.sensitive:
        values, base = page.values(page.classes[at], column), page.bases[column]
        own = {value: sensitive_range(value, page.ranges.get(column, ())) for value in values}
        found.append(sum(disclosure_confidence(u, values, own[u], base) for u in set(values)) / len(values))
    return max(found)


YARDSTICK = WorstGroupProtection
