"""p %: a cell from which the second largest contributor can compute the largest to within p percent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from incrowd.parameters import number_above_zero
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.rules.pq import beyond


@dataclass(frozen=True)
class PPercent:
    """All contributions but the two largest are less than p percent of the largest."""

    p: float = 10

    largest = 2
    for_counts = False

    def __post_init__(self) -> None:
        number_above_zero("p of p_percent", self.p)

    def needed(self, cells: Cells, largest: Numbers) -> Numbers:
        """Return p/100 x1 - (X - x1 - x2)."""
        return beyond(cells, largest, Fraction(str(self.p)) / 100)

    def textbook(self, contributions: Sequence[int]) -> bool:
        """Return whether X - x2 - x1 < p/100 x1: the second's estimate X - x2 is off by under p percent."""
        first, second, *_ = [*sorted(contributions, reverse=True), 0, 0]
        return sum(contributions) - second - first < Fraction(str(self.p)) / 100 * first

    def words(self) -> str:
        """Return a description of the sensitive cells."""
        return f"cells from which a contributor can estimate another's amount to within {self.p:g}%"


RULE = PPercent
MEANING = "a sum is sensitive if a contributor can estimate another's amount to within p percent"
RANK = 2
LABELS = {"p": "p (%)"}
