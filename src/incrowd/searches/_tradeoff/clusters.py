"""Clusters on their way to groups: those that may stand, and the records that are left over."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, Kind, texts_of
from incrowd.core.groups import Groups
from incrowd.core.table import Codes
from incrowd.searches._tradeoff.records import Counts, Pieces, TradeoffRecords
from incrowd.watch import Watch

AT_A_TIME = 256
"""How many left-over pieces are placed between two ticks."""

WINDOW = 1024
"""How many clusters, those around its own subspace, a left-over record looks at; all if there are no more."""


@dataclass(frozen=True, eq=False)
class TradeoffClusters:
    """Pieces in numbered clusters, or left over."""

    position: Counts
    counts: Counts
    cluster: Counts
    """Numbered from 0 without gaps, in the order in which they were made; -1 are left over, in order of arrival."""

    @classmethod
    def of(cls, made: Pieces, stand: NDArray[np.bool_]) -> "TradeoffClusters":
        """Return which of the clusters stand; the records of all others are left over."""
        position, counts, starts = made
        number = np.where(stand, np.cumsum(stand) - 1, -1)
        return cls(position, counts, np.repeat(number, np.diff(starts)))

    @classmethod
    def none(cls) -> "TradeoffClusters":
        """Return no clusters."""
        return cls(*np.zeros((3, 0), dtype=np.int64))

    @property
    def n(self) -> int:
        """How many clusters stand."""
        return int(self.cluster.max(initial=-1)) + 1

    @property
    def left_over(self) -> int:
        """How many records are in none."""
        return int(self.counts[self.cluster < 0].sum())

    def standing(self) -> Pieces:
        """Return the pieces of the clusters that stand, and where each begins."""
        there = np.flatnonzero(self.cluster >= 0)
        there = there[np.argsort(self.cluster[there], kind="stable")]
        starts = np.append(0, np.cumsum(np.bincount(self.cluster[there], minlength=self.n)))
        return self.position[there], self.counts[there], starts.astype(np.int64)

    def placed(self, neighbors: Any, watch: Watch, single: bool = False, rising: bool = False) -> "TradeoffClusters":
        """Return left-over pieces where they fit best, or with `rising` where diversity rises least; with `single`
        record by record."""
        left = np.flatnonzero(self.cluster < 0)
        # The clusters that were made before.
        around = np.maximum.accumulate(np.append(-1, self.cluster))[left] + 1
        position, counts = self.position[left], self.counts[left]
        if single:
            position, around = np.repeat(position, counts), np.repeat(around, counts)
            counts = np.ones(len(position), dtype=np.int64)
        found = np.full(len(position), -1, dtype=np.int64)
        for first in range(0, len(position), AT_A_TIME):
            watch.tick(f"{first:,} of {len(position):,} remaining pieces placed", 1 / 2 + first / len(position) / 2)
            last = min(first + AT_A_TIME, len(position))
            neighbors.place(position, counts, around, found, first, last, rising)
        rest = self.cluster >= 0
        return TradeoffClusters(
            np.concatenate([self.position[rest], position]),
            np.concatenate([self.counts[rest], counts]),
            np.concatenate([self.cluster[rest], found]),
        )

    def renumbered(self, number: Counts) -> "TradeoffClusters":
        """Cluster c becomes number[c]; those with the same number are one, and -1 is left over."""
        known = np.unique(number[number >= 0])
        compact = np.where(number < 0, -1, np.searchsorted(known, number))
        return TradeoffClusters(self.position, self.counts, np.append(compact, -1)[self.cluster])

    def groups(self, records: TradeoffRecords) -> Groups:
        """Return the groups that they are; what is left over is suppressed."""
        return records.groups(self.position, self.counts, self.cluster)


def holding(records: TradeoffRecords, clusters: TradeoffClusters) -> NDArray[np.bool_]:
    """Return which clusters satisfy the model."""
    problem, there = records.problem, clusters.cluster >= 0
    # Pieces need no order to be judged.
    pieces = replace(
        problem.frequencies,
        codes=np.ascontiguousarray(problem.frequencies.codes[:, records.order[clusters.position[there]]]),
        counts=clusters.counts[there],
    )
    numbers = clusters.cluster[there].astype(np.int32)
    classes = pieces.grouped(numbers, clusters.n, problem.model.needs, problem.sensitive, problem.frequencies)
    held: NDArray[np.bool_] = problem.model.holds(classes)
    return held


def alike(records: TradeoffRecords, clusters: TradeoffClusters) -> Counts:
    """Return per cluster the first one that publishes the same cells: to a reader they are one class."""
    there = clusters.cluster >= 0
    position, cluster = clusters.position[there], clusters.cluster[there]
    keys = []
    for c, axis in enumerate(records.problem.axes):
        codes = axis.code[records.ranks[c, position]]
        keys += _CELLS[axis.kind](axis, codes, cluster.astype(np.int32), clusters.n)
    if not clusters.n:
        return np.zeros(0, dtype=np.int64)
    _, first, of = np.unique(np.array(keys), axis=1, return_index=True, return_inverse=True)
    return first[of.reshape(-1)].astype(np.int64)


def _along_a_line(axis: Axis, codes: Codes, group: Codes, n: int) -> list[Counts]:
    cells = axis.cells(codes, group, n)
    # Whatever is missing in part is published alike.
    mixed = cells.missing & (cells.distinct > 0)
    low, high = (np.where(mixed, -1, ends).astype(np.int64) for ends in (cells.low, cells.high))
    return [low, high] if axis.bounds is None else _with_published_ends(axis, low, high)


def _with_published_ends(axis: Axis, low: Counts, high: Counts) -> list[Counts]:
    """Return ranges with bounds by their published ends, numbered below all others; single values stay."""
    found: dict[object, int] = {}
    ranges = np.flatnonzero((low > 0) & (axis.places[low] != axis.places[high]))
    for at in ranges.tolist():
        low[at] = high[at] = -2 - found.setdefault(axis.ends(int(low[at]), int(high[at])), len(found))
    return [low, high]


def _of_a_tree(axis: Axis, codes: Codes, group: Codes, n: int) -> list[Counts]:
    """Return labels by their text: one may be on several levels."""
    assert axis.ladder is not None
    cells = axis.cells(codes, group, n)
    code = axis.code[cells.low]
    number_of: dict[str | None, int] = {}
    found = np.empty(n, dtype=np.int64)
    for level in range(axis.ladder.height + 1):
        at = np.flatnonzero(cells.level == level)
        texts = [None, *texts_of(axis.values)] if level == 0 else axis.ladder.labels(level)
        numbers = np.array([number_of.setdefault(text, len(number_of)) for text in texts], dtype=np.int64)
        found[at] = numbers[axis.ladder.up[level][code[at]]]
    return [found]


def _of_a_set(axis: Axis, codes: Codes, group: Codes, n: int) -> list[Counts]:
    ranks = axis.rank[codes].astype(np.int64)
    pairs = np.unique(group.astype(np.int64) * len(axis.rank) + ranks)
    starts = np.searchsorted(pairs // len(axis.rank), np.arange(n + 1))
    members = pairs % len(axis.rank)
    number_of: dict[bytes, int] = {}
    found = np.empty(n, dtype=np.int64)
    for at in range(n):
        own = members[starts[at] : starts[at + 1]]
        # Missing beside others is published as everything.
        key = b"" if len(own) > 1 and own[0] == 0 else own.tobytes()
        found[at] = number_of.setdefault(key, len(number_of))
    return [found]


_CELLS: dict[Kind, Callable[[Axis, Codes, Codes, int], list[Counts]]] = {
    Kind.NUMBERS: _along_a_line,
    Kind.ORDER: _along_a_line,
    Kind.TREE: _of_a_tree,
    Kind.SET: _of_a_set,
}
