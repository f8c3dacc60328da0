"""Logarithm: what the best-kept column keeps; the column of the highest priority comes first (PrivacyFrost2, 6.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log


@dataclass(frozen=True)
class Logarithm:
    """The largest over columns of priority x log(different values) / log(different values before)."""

    def score(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float:
        """Return the largest; a column that never had two values counts 0."""
        kept = [log(max(1, now)) / log(were) if were > 1 else 0.0 for now, were in zip(distinct, before, strict=True)]
        return float(max((priority * share for priority, share in zip(priorities, kept, strict=True)), default=0.0))

    def most(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> None:
        """Return None: the paper has its skip rule for the basic score."""


SCORE = Logarithm
MEANING = "different values of the best-kept column; the column with the highest priority comes first"
RANK = 2
