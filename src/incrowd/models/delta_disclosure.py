"""delta-disclosure privacy: every sensitive value is about as frequent in each class as in the whole table.

Brickell and Shmatikov 2008: |log(p/q)| < delta for every value of the table. They leave the base open; here it is e, as
in pyCANON. ARX takes base 2: its delta times ln 2 is the delta here.
"""

from dataclasses import dataclass
from math import expm1, inf, log

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Histogram
from incrowd.models import Block, Mask, Measurable, Monotone, Reference
from incrowd.models._masks import spared
from incrowd.models._support import Support
from incrowd.models.columns import OnColumns
from incrowd.parameters import number_above_zero, one_of

TOLERANCE = 1e-9
"""A logarithm less than this above delta still passes."""


@dataclass(frozen=True)
class DeltaDisclosure(OnColumns):
    """In every class |ln(p/q)| < delta for each value, p being its share there and q its share of the whole table.

    A value of the table that a class lacks has ln 0, which no delta allows: absent="violates". Other tools look at the
    values of the class alone: absent="ignored", which then says nothing about what is ruled out.
    """

    delta: float
    absent: str = "violates"

    needs_reference = True

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above_zero("delta of delta_disclosure", self.delta)
        one_of("absent of delta_disclosure", self.absent, ("violates", "ignored"))

    not_promised = (
        "It compares with the whole table: what that table itself discloses is not limited. It does not "
        "limit re-identification."
    )

    @property
    def monotone(self) -> Monotone:
        """A merged share lies between both shares; but a value that was ignored as absent may then be too rare."""
        return Monotone(merging=self.absent == "violates", absorbing=False)

    def relaxed(self) -> Support:
        """Return what is necessary: every value, or, since each present one has p < q e^delta, e^-delta of them."""
        absent = 0.0 if self.absent == "violates" else -expm1(-self.delta)
        return Support(absent, column=self.column)

    def holds(self, classes: Classes) -> Mask:
        """Return which classes are close enough in every value, or empty."""
        histogram = self.histogram(classes)
        return spared(histogram, _logarithms(histogram) >= self.delta + TOLERANCE) & ~self._lacking(histogram)

    def strength(self, classes: Classes) -> float:
        """Return the largest |ln(p/q)|, infinite where a class lacks a value; 0 for an empty table."""
        histogram = self.histogram(classes)
        if self._lacking(histogram).any():
            return inf
        return float(_logarithms(histogram).max(initial=0.0))

    def _lacking(self, histogram: Histogram) -> Mask:
        """Return the classes that violate it by lacking a value."""
        if self.absent == "ignored":
            return np.zeros(len(histogram), dtype=np.bool_)
        return (histogram.distinct < np.count_nonzero(histogram.domain.whole)) & (histogram.distinct > 0)

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the definition holds: |log(p/q)| < delta for every value of the table."""
        whole = reference.values[self.columns]
        counts = block.values[self.columns]
        for value in whole if block.size else ():
            count = counts[value]
            if count == 0 and self.absent == "violates":
                return False
            ratio = log(count * whole.total()) - log(whole[value] * counts.total()) if count else 0.0
            if abs(ratio) >= self.delta + TOLERANCE:
                return False
        return True

    def promise(self) -> str:
        """Return the promise in one sentence."""
        values = "every value" if self.absent == "violates" else "every value that occurs there"
        return (
            f"In every class the share of {values} of {self.subject} differs from its share of the whole table "
            f"by a factor of less than e^{self.delta:g}."
        )


def _logarithms(histogram: Histogram) -> NDArray[np.float64]:
    """Return |ln(p/q)| of each entry."""
    return np.abs(np.log(histogram.shares / histogram.domain.shares[histogram.values]))


def strengths(column: Columns) -> Measurable:
    """Yield the parameters that a table is measured by."""
    yield "delta", DeltaDisclosure(1, column=column), {}


MODEL = DeltaDisclosure
MEANING = "Every value is about as frequent in a class as in the whole table; a lower delta is stricter."
RANK = 9
SUGGESTED = {"delta": 1}
LABELS = {"delta": "Largest difference of shares (delta, logarithm)", "absent": "Values absent from a class"}
CHOICES = {"absent": {"violates": "violate the model", "ignored": "are ignored"}}
