"""Run the searches that fit the table, and take the release that keeps most."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from incrowd.searches import ChoosingSearch, HierarchySearch, Search
from incrowd.searches.k_members import KMembers
from incrowd.searches.layered import Layered
from incrowd.searches.mondrian import Mondrian
from incrowd.searches.optimal import Optimal

LABELS_MAY_LOSE = 1.2
"""How many times the least loss a release of labels may have: they are easier to read, join and tabulate than ranges
and sets that differ from class to class."""


@dataclass(frozen=True)
class Auto(ChoosingSearch):
    """Runs optimal, layered, mondrian and k_members, and takes the release with the lowest score.

    A release whose cells are labels of the hierarchies is preferred if its score is at most a fifth higher. A search
    that runs out of time is taken only if none was done. No promise that nothing is better.
    """

    uniform: bool = False
    """True for one level per column in all records: only optimal is run."""

    @property
    def candidates(self) -> tuple[Search, ...]:
        """The quick ones first: time that they do not need is left for the others."""
        return (Optimal(),) if self.uniform else (Mondrian(), Layered(), Optimal(), KMembers())

    def takes(self, scores: Sequence[float]) -> int:
        """Return the lowest score, or that of labels where it is nearly as low; of equal ones the first."""
        best = min(range(len(scores)), key=scores.__getitem__)
        labels = [at for at, search in enumerate(self.candidates) if isinstance(search, HierarchySearch)]
        shown = min(labels, key=scores.__getitem__)
        return shown if scores[shown] < inf and scores[shown] <= LABELS_MAY_LOSE * scores[best] else best


SEARCH = Auto
MEANING = "runs several searches and takes the release that keeps most"
RANK = 0
