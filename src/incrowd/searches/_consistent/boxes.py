"""Every row by itself: the cheapest levels on which it covers k records, the (k,1)-anonymity of least loss."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Counts
from incrowd.core.kernels import Grouper
from incrowd.metrics import Numbers
from incrowd.searches._consistent.rows import OwnLevels, Rows
from incrowd.searches._layers.candidates import LevelSteps, ranked
from incrowd.searches.lattice import Lattice
from incrowd.searches.lattice.layout import LatticeLayout
from incrowd.watch import Stopped, Watch

_LESS = 1e-12
"""Smaller differences are due to rounding."""

_NOW_AND_THEN = 256
"""After so many level vectors it is looked who may still find cheaper ones."""


class Nodes:
    """The classes of some combinations on any levels; or of pieces of them, with the counts of these."""

    def __init__(self, lattice: Lattice, among: NDArray[np.int64], counts: Counts | None = None) -> None:
        blocks = lattice.ground.take(among)
        self._blocks = blocks if counts is None else replace(blocks, counts=counts)
        self._layout = LatticeLayout.of(lattice.problem.ladders)
        self._grouper = Grouper()
        self.counted = 0

    def classes(self, levels: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the records of each class, and the class of each combination."""
        self.counted += 1
        blocks, of = self._blocks.grouped(self._layout.mask(levels), self._grouper, assign=True)
        return blocks.counts, of.astype(np.int64)


def cheapest_boxes(nodes: Nodes, rows: Rows, k: int, seed: int, watch: Watch) -> tuple[OwnLevels, str]:
    """Return per combination the levels of least cost on which k records are equal to it, the highest ones if none are.

    On its levels a row covers its class, so that every level vector answers for all combinations at once. Up to about
    thirty thousand vectors all are looked at; of larger lattices as many, along paths from the lowest to the highest.
    """
    found = np.repeat(rows.top[:, None], len(rows), axis=1)
    best = rows.cost(found)
    levels = tuple(tuple(range(low, high + 1)) for low, high in zip(rows.low.tolist(), rows.top.tolist(), strict=True))
    means = [
        price @ np.bincount(of, rows.counts, price.shape[1]) for price, of in zip(rows.prices, rows.codes, strict=True)
    ]
    steps = LevelSteps(levels, tuple(means))
    vectors = steps.nodes(seed)
    vectors = vectors[np.argsort(ranked(steps.cost(vectors)), kind="stable")]
    least = _least_of_all_to_come(rows, vectors)
    there = np.arange(len(rows))
    costs = [price[:, of] for price, of in zip(rows.prices, rows.codes, strict=True)]
    try:
        for number, vector in enumerate(vectors):
            watch.tick(f"{number} of {len(vectors)} level vectors", number / len(vectors))
            if number & (number - 1) == 0 or number % _NOW_AND_THEN == 0:
                open_still = best[there] > least[number]
                there, costs = there[open_still], [by_level[:, open_still] for by_level in costs]
            cost = np.zeros(len(there))
            for by_level, level in zip(costs, vector.tolist(), strict=True):
                cost += by_level[level]
            cheaper = np.flatnonzero(cost < best[there] - _LESS)
            if len(cheaper):
                sizes, of = nodes.classes(vector.tolist())
                cheaper = cheaper[sizes[of[there[cheaper]]] >= k]
                best[there[cheaper]] = cost[cheaper]
                found[:, there[cheaper]] = vector[:, None]
    except Stopped as stop:
        return found, stop.reason
    return found, "done"


def _least_of_all_to_come(rows: Rows, vectors: NDArray[np.int16]) -> Numbers:
    """Return for each vector the least cost of a row on it or on a later one, at which a row is done."""
    each = np.zeros(len(vectors))
    for price, of, levels in zip(rows.prices, rows.codes, vectors.T, strict=True):
        each += price[:, np.unique(of)].min(axis=1, initial=inf)[levels]
    least: Numbers = np.minimum.accumulate(each[::-1])[::-1]
    return least
