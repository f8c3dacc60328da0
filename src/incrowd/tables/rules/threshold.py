"""Threshold: a cell with few contributors (Federal Committee on Statistical Methodology, Working Paper 22).

These are records, or people if the table is told who a record is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from incrowd.errors import UsageError
from incrowd.parameters import number_above_zero, number_from, one_of, whole_number
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.measure import MOST
from incrowd.tables.rules._amounts import share, up


@dataclass(frozen=True)
class Threshold:
    """Fewer than n records, but at least one; fewer than n people, if the table knows who a record is about."""

    n: int = 3
    room: int = 1
    """The uncertainty in records that an attacker must have, up and down, in a table of counts."""
    percent: float = 10
    """The uncertainty as a percentage of the cell, in a table of sums."""
    zeros: str = "safe"
    """`safe`, or `sensitive` if empty cells are sensitive too."""

    largest = 0
    for_counts = True

    def __post_init__(self) -> None:
        whole_number("n of threshold", self.n)
        whole_number("room of threshold", self.room)
        number_from("room of threshold", self.room, 1, MOST)
        number_above_zero("percent of threshold", self.percent)
        one_of("zeros of threshold", self.zeros, ("safe", "sensitive"))
        if self.n == 1 and self.zeros == "safe":
            raise UsageError.invalid(
                "threshold", "a cell that is not empty has at least 1 record", "choose n of 2 or more"
            )

    def needed(self, cells: Cells, largest: Numbers) -> Numbers:
        """Return the required interval of cells with too few contributors."""
        few = cells.contributing < self.n
        few &= (cells.contributing > 0) | (self.zeros == "sensitive")
        if cells.measure.column is None:
            return np.where(few, self.room, 0)
        return np.where(few, np.maximum(1, up(share(cells.values, Fraction(str(self.percent)) / 100))), 0)

    def textbook(self, contributions: Sequence[int]) -> bool:
        """Return whether there are 1 to n - 1 contributors; or none, if empty cells are sensitive."""
        return (1 if self.zeros == "safe" else 0) <= len(contributions) < self.n

    def words(self) -> str:
        """Return a description of the sensitive cells."""
        least = "fewer" if self.zeros == "sensitive" else "at least 1 but fewer"
        return f"cells with {least} than {self.n} records"


RULE = Threshold
MEANING = "a cell is sensitive if it has fewer than n records"
RANK = 1
LABELS = {
    "n": "n: minimum records",
    "room": "room: minimum interval (records)",
    "percent": "Minimum interval of a sum (%)",
    "zeros": "Empty cells (safe or sensitive)",
}
