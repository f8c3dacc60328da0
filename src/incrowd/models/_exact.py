"""Comparisons without rounding: of counts with shares of counts, however large."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Counts
from incrowd.models._contract import Mask

Factors = Sequence[int | Counts]
"""Numbers from 0 whose product is meant."""


@cache
def as_written(number: float) -> Fraction:
    """Return a number as its user wrote it: 0.1 is a tenth, not the binary fraction beside it."""
    return Fraction(str(number))


def less(left: Factors, right: Factors) -> Mask:
    """Return where the product of the left is less than that of the right."""
    return np.asarray(_product(left) < _product(right), dtype=np.bool_)


def at_most(left: Factors, right: Factors) -> Mask:
    """Return where the product of the left is less than or equal to that of the right."""
    return np.asarray(_product(left) <= _product(right), dtype=np.bool_)


def difference(left: Factors, right: Factors) -> NDArray[Any]:
    """Return how much the left product exceeds the right one."""
    return np.asarray(_product(left) - _product(right))


def _product(factors: Factors) -> NDArray[Any]:
    largest = prod(factor if isinstance(factor, int) else int(factor.max(initial=1)) for factor in factors)
    # Python's integers are slow and never overflow.
    kind = np.int64 if largest < 2**63 else object
    return np.asarray(prod(np.asarray(factor, dtype=kind) for factor in factors))
