"""Class sizes in a readable number of bins."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from incrowd.core.frequencies import Counts


@dataclass(frozen=True)
class Bin:
    """Classes of about the same size."""

    low: int
    high: int
    classes: int
    records: int

    @property
    def label(self) -> str:
        """Return the sizes in the bin as text."""
        return f"{self.low:,}" if self.low == self.high else f"{self.low:,} to {self.high:,}"


def binned(sizes: Counts, records: Counts | None = None) -> tuple[Bin, ...]:
    """Return the sizes of classes in bins 1, 2, 3 to 4, 5 to 9, 10 to 19, 20 to 49, ..., without gaps.

    If sizes are numbers of people, `records` are the records of each class.
    """
    records = sizes if records is None else records
    sizes, records = sizes[sizes > 0], records[sizes > 0]
    if not len(sizes):
        return ()
    edges = list(_edges(int(sizes.max())))
    which = np.searchsorted(edges, sizes, side="right") - 1
    classes = np.bincount(which, minlength=len(edges) - 1)
    held = np.bincount(which, weights=records, minlength=len(edges) - 1)
    return tuple(Bin(low, high - 1, int(classes[at]), int(held[at])) for at, (low, high) in enumerate(pairwise(edges)))


def _edges(largest: int) -> Iterator[int]:
    """Yield 1, 2, 3, 5, 10, 20, 50, 100, ... up to the first above the largest."""
    yield from (1, 2, 3)
    scale = 1
    edge = 3
    while edge <= largest:
        for step in (5, 10, 20):
            if edge > largest:
                return
            edge = step * scale
            yield edge
        scale *= 10
