"""Frequency l-diversity: no sensitive value has more than 1/l of a class (Xiao and Tao 2006, anatomy)."""

from dataclasses import dataclass

import numpy as np

from incrowd.core.classes import Classes
from incrowd.core.histograms import Counts
from incrowd.models import Block, Mask, Monotone, Reference
from incrowd.models._exact import at_most
from incrowd.models._masks import spared
from incrowd.models.columns import OnColumns
from incrowd.models.distinct_l import DistinctL
from incrowd.parameters import whole_number


@dataclass(frozen=True)
class FrequencyL(OnColumns):
    """In every class each value has at most one record in l; compared exactly. Missing is one value."""

    l: int  # noqa: E741 - the name that the parameter has in every paper

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number("l of frequency_l", self.l)

    not_promised = (
        "Different values may mean much the same (similarity), and a value that is rare elsewhere may be frequent "
        "in a class (skewness)."
    )

    @property
    def monotone(self) -> Monotone:
        """A merged share lies between both shares, and may rise to that of a class which violates it."""
        return Monotone(merging=True, absorbing=self.l == 1)

    def relaxed(self) -> "FrequencyL | DistinctL":
        """It takes l values or more to make up the whole."""
        return self if self.monotone.absorbing else DistinctL(self.l, column=self.column)

    def holds(self, classes: Classes) -> Mask:
        """Which classes have no value too often, or no record."""
        histogram = self.histogram(classes)
        return spared(histogram, ~at_most([self.l, histogram.counts], [histogram.sizes[histogram.owner]]))

    def strength(self, classes: Classes) -> float:
        """The largest l: the inverse of the largest share of a value in a class, rounded down; 0 for an empty table."""
        found = self.strengths(classes)[self.histogram(classes).distinct > 0]
        return float(found.min()) if len(found) else 0.0

    def strengths(self, classes: Classes) -> Counts:
        """The largest l of each class; of an empty class anything."""
        histogram = self.histogram(classes)
        most = np.zeros(len(histogram), dtype=np.int64)
        np.maximum.at(most, histogram.owner, histogram.counts)
        return histogram.sizes // np.maximum(most, 1)

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Every count is at most an l-th of the class."""
        return all(self.l * count <= block.size for count in block.values[self.columns].values())

    def promise(self) -> str:
        """What it promises."""
        return f"In every class at most one record in {self.l} has the same value of {self.subject}."


MODEL = FrequencyL
