"""Background knowledge: values that a person cannot have are ruled out (Machanavajjhala et al. 2006)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

from incrowd.attacks._columns import OnColumn, few
from incrowd.attacks._contract import PERSON, Mask
from incrowd.attacks._remedies import remedy
from incrowd.core.histograms import Histogram
from incrowd.models.distinct_l import DistinctL
from incrowd.parameters import whole_number
from incrowd.text import count


@dataclass(frozen=True)
class BackgroundKnowledge(OnColumn):
    """A single value of the class is left after an attacker rules out a number of others, whichever they are."""

    values: int = 1
    """The number of values the attacker can rule out."""

    def __post_init__(self) -> None:
        whole_number("values of background_knowledge", self.values)

    def exposed(self, histogram: Histogram) -> Mask:
        """Return classes with one value more than can be ruled out, or fewer."""
        return few(histogram, self.values + 1)

    def story(self, column: str) -> str:
        """Return the attack in one sentence."""
        most = self.values + 1
        return f"A class has at most {most} values of {column}, so ruling out {self.values} leaves a single one."

    def knows(self) -> str:
        """Return the knowledge of the attacker."""
        return f"{PERSON}, and {count(self.values, 'value')} that the person does not have"

    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """Return distinct l-diversity that leaves two values in every class."""
        return remedy(DistinctL(l=self.values + 2, column=(column,)), histogram)

    def textbook(self, classes: Sequence[Sequence[Hashable]]) -> int:
        """Return the number of persons for whom an attacker can truthfully rule out all other values."""
        return sum(self._learned(group, own) for group in classes for own in group)

    def _learned(self, group: Sequence[Hashable], own: Hashable) -> bool:
        others = set(group) - {own}
        attackers = combinations(others, min(self.values, len(others)))
        return any(others <= set(ruled_out) for ruled_out in attackers)


ATTACK = BackgroundKnowledge
RANK = 3
ALSO = (BackgroundKnowledge(2),)
"""Tried besides the default options."""
