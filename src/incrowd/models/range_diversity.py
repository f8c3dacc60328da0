"""Range Diversity: nobody can be placed in the sensitive range of their value (Loukides 2008, definition 5.1.4)."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Domain
from incrowd.errors import UsageError
from incrowd.models import Block, Mask, Monotone, Reference
from incrowd.models._masks import or_empty
from incrowd.models._ranges import (
    WHAT,
    Policy,
    Ranges,
    checked_domain,
    checked_policy,
    checked_ranges,
    range_of,
)
from incrowd.models._ranges import Domain as Declared
from incrowd.models._ranges_by_definition import TextRanges
from incrowd.models._sensitive import Column, by_level, by_policy, by_ranges, nearness
from incrowd.models.columns import OnColumns
from incrowd.models.contributions import Contributions
from incrowd.models.distinct_l import DistinctL
from incrowd.parameters import number_above_zero, one_of, whole_number

TOLERANCE = 1e-9
"""A Range Diversity this much above p still passes, whatever the number of records: what rounding adds is far less."""

DISTANCES = ("automatic", "numeric", "hierarchical", "equal")

_KNOWN: WeakKeyDictionary[Domain, dict["RangeDiversity", Contributions]] = WeakKeyDictionary()
"""A search asks for the same contributions at every node."""


@dataclass(frozen=True)
class RangeDiversity(OnColumns):
    """The Range Diversity of every class is at most p: smaller is safer, a class of one value has 1.

    Of all pairs of records of the class, one and itself included, those count whose second value lies in the sensitive
    range of the first, each with the nearness of the two values. A missing value is a range of its own.
    """

    p: float
    ranges: Ranges = ()
    """Intervals [low, high] that do not overlap, or labels of the column's hierarchy of which none is below another; a
    value in none of them is a range of its own."""
    level: int = 0
    """In place of ranges: the label of a value on this level of the hierarchy is its range."""
    policy: Policy = ()
    """In place of ranges: rows of a value and its own range, [value, low, high] or [value, label], or a CSV file."""
    domain: Declared = None
    """The lowest and the highest number that there could be; those of the whole table where it is not given."""
    distance: str = "automatic"
    """How near values are: numeric, hierarchical or equal; numeric where intervals or a domain are given, hierarchical
    where labels or a level are."""

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above_zero(f"p of {WHAT}", self.p, 1)
        one_of(f"distance of {WHAT}", self.distance, DISTANCES)
        whole_number(f"level of {WHAT}", self.level, 0)
        object.__setattr__(self, "ranges", checked_ranges(self.ranges))
        object.__setattr__(self, "policy", checked_policy(self.policy))
        object.__setattr__(self, "domain", checked_domain(self.domain))
        self._refuse()

    def _refuse(self) -> None:
        if len(self.columns) > 1:
            raise UsageError.invalid(WHAT, "several columns jointly have no ranges", "judge each column alone")
        if sum(map(bool, (self.ranges, self.level, self.policy))) > 1:
            raise UsageError.invalid(WHAT, "a value can have one range only", "give ranges, a level or a policy")
        if self.distance == "automatic" and self._intervals and self._labels:
            raise UsageError.invalid(
                WHAT, "with intervals and labels the distance is ambiguous", "choose distance=numeric or hierarchical"
            )
        if self.domain is not None and self.measure != "numeric":
            raise UsageError.invalid(WHAT, "a domain is for numeric distance", "omit it or choose that distance")

    @property
    def _given(self) -> list[object]:
        return [*self.ranges, *map(range_of, self.policy)]

    @property
    def _intervals(self) -> bool:
        return self.domain is not None or any(not isinstance(each, str) for each in self._given)

    @property
    def _labels(self) -> bool:
        return self.level > 0 or any(isinstance(each, str) for each in self._given)

    @property
    def _own_value_alone(self) -> bool:
        """Return whether every value is a range of its own, whatever lies near it."""
        return not (self.ranges or self.level or self.policy)

    @property
    def measure(self) -> str:
        """The distance: numeric, hierarchical or equal."""
        if self.distance != "automatic":
            return self.distance
        return "numeric" if self._intervals else "hierarchical" if self._labels else "equal"

    @property
    def needs_reference(self) -> bool:  # type: ignore[override]
        """Return whether the domain is that of the table, or the hierarchy is needed."""
        return not self._own_value_alone and (self.domain is None or self._labels)

    @property
    def needs_hierarchy(self) -> bool:
        """Return whether it looks at the column's hierarchy."""
        return self._labels or self.needs_leaves

    @property
    def needs_leaves(self) -> bool:
        """Return whether it counts the leaves of the hierarchy, of which a manifest shows only those in the release."""
        return not self._own_value_alone and self.measure == "hierarchical"

    not_promised = (
        "It is a mean over the records of a class: a single one may be placed with more confidence, and values "
        "outside the sensitive ranges are not protected."
    )

    @property
    def monotone(self) -> Monotone:
        """Merging is safe where the ranges part the values.

        With s the shares of a class, its Range Diversity is s'As. Where the ranges part the values, A is block by block
        one of three kernels that are positive semidefinite: 1 - |x - y| of numbers within an interval of length 1; of a
        tree the sum over its nodes of a weight, never negative, for all pairs below; c + (1 - c) [x = y]. So s'As is
        convex, and a merged class has at most the larger of both. In a policy ranges may overlap, and then the shares
        of 1, 3 and of 2, 4 give 1/2 each and more together (SR(1) = [1, 2], SR(2) = [1, 3], SR(3) = [2, 4], SR(4) =
        [3, 4]). And a class that is safe may drown in one that is not.
        """
        return Monotone(merging=not self.policy, absorbing=False)

    def relaxed(self) -> DistinctL:
        """Return the squares of the shares alone sum up to 1/(different values) or more."""
        least = 1 / (Fraction(str(self.p)) + 2 * Fraction(str(TOLERANCE)))
        return DistinctL(ceil(least), column=self.column)

    def contributions(self, domain: Domain) -> Contributions:
        """Return how the column's values contribute."""
        known = _KNOWN.setdefault(domain, {})
        if self not in known:
            column = Column(domain)
            near = nearness(column, "equal" if self._own_value_alone else self.measure, self.domain)
            if self.policy:
                known[self] = Contributions(by_policy(column, self.policy), near)
            else:
                parted = by_level(column, self.level) if self.level else by_ranges(column, self.ranges)
                known[self] = Contributions(parted, near)
        return known[self]

    def holds(self, classes: Classes) -> Mask:
        """Return which classes are safe enough, or empty."""
        return or_empty(self._range_diversity(classes) <= self.p + TOLERANCE, classes)

    def strength(self, classes: Classes) -> float:
        """Return the smallest p: the largest Range Diversity of a class; 0 for an empty table."""
        return float(np.max(self._range_diversity(classes), initial=0.0))

    def _range_diversity(self, classes: Classes) -> NDArray[np.float64]:
        histogram = self.histogram(classes)
        return self.contributions(histogram.domain).range_diversity(histogram)

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the Range Diversity is at most p."""
        counts = block.values[self.columns]
        found = TextRanges(self, reference).range_diversity({value: count for (value,), count in counts.items()})
        return found <= Fraction(str(self.p)) + Fraction(str(TOLERANCE))

    def clause(self, unit: str) -> str:
        """Return what each class has, as part of a sentence."""
        return f"a range diversity of {self.subject} of at most {self.p:g}"

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return (
            f"In every class the mean confidence with which a record can be placed in the sensitive range of its "
            f"{self.subject} is at most {self.p:g} (Range Diversity, {self.measure} distance)."
        )


MODEL = RangeDiversity
MEANING = "In no class does a value lie in one of the sensitive ranges with a probability above p."
RANK = 11
SUGGESTED = {"p": 0.5}
LABELS = {
    "p": "Largest range diversity (p, 0 to 1)",
    "ranges": "Sensitive ranges (LOW..HIGH, or labels)",
    "level": "Level whose labels are the ranges",
    "policy": "Own range of each value",
    "domain": "Lowest and highest possible number",
    "distance": "Nearness of values",
}
CHOICES = {
    "distance": {
        "automatic": "as the ranges are given",
        "numeric": "by number",
        "hierarchical": "by hierarchy",
        "equal": "equal between all values",
    }
}
