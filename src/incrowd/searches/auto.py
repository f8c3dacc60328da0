"""Run the searches that fit the table, and take the release that keeps most."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, prod

from incrowd.searches import ChoosingSearch, HierarchySearch, Problem, Search

LABELS_MAY_LOSE = 1.2
"""How many times the least loss a release of labels may have: they are easier to read, join and tabulate than ranges
and sets that differ from class to class."""
MOST_NODES = 200_000
"""Lattices of up to so many nodes are searched for the optimum: larger ones take long, and one level per column seldom
keeps most."""
MOST_COMBINATIONS = 200_000
"""Up to so many distinct combinations are clustered in large blocks and refined: it takes longer than cutting them."""
MOST_CELLS = 40_000_000
"""Up to so many cells of distinct combinations are clustered in small blocks."""
BLOCK = 1_024
"""Records of a small block. On tables of many columns clusters keep more than cuts do, in a time that grows with the
records alone."""


@dataclass(frozen=True)
class Auto(ChoosingSearch):
    """Runs optimal, layered, mondrian and k_members, and takes the release with the lowest score.

    A release whose cells are labels of the hierarchies is preferred if its score is at most a fifth higher. Searches
    that would take long on a table of this size are run only if no other finds a release; one that runs out of time is
    taken only if none was done. No promise that nothing is better.
    """

    uniform: bool = False
    """True for one level per column in all records: only optimal is run."""

    @property
    def candidates(self) -> tuple[Search, ...]:
        """The quick ones first: time that they do not need is left for the others."""
        # Imported here: every job asks which search is usual, and few run it.
        from incrowd.searches.k_members import KMembers
        from incrowd.searches.layered import Layered
        from incrowd.searches.mondrian import Mondrian
        from incrowd.searches.optimal import Optimal

        return (Optimal(),) if self.uniform else (Mondrian(), Layered(), Optimal(), KMembers())

    def too_large_for(self, search: Search, problem: Problem) -> str | None:
        """Return why a search would take long on a problem; None if it need not."""
        from incrowd.searches.k_members import KMembers
        from incrowd.searches.optimal import Optimal

        if isinstance(search, Optimal):
            nodes = prod(ladder.height + 1 for ladder in problem.ladders)
            return f"{nodes:.2g} choices of levels take long" if nodes > MOST_NODES else None
        cells = problem.frequencies.combinations * len(problem.axes)
        if isinstance(search, KMembers) and _is_large(problem) and cells > MOST_CELLS:
            return f"{problem.frequencies.combinations:,} combinations take long"
        return None

    def fitted(self, search: Search, problem: Problem) -> Search:
        """Return the search, of clusters in small blocks if there are many combinations."""
        from incrowd.searches.k_members import KMembers

        return KMembers(block=BLOCK, refine=0) if isinstance(search, KMembers) and _is_large(problem) else search

    def takes(self, scores: Sequence[float]) -> int:
        """Return the lowest score, or that of labels where it is nearly as low; of equal ones the first."""
        best = min(range(len(scores)), key=scores.__getitem__)
        labels = [at for at, search in enumerate(self.candidates) if isinstance(search, HierarchySearch)]
        shown = min(labels, key=scores.__getitem__)
        return shown if scores[shown] < inf and scores[shown] <= LABELS_MAY_LOSE * scores[best] else best


def _is_large(problem: Problem) -> bool:
    return problem.frequencies.combinations > MOST_COMBINATIONS


SEARCH = Auto
MEANING = "runs several searches and takes the release that keeps most"
RANK = 0
