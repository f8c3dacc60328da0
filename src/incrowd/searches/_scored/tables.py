"""The full-domain tables of a problem as PrivacyFrost2 sees them: one level per column, a check and a score."""

from collections.abc import Iterator

from incrowd.core.hierarchy import STAYS_MISSING, EncodedHierarchy
from incrowd.core.histograms import Counts
from incrowd.core.kernels import total
from incrowd.core.table import MISSING
from incrowd.metrics import Levels
from incrowd.scores import Score
from incrowd.searches import Node
from incrowd.searches.lattice import Lattice
from incrowd.watch import Watch


class Tables:
    """Counts tables to check them; scores them by the number of different values in each column, without counting."""

    def __init__(self, lattice: Lattice, score: Score, watch: Watch) -> None:
        problem = lattice.problem
        self.lattice = lattice
        self.scoring = score
        self.priorities = problem.priorities or (1.0,) * len(problem.ladders)
        self.checked: dict[Levels, Node] = {}
        self.skipped = 0
        """Tables that were not checked because they could not be the best."""
        self._watch = watch
        self.ascending = sorted(range(len(self.priorities)), key=self.priorities.__getitem__)
        sizes = [_sizes(lattice, column, ladder) for column, ladder in enumerate(problem.ladders)]
        self._distinct = [[len(each) for each in by_level] for by_level in sizes]
        self._smallest = [[int(each.min(initial=lattice.records)) for each in by_level] for by_level in sizes]
        self._most = [_most(ladder, self._has_missing(column)) for column, ladder in enumerate(problem.ladders)]
        self.before = [by_level[0] for by_level in self._distinct]
        """How many different values each column had."""

    def _has_missing(self, column: int) -> bool:
        return bool((self.lattice.combinations.codes[column] == MISSING).any())

    def ok(self, levels: Levels) -> bool:
        """Return the paper's Check: every class satisfies the model."""
        if levels not in self.checked:
            self._watch.tick(f"{len(self.checked)} tables checked")
            self.checked[levels] = self.lattice.count(levels)
        return self.checked[levels].feasible

    def score(self, levels: Levels) -> float:
        """Return the score of a table."""
        return self.scoring.score(self.distinct(levels), self.before, self.priorities)

    def distinct(self, levels: Levels) -> list[int]:
        """Return how many different values each column has."""
        return [by_level[level] for by_level, level in zip(self._distinct, levels, strict=True)]

    def smallest(self, column: int, level: int) -> int:
        """Return the size of the smallest class of a single column."""
        return self._smallest[column][level]

    def skips(self, levels: Levels, column: int, best: float) -> bool:
        """Return whether a table, de-generalized in one column, cannot have the best score (the paper's skip rule)."""
        distinct = self.distinct(levels)
        distinct[column] = self._most[column][levels[column]]
        most = self.scoring.most(distinct, self.before, self.priorities)
        skips = most is not None and best > most
        self.skipped += skips
        return skips

    def finer(self, levels: Levels) -> Iterator[tuple[int, Levels]]:
        """Yield one column de-generalized by one level, the highest priority first; of equal ones the last."""
        for column in reversed(self.ascending):
            if levels[column] > self.lattice.bottom[column]:
                yield column, _moved(levels, column, -1)

    def coarser(self, levels: Levels) -> Iterator[Levels]:
        """Yield one column generalized by one level, the lowest priority first; of equal ones the first."""
        for column in self.ascending:
            if levels[column] < self.lattice.top[column]:
                yield _moved(levels, column, 1)


def _moved(levels: Levels, column: int, by: int) -> Levels:
    return (*levels[:column], levels[column] + by, *levels[column + 1 :])


def _sizes(lattice: Lattice, column: int, ladder: EncodedHierarchy) -> list[Counts]:
    """Return per level the sizes of the classes of a single column."""
    codes = lattice.combinations.codes[column][lattice.ground.origins]
    by_level = [total(up[codes], int(up.max()) + 1, lattice.ground.counts) for up in ladder.up]
    return [sizes[sizes > 0] for sizes in by_level]


def _most(ladder: EncodedHierarchy, missing: bool) -> list[int]:
    """Return per level how many different values there can be: the nodes of the hierarchy, and missing where it stays
    so."""
    hierarchy = ladder.hierarchy
    stays = [missing and code == STAYS_MISSING for code in hierarchy.missing]
    return [len(labels) + more for labels, more in zip(hierarchy.labels, stays, strict=True)]
