"""The records of a problem in an order of their own: by rank in each column, however they were counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis
from incrowd.core.groups import SUPPRESSED, Groups
from incrowd.core.keys import number_combinations
from incrowd.core.table import MISSING, Codes
from incrowd.models.class_size import fewest_records, fewest_values
from incrowd.models.of_people import OfPeople
from incrowd.searches import Problem
from incrowd.searches._clusters.measure import Measure
from incrowd.searches._clusters.pieces import Pieces
from incrowd.searches._clusters.ranges import range_diversities, ranges_wanted

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

    @cached_property
    def _judged(self) -> tuple[Codes, Counts]:
        """The values that a cluster needs several of: their codes, columns x positions, and how many of each column.

        Of Range Diversity these are ranges.
        """
        frequencies = self.problem.frequencies
        model = self.problem.model
        needed, person = fewest_values(model), model.person if isinstance(model, OfPeople) else None
        ranges = self._ranges
        codes = np.empty((len(needed) + len(ranges), len(self.order)), dtype=np.int32)
        for row, columns in zip(codes, needed, strict=False):
            at = frequencies.indices(columns)
            parts = np.ascontiguousarray(frequencies.codes[at][:, self.order])
            row[:] = number_combinations(list(parts), [frequencies.cardinalities[each] for each in at])[0]
            if columns == person:
                # A record that tells no person is a person of its own.
                row[(parts == MISSING).all(axis=0)] = -1
        for row, (numbers, _) in zip(codes[len(needed) :], ranges, strict=True):
            row[:] = numbers[self.order]
        return codes, np.array([*needed.values(), *(wanted for _, wanted in ranges)], dtype=np.int64)

    @property
    def _ranges(self) -> list[tuple[Codes, int]]:
        """The ranges that the models are about."""
        model = self.problem.model
        own = model.model if isinstance(model, OfPeople) else model
        k = fewest_records(model)
        found = [ranges_wanted(self.problem, each, k) for each in range_diversities(own)]
        return [each for each in found if each is not None and each[1] > 1]

    def judged(self, positions: Counts) -> tuple[Codes, Counts]:
        """Return the same at some positions, numbered without gaps."""
        codes, least = self._judged
        found = np.empty((len(codes), len(positions)), dtype=np.int32)
        for row, own in zip(found, codes[:, positions], strict=True):
            row[:] = np.unique(own, return_inverse=True)[1].reshape(-1)
            row[own < 0] = -1
        return found, least

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


def no_needs(items: int) -> tuple[Codes, Counts]:
    """Return the needs of clusters that need nothing but records."""
    return np.empty((0, items), dtype=np.int32), np.empty(0, dtype=np.int64)
