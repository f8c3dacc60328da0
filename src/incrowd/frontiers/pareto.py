"""Which releases are worth having, and which of them lies at the knee: lower is better in both loss and risk."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

_DIGITS = 9
"""Depths that differ by less, on axes from 0 to 1, are the same but for rounding."""


class Point(NamedTuple):
    """Where a release lies."""

    loss: float
    risk: float


def front(points: Sequence[Point]) -> list[int]:
    """The positions of the points that no other dominates, by rising loss and falling risk; equal ones are all in it.

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
    """Of a front of different points by rising loss, the one farthest below the line between its ends.

    Both axes reach from 0 to 1 over the front. Of equal distances the lower risk wins. None where there is no point
    between the ends, or none below the line.
    """
    if len(points) < 3:
        return None
    depths = [_depth(point, points[0], points[-1]) for point in points[1:-1]]
    deepest = max(range(len(depths)), key=lambda at: (depths[at], at))
    return deepest + 1 if depths[deepest] > 0 else None


def _depth(point: Point, first: Point, last: Point) -> float:
    """How far below the line from (loss 0, risk 1) to (1, 0), but for the factor that is the same for all points."""
    loss = (point.loss - first.loss) / (last.loss - first.loss)
    risk = (point.risk - last.risk) / (first.risk - last.risk)
    return round(1 - loss - risk, _DIGITS)


def most_for_its_risk(points: Sequence[Point]) -> int:
    """Where there is no knee: the point that keeps most detail (what is not lost) for each unit of risk.

    Of two points that is the one with the lower risk, unless detail shrinks by a greater factor than the risk. Of
    equal ones the lower risk wins.
    """
    return max(range(len(points)), key=lambda at: ((1 - points[at].loss) / points[at].risk, -points[at].risk))
