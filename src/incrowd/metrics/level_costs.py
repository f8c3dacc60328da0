"""Costs that depend on the levels alone, so that suppression costs nothing."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Generalized, Numbers


class LevelScore:
    """Scores a node as the sum of what its levels cost; where they differ, as the mean over what is published."""

    gaps: Numbers = np.zeros(0)
    begins: Sequence[Sequence[int]] = ()

    def __init__(self, parts: Sequence[Numbers]) -> None:
        self.parts = parts

    def bound(self, total: Numbers) -> Numbers:
        """Return the score itself."""
        return total

    def score(self, node: Generalized) -> float:
        """Return the sum of what the levels cost."""
        if node.own is not None:
            counts = node.own.counts
            cost = sum(float(part[own] @ counts) for part, own in zip(self.parts, node.own.levels, strict=True))
            return cost / max(1, int(counts.sum()))
        return float(sum(part[level] for part, level in zip(self.parts, node.levels, strict=True)))

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return 0: the bound is the score already."""
        return 0.0
