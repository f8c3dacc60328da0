"""Intervals of numbers: of given widths, or between own cut points, with open ends and top and bottom coding."""

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, Span, plain, text_forms
from incrowd.core.numbers import Number, exact
from incrowd.errors import HierarchyError, UsageError
from incrowd.hierarchies._bounds import Bounds, by_cuts, by_width, coded, label, nested_cuts, nested_widths
from incrowd.hierarchies._numbers import setting, settings
from incrowd.hierarchies._rungs import hierarchy_of
from incrowd.hierarchies._suggestions import Suggestion
from incrowd.hierarchies.fitting import (
    Counted,
    is_crowded,
    neighbor_cuts,
    quantile_cuts,
    round_widths,
    useful_widths,
)
from incrowd.proposing.facts import Column
from incrowd.proposing.naming import words_of

MEANING = (
    "Numbers become intervals that widen from level to level. Enter widths, or bounds with | between levels. All "
    "numbers below the bottom code share one interval, and so do all from the top code on."
)
RANK = 2
LABELS = {
    "widths": "Interval width per level",
    "cuts": "Bounds per level",
    "origin": "Start of intervals",
    "bottom": "Bottom code",
    "top": "Top code",
    "other": "Label of texts",
}
EXAMPLES = {"widths": "5, 10, 20", "cuts": "18, 40, 65 | 40", "origin": "0"}

BY_RULE = True

_LARGEST_DOMAIN = 1_000_000

_FEW = 5
"""Numbers that are joined at once if only they are known."""
_NEIGHBORS = 12
"""The most different numbers of which neighbors are joined, whatever lies between them."""
_MOST_TEXTS = 0.5
"""The share of values that may be no numbers."""
_AGE_WIDTHS, _OLDEST, _HIGHEST_AGE, _AGE_SPAN = (5, 10, 20), 90, 125, 20
"""Ages as statistics offices publish them, and what ages look like."""
_AGES = frozenset(words_of("age agea ages alter edad edades idade eta leeftijd alder aetas agey ageyrs agegrp"))

Level = Callable[[Number], Bounds]


def build(
    values: pa.Array,
    *,
    name: str = "unnamed",
    widths: Sequence[Number] | None = None,
    origin: Number = 0,
    cuts: Sequence[Sequence[Number]] | None = None,
    bottom: Number | None = None,
    top: Number | None = None,
    domain: Sequence[int] | None = None,
    decimal: str = ".",
    other: str | None = None,
) -> Hierarchy:
    """Return a ladder of intervals.

    Each of the `widths` makes a level of intervals so wide, aligned at `origin`; each list of `cuts` a level of
    intervals between these points, open at both ends. Values below `bottom`, and from `top` on, are one from level 1
    up. `domain` lists all whole numbers from its first to its second as base values, also those that do not occur.
    Texts among the numbers have the label `other`, and are refused without it.
    """
    ends = _ends(bottom, top)
    levels, set_whole = _levels(widths, setting("intervals: origin", origin), cuts)
    _check_decimal(decimal)
    numbers, texts = _numbers(name, values, decimal, other)
    if domain is not None:
        numbers = _with_domain(name, numbers, domain)
    # In order of size: the order of the values in the data says something about the records.
    numbers = dict(sorted(numbers.items(), key=lambda item: (item[1], item[0])))
    whole = set_whole and all(isinstance(number, int | None) for number in (*numbers.values(), *ends))
    bounds = [[coded(number, level(number), *ends) for number in numbers.values()] for level in levels]
    levels_of = [[*_labels(of_level, whole), *[other or ""] * len(texts)] for of_level in bounds]
    spans = _spans(list(numbers.values()), bounds, whole) if numbers and not texts else None
    return hierarchy_of(name, [*numbers, *texts], levels_of, spans)


def check(
    *,
    name: str = "unnamed",
    widths: Sequence[Number] | None = None,
    origin: Number = 0,
    cuts: Sequence[Sequence[Number]] | None = None,
    bottom: Number | None = None,
    top: Number | None = None,
    domain: Sequence[int] | None = None,
    decimal: str = ".",
    other: str | None = None,
) -> None:
    """Refuse options that make no intervals."""
    _ends(bottom, top)
    _levels(widths, setting("intervals: origin", origin), cuts)
    _check_decimal(decimal)
    if domain is not None:
        _ends_of_domain(domain)


def _check_decimal(decimal: str) -> None:
    if decimal not in (".", ","):
        raise UsageError.not_one_of("intervals: decimal", decimal, (".", ","))


def _labels(bounds: list[Bounds], whole: bool) -> list[str]:
    label_of = {each: label(each, whole) for each in set(bounds)}
    return [label_of[each] for each in bounds]


def _ends(bottom: object, top: object) -> tuple[Number | None, Number | None]:
    low = None if bottom is None else setting("intervals: bottom", bottom)
    high = None if top is None else setting("intervals: top", top)
    if low is not None and high is not None and low >= high:
        raise UsageError.invalid("intervals: bottom and top", "bottom is not below top", "swap them or omit one")
    return low, high


def _levels(widths: Any, origin: Number, cuts: Any) -> tuple[list[Level], bool]:
    """Return how each level finds a number's interval, and whether all of them begin at whole numbers."""
    if (widths is None) == (cuts is None):
        wrong = "neither widths nor cuts are given" if widths is None else "both widths and cuts are given"
        raise UsageError.invalid("intervals", wrong, "give one of them, such as widths of 5, 10 and 20")
    if widths is not None:
        wide = nested_widths("intervals: widths", widths)
        return [_of_width(width, origin) for width in wide], all(isinstance(each, int) for each in (*wide, origin))
    points = nested_cuts("intervals: cuts", cuts)
    return [_of_cuts(of_level) for of_level in points], all(isinstance(cut, int) for cut in points[0])


