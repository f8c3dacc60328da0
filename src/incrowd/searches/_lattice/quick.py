"""k-anonymity alone, with a cost that is a sum over cells: a node is judged while it is counted."""

from dataclasses import dataclass

import numpy as np

from incrowd.core._kernels import Grouper
from incrowd.core.schema import Nulls
from incrowd.metrics import Levels
from incrowd.metrics._cells import CellScore
from incrowd.metrics._levels import LevelScore
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Node, Problem
from incrowd.searches._lattice.blocks import Blocks
from incrowd.searches._lattice.layout import Keys


@dataclass(frozen=True, eq=False)
class Quick:
    """Most searches need no more, and most of their time would go into lists of classes."""

    k: int
    budget: int
    metric: CellScore | LevelScore
    parts: list[list[float]]
    codes: np.ndarray
    grouper: Grouper

    @classmethod
    def of(cls, problem: Problem, metric: object, codes: np.ndarray, grouper: Grouper) -> "Quick | None":
        """None where something else is asked for."""
        plain = problem.nulls == Nulls.EXTENDED and problem.population is None
        if not (plain and isinstance(problem.model, KAnonymity) and isinstance(metric, CellScore | LevelScore)):
            return None
        parts = [part.tolist() for part in metric.parts]
        # The kernel's integers end somewhere, and k beyond the table is k beyond the table.
        k = min(problem.model.k, problem.frequencies.records + 1)
        return cls(k, problem.budget, metric, parts, codes, grouper)

    def judged(self, levels: Levels, below: Blocks, mask: Keys) -> Node:
        """The node, counted on the classes of one below it."""
        begins = [column[level] for column, level in zip(self.metric.begins, levels, strict=False)]
        suppressed, classes, smallest, penalty = self.grouper.judge(
            below.keys,
            mask,
            below.counts,
            self.k,
            self.budget,
            below.origins,
            self.codes,
            self.metric.gaps,
            np.array(begins, dtype=np.int64),
        )
        feasible = suppressed <= self.budget
        plain = sum(part[level] for part, level in zip(self.parts, levels, strict=True))
        return Node(
            levels=levels,
            suppressed=suppressed,
            classes=classes,
            smallest=smallest,
            feasible=feasible,
            score=plain + penalty if feasible else float("inf"),
            penalty=penalty,
            dead=not feasible,
        )
