"""Counting nodes: each by rolling up the smallest counted node below it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.kernels import Grouper
from incrowd.core.schema import WILDCARDS
from incrowd.metrics import Columns, Generalized, Levels, Score
from incrowd.models.of_people import enough_people
from incrowd.searches import Node, Problem
from incrowd.searches.lattice.blocks import Blocks, ground
from incrowd.searches.lattice.layout import LatticeLayout
from incrowd.searches.lattice.quick import Quick
from incrowd.searches.lattice.store import Store
from incrowd.searches.lattice.wildcards import wildcard_holds


class Lattice:
    """All level vectors between the lowest and the highest allowed, and what is known of those counted."""

    def __init__(self, problem: Problem, dropped: NDArray[np.bool_] | None = None) -> None:
        """Records of the dropped combinations are neither counted nor scored; classes are still compared with the whole
        table."""
        ladders = problem.ladders
        self.problem = problem
        self.bottom: Levels = tuple(problem.minimum) or (0,) * len(ladders)
        self.top: Levels = tuple(problem.limit) or tuple(ladder.height for ladder in ladders)
        self.size = prod(high - low + 1 for low, high in zip(self.bottom, self.top, strict=True))
        self.counted = 0
        self._lay(dropped)

    def _lay(self, dropped: NDArray[np.bool_] | None) -> None:
        """Lay the table along the lattice."""
        problem, ladders = self.problem, self.problem.ladders
        self._layout = LatticeLayout.of(ladders)
        self._grouper = Grouper()
        self.combinations, base = ground(
            problem.frequencies,
            ladders,
            self._layout,
            problem.model.needs,
            problem.sensitive,
            problem.population,
            enough_people(problem.model),
        )
        self.decided = self.combinations
        """The combinations of each of which it is decided whether it is published."""
        self.origin_of: NDArray[np.integer] = np.arange(self.combinations.combinations)
        """Of each of these the combination of the quasi-identifiers."""
        priorities = problem.priorities or (1.0,) * len(ladders)
        scored = self.combinations
        if dropped is not None:
            scored = replace(scored, counts=np.where(dropped, 0, scored.counts))
        columns = Columns(scored, tuple(ladders), priorities)
        self.metric: Score = problem.metric.prepare(columns)
        base = base if dropped is None else base.take(np.flatnonzero(~dropped))
        self._base = base
        lowest = self._roll(base, self.bottom) if any(self.bottom) else base
        self._store = Store(self.bottom, lowest, _merging_most(columns), self._roll)
        self._quick = Quick.of(problem, self.metric, self.combinations.codes, self._layout, self._grouper)
        # A missing cell that matched everything and then takes a label loses matches on the way up.
        wild = problem.nulls in WILDCARDS
        self._claims = not wild or not any(ladder.hierarchy.lists_missing for ladder in ladders)
        self._merging = self._claims and problem.model.monotone.merging
        self._absorbing = self._claims and problem.model.monotone.absorbing

    def settled(self) -> "Lattice":
        """Return the lattice when the search is over: it keeps only what publishing needs."""
        self._store.forget()
        return self

    @property
    def records(self) -> int:
        """How many records there are."""
        return self.combinations.records

    @property
    def keeps_feasible(self) -> bool:
        """Whether all nodes above a feasible one are feasible: with suppression only some models have that."""
        if self.problem.budget == 0 or not self.problem.model.suppressible:
            return self._merging
        return self._absorbing

    @property
    def ground(self) -> Blocks:
        """The classes on level 0: the combinations that are counted."""
        return self._base

    def _roll(self, blocks: Blocks, levels: Levels) -> Blocks:
        return blocks.rollup(self._layout.mask(levels), self._grouper)

    def count(self, levels: Levels) -> Node:
        """Count one node and judge it."""
        self.counted += 1
        if self._quick is not None:
            return self._quick.judged(levels, self._store.below(levels))
        return self._judged(levels, self._store.blocks(levels))

    def _judged(self, levels: Levels, blocks: Blocks) -> Node:
        problem = self.problem
        classes = blocks.classes
        holds = self._holds(levels, blocks)
        sizes = blocks.counts
        suppressed = int(sizes[~holds].sum())
        broken = not problem.model.suppressible and not holds.all()
        feasible = suppressed <= problem.budget and not broken
        seen = Generalized(levels, sizes, holds, blocks.origins)
        lost = np.where(holds, 0, sizes) if self._absorbing else self._lost(classes)
        dead = int(lost.sum()) > problem.budget
        # Without suppression, and for models that suppression cannot mend, merging classes that hold is enough.
        dead = dead or (self._merging and not feasible and (problem.budget == 0 or broken))
        kept = sizes[holds & (sizes > 0)]
        return Node(
            levels=levels,
            suppressed=suppressed,
            classes=len(kept),
            smallest=int(kept.min()) if len(kept) else 0,
            feasible=feasible,
            score=self.metric.score(seen) if feasible else float("inf"),
            penalty=0.0 if dead else self.metric.penalty(seen, lost == sizes),
            dead=dead,
        )

    def _holds(self, levels: Levels, blocks: Blocks) -> NDArray[np.bool_]:
        if self.problem.nulls not in WILDCARDS:
            return self.problem.model.holds(blocks.classes)
        codes = np.array(
            [
                ladder.up[level][codes[blocks.origins]]
                for ladder, level, codes in zip(self.problem.ladders, levels, self.combinations.codes, strict=True)
            ]
        )
        return wildcard_holds(self.problem.model, codes, blocks.counts, self.problem.nulls)

    def _lost(self, classes: Classes) -> NDArray[np.int64]:
        """Return how many records of each class violate the model at every node below as well, at least."""
        return self.problem.model.lost(classes) if self._claims else np.zeros(len(classes), dtype=np.int64)

    def bound(self, levels: Levels) -> float:
        """Return a score that no release at this node undercuts."""
        total = sum(part[level] for part, level in zip(self.metric.parts, levels, strict=True))
        return float(self.metric.bound(np.array([total], dtype=np.float64))[0])

    def classes_of(self, levels: Levels) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the class at a node of each combination that is decided on, and which classes are kept."""
        blocks, of = self._base.grouped(self._layout.mask(levels), self._grouper, assign=True)
        return of, self._holds(levels, blocks)

    def above(self, levels: Levels) -> Iterator[Levels]:
        """Yield one column one level up, in column order."""
        for at, level in enumerate(levels):
            if level < self.top[at]:
                yield (*levels[:at], level + 1, *levels[at + 1 :])

    def below(self, levels: Levels) -> Iterator[Levels]:
        """Yield one column one level down, in column order."""
        for at, level in enumerate(levels):
            if level > self.bottom[at]:
                yield (*levels[:at], level - 1, *levels[at + 1 :])

    def height(self, levels: Sequence[int]) -> int:
        """Return the sum of the levels."""
        return sum(levels)


def _merging_most(columns: Columns) -> list[int]:
    """Return the third of the columns whose values are spread widest: they merge most when they are generalized."""
    shares = [totals[totals > 0] / max(1, columns.records) for totals in columns.totals]
    entropy = [-float((share * np.log2(share)).sum()) for share in shares]
    by_entropy = sorted(range(len(entropy)), key=lambda column: -entropy[column])
    # Measured on Adult: a third (3 of 9) hashes 2.0 million keys in a search, all at once 5.7, a half 2.5.
    return by_entropy[: (len(by_entropy) + 1) // 3]