def _of_width(width: Number, origin: Number) -> Level:
    return lambda number: by_width(number, width, origin)


def _of_cuts(cuts: list[Number]) -> Level:
    return lambda number: by_cuts(number, cuts)


def suggest(column: Column) -> Suggestion | None:
    """Suggest intervals for numbers: usual ages, neighbors of few values, else of one width, or at quantiles if a few
    of those would hold nearly all records."""
    given = plain(column.values)
    decimal = next((sign for sign in ".," if all(exact(value, sign) is not None for value in given)), None)
    found = _counted(column, decimal or ".")
    if len(found) <= 2 or len(given) - len(found) > _MOST_TEXTS * len(given):
        return None
    if decimal is None and not column.is_counted:
        return None
    fitting = _fitting(column, found)
    if fitting is None:
        return None
    options, reason = fitting
    further = {"decimal": ","} if decimal == "," else {"other": "other"} if decimal is None else {}
    return Suggestion({**options, **further}, reason, 0.7 if decimal else 0.5)


def _fitting(column: Column, found: Counted) -> tuple[dict[str, Any], str] | None:
    """Return options that fit numbers, and why."""
    numbers = [number for number, _ in found]
    if column.is_counted and _are_ages(column, numbers):
        top = {"top": _OLDEST} if numbers[-1] >= _OLDEST else {}
        return {
            "widths": useful_widths(numbers, _AGE_WIDTHS),
            **top,
        }, "ages in the intervals that are usually published"
    if not column.is_counted and len(numbers) <= _FEW:
        return None
    if column.is_counted and len(numbers) <= _NEIGHBORS:
        return _cuts(neighbor_cuts(found), numbers), "few numbers, of which neighbors are joined, the rarest first"
    widths = round_widths(numbers)
    if column.is_counted and is_crowded(found, widths) and (cuts := quantile_cuts(found)):
        return _cuts(cuts, numbers), "uneven numbers, in intervals that hold about equally many records"
    return ({"widths": [*map(_plain, widths)]}, "numbers in intervals at round ends") if widths else None


def _are_ages(column: Column, numbers: Sequence[Number]) -> bool:
    named = bool(_AGES & set(words_of(column.name)))
    return named and numbers[0] >= 0 and numbers[-1] - numbers[0] >= _AGE_SPAN and numbers[-1] <= _HIGHEST_AGE


def _cuts(levels: Sequence[Sequence[Number]], numbers: Sequence[Number]) -> dict[str, Any]:
    """Return cuts as options; counts begin at their least one, 0 or 1, not below it."""
    first = {"bottom": numbers[0]} if numbers[0] in (0, 1) else {}
    return {"cuts": [[*map(_plain, cuts)] for cuts in levels], **first}


def _plain(number: Number) -> int | float:
    return number if isinstance(number, int) else float(number)


def _counted(column: Column, decimal: str) -> list[tuple[Number, int]]:
    """Return the numbers of a column in order, each with its records."""
    held: dict[Number, int] = {}
    for value, records in zip(plain(column.values), column.holders.tolist(), strict=True):
        if (number := exact(value, decimal)) is not None:
            held[number] = held.get(number, 0) + records
    return sorted(held.items())


def _numbers(name: str, values: pa.Array, decimal: str, other: str | None) -> tuple[dict[str, Number], list[str]]:
    """Return the number of each value, by its text, and the texts that are none."""
    found = {text_forms(value)[0]: exact(value, decimal) for value in plain(values)}
    strangers = [text for text, number in found.items() if number is None]
    if strangers and not other:
        raise HierarchyError.not_read(name, "numbers", strangers, len(found))
    return {text: number for text, number in found.items() if number is not None}, sorted(strangers)


def _with_domain(name: str, numbers: dict[str, Number], domain: Any) -> dict[str, Number]:
    """Return the numbers and all others of the domain, in order."""
    first, last = _ends_of_domain(domain)
    outside = [text for text, number in numbers.items() if not isinstance(number, int) or not first <= number <= last]
    if outside:
        raise HierarchyError.lacks(name, outside, len(numbers))
    return {**{str(number): number for number in range(first, last + 1)}, **numbers}


def _ends_of_domain(domain: Any) -> tuple[int, int]:
    first, last, *more = (*settings("intervals: domain", domain), None)
    if not isinstance(first, int) or not isinstance(last, int) or len(more) != 1 or not first <= last:
        raise UsageError.invalid("intervals: domain", "it is not two whole numbers", "give the least and the largest")
    if last - first >= _LARGEST_DOMAIN:
        raise UsageError.invalid(
            "intervals: domain", f"it has {last - first + 1:,} values", f"at most {_LARGEST_DOMAIN:,} can be listed"
        )
    return first, last


def _spans(numbers: list[Number], bounds: list[list[Bounds]], whole: bool) -> list[list[Span]]:
    """Return per level and value what its label covers of the range from the lowest to the highest base value."""
    least, most = min(numbers), max(numbers)

    def span(low: Number | None, high: Number | None) -> Span:
        last = most if high is None else min(most, high - 1 if whole else high)
        return float(least if low is None else max(least, low)), float(last)

    points = [(float(number), float(number)) for number in numbers]
    return [points, *([span(*each) for each in level] for level in bounds), [span(None, None)] * len(numbers)]
