"""Dates: day, month, quarter, year and decade, or the age in years at a given day and intervals of ages."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.core.numbers import Number
from incrowd.errors import HierarchyError, UsageError
from incrowd.hierarchies._bounds import by_width, label, nested_widths
from incrowd.hierarchies._rungs import hierarchy_of
from incrowd.hierarchies._suggestions import Suggestion, useful
from incrowd.proposing.facts import Column
from incrowd.spelling import Text

MEANING = (
    "Dates become months, quarters, years or decades, or ages in years. Levels: day, month, quarter, year, decade or "
    "age."
)
RANK = 3
LABELS = {
    "levels": "Levels",
    "format": "Date format",
    "reference": "Reference date for ages",
    "widths": "Ages per interval (years)",
}
EXAMPLES = {
    "levels": "month, year, decade",
    "format": "%d.%m.%Y",
    "reference": "2024-12-31",
    "widths": "5, 10, 20",
}

BY_RULE = True

UNITS: dict[str, Callable[[date], str]] = {
    "day": date.isoformat,
    "month": lambda day: f"{day.year:04}-{day.month:02}",
    "quarter": lambda day: f"{day.year:04}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04}",
    "decade": lambda day: f"{day.year // 10 * 10:04}s",
}
"""The label of a day in each unit, from the finest to the coarsest."""

AGE = "age"

_FORMATS = (None, "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y")
_WITH_TIMES = tuple(
    f"{day} {time}"
    for day in ("%m/%d/%y", "%d.%m.%y", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y")
    for time in ("%H:%M", "%H:%M:%S")
)
_LONG = 15
"""From so many years on decades say enough; below, quarters say more."""

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].+)?", re.ASCII)
_CENTURY = 100


def build(
    values: pa.Array,
    *,
    name: str = "unnamed",
    levels: Sequence[str] = ("month", "year", "decade"),
    format: Text | None = None,
    reference: str | date | None = None,
    widths: Sequence[int] | None = None,
) -> Hierarchy:
    """Return a ladder of units of time, or of ages.

    `levels` are units from fine to coarse, or `age` in years at the day `reference`, followed by intervals of the
    `widths`; who is born on a leap day is a year older on the first of March. `format` is how dates are written, in
    the letters of strptime, ISO 8601 when not given; a year of two digits (%y) is the last one up to the reference.
    """
    units, day, wide = _settled(levels, format, reference, widths)
    found = {text_forms(value)[0]: _moved(read(value, format), day, format) for value in plain(values)}
    days = dict(sorted(((text, each) for text, each in found.items() if each is not None), key=lambda item: item[::-1]))
    if len(days) < len(found):
        raise HierarchyError.not_read(name, "dates", [text for text in found if text not in days], len(found))
    if day is None or AGE not in units:
        return hierarchy_of(name, list(days), [[UNITS[unit](each) for each in days.values()] for unit in units])
    return _by_age(name, days, day, units, wide)


def check(
    *,
    name: str = "unnamed",
    levels: Sequence[str] = ("month", "year", "decade"),
    format: Text | None = None,
    reference: str | date | None = None,
    widths: Sequence[int] | None = None,
) -> None:
    """Refuse options that make no ladder of dates."""
    _settled(levels, format, reference, widths)


def suggest(column: Column) -> Suggestion | None:
    """Suggest months, years and decades; days and quarters where the dates span a few years."""
    given = plain(column.values)
    fitting = [(format, days) for format in (*_FORMATS, *_WITH_TIMES) if (days := _days(given, format))]
    if not fitting:
        return None
    format, days = fitting[0]
    written_so = {} if format is None else {"format": format}
    if len(fitting) > 1:
        # Day and month cannot be told apart, so only what both readings agree on is said.
        units = useful({unit: [UNITS[unit](day) for day in days] for unit in ("year", "decade")}, len(days))
        reason = "dates whose day and month could be either way around keep their year"
        return Suggestion({"levels": units, **written_so}, reason, 0.95) if units and column.is_counted else None
    is_short = column.is_counted and max(days).year - min(days).year < _LONG
    wanted = ("day", "month", "quarter", "year") if is_short else ("month", "year", "decade")
    units = useful({unit: [UNITS[unit](day) for day in days] for unit in wanted}, len(days))
    return Suggestion({"levels": units, **written_so}, "its values are dates", 0.95) if units else None


def days_of(given: Sequence[object]) -> list[date]:
    """Return the days of values that all spell dates in one way; none if they do not, or if there are two readings."""
    fitting = [days for format in (*_FORMATS, *_WITH_TIMES) if (days := _days(given, format))]
    return fitting[0] if fitting and all(days == fitting[0] for days in fitting) else []


def _days(given: Sequence[object], format: str | None) -> list[date]:
    """Return all values as days; none where one is no date in this format."""
    days = []
    for value in given:
        day = read(value, format) if isinstance(value, date | str) else None
        if day is None or (format is not None and isinstance(value, date)):
            return []
        days.append(day)
    return days


def _settled(levels: Any, format: Any, reference: Any, widths: Any) -> tuple[list[str], date | None, list[Number]]:
    """Return the units, the day at which ages count, and the widths of their intervals; refuse what is none."""
    units = _checked_levels(levels)
    day = None if reference is None else _reference(reference, units, format)
    _check_format(format)
    if widths is not None and AGE not in units:
        raise UsageError.invalid("dates: widths", "they are widths of ages", "give them with the level age")
    if AGE in units and day is None:
        raise UsageError.invalid("dates: age", "ages need a reference date", "give a reference, such as 2020-01-01")
    wide = [] if widths is None else nested_widths("dates: widths", widths)
    if any(not isinstance(width, int) for width in wide):
        raise UsageError.invalid("dates: widths", "not all are whole years", "give widths such as 5, 10, 20")
    return units, day, wide


def _by_age(name: str, days: dict[str, date], reference: date, units: list[str], widths: list[Number]) -> Hierarchy:
    late = [text for text, born in days.items() if born > reference]
    if late:
        raise HierarchyError.not_read(name, "dates up to the reference", late, len(days))
    finer = [[UNITS[unit](born) for born in days.values()] for unit in units if unit != AGE]
    ages = [age(born, reference) for born in days.values()]
    return hierarchy_of(name, list(days), [*finer, [str(each) for each in ages], *_intervals(ages, widths)])


def _intervals(ages: list[int], widths: list[Number]) -> list[list[str]]:
    return [[label(by_width(each, width, 0), whole=True) for each in ages] for width in widths]


def age(born: date, reference: date) -> int:
    """Return the years that are complete."""
    return reference.year - born.year - ((reference.month, reference.day) < (born.month, born.day))


def read(value: object, format: str | None = None) -> date | None:
    """Return the day of a value that is or spells one; None where it does not."""
    if isinstance(value, date):
        return value.date() if isinstance(value, datetime) else value
    text = str(value).strip()
    try:
        if format is not None:
            return datetime.strptime(text, format).date()
        return datetime.fromisoformat(text).date() if _ISO.fullmatch(text) else None
    except ValueError:
        return None


def _moved(day: date | None, reference: date | None, format: str | None) -> date | None:
    """Return the day; with a year of two digits, one after the reference belongs to the century before."""
    if day is None or reference is None or format is None or "%y" not in format or day <= reference:
        return day
    try:
        return day.replace(year=day.year - _CENTURY)
    except ValueError:
        # The leap day of a year that had none.
        return None


def _checked_levels(levels: Any) -> list[str]:
    units = list(levels) if isinstance(levels, list | tuple) else [levels]
    known = [*UNITS, AGE]
    for unit in units:
        if unit not in known:
            raise UsageError.not_one_of("dates: a level", unit, known)
    if not units or (AGE in units and units not in ([AGE], ["day", AGE])):
        # A month, a quarter and a year hold people of two ages.
        raise UsageError.invalid(
            "dates: levels", "they do not nest", "age may follow day and nothing else, and only its widths follow it"
        )
    if any(known.index(fine) >= known.index(coarse) for fine, coarse in pairwise(units)):
        raise UsageError.invalid("dates: levels", "they are not in ascending order", f"the order is {', '.join(UNITS)}")
    return units


def _reference(given: object, units: list[str], format: str | None) -> date:
    if AGE not in units and "%y" not in (format or ""):
        raise UsageError.invalid(
            "dates: reference", "it is not used", "give it with the level age, or with a year of two digits (%y)"
        )
    day = read(given)
    if day is None:
        raise UsageError.invalid(f"dates: reference {given!r}", "it is not a date", "write it as 2020-01-31")
    return day


def _check_format(format: object) -> None:
    if format is None:
        return
    try:
        if not isinstance(format, str) or not re.search("%[yY]", format):
            raise ValueError
        datetime.strptime(datetime(2000, 2, 29, tzinfo=UTC).strftime(format), format)
    except ValueError:
        raise UsageError.invalid(
            f"dates: format {format!r}", "it does not write a date with a year", "write it as %d/%m/%Y"
        ) from None
