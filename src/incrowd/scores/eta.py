"""Eta: a column has few, enough or many different values; tables come out evenly generalized (PrivacyFrost2, 6.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from incrowd.errors import UsageError


@dataclass(frozen=True)
class Eta:
    """The sum over columns of priority x 2 for more than d values, x 1 for more than d/2, x 0 for fewer."""

    d: float

    def __post_init__(self) -> None:
        number = isinstance(self.d, int | float) and not isinstance(self.d, bool)
        if not number or not isfinite(self.d) or self.d <= 0:
            raise UsageError.not_one_of("d of the score eta", self.d, ["a number above 0"])

    def score(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float:
        """Return the sum."""
        return float(sum(priority * self.eta(values) for priority, values in zip(priorities, distinct, strict=True)))

    def eta(self, values: int) -> int:
        """Return 2, 1 or 0."""
        return (values > self.d) + (values > self.d / 2)

    def most(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> None:
        """Return None: the paper has its skip rule for the basic score."""


SCORE = Eta
MEANING = "whether every column keeps enough different values (more than d); favors even generalization"
RANK = 3
