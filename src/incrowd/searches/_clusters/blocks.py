"""Blocks: neighbouring records that are clustered together, apart from all others."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.searches._clusters.parting import parts
from incrowd.searches._clusters.pieces import Pieces
from incrowd.searches._clusters.records import Records
from incrowd.watch import Watch

Positions = NDArray[np.int64]


def blocks(records: Records, most: int | None, k: int, watch: Watch) -> Iterator[Positions]:
    """As many records as a block may have, all where there is no limit, and enough for a cluster of k."""
    limit = records.total if most is None else max(most, 2 * k)
    middles = 2 * records.ranks.astype(np.int64)
    for block in parts(records.measure, middles, records.counts, limit, k) if len(records.counts) else ():
        watch.tick(f"{records.total} records are parted into blocks")
        yield np.sort(block)


def singles(records: Records) -> Pieces:
    """Every combination is a cluster of its own."""
    every = np.arange(len(records.counts))
    return Pieces(every, records.counts, every)


def whole(records: Records, found: Sequence[Positions], kernels: Sequence[Any]) -> Pieces:
    """The clusters that kernels made of the blocks; all records are one where those were not made in time."""
    if sum(len(block) for block in found) < len(records.counts):
        every = np.arange(len(records.counts))
        return Pieces(every, records.counts, np.zeros_like(every))

    def placed() -> Iterator[tuple[Positions, Positions, Positions]]:
        for block, kernel in zip(found, kernels, strict=True):
            position, counts, cluster = kernel.pieces()
            yield block[position], counts, cluster

    return Pieces.joined(placed())
