"""(n,k) dominance: a cell of which few contributors make up most (Cox, 1981)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from incrowd.parameters import number_above_zero, whole_number
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.rules._amounts import share, up


@dataclass(frozen=True)
class Dominance:
    """The n largest contributions are more than k percent of the cell."""

    n: int = 2
    k: float = 85
    """In percent."""

    for_counts = False

    def __post_init__(self) -> None:
        whole_number("n of dominance", self.n)
        number_above_zero("k of dominance", self.k, most=100)

    @property
    def largest(self) -> int:
        """Return the number of contributions that may dominate."""
        return self.n

    def needed(self, cells: Cells, largest: Numbers) -> Numbers:
        """Return what the cell lacks for the n largest to be k percent of it (Hundepool et al., 2012, 4.2.2)."""
        return up(share(largest[: self.n].sum(axis=0), 100 / Fraction(str(self.k))) - cells.values)

    def textbook(self, contributions: Sequence[int]) -> bool:
        """Return whether x1 + ... + xn > k/100 X."""
        ordered = sorted(contributions, reverse=True)
        return sum(ordered[: self.n]) > Fraction(str(self.k)) / 100 * sum(ordered)

    def words(self) -> str:
        """Return a description of the sensitive cells."""
        return f"cells of which the {self.n} largest contributions are more than {self.k:g}%"


RULE = Dominance
MEANING = "a sum is sensitive if its n largest amounts exceed k percent of it"
RANK = 3
LABELS = {"n": "n: number of largest amounts", "k": "k: maximum share (%)"}
