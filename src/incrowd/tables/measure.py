"""The measure of a table: a number of records, the sum or mean of a column, or a share of records."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, Overflow

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.hierarchy import plain
from incrowd.errors import UsageError

MOST_DECIMALS = 6
"""Amounts are rounded to this number of decimal places."""
MOST = 10**12
"""Rooms and bases beyond this are refused; in the finest units they are numbers still."""
MOST_UNITS = 1 << 53
"""Larger sums are not exact numbers for a linear program."""


@dataclass(frozen=True)
class Measure:
    """A count, the sum or the mean of a column, or a share of counts in percent."""

    column: str | None = None
    """The column that is summed, or whose mean it is."""
    kind: str = "count"
    """count, sum, mean or percent."""
    over: str | None = None
    """For shares, the column over which they sum to 100; None for shares of all."""

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Return the measure of `count`, `sum:COLUMN`, `mean:COLUMN`, `percent` or `percent:COLUMN`."""
        kind, _, column = text.partition(":")
        if text in ("count", "percent"):
            return cls(kind=kind)
        if kind in ("sum", "mean") and column:
            return cls(column, kind)
        if kind == "percent" and column:
            return cls(kind=kind, over=column)
        allowed = ["count", "sum:COLUMN", "mean:COLUMN (such as mean:income)", "percent", "percent:COLUMN"]
        raise UsageError.not_one_of("the measure", text, allowed)

    def __str__(self) -> str:
        column = self.over if self.kind == "percent" else self.column
        return self.kind if column is None else f"{self.kind}:{column}"


@dataclass(frozen=True, eq=False)
class Amounts:
    """The values of a summed column, as whole numbers of its smallest unit; sums are exact."""

    units: NDArray[np.int64]
    """Per code of the column; 0 for missing."""
    decimals: int
    """A unit is 10 to the power of minus this."""
    rounded: bool
    """True if a value had more digits."""

    @classmethod
    def of(cls, column: str, values: pa.Array) -> Amounts:
        """Return the amounts of a column's values; raise UsageError if one is not a number, or negative."""
        numbers = [_number(value) for value in plain(values)]
        strange = sum(number is None for number in numbers)
        known = [number for number in numbers if number is not None]
        if strange:
            raise UsageError.invalid(
                f"the sum of column {column!r}",
                f"{strange} of its {len(numbers)} distinct values are not finite numbers",
                "sum a column of numbers, or declare the missing-value marker",
            )
        if any(number < 0 for number in known):
            raise UsageError.invalid(
                f"the sum of column {column!r}",
                "negative values: rules and audit need values of 0 or more",
                "sum a column without negative values",
            )
        finest = max((_decimals(number) for number in known), default=0)
        decimals = min(finest, MOST_DECIMALS)
        if any(number * 10**decimals >= MOST_UNITS for number in known):
            raise too_large(column)
        units = [int((number * 10**decimals).to_integral_value()) for number in known]
        return cls(np.array([0, *units], dtype=np.int64), decimals, finest > MOST_DECIMALS)


def too_large(column: str) -> UsageError:
    """Return the error for sums that are not exact."""
    return UsageError.invalid(
        f"the sum of column {column!r}", "too large to be exact", "sum it in a larger unit, such as thousands"
    )


def _number(value: object) -> Decimal | None:
    if isinstance(value, bool):
        return None
    try:
        number = +Decimal(repr(value) if isinstance(value, float) else str(value).strip())
    except (InvalidOperation, Overflow):
        return None
    return number if number.is_finite() else None


def _decimals(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
