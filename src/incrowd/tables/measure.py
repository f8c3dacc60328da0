"""What the cells of a table hold: a number of records, or the sum of a column over them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, Overflow

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.hierarchy import plain
from incrowd.errors import UsageError

MOST_DECIMALS = 6
"""Finer amounts are rounded to so many digits after the point."""
MOST = 10**12
"""Rooms and bases beyond this are refused; in the finest units they are numbers still."""
MOST_UNITS = 1 << 53
"""Sums beyond this are no exact numbers for a linear programme."""


@dataclass(frozen=True)
class Measure:
    """A count, or the sum of a column."""

    column: str | None = None

    @classmethod
    def parse(cls, text: str) -> Measure:
        """From `count` or `sum:COLUMN`."""
        kind, _, column = text.partition(":")
        if kind == "count" and not column:
            return cls()
        if kind == "sum" and column:
            return cls(column)
        raise UsageError.not_one_of("the measure", text, ["count", "sum:COLUMN, such as sum:income"])

    def __str__(self) -> str:
        return "count" if self.column is None else f"sum:{self.column}"


@dataclass(frozen=True, eq=False)
class Amounts:
    """The values of a summed column, as whole numbers of its smallest unit, so that sums are exact."""

    units: NDArray[np.int64]
    """Per code of the column; 0 for missing."""
    decimals: int
    """A unit is 10 to the power of minus this."""
    rounded: bool
    """Whether a value had more digits than that."""

    @classmethod
    def of(cls, column: str, values: pa.Array) -> Amounts:
        """Of a column's values; refuses what is no number, or below 0."""
        numbers = [_number(value) for value in plain(values)]
        strange = sum(number is None for number in numbers)
        known = [number for number in numbers if number is not None]
        if strange:
            raise UsageError.senseless(
                f"the sum of column {column!r}",
                f"{strange} of its {len(numbers)} different values are no finite numbers",
                "sum a column of numbers, or name the text that stands for missing",
            )
        if any(number < 0 for number in known):
            raise UsageError.senseless(
                f"the sum of column {column!r}",
                "it has values below 0, with which the rules and an attacker's ranges mean nothing",
                "sum a column without negative values",
            )
        finest = max((_decimals(number) for number in known), default=0)
        decimals = min(finest, MOST_DECIMALS)
        if any(number * 10**decimals >= MOST_UNITS for number in known):
            raise too_large(column)
        units = [int((number * 10**decimals).to_integral_value()) for number in known]
        return cls(np.array([0, *units], dtype=np.int64), decimals, finest > MOST_DECIMALS)


def too_large(column: str) -> UsageError:
    """Sums that are no exact numbers any more."""
    return UsageError.senseless(
        f"the sum of column {column!r}", "it is too large to be exact", "sum it in a larger unit, such as thousands"
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
