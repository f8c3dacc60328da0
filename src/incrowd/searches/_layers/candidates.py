"""The level vectors that layers are taken from, from cheap to dear."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Levels, Numbers

_LISTED = 1 << 15
"""How many level vectors are listed; of more, as many are taken from paths that lead up."""

_SPREAD = 1.5
"""How differently paths weigh columns: the standard deviation of a weight's logarithm."""

DIGITS = 10
"""Costs that agree in so many digits are the same but for rounding, which depends on who counted the table."""


@dataclass(frozen=True, eq=False)
class LevelSteps:
    """The levels that each column may have, and what a cell costs on each."""

    levels: tuple[tuple[int, ...], ...]
    """Per column, ascending."""
    prices: tuple[Numbers, ...]
    """Per column one number for each of its levels (all of them), never falling."""

    @property
    def top(self) -> Levels:
        """The highest level of each column."""
        return tuple(levels[-1] for levels in self.levels)

    def cost(self, nodes: NDArray[np.int16]) -> Numbers:
        """Return the cost of the cells of a record on level vectors (vectors x columns)."""
        cost = np.zeros(len(nodes))
        for column, price in enumerate(self.prices):
            cost += price[nodes[:, column]]
        return cost

    def nodes(self, seed: int) -> NDArray[np.int16]:
        """Return level vectors x columns in lexical order: all, or those on many paths from the lowest to the
        highest."""
        if prod(map(len, self.levels)) <= _LISTED:
            grid = np.meshgrid(*self.levels, indexing="ij")
            return np.stack([axis.reshape(-1) for axis in grid], axis=1).astype(np.int16)
        return np.unique(np.concatenate(self._paths(seed)), axis=0)

    def _paths(self, seed: int) -> list[NDArray[np.int16]]:
        """Return a path raises column after column, each time the one whose next level is cheapest by the path's
        weights."""
        random = np.random.default_rng(seed)
        column = np.repeat(np.arange(len(self.levels)), [len(levels) - 1 for levels in self.levels])
        price = np.concatenate([of[list(levels[1:])] for of, levels in zip(self.prices, self.levels, strict=True)])
        widest = max(map(len, self.levels))
        level = np.array([[*levels, *levels[-1:] * (widest - len(levels))] for levels in self.levels])
        paths = []
        for number in range(max(1, _LISTED // (len(column) + 1))):
            # The first path takes the costs as they are.
            weights = np.exp(random.normal(0, _SPREAD, len(self.levels)) * bool(number))
            rises = column[np.argsort(weights[column] * price, kind="stable")]
            steps = np.zeros((len(rises) + 1, len(self.levels)), dtype=np.int64)
            steps[np.arange(1, len(steps)), rises] = 1
            paths.append(level[np.arange(len(self.levels)), np.cumsum(steps, axis=0)].astype(np.int16))
        return paths


def ranked(*costs: Numbers) -> NDArray[np.int64]:
    """Return the rank of each level vector by its costs, the first of which decides; equal costs have equal ranks."""
    rounded = [np.round(cost / max(1e-300, float(np.abs(cost).max(initial=0.0))), DIGITS) for cost in costs]
    return np.unique(np.stack(rounded), axis=1, return_inverse=True)[1].reshape(-1)


def two_steps(bottom: Levels, top: Levels, heights: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return each column as it is or wiped; not wiped where that goes beyond the highest level allowed."""
    return tuple(
        (low, high) if low < high == height else (low,) for low, high, height in zip(bottom, top, heights, strict=True)
    )
