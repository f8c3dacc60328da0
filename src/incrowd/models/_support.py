"""A necessary condition of models that compare with the whole table: a class does not lack too much of it."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.models._by_definition import TextGround
from incrowd.models._contract import Block, Mask, Monotone, Reference
from incrowd.models._masks import or_empty
from incrowd.models._orders import Order
from incrowd.models.columns import OnColumns
from incrowd.models.ground_distance import ground

TOLERANCE = 2e-9
"""More than the models have that imply this one, so that no rounding makes it false where they are true."""


@dataclass(frozen=True)
class Support(OnColumns):
    """To bring the values that a class lacks to the nearest ones that it has costs at most t of the whole table.

    With equal distance: the absent values make up at most a share of t. t-closeness implies it for the same t, as each
    absent value's share of the table must be moved to some value of the class (see _ground).
    """

    t: float
    distance: str = "equal"
    order: Order = ()

    needs_reference = True
    monotone = Monotone(merging=True, absorbing=True)

    def relaxed(self) -> "Support":
        """Return itself: a merged class has the values of both."""
        return self

    def holds(self, classes: Classes) -> Mask:
        """Return which classes lack little enough, or are empty."""
        return or_empty(self._gaps(classes) <= self.t + TOLERANCE, classes)

    def strength(self, classes: Classes) -> float:
        """Return the smallest t; 0 for an empty table."""
        return float(self._gaps(classes)[self.histogram(classes).distinct > 0].max(initial=0.0))

    def _gaps(self, classes: Classes) -> NDArray[np.float64]:
        histogram = self.histogram(classes)
        return ground(self.distance, self.order, histogram.domain)[0].gap(histogram)

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return the result by definition, value by value."""
        present, whole = block.values[self.columns], reference.values[self.columns]
        apart = TextGround(self.columns, self.distance, self.order, reference)
        moved = [whole[value] * min((apart.between(value, other) for other in present), default=0) for value in whole]
        return sum(moved, Fraction(0)) <= whole.total() * Fraction(self.t + TOLERANCE)

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return f"No class lacks values of {self.subject} that make up much of the whole table."
