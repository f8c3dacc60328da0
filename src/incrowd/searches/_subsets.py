"""Incognito's rounds before the last: what rules out a node over some columns rules it out over more of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Cells, Columns, Generalized, Levels, Numbers
from incrowd.searches import Problem
from incrowd.searches.lattice import lattice_of
from incrowd.watch import Watch

Subset = tuple[int, ...]
"""Positions of some quasi-identifiers."""

Survivors = Mapping[Subset, set[Levels]]


@dataclass
class Round:
    """The counts of one round, over all sets of as many columns."""

    columns: int
    sets: int = 0
    candidates: int = 0
    """Nodes that no smaller set ruled out."""
    counted: int = 0
    kept: int = 0
    """Nodes that are not ruled out, or, in the last round, that are solutions."""


class Subsets:
    """Sets of columns of growing size.

    A column that is left out is merged as if it stood at its top. A node is ruled out where Node.dead says so: by the
    model itself where merging keeps it, else by what is necessary for it. Both hold for all nodes above one that is not
    ruled out, so those are marked and not counted, and every set's nodes are closed upwards.
    """

    def __init__(self, problem: Problem, watch: Watch) -> None:
        n = len(problem.ladders)
        self._problem = problem
        self._watch = watch
        self._bottom = tuple(problem.minimum) or (0,) * n
        self._top = tuple(problem.limit) or tuple(ladder.height for ladder in problem.ladders)
        self.rounds = [Round(size) for size in range(1, n + 1)]

    @property
    def whole(self) -> Round:
        """The last round, over all columns."""
        return self.rounds[-1]

    def candidates(self) -> list[Levels]:
        """Return the nodes over all columns that no smaller set rules out, lowest first."""
        columns = range(len(self._problem.ladders))
        survivors: Survivors = {}
        for progress in self.rounds[:-1]:
            survivors = {
                subset: self._survivors(subset, self._joined(subset, survivors, progress), progress)
                for subset in combinations(columns, progress.columns)
            }
        return self._joined(tuple(columns), survivors, self.whole)

    def _joined(self, subset: Subset, survivors: Survivors, progress: Round) -> list[Levels]:
        """Return survivors of two sets that differ in their last column, joined if every smaller set agrees."""
        if len(subset) == 1:
            found: list[Levels] = [(level,) for level in range(self._bottom[subset[0]], self._top[subset[0]] + 1)]
        else:
            found = _prefix_join(survivors[subset[:-1]], survivors[(*subset[:-2], subset[-1])])
            for left_out in range(len(subset) - 2):
                known = survivors[_without(subset, left_out)]
                found = [levels for levels in found if _without(levels, left_out) in known]
        progress.sets += 1
        progress.candidates += len(found)
        return sorted(found, key=lambda levels: (sum(levels), tuple(-level for level in levels)))

    def _survivors(self, subset: Subset, candidates: Sequence[Levels], progress: Round) -> set[Levels]:
        """Return the candidates that are not ruled out, lowest first; whatever lies above one of them is not either."""
        kept: set[Levels] = set()
        if not candidates:
            return kept
        marked: set[Levels] = set()
        lattice = lattice_of(self._over(subset))
        for levels in candidates:
            if levels not in marked:
                self._watch.tick(f"sets of {progress.columns} columns: {progress.counted} nodes counted")
                progress.counted += 1
                if lattice.count(levels).dead:
                    continue
            kept.add(levels)
            marked.update(lattice.above(levels))
        progress.kept += len(kept)
        return kept

    def _over(self, subset: Subset) -> Problem:
        """Return the problem over some columns; scores do not matter there."""
        return replace(
            self._problem,
            ladders=tuple(self._problem.ladders[at] for at in subset),
            minimum=tuple(self._bottom[at] for at in subset),
            limit=tuple(self._top[at] for at in subset),
            priorities=(),
            metric=_Unscored(),
            people=self._problem.people and self._problem.people.over(subset),
        )


def _prefix_join(left: set[Levels], right: set[Levels]) -> list[Levels]:
    ends: dict[Levels, list[int]] = {}
    for levels in right:
        ends.setdefault(levels[:-1], []).append(levels[-1])
    return [(*levels, last) for levels in left for last in ends.get(levels[:-1], ())]


def _without(numbers: tuple[int, ...], at: int) -> tuple[int, ...]:
    return (*numbers[:at], *numbers[at + 1 :])


class _Unscored:
    """A metric that costs nothing."""

    def prepare(self, columns: Columns) -> "_Nothing":
        """Return a score that is always 0."""
        return _Nothing([np.zeros(ladder.height + 1) for ladder in columns.ladders])

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return 0."""
        return 0.0


@dataclass(frozen=True, eq=False)
class _Nothing:
    parts: Sequence[Numbers]

    def bound(self, total: Numbers) -> Numbers:
        """Return 0."""
        return total

    def score(self, node: Generalized) -> float:
        """Return 0."""
        return 0.0

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return 0."""
        return 0.0
