"""Basic beta-likeness: no sensitive value gains much by knowing the class (Cao and Karras 2012)."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns
from incrowd.models import Block, Mask, Measurable, Monotone, Reference
from incrowd.models._exact import Factors, as_written, at_most
from incrowd.models._masks import spared
from incrowd.models._support import Support
from incrowd.models.columns import OnColumns
from incrowd.parameters import number_above_zero


@dataclass(frozen=True)
class BasicBeta(OnColumns):
    """In every class each value's share p exceeds its share q of the whole table by at most beta q; compared exactly.

    Only gains count: a value may be rarer in a class than in the table, or absent.
    """

    beta: float

    needs_reference = True
    # A merged share lies between both shares, and may rise to that of a class which violates it.
    monotone = Monotone(merging=True, absorbing=False)
    not_promised = (
        "It limits only gains: a value that a class lacks is ruled out for every person in it. Different "
        "values may mean much the same (similarity)."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above_zero("beta of basic_beta", self.beta)

    def relaxed(self) -> Support:
        """The present values have p <= (1 + beta) q each and 1 together, so their q make up 1 / (1 + beta) or more."""
        return Support(self.beta / (1 + self.beta), column=self.column)

    def holds(self, classes: Classes) -> Mask:
        """Return which classes gain little enough: count/size <= (1 + beta) whole/records, in whole numbers."""
        histogram = self.histogram(classes)
        whole = histogram.domain.whole
        times = 1 + as_written(self.beta)
        in_class: Factors = [times.denominator, int(whole.sum()), histogram.counts]
        in_table: Factors = [times.numerator, whole[histogram.values], histogram.sizes[histogram.owner]]
        return spared(histogram, ~at_most(in_class, in_table))

    def strength(self, classes: Classes) -> float:
        """Return the smallest beta: the largest relative gain of a value; 0 for an empty table."""
        histogram = self.histogram(classes)
        gains = histogram.shares / histogram.domain.shares[histogram.values] - 1
        return float(np.max(gains, initial=0.0))

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the definition holds: (p - q) / q <= beta, for every value of the class."""
        whole = reference.values[self.columns]
        times = 1 + Fraction(str(self.beta))
        counts = block.values[self.columns]
        size = counts.total()
        return all(count * whole.total() <= times * whole[value] * size for value, count in counts.items())

    def clause(self, unit: str) -> str:
        """Return what each class has, in a sentence with what other models demand."""
        return f"no value of {self.subject} more than {1 + self.beta:g} times as frequent as in the whole table"

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return (
            f"In no class is a value of {self.subject} more frequent than in the whole table "
            f"by more than {self.beta:g} times its frequency there."
        )


def strengths(column: Columns) -> Measurable:
    """Yield the parameters that a table is measured by."""
    yield "beta", BasicBeta(1, column=column), {}


MODEL = BasicBeta
MEANING = "Knowing the class raises the probability of no value by more than beta times its original one."
RANK = 7
SUGGESTED = {"beta": 2}
LABELS = {"beta": "Largest gain of a value (beta, times its share)"}
