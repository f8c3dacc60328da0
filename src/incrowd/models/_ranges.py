"""Sensitive ranges as they are given: intervals, labels of a hierarchy, or a range for each value (Loukides 5.1.1).

    ranges=0..4/5..9/80..99          intervals; what lies in none is a range of its own
    ranges=low income/high income    labels of the column's hierarchy
    policy=17=10..30/HIV=infectious  a range for each of some values
    domain=0..99                     from the lowest to the highest number that there could be

As data they are [[0, 4], [5, 9], [80, 99]], ["low income", "high income"], [["17", 10, 30], ["HIV", "infectious"]] and
[0, 99]. A bound is a number, or a date written as year-month-day.
"""

import csv
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any

from incrowd.core.axes import iso_date
from incrowd.core.numbers import Number, exact
from incrowd.errors import SourceError, UsageError
from incrowd.models.paths import located
from incrowd.spelling import TextForm, escaped, split, unescaped

Bound = int | float | str
Interval = tuple[Bound, Bound]
Range = Interval | str
"""An interval, or a label of the hierarchy."""
Ranges = Annotated[tuple[Range, ...], TextForm(lambda text: read_ranges(text), lambda given: write_ranges(given))]
Policy = Annotated[
    tuple[tuple[Bound, ...], ...], TextForm(lambda text: read_policy(text), lambda given: write_policy(given))
]
"""Rows of a value, as text, and its range: the low and the high bound, or a label."""
Domain = Annotated[Interval | None, TextForm(lambda text: read_domain(text), lambda given: write_domain(given))]

WHAT = "range_diversity"


def number_of(text: object) -> Number | None:
    """Return the number that a bound or a value is, dates as days; None where it is neither."""
    found = exact(text)
    return iso_date(text) if found is None and isinstance(text, str) else found


def checked_ranges(given: Any) -> Ranges:
    """Return intervals that do not overlap, the lowest first, or labels, each once."""
    if not given:
        return ()
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise UsageError.not_one_of(f"ranges of {WHAT}", given, ["a list of intervals [low, high]", "a list of labels"])
    ranges = tuple(_range(f"ranges of {WHAT}", each) for each in given)
    intervals = [each for each in ranges if not isinstance(each, str)]
    if not intervals:
        return tuple(dict.fromkeys(ranges))
    if len(intervals) < len(ranges):
        raise UsageError.invalid(
            f"ranges of {WHAT}",
            "some are intervals and some are labels",
            "give intervals only, labels only, or a policy",
        )
    ordered = sorted(intervals, key=ends)
    if any(ends(one)[1] >= ends(other)[0] for one, other in pairwise(ordered)):
        raise UsageError.invalid(
            f"ranges of {WHAT}", "some overlap", "separate them, or give a policy, which has a range for each value"
        )
    return tuple(ordered)


def checked_policy(given: Any) -> Policy:
    """Return rows of a value and its range, each value once; from a CSV file if its path is given."""
    if not given:
        return ()
    rows = _rows(given) if isinstance(given, str) else given
    if isinstance(rows, str) or not isinstance(rows, Sequence):
        raise _no_policy(given)
    found: dict[str, tuple[Bound, ...]] = {}
    for row in rows:
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) not in (2, 3) or row[0] is None:
            raise _no_policy("a row of another form")
        value = str(row[0])
        span = _range(f"policy of {WHAT}", row[1] if len(row) == 2 else row[1:])
        if value in found:
            raise UsageError.invalid(f"policy of {WHAT}", "a value is repeated", "list each value once")
        found[value] = (value, span) if isinstance(span, str) else (value, *span)
    return tuple(found.values())


def checked_domain(given: Any) -> Domain:
    """Return the lowest and the highest number."""
    if given is None or given == ():
        return None
    found = _range(f"domain of {WHAT}", given)
    if isinstance(found, str):
        raise UsageError.not_one_of(f"domain of {WHAT}", given, ["[low, high]"])
    return found


def ends(interval: Interval) -> tuple[Number, Number]:
    """Return the bounds as exact numbers."""
    low, high = number_of(interval[0]), number_of(interval[1])
    assert low is not None, "bounds are checked when they are given"
    assert high is not None
    return low, high


def range_of(row: tuple[Bound, ...]) -> Range:
    """Return the range in a row of a policy."""
    return (row[1], row[2]) if len(row) == 3 else str(row[1])


def _range(what: str, given: Any) -> Range:
    if isinstance(given, str) and given:
        return given
    pair = given if isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2 else (None, None)
    low, high = map(_bound, pair)
    if low is None or high is None:
        raise UsageError.not_one_of(what, given, ["[low, high], both numbers or dates", "a label"])
    if ends((low, high))[0] > ends((low, high))[1]:
        raise UsageError.invalid(what, "a low bound is above its high bound", "give the lower one first")
    return low, high


def _bound(given: Any) -> Bound | None:
    """Return a number, also from its text; a date as text."""
    number = exact(given)
    if number is None:
        return given if isinstance(given, str) and iso_date(given) is not None else None
    return number if isinstance(number, int) else float(number)


def _rows(path: str) -> list[list[str]]:
    try:
        with located(path).open(encoding="utf-8-sig", newline="") as file:
            return [row for row in csv.reader(file) if row]
    except (OSError, ValueError, csv.Error):
        raise SourceError.of(
            path, f"the policy of {WHAT} cannot be read from it", "give a CSV file of value,low,high or value,label"
        ) from None


def _no_policy(given: object) -> UsageError:
    return UsageError.not_one_of(
        f"policy of {WHAT}", given, ["a list of rows [value, low, high] or [value, label]", "a CSV file of such rows"]
    )


# As text.


def read_ranges(text: str) -> Ranges:
    """Read intervals or labels, between slashes."""
    return tuple(_read_range(part) for part in split(text, "/")) if text else ()


def write_ranges(ranges: Ranges) -> str:
    """Write ranges as `read_ranges` reads them."""
    return "/".join(map(_write_range, ranges))


def read_policy(text: str) -> Any:
    """Read values with their ranges, between slashes; a text without = is the path of a file."""
    rows = [split(part, "=") for part in split(text, "/")]
    if any(len(row) != 2 for row in rows):
        return unescaped(text)
    ranges = [_read_range(span) for _, span in rows]
    return tuple(
        (unescaped(value), span) if isinstance(span, str) else (unescaped(value), *span)
        for (value, _), span in zip(rows, ranges, strict=True)
    )


def write_policy(policy: Policy) -> str:
    """Write a policy as `read_policy` reads it."""
    return "/".join(f"{escaped(str(row[0]), '=')}={_write_range(range_of(row))}" for row in policy)


def read_domain(text: str) -> Any:
    """Return one interval."""
    return _read_range(text)


def write_domain(domain: Domain) -> str:
    """Write a domain as `read_domain` reads it."""
    return "" if domain is None else _write_range(domain)


def _read_range(text: str) -> Range:
    low, dots, high = text.partition("..")
    if dots and (bounds := (_bound(low), _bound(high))) and None not in bounds:
        return bounds  # type: ignore[return-value]
    return unescaped(text)


def _write_range(given: Range) -> str:
    if not isinstance(given, str):
        return f"{given[0]}..{given[1]}"
    text = escaped(given, "=")
    # A label that reads like an interval.
    return text.replace("..", "\\..", 1) if not isinstance(_read_range(text), str) else text
