"""Numbers as they are written, without the rounding of binary floats."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import UsageError

Number = int | Fraction

_WRITTEN = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,3})?")
_LONGEST = 400
_BOUND = 10**308
"""Numbers are also measured as floats, which end here."""


def exact(value: object, decimal: str = ".") -> Number | None:
    """The number that a value is or spells; None where it is none, such as NaN, a truth value or a very large one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < _BOUND else None
    text = str(value).strip().replace(decimal, ".") if isinstance(value, str) else str(value)
    if len(text) > _LONGEST or not _WRITTEN.fullmatch(text):
        return None
    if text.isdecimal():
        return exact(int(text))
    number = Fraction(Decimal(text))
    if abs(number) >= _BOUND:
        return None
    return number.numerator if number.denominator == 1 else number


def written(number: Number) -> str:
    """A number in decimal digits, as many as it has."""
    if number.denominator == 1:
        return str(number.numerator)
    places = 1
    while 10**places % number.denominator:
        places += 1
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def setting(what: str, given: object) -> Number:
    """A number that a user sets."""
    number = exact(given)
    if number is None:
        raise UsageError.senseless(f"{what} {given!r}", "it is not a number", "give one, such as 10 or 2.5")
    return number


def settings(what: str, given: Any) -> list[Number]:
    """Numbers that a user sets; a single one needs no list."""
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    if not several:
        raise UsageError.senseless(what, "none is given", "give at least one")
    return [setting(what, each) for each in several]


def with_spans(hierarchy: Hierarchy) -> Hierarchy:
    """The hierarchy, with the range of base values that each label covers where all of them are numbers."""
    numbers = [exact(value) for value in hierarchy.values]
    floats = np.array([float(number) for number in numbers if number is not None])
    if len(floats) < len(numbers):
        return hierarchy
    found = []
    for codes, labels in zip(hierarchy.codes, hierarchy.labels, strict=True):
        low, high = np.full(len(labels), np.inf), np.full(len(labels), -np.inf)
        np.minimum.at(low, codes, floats)
        np.maximum.at(high, codes, floats)
        # A label that only missing cells have spans nothing.
        found.append(tuple((float(a), float(b)) if a <= b else (0.0, 0.0) for a, b in zip(low, high, strict=True)))
    return replace(hierarchy, spans=tuple(found))
