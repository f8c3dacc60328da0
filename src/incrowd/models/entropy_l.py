"""Entropy l-diversity: sensitive values are spread as evenly as l equal ones (Machanavajjhala et al. 2006)."""

from dataclasses import dataclass
from math import ceil, fsum, log

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts
from incrowd.models import Block, Mask, Measurable, Monotone, Reference
from incrowd.models._masks import or_empty, partly
from incrowd.models.columns import OnColumns
from incrowd.models.distinct_l import DistinctL
from incrowd.parameters import number_from

TOLERANCE = 1e-9
"""An entropy this much below log l still passes: l equally frequent values reach log l only up to rounding."""


@dataclass(frozen=True)
class EntropyL(OnColumns):
    """The entropy of the values in every class is at least log l, l being any number from 1; natural logarithm."""

    l: float  # noqa: E741 - the name that the parameter has in every paper

    # Entropy is concave, so a merged class has at least the smaller of two entropies; one that is alone enough may
    # drown in a class of one value.
    monotone = Monotone(merging=True, absorbing=False)
    not_promised = (
        "A value that is rare in the table may still be frequent in a class (skewness), and different values may "
        "mean much the same (similarity)."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        number_from("l of entropy_l", self.l, 1)

    def relaxed(self) -> DistinctL:
        """Return distinct l-diversity: d values have an entropy of at most log d; l is lowered by the tolerance."""
        return DistinctL(ceil(self.l * (1 - 2 * TOLERANCE)), column=self.column)

    def lost(self, classes: Classes) -> Counts:
        """Return the records that are lost however the class is split, since entropy is concave.

        The entropy of a class of n records is at least the mean of its parts', each weighted with its records. Those
        of its parts that are even enough have at least log l, the others, with s records, at least 0. So it is at
        least (1 - s/n) log l, and s at least n (1 - entropy / log l).
        """
        wholly_lost = super().lost(classes)
        wanted = log(self.l) - 2 * TOLERANCE
        if wanted <= 0:
            return wholly_lost
        least = classes.sizes * (1 - self.histogram(classes).entropies / wanted)
        return np.maximum(wholly_lost, partly(least, classes))

    def holds(self, classes: Classes) -> Mask:
        """Return which classes are even enough, or empty."""
        return or_empty(self.histogram(classes).entropies >= log(self.l) - TOLERANCE, classes)

    def strength(self, classes: Classes) -> float:
        """Return the largest l: e to the least entropy; 0 for an empty table."""
        found = self.strengths(classes)[self.histogram(classes).distinct > 0]
        return float(found.min()) if len(found) else 0.0

    def strengths(self, classes: Classes) -> NDArray[np.float64]:
        """Return the largest l of each class; of an empty class anything."""
        return np.exp(self.histogram(classes).entropies)

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the sum of -p log p is at least log l."""
        counts = block.values[self.columns]
        shares = [count / counts.total() for count in counts.values()]
        return block.size == 0 or fsum(-share * log(share) for share in shares) >= log(self.l) - TOLERANCE

    def clause(self, unit: str) -> str:
        """Return what each class has, in a sentence with what other models demand."""
        return f"values of {self.subject} as evenly spread as {self.l:g} equally frequent ones"

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return (
            f"In every class the values of {self.subject} are at least as evenly spread "
            f"as {self.l:g} equally frequent values (entropy)."
        )


def strengths(column: Columns) -> Measurable:
    """Yield the parameters that a table is measured by."""
    yield "l", EntropyL(1, column=column), {}


MODEL = EntropyL
MEANING = "The values of a class are spread at least as evenly as l equally frequent ones, so none dominates."
RANK = 3
SUGGESTED = {"l": 2}
LABELS = {"l": "Spread of the values, in equally frequent ones (l)"}
