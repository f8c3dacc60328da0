"""Which releases are worth having, and which of them lies at the knee: lower is better in both loss and risk."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

_DIGITS = 9
"""Depths that differ by less, on axes from 0 to 1, are the same but for rounding."""


class Point(NamedTuple):
    """The loss and risk of a release."""

    loss: float
    risk: float


def front(points: Sequence[Point]) -> list[int]:
    """Return the positions of the points that no other dominates, by rising loss and falling risk, equal ones included.

    A point dominates another where it is lower in one of the two, and not higher in the other (Pareto).
    """
    found: list[int] = []
    lowest = inf
    for at in sorted(range(len(points)), key=lambda at: points[at]):
        if points[at].risk < lowest or (found and points[at] == points[found[-1]]):
            found.append(at)
            lowest = points[at].risk
    return found


def knee(points: Sequence[Point]) -> int | None:
    """Return the point of a front farthest below the line between its ends; points are distinct, by rising loss.

    Both axes reach from 0 to 1 over the front. Of equal distances the lower risk wins. None if there is no point
    between the ends, or none below the line.
    """
    if len(points) < 3:
        return None
    depths = [_depth(point, points[0], points[-1]) for point in points[1:-1]]
    deepest = max(range(len(depths)), key=lambda at: (depths[at], at))
    return deepest + 1 if depths[deepest] > 0 else None


def _depth(point: Point, first: Point, last: Point) -> float:
    """Return the distance below the line from (loss 0, risk 1) to (1, 0), up to a factor common to all points."""
    loss = (point.loss - first.loss) / (last.loss - first.loss)
    risk = (point.risk - last.risk) / (first.risk - last.risk)
    return round(1 - loss - risk, _DIGITS)


def most_for_its_risk(points: Sequence[Point]) -> int:
    """Return the point that keeps most information for each unit of risk, for a front without a knee.

    Of two points that is the one with the lower risk, unless detail shrinks by a greater factor than the risk. Of
    equal ones the lower risk wins.
    """
    return max(range(len(points)), key=lambda at: ((1 - points[at].loss) / points[at].risk, -points[at].risk))
