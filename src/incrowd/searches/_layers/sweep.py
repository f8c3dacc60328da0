"""Cheapest first: the level vectors in order of their cost, each publishing what of the rest satisfies the models."""

import heapq
from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Levels
from incrowd.searches._layers.layers import Layers
from incrowd.watch import Watch

Entry = tuple[int, int, int]
"""The rank of a level vector's cost, how many records it may publish at most (negative), its number."""


class LayerSweep:
    """Takes the cheapest level vector that publishes enough, over and over; of equally cheap ones the most fruitful."""

    def __init__(self, layers: Layers, nodes: NDArray[np.int16], ranks: NDArray[np.int64], share: float = 0.0) -> None:
        """Each layer publishes at least the share of the rest."""
        self._layers = layers
        self._nodes = nodes
        self._share = Fraction(str(share))
        self._open: list[Entry] = [(rank, -layers.left, at) for at, rank in enumerate(ranks.tolist())]
        heapq.heapify(self._open)

    def run(self, watch: Watch, most: int | None = None) -> None:
        """Add layers until nothing is left, nothing fits, or their number reaches the limit."""
        layers, aside, needed = self._layers, list[Entry](), self._needed()
        while self._open and layers.left and (most is None or len(layers.layers) < most):
            watch.tick(
                f"{len(layers.layers)} layers, {layers.left} records left", 1 - len(self._open) / len(self._nodes)
            )
            entry = heapq.heappop(self._open)
            if -entry[1] >= needed:
                seen = layers.see(self._levels(entry))
                entry = (entry[0], -seen.records, entry[2])
                if seen.records >= needed and (not self._open or entry < self._open[0]):
                    layers.publish(seen)
                    # What was too little then may be enough of what is left now.
                    self._put(aside)
                    aside, needed = [], self._needed()
                    continue
            if -entry[1] >= needed:
                # Another one that costs the same may publish more.
                self._put([entry])
            elif entry[1]:
                aside.append(entry)

    def _needed(self) -> int:
        """Return how many records a layer must publish now."""
        return max(1, ceil(self._share * self._layers.left))

    def hurry(self) -> None:
        """Publish the rest in a few ever longer steps from cheap to dear."""
        order, step = sorted(self._open), 1
        while order and self._layers.left:
            self._layers.publish(self._layers.see(self._levels(order[0])))
            order, step = order[step:], 2 * step

    def _put(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            heapq.heappush(self._open, entry)

    def _levels(self, entry: Entry) -> Levels:
        return tuple(self._nodes[entry[2]].tolist())
