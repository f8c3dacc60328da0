"""Numbers that a user sets, and the ranges of numbers that labels cover."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from incrowd.core.hierarchy import Hierarchy
from incrowd.core.numbers import Number, exact
from incrowd.errors import UsageError


def setting(what: str, given: object) -> Number:
    """Return a number that a user sets."""
    number = exact(given)
    if number is None:
        raise UsageError.invalid(f"{what} {given!r}", "it is not a number", "give one, such as 10 or 2.5")
    return number


def settings(what: str, given: Any) -> list[Number]:
    """Check numbers that a user sets; a single one needs no list."""
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    if not several:
        raise UsageError.invalid(what, "none is given", "give at least one")
    return [setting(what, each) for each in several]


def with_spans(hierarchy: Hierarchy) -> Hierarchy:
    """Return the hierarchy, with the range of base values that each label covers where all of them are numbers."""
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
