"""Top-down specialization (Fung, Wang and Yu 2005): detail where it predicts a class label best."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.errors import UsageError
from incrowd.searches import CellsOutcome, CellsSearch, NothingFound, Problem
from incrowd.searches._layers.candidates import DIGITS
from incrowd.searches._layers.outcome import refuse
from incrowd.searches._subtrees.cuts import Cuts, JudgedCut
from incrowd.searches._subtrees.outcome import outcome_of
from incrowd.searches._subtrees.trees import ROOT, HierarchyTrees
from incrowd.searches._subtrees.walking import AT_THE_END
from incrowd.watch import Stopped, Watch

Choice = tuple[tuple[float, float, int], JudgedCut]
"""A specialization and its place among others: the first is taken."""


@dataclass(frozen=True)
class TopDownSpecialization(CellsSearch):
    """A full-subtree recoding of which no node can be specialized without going beyond the limits; a better one may
    exist.

    From the most general recoding on, of all specializations that stay within the limits the one that has the highest
    InfoGain / (AnonyLoss + 1): how much less uncertain the label is then, and by how much the smallest class shrinks.
    Where the label gains nothing, the metric decides.
    """

    label: str
    """The column with the class label: a sensitive one, or one that is kept."""

    def __post_init__(self) -> None:
        if not isinstance(self.label, str) or not self.label.strip():
            raise UsageError.not_one_of("label of top_down_specialization", self.label, ["the name of a column"])

    @property
    def looks_at(self) -> tuple[str, ...]:
        """The column that is counted with the quasi-identifiers."""
        return (self.label,)

    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | NothingFound:
        """Specialize step by step; if stopped, return the steps so far."""
        refuse("top_down_specialization", problem)
        with watch.as_long_at_the_end(AT_THE_END):
            cuts = Cuts(problem)
        run = _Specialization(cuts, self.label, watch)
        stopped = "done"
        try:
            run.specialize()
        except Stopped as stop:
            stopped = stop.reason
        best = run.here if run.here.feasible else None
        return outcome_of("top_down_specialization", run.cuts, best, stopped, {"specializations": run.steps})


SEARCH = TopDownSpecialization


class _Specialization:
    """One run, and where it is."""

    def __init__(self, cuts: Cuts, label: str, watch: Watch) -> None:
        self.cuts = cuts
        self.here = cuts.judge(cuts.trees.highest)
        self.steps = 0
        self._watch = watch
        self._gains = information_gains(cuts.problem, cuts.trees, label)
        self._hopeless: set[int] = set()
        """Nodes that can never be opened."""

    def specialize(self) -> None:
        """Specialize until no specialization stays within the limits."""
        while self.here.feasible:
            found = [each for node in self.cuts.trees.shut(self.here.cut).tolist() if (each := self._seen(node))]
            if not found:
                return
            self.here = min(found, key=lambda each: each[0])[1]
            self.steps += 1

    def _seen(self, node: int) -> Choice | None:
        """Return the gain of specializing a node; None if it exceeds the limits."""
        if node in self._hopeless:
            return None
        self._watch.tick(f"{self.steps} specializations")
        found = self.cuts.judge(self.cuts.trees.opened(self.here.cut, node))
        if not found.feasible:
            if self.cuts.keeps_feasible:
                self._hopeless.add(node)
            return None
        lost = max(0, self.here.smallest - found.smallest)
        worth = round(float(self._gains[node]) / (lost + 1), DIGITS)
        return (-worth, found.score, node), found


def information_gains(problem: Problem, trees: HierarchyTrees, label: str) -> NDArray[np.float64]:
    """Return InfoGain of each node: the bits by which specializing it makes the label of its records more certain.

    All records count, those that will be suppressed too.
    """
    frequencies, n = problem.frequencies, len(trees)
    [at] = frequencies.indices([label])
    labels = frequencies.cardinalities[at]
    places = frequencies.codes[frequencies.indices(problem.quasi)] + trees.begins[:, None]
    sizes, spread = np.zeros(n), np.zeros(n)
    for nodes in trees.paths:
        pairs, number = np.unique((nodes[places] * labels + frequencies.codes[at]).reshape(-1), return_inverse=True)
        counts = np.bincount(number.reshape(-1), weights=np.tile(frequencies.counts, len(places)))
        sizes += np.bincount(pairs // labels, weights=counts, minlength=n + 1)[:n]
        spread += np.bincount(pairs // labels, weights=counts * np.log2(counts), minlength=n + 1)[:n]
    # n records times the entropy of their labels: n log n less c log c for each label that c of them have.
    uncertain = sizes * np.log2(np.maximum(1.0, sizes)) - spread
    below = np.zeros(n)
    has = trees.parents != ROOT
    np.add.at(below, trees.parents[has], uncertain[has])
    gained = np.where(trees.inner, np.maximum(0.0, uncertain - below), 0.0)
    gains: NDArray[np.float64] = gained / np.maximum(1.0, sizes)
    return gains
