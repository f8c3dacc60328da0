"""The records of a problem in an order of their own, and groups of them."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis
from incrowd.core.groups import Groups
from incrowd.core.kernels import MedianPartitioner
from incrowd.core.table import Codes
from incrowd.models.class_size import smallest_class_size
from incrowd.searches import Problem
from incrowd.searches._tradeoff.scales import Scale, lines_of, scale_of
from incrowd.watch import Watch

Counts = NDArray[np.int64]
Pieces = tuple[Counts, Counts, Counts]
"""Positions, counts, and where each cluster or subspace begins."""

SLICE = 1 << 19
"""About how many cells are compared between two ticks."""


@dataclass(frozen=True, eq=False)
class TradeoffRecords:
    """Combinations with their counts; a position is a place in the order, and equal records share one."""

    problem: Problem
    order: Counts
    """Per position the combination of the frequency set."""
    counts: Counts
    ranks: Codes
    """Quasi-identifiers, then sensitive columns, x positions."""

    @classmethod
    def of(cls, problem: Problem, order: Counts | None = None) -> "TradeoffRecords":
        """Return the records by rank in each column, however they were counted, or in the order given."""
        frequencies = problem.frequencies
        axes = axes_of(problem)
        by_name = dict(zip(frequencies.names, frequencies.codes, strict=True))
        ranks = [axis.rank[by_name[axis.name]] for axis in axes]
        if order is None:
            further = [codes for name, codes in by_name.items() if name not in {axis.name for axis in axes}]
            order = np.lexsort([*further, *ranks[::-1]]) if ranks else np.zeros(0, dtype=np.int64)
        found = np.array([rank[order] for rank in ranks], dtype=np.int32).reshape(len(axes), len(order))
        return cls(problem, order.astype(np.int64), frequencies.counts[order], np.ascontiguousarray(found))

    @property
    def total(self) -> int:
        """How many records there are."""
        return int(self.counts.sum())

    @property
    def quasi(self) -> int:
        """How many of the columns are quasi-identifiers."""
        return len(self.problem.axes)

    @cached_property
    def k(self) -> int:
        """The smallest group size that the model allows."""
        return smallest_class_size(self.problem.model)

    @cached_property
    def quasi_ranks(self) -> Codes:
        """Of the quasi-identifiers alone."""
        return np.ascontiguousarray(self.ranks[: self.quasi])

    @cached_property
    def shares(self) -> Scale:
        """The span of each column, as a share of its domain."""
        axes = axes_of(self.problem)
        return scale_of(axes, [1.0] * len(axes))

    def sample(self, size: int) -> "TradeoffRecords":
        """Return a uniform random sample with replacement; all records where there are no more than that."""
        if size >= self.total:
            return self
        drawn = np.random.default_rng(self.problem.seed).integers(self.total, size=size)
        counts = np.bincount(np.searchsorted(np.cumsum(self.counts), drawn, side="right"), minlength=len(self.counts))
        there = np.flatnonzero(counts)
        ranks = np.ascontiguousarray(self.ranks[:, there])
        return replace(self, order=self.order[there], counts=counts[there].astype(np.int64), ranks=ranks)

    def subspaces(self, least: int, watch: Watch) -> Pieces:
        """Return subspaces of at least so many records by median-based pre-partitioning (Algorithm 2)."""
        halves = MedianPartitioner(self.quasi_ranks, self.counts, lines_of(self.problem.axes), max(1, least))
        while halves.work(SLICE):
            watch.tick("partitioning the records")
        found: Pieces = halves.subspaces()
        return found

    def groups(self, position: Counts, counts: Counts, group: NDArray[np.integer]) -> Groups:
        """Return pieces in numbered groups."""
        return Groups.of_pieces(self.problem.frequencies, self.order[position], counts, group.astype(np.int32))


def axes_of(problem: Problem) -> list[Axis]:
    """Return the axes of the quasi-identifiers, then of the counted sensitive columns."""
    names = problem.frequencies.names
    return [*problem.axes, *(problem.sensitive_axes[name] for name in names if name in problem.sensitive_axes)]


def whole(records: TradeoffRecords) -> Pieces:
    """Return all records as one subspace."""
    return np.arange(len(records.counts), dtype=np.int64), records.counts, np.array([0, len(records.counts)])
