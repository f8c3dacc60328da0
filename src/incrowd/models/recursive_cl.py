"""Recursive (c,l)-diversity: the most frequent value is not too frequent (Machanavajjhala et al. 2006)."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts, Histogram
from incrowd.models import Block, Mask, Measurable, Monotone, Reference
from incrowd.models._exact import as_written, difference, less
from incrowd.models._masks import or_empty
from incrowd.models.columns import OnColumns
from incrowd.models.distinct_l import DistinctL
from incrowd.parameters import number_above_zero, whole_number


@dataclass(frozen=True)
class RecursiveCL(OnColumns):
    """In every class r1 < c (rl + ... + rm), the counts of its m values in descending order; compared exactly.

    A class with fewer than l values is not diverse: its sum is empty.
    """

    c: float
    l: int  # noqa: E741 - the name that the parameter has in every paper

    # The largest count of a merged class is at most the sum of both largest counts, its tail at least that of both
    # tails; a class of one value may still drown any other.
    monotone = Monotone(merging=True, absorbing=False)
    not_promised = (
        "A value that is rare in the table may still be frequent in a class (skewness), and different values may "
        "mean much the same (similarity)."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above_zero("c of recursive_cl", self.c)
        whole_number("l of recursive_cl", self.l)

    def relaxed(self) -> DistinctL:
        """Return what is necessary: at least l + floor(1/c) values.

        Each of the m - l + 1 counts of the tail is at most r1, so r1 < c (m - l + 1) r1, and m > l - 1 + 1/c.
        """
        return DistinctL(self.l + int(1 / as_written(self.c)), column=self.column)

    def lost(self, classes: Classes) -> Counts:
        """Return the records that are lost however the class is split: r1 - c (rl + ... + rm) of them.

        When classes are merged, r1 is at most the sum of theirs and the tail at least. So this number is at most the
        sum of the parts'; it is below 0 for those that are diverse, and at most their records for the others.
        """
        largest, tail = self._largest_and_tail(self.histogram(classes))
        c = as_written(self.c)
        least: Counts = -(difference([c.numerator, tail], [c.denominator, largest]) // c.denominator)
        return np.maximum(super().lost(classes), np.clip(least, 0, classes.sizes).astype(np.int64))

    def holds(self, classes: Classes) -> Mask:
        """Return which classes are diverse, or empty."""
        largest, tail = self._largest_and_tail(self.histogram(classes))
        c = as_written(self.c)
        return or_empty(less([c.denominator, largest], [c.numerator, tail]), classes)

    def strength(self, classes: Classes) -> float:
        """Return the largest r1 / (rl + ... + rm): every greater c holds for this l, and no other.

        Infinite where a class has fewer than l values, 0 for an empty table.
        """
        largest, tail = self._largest_and_tail(self.histogram(classes))
        if np.any((tail == 0) & (largest > 0)):
            return inf
        return float(np.max(largest / np.maximum(tail, 1), initial=0.0))

    def _largest_and_tail(self, histogram: Histogram) -> tuple[Counts, Counts]:
        first, end = histogram.starts[:-1], histogram.starts[1:]
        sums = histogram.cumulated
        return sums[np.minimum(first + 1, end)] - sums[first], sums[end] - sums[np.minimum(first + self.l - 1, end)]

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the definition holds: r1 < c (rl + ... + rm)."""
        counts = sorted(block.values[self.columns].values(), reverse=True)
        return block.size == 0 or counts[0] < Fraction(str(self.c)) * sum(counts[self.l - 1 :])

    def promise(self) -> str:
        """Return the promise in one sentence."""
        rarer = "all values" if self.l == 1 else f"all values but the {self.l - 1} most frequent"
        return (
            f"In every class the most frequent value of {self.subject} occurs less than {self.c:g} times as often as "
            f"{rarer} together."
        )


def strengths(column: Columns) -> Measurable:
    """Yield the parameters that a table is measured by."""
    yield "c", RecursiveCL(1, 2, column=column), {"l": 2}


MODEL = RecursiveCL
MEANING = "The most frequent value of a class is less than c times as frequent as all from the l-th on."
RANK = 4
SUGGESTED = {"c": 3, "l": 2}
LABELS = {"c": "Largest ratio of the most frequent value (c)", "l": "Rank from which values count as rare (l)"}
