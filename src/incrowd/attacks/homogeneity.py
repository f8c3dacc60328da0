"""Homogeneity: everybody in a class has the same value (Machanavajjhala et al. 2006)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from incrowd import models
from incrowd.attacks._columns import OnColumn, few
from incrowd.attacks._contract import Mask
from incrowd.core.histograms import Histogram
from incrowd.models.distinct_l import DistinctL


@dataclass(frozen=True)
class Homogeneity(OnColumn):
    """A class has a single value: whoever is in it has that. A missing value is one value."""

    def exposed(self, histogram: Histogram) -> Mask:
        """Classes with one value."""
        return few(histogram, 1)

    def story(self, column: str) -> str:
        """The attack in one sentence."""
        return f"All records of a class have the same {column}, so whoever is known to be in the class has it."

    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """Two different values in every class."""
        return models.spell(DistinctL(l=2, column=(column,)))

    def textbook(self, classes: Sequence[Sequence[Hashable]]) -> int:
        """For every person: all that the person may be have the person's value."""
        return sum(all(other == own for other in group) for group in classes for own in group)


ATTACK = Homogeneity
