"""Blocks: neighboring records that are clustered together, apart from all others."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.searches._clusters.parting import parts
from incrowd.searches._clusters.pieces import Pieces
from incrowd.searches._clusters.records import ClusterRecords
from incrowd.watch import Watch

Positions = NDArray[np.int64]


def blocks(records: ClusterRecords, most: int | None, k: int, watch: Watch) -> Iterator[Positions]:
    """Yield blocks of the size allowed, one of all records without a limit, each large enough for a cluster of k."""
    limit = records.total if most is None else max(most, 2 * k)
    middles = 2 * records.ranks.astype(np.int64)
    for block in parts(records.measure, middles, records.counts, limit, k) if len(records.counts) else ():
        watch.tick(f"partitioning {records.total} records into blocks")
        yield np.sort(block)


def singles(records: ClusterRecords) -> Pieces:
    """Return every combination as a cluster of its own."""
    every = np.arange(len(records.counts))
    return Pieces(every, records.counts, every)


def whole(records: ClusterRecords, found: Sequence[Positions], kernels: Sequence[Any]) -> Pieces:
    """Return the clusters that kernels made of the blocks; all records are one if those were not made in time."""
    if sum(len(block) for block in found) < len(records.counts):
        every = np.arange(len(records.counts))
        return Pieces(every, records.counts, np.zeros_like(every))

    def placed() -> Iterator[tuple[Positions, Positions, Positions]]:
        for block, kernel in zip(found, kernels, strict=True):
            position, counts, cluster = kernel.pieces()
            yield block[position], counts, cluster

    return Pieces.joined(placed())
