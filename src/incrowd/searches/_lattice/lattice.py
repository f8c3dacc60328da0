"""Counting nodes: each by rolling up the smallest counted node below it."""

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from incrowd.core._kernels import Grouper
from incrowd.core.classes import Classes
from incrowd.metrics import Columns, Generalised, Levels
from incrowd.searches import Node, Problem
from incrowd.searches._lattice.blocks import Blocks, ground
from incrowd.searches._lattice.layout import Layout
from incrowd.searches._lattice.store import Store


class Lattice:
    """All level vectors between the lowest and the highest allowed, and what is known of those counted."""

    def __init__(self, problem: Problem) -> None:
        ladders = problem.ladders
        self.problem = problem
        self.bottom: Levels = tuple(problem.minimum) or (0,) * len(ladders)
        self.top: Levels = tuple(problem.limit) or tuple(ladder.height for ladder in ladders)
        self.size = prod(high - low + 1 for low, high in zip(self.bottom, self.top, strict=True))
        self.counted = 0
        self._layout = Layout.of(ladders)
        self._grouper = Grouper()
        self.combinations, base = ground(
            problem.frequencies, ladders, self._layout, problem.model.needs, problem.sensitive
        )
        priorities = problem.priorities or (1.0,) * len(ladders)
        self.metric = problem.metric.prepare(Columns(self.combinations, tuple(ladders), priorities))
        self._base = base
        self._store = Store(self.bottom, self._rolled(base, self.bottom))
        self._relaxed = problem.model.relaxed()
        self._merging = problem.model.monotone.merging
        self._exact = self._relaxed is problem.model

    @property
    def records(self) -> int:
        """How many records there are."""
        return self.combinations.records

    def _rolled(self, blocks: Blocks, levels: Levels) -> Blocks:
        return blocks.rollup(self._layout.mask(levels), self._grouper) if any(levels) else blocks

    def blocks(self, levels: Levels) -> Blocks:
        """The classes at a node."""
        known = self._store.nearest(levels)
        if known.levels == levels:
            return known.blocks
        return known.blocks.rollup(self._layout.mask(levels), self._grouper)

    def count(self, levels: Levels) -> Node:
        """Count one node and judge it."""
        self.counted += 1
        blocks = self.blocks(levels)
        self._store.keep(levels, blocks)
        return self._judged(levels, blocks)

    def _judged(self, levels: Levels, blocks: Blocks) -> Node:
        problem = self.problem
        classes = blocks.classes
        holds = problem.model.holds(classes)
        sizes = blocks.counts
        suppressed = int(sizes[~holds].sum())
        broken = not problem.model.suppressible and not holds.all()
        feasible = suppressed <= problem.budget and not broken
        seen = Generalised(levels, sizes, holds, blocks.origins)
        lost = ~holds if self._exact else self._lost(classes)
        dead = int(sizes[lost].sum()) > problem.budget
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
            penalty=0.0 if dead else self.metric.penalty(seen, lost),
            dead=dead,
        )

    def _lost(self, classes: Classes) -> NDArray[np.bool_]:
        """Classes that violate the model on every level below as well."""
        if self._relaxed is None:
            return np.zeros(len(classes), dtype=bool)
        return ~self._relaxed.holds(classes)

    def bound(self, levels: Levels) -> float:
        """No release at this node scores less."""
        total = sum(part[level] for part, level in zip(self.metric.parts, levels, strict=True))
        return float(self.metric.bound(np.array([total], dtype=np.float64))[0])

    def classes_of(self, levels: Levels) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """The class of each original combination at a node, and which classes are kept."""
        blocks, of = self._base.grouped(self._layout.mask(levels), self._grouper, assign=True)
        return of, self.problem.model.holds(blocks.classes)

    def above(self, levels: Levels) -> Iterator[Levels]:
        """One column one level up, in column order."""
        for at, level in enumerate(levels):
            if level < self.top[at]:
                yield (*levels[:at], level + 1, *levels[at + 1 :])

    def below(self, levels: Levels) -> Iterator[Levels]:
        """One column one level down, in column order."""
        for at, level in enumerate(levels):
            if level > self.bottom[at]:
                yield (*levels[:at], level - 1, *levels[at + 1 :])

    def height(self, levels: Sequence[int]) -> int:
        """The sum of the levels."""
        return sum(levels)
