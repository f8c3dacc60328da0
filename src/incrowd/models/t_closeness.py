"""t-closeness: a class tells no more about a sensitive value than the whole table does (Li et al. 2007)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts
from incrowd.errors import UsageError
from incrowd.models import Block, Mask, Measurable, Monotone, Reference
from incrowd.models._by_definition import TextGround
from incrowd.models._masks import or_empty, partly
from incrowd.models._orders import Order
from incrowd.models._support import Support
from incrowd.models.columns import OnColumns
from incrowd.models.ground_distance import DISTANCES, ground
from incrowd.parameters import number_from, one_of

TOLERANCE = 1e-9
"""A distance this much above t still passes, whatever the number of records: what rounding adds is far less."""


@dataclass(frozen=True, repr=False)
class TCloseness(Brief, OnColumns):
    """The earth mover's distance of every class from the whole table that was given is at most t.

    equal: any two values are 1 apart. ordered: the table's m values in a row, neighbors 1/(m - 1) apart; numbers and
    dates have their order, others the one given, and missing comes last. hierarchical: the height of the lowest common
    ancestor over the height of the column's hierarchy; missing joins the others at the top unless it is listed.
    """

    t: float
    distance: str = "equal"
    order: Order = ()
    """For ordered distance: the values as text, lowest first; not needed for numbers and dates."""

    needs_reference = True
    # The distance is convex, so a merged class has at most the larger of two distances; but a class that is close may
    # drown in one that is not.
    monotone = Monotone(merging=True, absorbing=False)
    not_promised = (
        "Small differences add up: what a class discloses beyond the whole table is limited overall, not "
        "for each value. It does not limit re-identification."
    )

    @property
    def needs_hierarchy(self) -> bool:
        """Return whether it measures along the column's hierarchy."""
        return self.distance == "hierarchical"

    def __post_init__(self) -> None:
        super().__post_init__()
        number_from("t of t_closeness", self.t, 0, 1)
        one_of("distance of t_closeness", self.distance, DISTANCES)
        object.__setattr__(self, "order", self._checked_order())
        if len(self.columns) > 1 and self.distance != "equal":
            raise UsageError.invalid(
                f"t_closeness with {self.distance} distance",
                "several columns jointly have neither one order nor one hierarchy",
                "choose distance=equal or judge the columns alone",
            )

    def _checked_order(self) -> Order:
        if not self.order:
            return ()
        if not isinstance(self.order, Sequence) or isinstance(self.order, str):
            raise UsageError.not_one_of("order of t_closeness", self.order, ["a list of all values, lowest first"])
        order = tuple(str(value) for value in self.order)
        if order and self.distance != "ordered":
            raise UsageError.invalid("t_closeness", "an order is given", "choose distance=ordered or omit it")
        if len(set(order)) != len(order):
            raise UsageError.invalid("order of t_closeness", "a value is repeated", "list each value once")
        return order

    def relaxed(self) -> Support:
        """Return what a class lacks must be moved at least to the nearest value that it has."""
        return Support(self.t, column=self.column, distance=self.distance, order=self.order)

    def lost(self, classes: Classes) -> Counts:
        """Return the records that are lost however the class is split, since the distance is convex.

        The distance d of a class of n records is at most the mean of its parts', each weighted with its records. Those
        of its parts that are close enough have at most t, the others, with s records, at most that of the value
        which is farthest, f. So d is at most (1 - s/n) t + s/n f, and s at least n (d - t) / (f - t).
        """
        t = self.t + 2 * TOLERANCE
        farthest = ground(self.distance, self.order, self.histogram(classes).domain)[1]
        least = classes.sizes * ((self.strengths(classes) - t) / max(farthest - t, TOLERANCE))
        return np.maximum(super().lost(classes), partly(least, classes))

    def holds(self, classes: Classes) -> Mask:
        """Return which classes are close enough, or empty."""
        return or_empty(self.strengths(classes) <= self.t + TOLERANCE, classes)

    def strength(self, classes: Classes) -> float:
        """Return the smallest t: the largest distance of a class; 0 for an empty table."""
        return float(self.strengths(classes)[self.histogram(classes).distinct > 0].max(initial=0.0))

    def strengths(self, classes: Classes) -> NDArray[np.float64]:
        """Return the distance of each class from the whole table; of an empty class anything."""
        histogram = self.histogram(classes)
        return ground(self.distance, self.order, histogram.domain)[0].distance(histogram)

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the distance is at most t."""
        if block.size == 0:
            return True
        apart = TextGround(self.columns, self.distance, self.order, reference)
        return apart.from_table(block.values[self.columns]) <= Fraction(str(self.t)) + Fraction(str(TOLERANCE))

    def clause(self, unit: str) -> str:
        """Return what each class has, in a sentence with what other models demand."""
        return f"values of {self.subject} distributed as in the whole table, up to a distance of {self.t:g}"

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return (
            f"In every class the distribution of {self.subject} is within a distance of {self.t:g} "
            f"from that of the whole table ({self.distance} earth mover's distance)."
        )


def strengths(column: Columns) -> Measurable:
    """Yield the parameters that a table is measured by."""
    yield "t", TCloseness(1, column=column), {}
    yield "t", TCloseness(1, "ordered", column=column), {"distance": "ordered"}


MODEL = TCloseness
MEANING = "Each class is distributed like the whole table, up to a distance of t, and discloses little more."
RANK = 6
SUGGESTED = {"t": 0.3}
LABELS = {
    "t": "Largest distance from the whole table (t, 0 to 1)",
    "distance": "Distance between values",
    "order": "Order of values, lowest first",
}
CHOICES = {
    "distance": {"equal": "equal between all values", "ordered": "by order", "hierarchical": "by hierarchy"},
}
