"""Enhanced beta-likeness: the more frequent a sensitive value, the less it may gain (Cao and Karras 2012)."""

from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Histogram
from incrowd.models import Block, Mask, Reference
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
        "It limits gains alone: that a class lacks a value tells that nobody in it has that one, and different "
        "values may mean much the same (similarity)."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above_zero("beta of enhanced_beta", self.beta)

    def relaxed(self) -> Support:
        """As for basic beta-likeness, which is weaker."""
        return self._basic.relaxed()

    @property
    def _basic(self) -> BasicBeta:
        return BasicBeta(self.beta, column=self.column)

    def holds(self, classes: Classes) -> Mask:
        """Which classes gain little enough by both bounds."""
        histogram = self.histogram(classes)
        return self._basic.holds(classes) & spared(histogram, _beyond_logarithm(histogram))

    def strength(self, classes: Classes) -> float:
        """The smallest beta; infinite where a gain exceeds its -ln q, which no beta mends; 0 for an empty table."""
        if _beyond_logarithm(self.histogram(classes)).any():
            return inf
        return self._basic.strength(classes)

    def textbook(self, block: Block, reference: Reference) -> bool:
        """(p - q) / q <= min(beta, -ln q), for every value of the class that is more frequent there."""
        whole = reference.values[self.columns]
        for value, count in block.values[self.columns].items():
            share = whole[value] / whole.total()
            gain = count / block.size / share - 1
            if gain > 0 and gain > -log(share) + TOLERANCE:
                return False
        return self._basic.textbook(block, reference)

    def promise(self) -> str:
        """What it promises."""
        return (
            f"In no class is a value of {self.subject} more frequent than in the whole table "
            f"by more than {self.beta:g} times its frequency q there, nor by more than -ln q times."
        )


def _beyond_logarithm(histogram: Histogram) -> NDArray[np.bool_]:
    """The entries whose gain exceeds what the logarithm allows."""
    shares = histogram.domain.shares[histogram.values]
    return histogram.shares / shares - 1 > -np.log(shares) + TOLERANCE


MODEL = EnhancedBeta
