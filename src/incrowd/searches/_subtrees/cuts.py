"""Counting, judging and scoring cuts."""

from dataclasses import replace
from functools import cached_property
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels import Grouper
from incrowd.core.keys import bits
from incrowd.metrics import Generalized, Own
from incrowd.metrics.cell_costs import CellScore
from incrowd.recodings.by_combination import SUPPRESSED, Texts
from incrowd.searches import Problem
from incrowd.searches._layers.candidates import DIGITS
from incrowd.searches._subtrees.trees import Cut, HierarchyTrees, Nodes
from incrowd.searches.lattice import Lattice
from incrowd.searches.lattice.layout import Keys

_WORD = 64


class JudgedCut(NamedTuple):
    """A cut that was counted and judged."""

    cut: Cut
    suppressed: int
    """Records in classes that violate the model."""
    smallest: int
    """The size of the smallest class kept; 0 if none is."""
    feasible: bool
    score: float
    """The metric's cost of the release with that suppression; infinite if suppression does not help.

    Without what rounding adds, which depends on who counted the table.
    """


class Cuts:
    """The cuts through the trees of a problem's columns."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.lattice = Lattice(problem)
        combinations = self.lattice.combinations
        self.trees = HierarchyTrees.of(problem.ladders, combinations.codes, self.lattice.bottom, self.lattice.top)
        self._places = combinations.codes + self.trees.begins[:, None]
        """Columns x combinations."""
        self._bits, self._words = _bits(problem, self.trees)
        self._grouper = Grouper()
        self._everything = np.full(int(self._words.max(initial=0)) + 1, ~np.uint64(0))
        self._lookup = np.zeros(len(self.trees.tops), dtype=np.uint64)
        self._keys: Keys = np.zeros((combinations.combinations, len(self._everything)), dtype=np.uint64)
        self._cell_costs = _CellCosts(self) if isinstance(self.lattice.metric, CellScore) else None
        self.counted = 0

    @cached_property
    def keeps_feasible(self) -> bool:
        """Whether no specialization of a cut that is not feasible is feasible."""
        return self.lattice.keeps_feasible and _are_distinct(self.trees, self._bits)

    def own_levels(self, cut: Cut) -> NDArray[np.int16]:
        """Return columns x combinations: the level of every cell; SUPPRESSED where the class violates the model."""
        levels = self.trees.levels_of(cut)
        _, kept, _ = self._classes(levels)
        return np.where(kept, levels[self._places], SUPPRESSED).astype(np.int16)

    def judge(self, cut: Cut) -> JudgedCut:
        """Count, judge and score a cut."""
        self.counted += 1
        problem, levels = self.problem, self.trees.levels_of(cut)
        sizes, kept, holds = self._classes(levels)
        suppressed = int(sizes[~holds].sum())
        broken = not problem.model.suppressible and not holds.all()
        return JudgedCut(
            cut,
            suppressed,
            int(sizes[holds].min()) if holds.any() else 0,
            suppressed <= problem.budget and not broken,
            inf if broken else self._score(levels, sizes[holds], kept),
        )

    def _classes(self, levels: Nodes) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the sizes of the classes, which combinations are kept, and which classes satisfy the model."""
        lookup = self._bits[levels, np.arange(len(levels))]
        changed = lookup ^ self._lookup
        # Most cuts differ from the one before in few columns.
        for column, (begin, places) in enumerate(zip(self.trees.begins, self._places, strict=True)):
            end = self.trees.begins[column + 1] if column + 1 < len(self.trees.begins) else len(levels)
            if changed[begin:end].any():
                self._keys[:, self._words[column]] ^= changed[places]
        self._lookup = lookup
        ground = replace(self.lattice.ground, keys=self._keys)
        blocks, of = ground.grouped(self._everything, self._grouper, assign=True)
        holds = self.problem.model.holds(blocks.classes)
        return blocks.counts, holds[of], holds

    def _score(self, levels: Nodes, sizes: NDArray[np.int64], kept: NDArray[np.bool_]) -> float:
        if self._cell_costs is not None:
            score = self._cell_costs.score(levels, np.flatnonzero(~kept))
        else:
            score = self._score_of_release(levels, sizes, kept)
        return float(f"{score:.{DIGITS}g}")

    def _score_of_release(self, levels: Nodes, sizes: NDArray[np.int64], kept: NDArray[np.bool_]) -> float:
        """Return the score by the metric itself, which may look at anything."""
        counts = self.lattice.combinations.counts
        published = np.flatnonzero(kept)
        own = Own(published, counts[published], levels[self._places[:, published]].astype(np.int16))
        every = np.append(sizes, counts.sum() - own.counts.sum())
        seen = Generalized((), every, np.arange(len(every)) < len(sizes), np.empty(0, dtype=np.int64), own)
        return self.lattice.metric.score(seen)


class _CellCosts:
    """Where cells have prices, those of a cut are added up value by value, and combinations are not looked at."""

    def __init__(self, cuts: Cuts) -> None:
        metric, trees = cuts.lattice.metric, cuts.trees
        assert isinstance(metric, CellScore)
        self._worst = metric.worst
        self._places = cuts._places
        self._counts = cuts.lattice.combinations.counts
        self._totals = sum(
            (np.bincount(places, weights=self._counts, minlength=len(trees.tops)) for places in self._places),
            start=np.zeros(len(trees.tops)),
        )
        self._gaps = np.zeros((int(trees.tops.max(initial=0)) + 1, len(trees.tops)))
        ends = np.append(trees.begins[1:], len(trees.tops))
        for begins, begin, end in zip(metric.begins, trees.begins, ends, strict=True):
            for level, at in enumerate(begins[: len(self._gaps)]):
                self._gaps[level, begin:end] = metric.gaps[at : at + end - begin]

    def score(self, levels: Nodes, gone: Nodes) -> float:
        """Return the cost where every record is suppressed, less what those gain that are not."""
        gaps = self._gaps[levels, np.arange(len(levels))]
        lost = gaps[self._places[:, gone]].sum(axis=0) @ self._counts[gone]
        return float(self._worst - gaps @ self._totals + lost)


def _bits(problem: Problem, trees: HierarchyTrees) -> tuple[Keys, Nodes]:
    """Return levels x places: what a cell adds to the key of its combination; and to which word, by column.

    Cells that look alike are alike, whatever their nodes.
    """
    words, word, used = [], 0, 0
    found = np.zeros((int(trees.tops.max(initial=0)) + 1, len(trees.tops)), dtype=np.uint64)
    for ladder, begin in zip(problem.ladders, trees.begins, strict=True):
        texts = Texts.of(ladder)
        width = bits(len(texts.labels))
        if used + width > _WORD:
            word, used = word + 1, 0
        part = texts.numbers[: len(found)].astype(np.uint64) << np.uint64(used)
        found[: len(part), begin : begin + part.shape[1]] = part
        words.append(word)
        used += width
    return found, np.array(words, dtype=np.int64)


def _are_distinct(trees: HierarchyTrees, bits: Keys) -> bool:
    """Return whether no two nodes that can be on the same cut look alike: then to open a node never joins classes."""
    places = np.zeros(len(trees) + 1, dtype=np.int64)
    for nodes in trees.paths:
        places[nodes] = np.arange(len(nodes))
    looks = bits[trees.levels, places[:-1]].tolist()
    last: dict[tuple[int, int], int] = {}
    for node, look in enumerate(zip(trees.columns.tolist(), looks, strict=True)):
        if look in last and node >= trees.ends[last[look]]:
            return False
        last[look] = node
    return True
