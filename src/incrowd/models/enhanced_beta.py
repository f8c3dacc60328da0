"""Enhanced beta-likeness: the more frequent a sensitive value, the less it may gain (Cao and Karras 2012)."""

from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Histogram
from incrowd.models import Block, Mask, Measurable, Reference
from incrowd.models._masks import spared
from incrowd.models._support import Support
from incrowd.models.basic_beta import BasicBeta
from incrowd.models.columns import OnColumns
from incrowd.parameters import number_above_zero

TOLERANCE = 1e-9
"""A gain this much above the logarithm still passes; beta itself is compared exactly."""


@dataclass(frozen=True)
class EnhancedBeta(OnColumns):
    """In every class each value's share p exceeds its share q of the whole table by at most q min(beta, -ln q)."""

    beta: float

    needs_reference = True
    monotone = BasicBeta.monotone
    not_promised = (
        "It limits only gains: a value that a class lacks is ruled out for every person in it. Different "
        "values may mean much the same (similarity)."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above_zero("beta of enhanced_beta", self.beta)

    def relaxed(self) -> Support:
        """Return the same as basic beta-likeness, which is weaker."""
        return self._basic.relaxed()

    @property
    def _basic(self) -> BasicBeta:
        return BasicBeta(self.beta, column=self.column)

    def holds(self, classes: Classes) -> Mask:
        """Return which classes gain little enough by both bounds."""
        histogram = self.histogram(classes)
        return self._basic.holds(classes) & spared(histogram, _beyond_logarithm(histogram))

    def strength(self, classes: Classes) -> float:
        """Return the smallest beta; infinite if a gain exceeds its -ln q; 0 for an empty table."""
        if _beyond_logarithm(self.histogram(classes)).any():
            return inf
        return self._basic.strength(classes)

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether (p - q) / q <= min(beta, -ln q), for every value that is more frequent in the class."""
        whole = reference.values[self.columns]
        counts = block.values[self.columns]
        for value, count in counts.items():
            share = whole[value] / whole.total()
            gain = count / counts.total() / share - 1
            if gain > 0 and gain > -log(share) + TOLERANCE:
                return False
        return self._basic.textbook(block, reference)

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return (
            f"In no class is a value of {self.subject} more frequent than in the whole table "
            f"by more than {self.beta:g} times its frequency q there, nor by more than -ln q times."
        )


def _beyond_logarithm(histogram: Histogram) -> NDArray[np.bool_]:
    """Return the entries whose gain exceeds what the logarithm allows."""
    shares = histogram.domain.shares[histogram.values]
    return histogram.shares / shares - 1 > -np.log(shares) + TOLERANCE


def strengths(column: Columns) -> Measurable:
    """Yield the parameters that a table is measured by."""
    yield "beta", EnhancedBeta(1, column=column), {}


MODEL = EnhancedBeta
MEANING = "As basic_beta, with a tighter bound than beta for frequent values."
RANK = 8
SUGGESTED = {"beta": 2}
LABELS = {"beta": "Largest gain of a value (beta, times its share)"}
