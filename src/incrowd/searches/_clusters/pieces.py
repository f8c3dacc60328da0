"""Pieces: so many records of a position are in a cluster."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pieces:
    """All records, in clusters numbered from 0 without gaps."""

    position: Counts
    counts: Counts
    cluster: Counts
    """Never falling; positions rise within a cluster."""

    @classmethod
    def joined(cls, parts: Iterable[tuple[Counts, Counts, Counts]]) -> "Pieces":
        """Return clusters of several parts, which each number their own from 0; equal records of a cluster are one
        piece."""
        found, begun = [np.zeros((3, 0), dtype=np.int64)], 0
        for position, counts, cluster in parts:
            found.append(np.stack([position, counts, cluster + begun]))
            begun += int(cluster.max(initial=-1)) + 1
        return cls.sorted(*np.concatenate(found, axis=1))

    @classmethod
    def sorted(cls, position: Counts, counts: Counts, cluster: Counts) -> "Pieces":
        """Return pieces in any order, of clusters with any numbers."""
        numbers = np.unique(cluster, return_inverse=True)[1].reshape(-1)
        order = np.lexsort((position, numbers))
        at, number = position[order], numbers[order].astype(np.int64)
        new = np.append(True, (at[1:] != at[:-1]) | (number[1:] != number[:-1]))[: len(order)]
        first = np.flatnonzero(new)
        summed = np.add.reduceat(counts[order], first) if len(first) else counts
        return cls(at[first], summed, number[first])

    @property
    def n(self) -> int:
        """How many clusters there are."""
        return len(self.starts) - 1

    @cached_property
    def starts(self) -> Counts:
        """The pieces of cluster c are those from starts[c] to starts[c + 1]."""
        begins = np.flatnonzero(np.append(True, self.cluster[1:] != self.cluster[:-1])[: len(self.cluster)])
        return np.append(begins, len(self.cluster)).astype(np.int64)

    @cached_property
    def sizes(self) -> Counts:
        """How many records each cluster has."""
        return np.add.reduceat(self.counts, self.starts[:-1]) if self.n else np.zeros(0, dtype=np.int64)

    def of(self, clusters: NDArray[np.int64]) -> tuple[Counts, Counts, Counts]:
        """Return the positions and counts of some clusters, one after the other, and where each of them begins."""
        lengths = np.diff(self.starts)[clusters]
        starts = np.append(np.int64(0), np.cumsum(lengths))
        at = np.arange(starts[-1]) + np.repeat(self.starts[clusters] - starts[:-1], lengths)
        return self.position[at], self.counts[at], starts

    def middles(self, ranks: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return columns x clusters: the lowest and the highest rank, added up."""
        found = np.zeros((len(ranks), self.n), dtype=np.int64)
        for row, own in zip(found, ranks, strict=True) if self.n else ():
            cells = own[self.position]
            row[:] = np.minimum.reduceat(cells, self.starts[:-1])
            row += np.maximum.reduceat(cells, self.starts[:-1])
        return found
