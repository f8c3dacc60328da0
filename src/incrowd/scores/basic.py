"""Basic: different values count, each as much as its column's priority (PrivacyFrost2, section 6.1)."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Basic:
    """The sum over columns of priority x different values."""

    def score(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float:
        """Return the sum."""
        return float(sum(priority * values for priority, values in zip(priorities, distinct, strict=True)))

    def most(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float:
        """Return the score itself: more values never lower it."""
        return self.score(distinct, before, priorities)


SCORE = Basic
MEANING = "number of different values that each column keeps, multiplied by its priority"
RANK = 1
