"""Costs that depend on the levels alone, so that suppression costs nothing."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Generalised, Numbers


class LevelScore:
    """Scores a node as the sum of what its levels cost."""

    gaps: Numbers = np.zeros(0)
    begins: Sequence[Sequence[int]] = ()

    def __init__(self, parts: Sequence[Numbers]) -> None:
        self.parts = parts

    def bound(self, total: Numbers) -> Numbers:
        """The score itself."""
        return total

    def score(self, node: Generalised) -> float:
        """The sum of what the levels cost."""
        return float(sum(part[level] for part, level in zip(self.parts, node.levels, strict=True)))

    def penalty(self, node: Generalised, lost: NDArray[np.bool_]) -> float:
        """Nothing: the bound is the score already."""
        return 0.0
