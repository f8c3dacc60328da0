"""Worst-group protection (Loukides' WGP): certainty with which the worst class discloses a sensitive range.

A sensitive range (5.1.1) contains values that must not be disclosed as a group, such as all low incomes. Two values
contribute to each other (5.1.2) the more, the nearer they are; disclosure confidence (5.1.3) is the contribution of the
values of a class in the range of one value to it; range diversity (5.1.4) is its mean over a class.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, Kind
from incrowd.core.table import Codes
from incrowd.models.contributions import Blocks, Contributions, Equal, Nearness, Numeric, Tree
from incrowd.release_metrics.contract import NO_CLASS, NO_SENSITIVE, SHARE, Bounds, Goal, Reading, Side, nothing
from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.reference import Base, ReferenceRelease, Value, spread, under_one_node
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Numbers


@dataclass(frozen=True)
class WorstGroupProtection:
    """Largest range diversity of a class; of several sensitive columns that of the least protected one."""

    side: ClassVar[Side] = Side.PROTECTION
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "certainty with which the worst class discloses a sensitive range (WGP)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and the mean over its classes."""
        found = range_diversity(released)
        if isinstance(found, Reading):
            return found
        return Reading(float(found.max()), {"mean over classes": float(found.mean())})

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (5.1.5), class by class."""
        if not page.sensitive:
            return None
        return max((class_range_diversity(page, at) for at in range(len(page.classes))), default=None)


def range_diversity(released: Released) -> Numbers | Reading:
    """Return per class its range diversity, of several sensitive columns the largest; or why it is not known."""
    if not released.sensitive:
        return NO_SENSITIVE
    if not released.classes:
        return NO_CLASS
    rows = []
    for name in released.sensitive:
        histogram = released.histogram(name)
        if histogram is None:
            return nothing(f"the values of {name} are not published unchanged")
        axis = released.columns[released.index(name)].scale.axis
        rows.append(contributions_of(axis, released.ranges.get(name)).range_diversity(histogram))
    worst: Numbers = np.array(rows).max(axis=0)
    return worst


@dataclass(frozen=True, eq=False)
class Overlapping:
    """Ranges that may share values: that of a value is the first that it is in, with all that lies there."""

    inside: NDArray[np.bool_]
    """Ranges x codes."""
    first: NDArray[np.int64]
    """Per code its range; -1 for a range of its own."""

    def holds(self, one: Codes, other: Codes) -> NDArray[np.bool_]:
        """Return whether the other value lies in the range of the one."""
        there = self.inside[self.first[one], other] & (self.first[one] >= 0)
        return np.asarray((one == other) | there)


def contributions_of(axis: Axis, ranges: Covers | None) -> Contributions:
    """Return the contributions of the values of a column."""
    codes = len(axis.rank)
    inside = np.array([_inside(ranges, at) for at in range(len(ranges))] if ranges is not None else [])
    inside = inside.reshape(-1, codes).astype(np.bool_)
    first = np.where(inside.any(axis=0), inside.argmax(axis=0), -1) if len(inside) else np.full(codes, -1)
    if (inside.sum(axis=0) > 1).any():
        return Contributions(Overlapping(inside, first), _nearness(axis))
    own = len(inside) + np.arange(codes)
    return Contributions(Blocks(np.where(first >= 0, first, own)), _nearness(axis))


def _nearness(axis: Axis) -> Nearness:
    if axis.kind == Kind.TREE:
        assert axis.ladder is not None
        return Tree(axis.ladder)
    if axis.kind == Kind.SET:
        return Equal(int(axis.span) + 1)
    places = np.nan_to_num(axis.places[axis.rank])
    return Numeric(places - places[1:].min(initial=np.inf) if len(places) > 1 else places, axis.span or 1.0)


def _inside(ranges: Covers, number: int) -> NDArray[np.bool_]:
    """Return which codes lie in a range."""
    positions = ranges.scale.positions
    if ranges.scattered[number]:
        return np.isin(positions, ranges.members_of(number))
    between: NDArray[np.bool_] = (positions >= ranges.low[number]) & (positions <= ranges.high[number])
    return between


# The definitions.


def pairwise_contribution(one: Value, other: Value, base: Base) -> float:
    """Return pc (5.1.2): 1 less the share of the domain that lies between two values."""
    return 1 - spread(under_one_node([one, other], base), base)


def disclosure_confidence(value: Value, values: Sequence[Value], own_range: frozenset[Value], base: Base) -> float:
    """Return dc (5.1.3) of a value in a class that has these values."""
    close = sum(pairwise_contribution(value, other, base) for other in values if other in own_range)
    return values.count(value) * close / len(values)


def sensitive_range(value: Value, ranges: Sequence[frozenset[Value]]) -> frozenset[Value]:
    """Return SR (5.1.1): the first range that has the value, or the value itself if none has."""
    return next((each for each in ranges if value in each), frozenset([value]))


def class_range_diversity(page: ReferenceRelease, at: int) -> float:
    """Return rd (5.1.4) of a class, of several sensitive columns the largest."""
    found = []
    for column in page.sensitive:
        values, base = page.values(page.classes[at], column), page.bases[column]
        own = {value: sensitive_range(value, page.ranges.get(column, ())) for value in values}
        found.append(sum(disclosure_confidence(u, values, own[u], base) for u in set(values)) / len(values))
    return max(found)


RELEASE_METRIC = WorstGroupProtection
