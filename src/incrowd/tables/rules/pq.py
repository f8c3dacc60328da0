"""pq, prior-posterior ambiguity: a cell that lets one contributor estimate another much better than before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from incrowd.errors import UsageError
from incrowd.parameters import number_above_zero
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.rules._amounts import share, up


@dataclass(frozen=True)
class PriorPosterior:
    """Everybody knows every contribution to within q percent; from the cell one is known to within less than p."""

    p: float = 10
    q: float = 50

    largest = 2
    for_counts = False

    def __post_init__(self) -> None:
        number_above_zero("p of pq", self.p)
        number_above_zero("q of pq", self.q, most=100)
        if self.p >= self.q:
            raise UsageError.invalid("pq", "p must be below q", "choose a smaller p")

    def needed(self, cells: Cells, largest: Numbers) -> Numbers:
        """Return p/q x1 - (X - x1 - x2): what the others lack to hide the largest from the second."""
        return beyond(cells, largest, Fraction(str(self.p)) / Fraction(str(self.q)))

    def textbook(self, contributions: Sequence[int]) -> bool:
        """Return whether q/100 (X - x1 - x2) < p/100 x1: the second largest can narrow the largest down too far."""
        first, _, *others = [*sorted(contributions, reverse=True), 0, 0]
        return Fraction(str(self.q)) / 100 * sum(others) < Fraction(str(self.p)) / 100 * first

    def words(self) -> str:
        """Return a description of the sensitive cells."""
        return (
            f"cells that disclose a contribution to within {self.p:g}% to an attacker who knew it to within {self.q:g}%"
        )


def beyond(cells: Cells, largest: Numbers, ratio: Fraction) -> Numbers:
    """Return by how much a fraction of the largest contribution exceeds all but the two largest together."""
    return up(share(largest[0], ratio) - (cells.values - largest[0] - largest[1]))


RULE = PriorPosterior
MEANING = "as p_percent, if contributors already know the amounts to within q percent"
RANK = 4
LABELS = {"p": "p (%)", "q": "q (%)"}
