"""Background knowledge: values that a person cannot have are ruled out (Machanavajjhala et al. 2006)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

from incrowd import models
from incrowd.attacks._columns import OnColumn, few
from incrowd.attacks._contract import PERSON, Mask
from incrowd.core.histograms import Histogram
from incrowd.models.distinct_l import DistinctL
from incrowd.parameters import whole_number
from incrowd.text import count


@dataclass(frozen=True)
class BackgroundKnowledge(OnColumn):
    """A single value of the class is left once an attacker rules out so many others, whichever they are."""

    values: int = 1
    """How many values the attacker can rule out."""

    def __post_init__(self) -> None:
        whole_number("values of background_knowledge", self.values)

    def exposed(self, histogram: Histogram) -> Mask:
        """Classes with one value more than can be ruled out, or fewer."""
        return few(histogram, self.values + 1)

    def story(self, column: str) -> str:
        """The attack in one sentence."""
        most = self.values + 1
        return f"A class has no more than {most} values of {column}, so ruling out {self.values} leaves a single one."

    def knows(self) -> str:
        """What the attacker knows."""
        return f"{PERSON}, and of {count(self.values, 'value')} that the person does not have it"

    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """Two values are left in every class."""
        return models.spell(DistinctL(l=self.values + 2, column=(column,)))

    def textbook(self, classes: Sequence[Sequence[Hashable]]) -> int:
        """For every person: some attacker knows of so many values, truly, that it is none of them."""
        return sum(self._learned(group, own) for group in classes for own in group)

    def _learned(self, group: Sequence[Hashable], own: Hashable) -> bool:
        others = set(group) - {own}
        attackers = combinations(others, min(self.values, len(others)))
        return any(others <= set(ruled_out) for ruled_out in attackers)


ATTACK = BackgroundKnowledge
