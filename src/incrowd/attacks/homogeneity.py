"""Homogeneity: all records of a class have the same value (Machanavajjhala et al. 2006)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from incrowd.attacks._columns import OnColumn, few
from incrowd.attacks._contract import Mask
from incrowd.attacks._remedies import remedy
from incrowd.core.histograms import Histogram
from incrowd.models.distinct_l import DistinctL


@dataclass(frozen=True)
class Homogeneity(OnColumn):
    """A class has a single value, which everyone in it has. A missing value is one value."""

    def exposed(self, histogram: Histogram) -> Mask:
        """Return classes with one value."""
        return few(histogram, 1)

    def story(self, column: str) -> str:
        """Return the attack in one sentence."""
        return f"All records of a class have the same {column}, so anyone known to be in the class has it."

    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """Return distinct l-diversity with two values."""
        return remedy(DistinctL(l=2, column=(column,)), histogram)

    def textbook(self, classes: Sequence[Sequence[Hashable]]) -> int:
        """Return the number of persons whose candidate records all have the person's value."""
        return sum(all(other == own for other in group) for group in classes for own in group)


ATTACK = Homogeneity
RANK = 2
