"""First column: what the first column keeps."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class FirstColumn:
    """Different values of the first column, times a weight."""

    weight: float = 1.0

    def score(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float:
        """Return the weighted number of values."""
        return self.weight * distinct[0]

    def most(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float | None:
        """Return None: no bound is known."""
        return None


SCORE = FirstColumn
