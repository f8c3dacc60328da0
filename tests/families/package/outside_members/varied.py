"""Varied: every class has enough different values."""

from dataclasses import dataclass

import numpy as np

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns
from incrowd.models import Block, Mask, Measurable, Monotone, Reference
from incrowd.models.columns import OnColumns
from incrowd.parameters import whole_number


@dataclass(frozen=True)
class Varied(OnColumns):
    """Every class has at least n different values."""

    n: int

    monotone = Monotone(merging=True, absorbing=True)
    not_promised = "Values may be unevenly spread."

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number("n of varied", self.n)

    def relaxed(self) -> "Varied":
        """Return itself: a merged class has the values of both."""
        return self

    def holds(self, classes: Classes) -> Mask:
        """Return which classes have enough values, or no record."""
        found: Mask = (self.histogram(classes).distinct >= self.n) | (classes.sizes == 0)
        return found

    def strength(self, classes: Classes) -> float:
        """Return the fewest different values of a class."""
        distinct = self.histogram(classes).distinct
        return float(np.min(distinct[distinct > 0], initial=np.iinfo(np.int64).max))

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether a class has at least n different values."""
        return block.size == 0 or len(block.values[self.columns]) >= self.n

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return f"Every class has at least {self.n} values of {self.subject}."


def strengths(column: Columns) -> Measurable:
    """Yield the parameters that a table is measured by."""
    yield "n", Varied(1, column=column), {}


MODEL = Varied
MEANING = "Every class has at least n different values."
SUGGESTED = {"n": 2}
