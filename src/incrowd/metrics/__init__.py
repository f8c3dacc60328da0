"""Metrics: how much a recoding costs. One metric a file, found by the registry.

A module declares METRIC, a frozen dataclass whose fields are the metric's options. Every metric is a cost: less is
better. `prepare` lays it along a table; what it returns scores nodes of the lattice, and bounds a node's score from
its levels alone, so that a search need not count it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.kernels import total

Levels = tuple[int, ...]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Columns:
    """The quasi-identifiers that a metric looks at."""

    combinations: FrequencySet
    """Their distinct combinations."""
    ladders: tuple[EncodedHierarchy, ...]
    weights: tuple[float, ...]
    """How much each column matters: its priority."""

    @property
    def records(self) -> int:
        """Return how many records there are."""
        return self.combinations.records

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Per column what one of its cells counts in a mean over all cells."""
        return tuple(weight / (sum(self.weights) * max(1, self.records)) for weight in self.weights)

    @cached_property
    def totals(self) -> tuple[NDArray[np.int64], ...]:
        """Per column how many records have each code."""
        counts = self.combinations.counts
        return tuple(
            total(codes, len(ladder.values) + 1, counts)
            for codes, ladder in zip(self.combinations.codes, self.ladders, strict=True)
        )


class Own(NamedTuple):
    """The release if levels differ from cell to cell."""

    combinations: NDArray[np.int64]
    """The positions of the combinations that are published."""
    counts: NDArray[np.int64]
    """How many records each of them has."""
    levels: NDArray[np.int16]
    """Columns x combinations that are published."""


@dataclass(frozen=True, eq=False)
class Generalized:
    """A node of the lattice as a metric sees it: its levels and its classes."""

    levels: Levels
    sizes: NDArray[np.int64]
    """Records per class."""
    kept: NDArray[np.bool_]
    """Which classes are published; the records of the others are suppressed."""
    origins: NDArray[np.integer]
    """Per class one of its combinations: all of them are equal on these levels."""
    own: Own | None = None
    """In place of `levels` and `origins`, for a score."""


class Cells(NamedTuple):
    """One record as the textbook sees it."""

    values: tuple[int, ...]
    """Its original code in each column."""
    suppressed: bool


class Score(Protocol):
    """A metric laid along a table."""

    @property
    def parts(self) -> Sequence[Numbers]:
        """Per column one number for each level, none less than the one before; `bound` starts from their sum."""
        ...

    def bound(self, total: Numbers) -> Numbers:
        """Return a score that no node with this sum of parts undercuts; it never falls where the sum rises."""
        ...

    def score(self, node: Generalized) -> float:
        """Return the cost of a release at this node."""
        ...

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return what losing the marked classes adds to `bound`, 0 where nothing can be said.

        The claim: where no class that is kept becomes lost on the way up, the penalty never grows on the way up, so
        every node below scores at least its own bound plus this penalty.
        """
        ...


class Metric(Protocol):
    """A cost of a full-domain recoding."""

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        ...

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition, record by record."""
        ...


CONTRACT = Metric
