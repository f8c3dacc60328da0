"""A walk over cuts by chance: where it begins, what it has seen, and how it ends."""

from collections.abc import Callable
from hashlib import blake2b
from itertools import islice

import numpy as np

from incrowd.searches import CellsOutcome, NothingFound, Problem
from incrowd.searches._layers.candidates import DIGITS
from incrowd.searches._subtrees.cuts import Cuts, JudgedCut
from incrowd.searches._subtrees.outcome import outcome_of
from incrowd.searches._subtrees.trees import ROOT, Cut
from incrowd.searches.optimal import walk_over
from incrowd.watch import Stopped, Watch

_NODES = 1000
"""How many nodes of the lattice of levels are counted for a start; the optimum is often among them."""

_PENALTY = 30.0
"""The penalty of a cut if all records were suppressed against the rules, in costs of the best full-domain release.

Measured on Adult with k = 5 and 2 %: with a tenth of it walks stay where too much is suppressed, and with three times
as much they do not get across.
"""


AT_THE_END = 4.0
"""How many times as long as to lay out the cuts it takes to finish once time is up."""


class Walk:
    """The cuts seen on the way, each counted once."""

    def __init__(self, problem: Problem, watch: Watch) -> None:
        with watch.as_long_at_the_end(AT_THE_END):
            self.cuts = Cuts(problem)
        self.trees = self.cuts.trees
        self.chance = np.random.default_rng(problem.seed)
        self.best: JudgedCut | None = None
        """Of those that are feasible."""
        self.full_domain: list[JudgedCut] = []
        """Releases that publish every column on one level, the best one first."""
        self._watch = watch
        self._known: dict[bytes, JudgedCut] = {}
        # The most general cut is all that can be had at once.
        self.highest = self._judged(self.trees.highest)
        self.scale = 1.0
        """The cost of the best full-domain release."""

    def begin(self, most: int) -> None:
        """Look for full-domain releases, and keep so many."""
        nodes = []
        for node in islice(walk_over(self.cuts.lattice).run(), _NODES):
            self._watch.tick(f"{self.cuts.lattice.counted} full-domain recodings counted")
            if node.feasible:
                nodes.append(node)
        nodes.sort(key=lambda node: (float(f"{node.score:.{DIGITS}g}"), node.levels))
        self.full_domain = [self.judge(self.trees.at_levels(node.levels), 0.0) for node in nodes[:most]]
        first = self.full_domain[0] if self.full_domain else self.highest
        self.scale = first.score if 0 < first.score < np.inf else 1.0

    def judge(self, cut: Cut, share: float) -> JudgedCut:
        """Count a cut, where that was not done before; `share` of the walk is over."""
        self._watch.tick(f"{self.cuts.counted} recodings counted", share)
        return self._judged(cut)

    def knows(self, cut: Cut) -> bool:
        """Return whether a cut was counted before."""
        return _name(cut) in self._known

    def cost(self, judged: JudgedCut) -> float:
        """Return the metric's score, and more where more is suppressed than may be."""
        problem = self.cuts.problem
        beyond = max(0, judged.suppressed - problem.budget) / max(1, problem.frequencies.records)
        return judged.score + _PENALTY * self.scale * beyond

    def step(self, cut: Cut) -> Cut:
        """Return a neighbor by chance: a node of the cut specialized, or some generalized to their parent."""
        shut, opened = self.trees.shut(cut), self.trees.lowest_open(cut)
        if not len(shut) + len(opened):
            return cut
        at = int(self.chance.integers(len(shut) + len(opened)))
        if at < len(shut):
            return self.trees.opened(cut, int(shut[at]))
        return self.trees.closed(cut, int(opened[at - len(shut)]))

    def refine(self) -> None:
        """Take single steps from the best cut until none is better. A node that can be specialized at the same cost is,
        to keep detail."""
        changed = self.best is not None
        while changed:
            changed = False
            for node in np.flatnonzero(self.trees.inner).tolist():
                changed |= self._turned(node)

    def _turned(self, node: int) -> bool:
        """Return whether opening or closing a node made the best cut better."""
        assert self.best is not None
        before, cut = self.best, self.best.cut
        if cut[node]:
            self.judge(self.trees.closed(cut, node), 1.0)
        elif self.trees.parents[node] == ROOT or cut[self.trees.parents[node]]:
            found = self.judge(self.trees.opened(cut, node), 1.0)
            if found.feasible and found.score == self.best.score:
                self.best = found
        return self.best is not before

    def _judged(self, cut: Cut) -> JudgedCut:
        name = _name(cut)
        known = self._known.get(name)
        if known is not None:
            return known._replace(cut=cut)
        found = self.cuts.judge(cut)
        # Thousands of cuts through large trees would fill the memory.
        self._known[name] = found._replace(cut=cut[:0])
        if found.feasible and (self.best is None or found.score < self.best.score):
            self.best = found
        return found


def _name(cut: Cut) -> bytes:
    return blake2b(np.packbits(cut).tobytes(), digest_size=16).digest()


def walked(search: str, problem: Problem, watch: Watch, way: Callable[[Walk], None]) -> CellsOutcome | NothingFound:
    """Return the best cut on a way; if stopped, the best one so far."""
    walk, stopped = Walk(problem, watch), "done"
    try:
        way(walk)
        walk.refine()
    except Stopped as stop:
        stopped = stop.reason
    full_domain = walk.full_domain[0].score if walk.full_domain else None
    return outcome_of(search, walk.cuts, walk.best, stopped, {"full_domain": full_domain})
