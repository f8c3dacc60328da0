"""Genetic (after Iyengar 2002): a population of cuts, the better of which have offspring."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.parameters import whole_number
from incrowd.searches import CellsOutcome, CellsSearch, NothingFound, Problem
from incrowd.searches._layers.outcome import refuse
from incrowd.searches._subtrees.cuts import JudgedCut
from incrowd.searches._subtrees.trees import Cut
from incrowd.searches._subtrees.walking import Walk, walked
from incrowd.watch import Watch

_ELITE = 2
"""How many of the best live on."""

_STRAY = 5
"""By how many steps those of the first population differ that are not full-domain releases."""

_TRIES = 5
"""How many further steps a child takes that is a cut which was seen before."""


@dataclass(frozen=True)
class Genetic(CellsSearch):
    """A good full-subtree recoding, never worse than the full-domain releases that it begins with; no promise beyond.

    The genes of a cut tell of each node of the trees whether it is open. A child has each column from one of its
    parents and a part of one tree from the other, then changes by chance, one step in the mean.
    """

    usual_time: ClassVar[float | None] = 60.0

    population: int = 50
    """How many cuts there are at a time."""
    generations: int = 100
    """How often they have offspring."""

    def __post_init__(self) -> None:
        whole_number("population of genetic", self.population, _ELITE + 1)
        whole_number("generations of genetic", self.generations)

    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | NothingFound:
        """Return the best cut of all generations, and what single steps still make of it."""
        refuse("genetic", problem)
        return walked("genetic", problem, watch, self._evolve)

    def _evolve(self, walk: Walk) -> None:
        walk.begin(self.population // 2)
        parents = [*walk.full_domain, walk.highest]
        while len(parents) < self.population:
            parents.append(walk.judge(_changed(walk, _any(walk, parents).cut, _STRAY), 0.0))
        for generation in range(self.generations):
            share = generation / self.generations
            parents.sort(key=walk.cost)
            children = [walk.judge(_child(walk, parents), share) for _ in range(self.population - _ELITE)]
            parents = [*parents[:_ELITE], *children]


SEARCH = Genetic


def _any(walk: Walk, cuts: list[JudgedCut]) -> JudgedCut:
    return cuts[int(walk.chance.integers(len(cuts)))]


def _child(walk: Walk, parents: list[JudgedCut]) -> Cut:
    """Return a child; parents are sorted, the best first, and the better of two is chosen."""
    one, other = (parents[int(walk.chance.integers(len(parents), size=2).min())].cut for _ in range(2))
    trees = walk.trees
    if not len(trees):
        return one
    columns = walk.chance.random(len(trees.begins)) < 0.5
    swapped = np.append(columns[trees.columns], np.False_)
    node = int(walk.chance.integers(len(trees)))
    swapped[node : trees.ends[node]] ^= True
    # A part of a tree may come to lie below a node that is not open.
    child = _changed(walk, trees.repaired(np.where(swapped, other, one)), int(walk.chance.poisson(1.0)))
    for _ in range(_TRIES):
        if not walk.knows(child):
            break
        child = walk.step(child)
    return child


def _changed(walk: Walk, cut: Cut, steps: int) -> Cut:
    for _ in range(steps):
        cut = walk.step(cut)
    return cut
