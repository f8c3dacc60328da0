"""The records of a problem in an order of their own: by rank in each column, however they were counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis
from incrowd.core.groups import SUPPRESSED, Groups
from incrowd.core.table import Codes
from incrowd.searches import Problem
from incrowd.searches._clusters.measure import Measure
from incrowd.searches._clusters.pieces import Pieces

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ClusterRecords:
    """Combinations with their counts; a position is a place in the order."""

    problem: Problem
    order: Counts
    """Per position the combination of the frequency set."""
    measure: Measure
    """Of the quasi-identifiers, those first in which records differ most: they decide soonest."""
    ranks: Codes
    """Columns of the measure x positions."""

    @classmethod
    def of(cls, problem: Problem, heights: bool = False) -> "ClusterRecords":
        """Return the records of a problem, and how their quasi-identifiers are measured."""
        frequencies = problem.frequencies
        quasi = ranks_of(problem, problem.axes)
        others = [
            problem.sensitive_axes.get(name) or Axis.of_set(name, values)
            for name, values in zip(frequencies.names, frequencies.values, strict=True)
            if name not in problem.quasi
        ]
        keys = np.concatenate([quasi, ranks_of(problem, others)])
        order = np.lexsort(keys[::-1]).astype(np.int64) if len(keys) else np.arange(frequencies.combinations)
        measure = Measure.of(problem.axes, problem.priorities, heights)
        ranks = np.ascontiguousarray(quasi[:, order])
        first = np.argsort(-measure.differences(ranks), kind="stable")
        return cls(problem, order, measure.chosen(first.tolist()), np.ascontiguousarray(ranks[first]))

    @cached_property
    def counts(self) -> Counts:
        """Per position how many records there are."""
        return np.ascontiguousarray(self.problem.frequencies.counts[self.order])

    @property
    def total(self) -> int:
        """How many records there are in all."""
        return self.problem.frequencies.records

    def ranks_of(self, axes: Sequence[Axis]) -> Codes:
        """Return the ranks in further columns."""
        return np.ascontiguousarray(ranks_of(self.problem, axes)[:, self.order])

    def groups(self, pieces: Pieces, suppressed: NDArray[np.bool_] | None = None) -> Groups:
        """Return the clusters as groups of the frequency set's combinations, in order of their numbers; some are left
        out."""
        left_out = np.zeros(pieces.n, dtype=np.bool_) if suppressed is None else suppressed
        numbers = np.where(left_out, SUPPRESSED, np.cumsum(~left_out) - 1).astype(np.int32)
        group = numbers[pieces.cluster] if pieces.n else np.zeros(0, dtype=np.int32)
        return Groups.of_pieces(self.problem.frequencies, self.order[pieces.position], pieces.counts, group)


def ranks_of(problem: Problem, axes: Sequence[Axis]) -> Codes:
    """Return the rank of each combination in each of the columns."""
    frequencies = problem.frequencies
    at = frequencies.indices([axis.name for axis in axes])
    found = np.empty((len(axes), frequencies.combinations), dtype=np.int32)
    for row, axis, c in zip(found, axes, at, strict=True):
        row[:] = axis.rank[frequencies.codes[c]]
    return found
