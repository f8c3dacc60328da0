"""The rise of k when whole classes are suppressed, smallest first (Diagnosis Centre, Definition 3 and Lemma 2).

The suppression limit is converted from a share to a number of records once and exactly; all else is integers.
"""

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.amounts import amount
from incrowd.errors import UsageError
from incrowd.text import count, percent

Counts = NDArray[np.int64]


_NOTHING = Decimal("1e-100")


@dataclass(frozen=True)
class Share:
    """A share of the records, 0 to 1, kept as it was written."""

    exact: Fraction
    number: float
    """The same share as the nearest floating-point number."""

    @classmethod
    def exactly(cls, written: Fraction | Decimal) -> "Share":
        """Return a share from 0 to 1."""
        # Such a small share is not a record of any table, and as a fraction it would fill the memory.
        exact = Fraction(0) if 0 < written < _NOTHING else Fraction(written)
        return cls(exact, float(exact))

    @property
    def words(self) -> str:
        """Return the share as text."""
        return percent(self.number)

    @property
    def of_records(self) -> str:
        """Return the share as text that says of what."""
        return f"{self.words} of the records"

    def of(self, records: int) -> int:
        """Return floor(share x records), exactly.

        A share that Incrowd itself reported (j/records as a floating-point number) gives j back, although its
        decimal form may lie a hair below j/records.
        """
        if records:
            nearest = round(self.number * records)
            if nearest / records == self.number:
                return nearest
        return math.floor(self.exact * records)


@dataclass(frozen=True)
class Records:
    """A number of records."""

    number: int

    @property
    def words(self) -> str:
        """Return the number as text."""
        return count(self.number, "record")

    @property
    def of_records(self) -> str:
        """Return the number as text that says of what."""
        return self.words

    def of(self, records: int) -> int:
        """Return the number, or all records where there are fewer."""
        return min(self.number, records)


Given = Share | Records
"""A suppression limit that is given."""


def parse(given: object) -> Given:
    """Parse a share or a number of records, or the text of one."""
    if isinstance(given, Given):
        return given
    try:
        if isinstance(given, Fraction) and 0 <= given <= 1:
            return Share.exactly(given)
        found = amount(given)
    except (ValueError, OverflowError):
        raise UsageError.bad_amount(given) from None
    return Records(found) if isinstance(found, int) and found else Share.exactly(Decimal(found))


def reached(sizes: Counts, budget: int) -> tuple[int, int]:
    """Return the best k if at most `budget` records are suppressed, and how many must be.

    At least one class is kept; a class is removed only when it is smaller than the k reached.
    """
    if len(sizes) == 0:
        return 0, 0
    if budget == 0:
        return int(sizes.min()), 0
    steps, classes = np.unique(sizes, return_counts=True)
    removed = np.concatenate([[0], np.cumsum(steps * classes)[:-1]])
    at = int(np.searchsorted(removed, budget, side="right")) - 1
    return int(steps[at]), int(removed[at])


def reached_by_score(scores: NDArray[Any], sizes: Counts, budget: int) -> Any:
    """Return the best lowest score if at most `budget` records are suppressed, lowest classes first; one is kept."""
    if budget == 0:
        return scores.min()
    order = np.argsort(scores, kind="stable")
    removed = np.append(np.int64(0), np.cumsum(sizes[order])[:-1])
    return scores[order[int(np.searchsorted(removed, budget, side="right")) - 1]]


def needed(sizes: Counts, k: int) -> int:
    """Return how many records are in classes smaller than k."""
    return int(sizes[sizes < k].sum())


def needed_for_each(sizes: Counts, up_to: int) -> list[int]:
    """Return needed(sizes, k) for k = 1, 2, ..., until no record remains or `up_to` is reached."""
    if len(sizes) == 0:
        return []
    last = min(up_to, int(sizes.max()) + 1)
    per_size = np.bincount(np.minimum(sizes, last), minlength=last + 1)[:last]
    gone: list[int] = np.cumsum(per_size * np.arange(last)).tolist()
    return gone


def suppression_row(suppressed: int, records: int) -> dict[str, float | int]:
    """Return a suppression as answers state it: the share and the number of records."""
    return {"suppress": suppressed / records if records else 0.0, "suppressed": suppressed}


def reached_textbook(sizes: list[int], budget: int) -> tuple[int, int]:
    """Apply the definition in plain Python: remove classes, smallest first, within the budget; keep one."""
    best = (0, 0)
    for k in sorted(set(sizes)):
        gone = sum(size for size in sizes if size < k)
        if gone <= budget:
            best = (k, gone)
    return best
