"""k-anonymity alone, of records or people, with a cost that is a sum over cells: a node is judged while counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Columns
from incrowd.core.kernels import Grouper, Judge
from incrowd.core.schema import Nulls
from incrowd.core.table import Codes
from incrowd.metrics import Levels, Score
from incrowd.metrics.cell_costs import CellScore
from incrowd.metrics.level_costs import LevelScore
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.of_people import OfPeople, entries_of
from incrowd.searches import Node, Problem
from incrowd.searches.lattice.blocks import Blocks
from incrowd.searches.lattice.layout import LatticeLayout


@dataclass(frozen=True, eq=False)
class Quick:
    """Most searches need no more, and most of their time would go into lists of classes."""

    budget: int
    judge: Judge
    person: Columns
    """The columns that tell the person, if people are counted."""

    @classmethod
    def of(
        cls, problem: Problem, metric: Score, codes: Codes, layout: LatticeLayout, grouper: Grouper
    ) -> "Quick | None":
        """Return a quick judge; None if the problem asks for more."""
        plain = problem.nulls == Nulls.EXTENDED and problem.population is None
        model = problem.model.model if isinstance(problem.model, OfPeople) else problem.model
        person = problem.model.person if isinstance(problem.model, OfPeople) else ()
        if not (plain and isinstance(model, KAnonymity) and isinstance(metric, CellScore | LevelScore)):
            return None
        levels = layout.masks.shape[1]
        parts, begins = _even(metric.parts, levels, np.float64), _even(metric.begins, levels, np.int64)
        # The kernel's integers end somewhere, and k beyond the table is k beyond the table.
        k = min(model.k, problem.frequencies.records + 1)
        rows = np.ascontiguousarray(codes.T)
        judge = Judge(grouper, k, problem.budget, layout.masks, parts, rows, metric.gaps, begins)
        return cls(problem.budget, judge, person)

    def judged(self, levels: Levels, below: Blocks) -> Node:
        """Return the node, counted on the classes of one below it."""
        found = (levels, below.keys, below.counts, below.origins)
        suppressed, classes, smallest, plain, penalty = (
            self.judge.judge_people(*found, *entries_of(below.histograms[self.person]))
            if self.person
            else self.judge.judge(*found)
        )
        feasible = suppressed <= self.budget
        score = plain + penalty if feasible else inf
        return Node(levels, suppressed, classes, smallest, feasible, score, penalty, dead=not feasible)


def _even(rows: Sequence[Any], length: int, kind: type) -> NDArray[Any]:
    """Return rows of different lengths as one array, filled up with 0."""
    found: NDArray[Any] = np.zeros((len(rows), length), dtype=kind)
    for at, row in enumerate(rows):
        found[at, : len(row)] = row
    return found
