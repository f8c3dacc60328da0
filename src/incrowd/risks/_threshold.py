"""The risk threshold, compared exactly."""

import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts
from incrowd.errors import UsageError

_TOLERANCE = 1e-12
"""Relative; an estimated risk that exceeds the threshold by less is taken to be equal to it."""


@dataclass(frozen=True)
class Threshold:
    """A probability; a record is at risk when its risk exceeds it."""

    exact: Fraction

    @classmethod
    def parse(cls, given: object) -> "Threshold":
        """Parse a number or its text, such as 0.2 or 1/5; refuse anything outside 0..1."""
        try:
            exact = _fraction(given)
        except (ValueError, ZeroDivisionError):
            raise _refusal(given) from None
        if not 0 <= exact <= 1:
            raise _refusal(given)
        return cls(_as_meant(exact))

    @property
    def number(self) -> float:
        """Return the nearest floating-point number."""
        return float(self.exact)

    @property
    def safe_size(self) -> int | None:
        """Return the smallest class size whose records are not at risk; None for the threshold 0, where all are."""
        return math.ceil(1 / self.exact) if self.exact else None

    def exceeded_by_one_in(self, sizes: Counts) -> NDArray[np.bool_]:
        """Return where 1/size > threshold."""
        size = self.safe_size
        return np.ones(len(sizes), dtype=bool) if size is None else sizes < size

    def exceeded_by(self, risks: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return where an estimated risk is above the threshold."""
        return risks > self.number * (1 + _TOLERANCE)


def _fraction(given: object) -> Fraction:
    if isinstance(given, bool):
        raise ValueError
    if isinstance(given, Rational):
        return Fraction(given)
    text = str(given).strip()
    # An exponent of millions would make a fraction of millions of digits.
    return Fraction(repr(float(text)) if "e" in text.lower() else text)


def _as_meant(exact: Fraction) -> Fraction:
    """Return 1/n for a floating-point number next to it: 0.333... means a third, although it is slightly less."""
    if not exact:
        return exact
    size = round(1 / exact)
    return Fraction(1, size) if float(exact) == 1 / size else exact


def _refusal(given: object) -> UsageError:
    return UsageError.invalid(
        f"threshold {given!r}", "a risk is a probability", "give a number from 0 to 1, such as 0.2 or 1/5"
    )
