"""Intervals of numbers: where one begins and ends, and what it is called."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from incrowd.core.numbers import Number, written
from incrowd.errors import UsageError
from incrowd.hierarchies._numbers import settings

Bounds = tuple[Number | None, Number | None]
"""From the first up to, but not including, the second; None where that end is open."""


def by_width(number: Number, width: Number, origin: Number) -> Bounds:
    """Return the interval of a number when intervals of one width begin at the origin."""
    low = origin + (number - origin) // width * width
    return low, low + width


def by_cuts(number: Number, cuts: Sequence[Number]) -> Bounds:
    """Return the interval of a number between sorted cut points; the first and the last interval are open."""
    at = bisect_right(cuts, number)
    return (cuts[at - 1] if at else None), (cuts[at] if at < len(cuts) else None)


def coded(number: Number, bounds: Bounds, bottom: Number | None, top: Number | None) -> Bounds:
    """Return the interval when all numbers below `bottom` are one, and all from `top` on."""
    low, high = bounds
    if bottom is not None:
        low, high = (None, bottom) if number < bottom else (bottom if low is None else max(low, bottom), high)
    if top is not None:
        low, high = (top, None) if number >= top else (low, top if high is None else min(high, top))
    return low, high


def label(bounds: Bounds, whole: bool) -> str:
    """Return what an interval is called; of whole numbers it names the first and the last one."""
    low, high = bounds
    if low is None:
        return "*" if high is None else f"<{written(high)}"
    if high is None:
        return f">={written(low)}"
    if not whole:
        return f"[{written(low)}, {written(high)})"
    if high == low + 1:
        return written(low)
    return f"{written(low)}{'-' if low >= 0 else ' to '}{written(high - 1)}"


def nested_widths(what: str, given: Any) -> list[Number]:
    """Check widths that a user sets: each is a multiple of the one before, so the intervals nest."""
    widths = settings(what, given)
    if any(width <= 0 for width in widths):
        raise UsageError.invalid(what, "a width is not above 0", "give widths such as 5, 10, 20")
    for narrow, wide in pairwise(widths):
        if wide <= narrow or wide % narrow:
            raise UsageError.invalid(
                what,
                f"{written(wide)} is not a multiple of {written(narrow)}, so the level would split intervals of the "
                "level below",
                "give widths that are each a multiple of the one before, such as 5, 10, 20",
            )
    return widths


def nested_cuts(what: str, given: Any) -> list[list[Number]]:
    """Check cut points that a user sets: those of each level are among those of the level before."""
    flat = not isinstance(given, Sequence) or isinstance(given, str)
    by_level = [given] if flat or not any(isinstance(each, list | tuple) for each in given) else given
    cuts = [sorted(set(settings(what, each))) for each in by_level]
    for fine, coarse in pairwise(cuts):
        if strangers := [written(cut) for cut in coarse if cut not in fine]:
            raise UsageError.invalid(
                what,
                f"a level cuts at {', '.join(strangers)}, where the level below does not, so it would split its "
                "intervals",
                "let each level keep some of the cut points of the one before",
            )
    return cuts
