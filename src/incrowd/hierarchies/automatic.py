"""The ladder that a column's values suggest."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.core.numbers import Number, exact
from incrowd.hierarchies import dates, intervals, mask
from incrowd.hierarchies._rungs import hierarchy_of

MEANING = "Suggested from the values: intervals, units of time, masked codes, or a single top level."
RANK = 1

BY_VALUES = True

Key = TypeVar("Key", int, str, Number)

_FEW = 5
"""So many different numbers are joined at once."""
_GROUPS = (20, 5)
"""About so many intervals on the levels between the values and the top."""
_SHORTEST_CODE, _LONGEST_CODE = 4, 16
"""Digits of equal length are a code from so many on; shorter ones are numbers."""
_MOST_MASKS = 5
_UNITS = ("month", "year", "decade")
_YEARS = range(1800, 2101)
_FORMATS = (None, "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y")


def build(values: pa.Array, *, name: str = "unnamed") -> Hierarchy:
    """Return the proposed ladder."""
    match propose(values):
        case {"intervals": options}:
            return intervals.build(values, name=name, **options)
        case {"dates": options}:
            return dates.build(values, name=name, **options)
        case {"mask": options}:
            return mask.build(values, name=name, **options)
        case _:
            return hierarchy_of(name, sorted(text_forms(value)[0] for value in plain(values)), [])


def declares_levels(options: Mapping[str, Any]) -> bool:
    """Return False: the values propose them."""
    return False


def propose(values: pa.Array) -> dict[str, dict[str, Any]] | None:
    """Return a builder with its options; None where nothing lies between the values and the top.

    Numbers get intervals, dates get units of time, codes of one length are masked from the right; a level is proposed
    where it joins something and leaves more than one group.
    """
    given = plain(values)
    return _as_dates(given) or _as_code(given) or _as_numbers(given)


def _as_dates(given: Sequence[object]) -> dict[str, dict[str, Any]] | None:
    fitting = [(format, days) for format in _FORMATS if (days := _days(given, format))]
    if len(fitting) != 1:
        # No dates, or such that day and month cannot be told apart.
        return None
    format, days = fitting[0]
    units = _useful({unit: [dates.UNITS[unit](day) for day in days] for unit in _UNITS}, len(days))
    written_so = {} if format is None else {"format": format}
    return {"dates": {"levels": units, **written_so}} if units else None


def _days(given: Sequence[object], format: str | None) -> list[date]:
    """Return all values as days; none where one is no date in this format."""
    days = []
    for value in given:
        day = dates.read(value, format) if isinstance(value, date | str) else None
        if day is None or (format is not None and isinstance(value, date)):
            return []
        days.append(day)
    return days


def _as_code(given: Sequence[object]) -> dict[str, dict[str, Any]] | None:
    texts = [value for value in given if isinstance(value, str)]
    lengths = {len(text) for text in texts}
    if len(texts) < len(given) or len(lengths) != 1 or not all(map(_code_like, texts)):
        return None
    length = lengths.pop()
    if not 1 < length <= _LONGEST_CODE or not _is_code(texts, length):
        return None
    steps = _useful({hidden: [text[:-hidden] for text in texts] for hidden in range(1, length)}, len(texts))
    return {"mask": {"steps": _spread(steps, _MOST_MASKS)}} if steps else None


def _code_like(text: str) -> bool:
    return text.isalnum() and any(char.isdecimal() for char in text)


def _is_code(texts: Sequence[str], length: int) -> bool:
    """Return whether texts are codes: letters or leading zeros, or too many digits for an age and no years."""
    if not all(text.isdecimal() for text in texts) or any(text.startswith("0") for text in texts):
        return True
    return length >= _SHORTEST_CODE and not all(int(text) in _YEARS for text in texts)


def _as_numbers(given: Sequence[object]) -> dict[str, dict[str, Any]] | None:
    numbers = [number for value in given if (number := exact(value)) is not None]
    if len(numbers) < len(given) or len(set(numbers)) <= _FEW:
        return None
    groups = {width: [number // width for number in numbers] for width in _round_widths(numbers)}
    widths = _useful(groups, len(numbers))
    plain_widths = [width if isinstance(width, int) else float(width) for width in widths]
    return {"intervals": {"widths": plain_widths}} if widths else None


def _round_widths(numbers: Sequence[Number]) -> list[Number]:
    """Return 1, 2 or 5 times powers of ten, each a multiple of the one before."""
    reach = max(numbers) - min(numbers)
    widths: list[Number] = []
    for groups in _GROUPS:
        fitting = (width for width in _round_numbers(reach) if width * groups >= reach)
        widths.append(next(width for width in fitting if not widths or width % widths[-1] == 0))
    return list(dict.fromkeys(widths))


def _round_numbers(reach: Number) -> Iterator[Number]:
    """Yield possible widths, from far below the range on."""
    power = (Decimal(reach.numerator) / Decimal(reach.denominator)).adjusted() - 3
    while True:
        for factor in (1, 2, 5):
            yield factor * 10**power if power >= 0 else Fraction(factor, 10**-power)
        power += 1


def _useful(groups: Mapping[Key, Sequence[Hashable]], values: int) -> list[Key]:
    """Return the levels that join something that the level below does not, and not everything."""
    kept: list[Key] = []
    below = values
    for key, of_values in groups.items():
        count = len(set(of_values))
        if 1 < count < below:
            kept.append(key)
            below = count
    return kept


def _spread(steps: Sequence[int], most: int) -> list[int]:
    """Return at most this many steps, the first and the last among them."""
    if len(steps) <= most:
        return list(steps)
    return [steps[round(at * (len(steps) - 1) / (most - 1))] for at in range(most)]
