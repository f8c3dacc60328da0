"""Exact arithmetic with amounts: a rule compares fractions, never rounded numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.errors import UsageError
from incrowd.tables.cells import Numbers

Exact = NDArray[Any]
"""Fractions, one a cell."""
_MOST = 1 << 61


def share(amounts: Numbers, part: Fraction) -> Exact:
    """Return the amounts times a fraction."""
    return np.asarray(np.asarray(amounts, dtype=object) * part)


def up(amounts: Exact) -> Numbers:
    """Return the least whole numbers of units that are not smaller; 0 for numbers not above 0."""
    if any(amount > _MOST for amount in amounts):
        raise UsageError.invalid(
            "rules", "the required intervals are too wide for numbers", "require narrower intervals"
        )
    return np.array([max(0, -int(-amount // 1)) for amount in amounts], dtype=np.int64)
