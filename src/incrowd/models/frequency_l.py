"""Frequency l-diversity: no sensitive value has more than 1/l of a class (Xiao and Tao 2006, anatomy)."""

from dataclasses import dataclass

import numpy as np

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts
from incrowd.models import Block, Mask, Measurable, Monotone, Reference
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
        """Return what is necessary: l values or more make up the whole."""
        return self if self.monotone.absorbing else DistinctL(self.l, column=self.column)

    def holds(self, classes: Classes) -> Mask:
        """Return which classes have no value too often, or no record."""
        histogram = self.histogram(classes)
        return spared(histogram, ~at_most([self.l, histogram.counts], [classes.sizes[histogram.owner]]))

    def strength(self, classes: Classes) -> float:
        """Return the largest l: 1 / the largest share of a value in a class, rounded down; 0 for an empty table."""
        found = self.strengths(classes)[self.histogram(classes).distinct > 0]
        return float(found.min()) if len(found) else 0.0

    def strengths(self, classes: Classes) -> Counts:
        """Return the largest l of each class; of an empty class anything."""
        histogram = self.histogram(classes)
        most = np.zeros(len(histogram), dtype=np.int64)
        np.maximum.at(most, histogram.owner, histogram.counts)
        return classes.sizes // np.maximum(most, 1)

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the definition holds: every count is at most an l-th of the class."""
        return all(self.l * count <= block.size for count in block.values[self.columns].values())

    def promise_of_people(self) -> str:
        """Return what it promises if people are counted."""
        return f"In every class at most one person in {self.l} has the same value of {self.subject}."

    def clause(self, unit: str) -> str:
        """Return what each class has, in a sentence with what other models demand."""
        return f"no value of {self.subject} in more than one of {self.l:g} {unit}"

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return f"In every class at most one record in {self.l} has the same value of {self.subject}."


def strengths(column: Columns) -> Measurable:
    """Yield the parameters that a table is measured by."""
    yield "l", FrequencyL(1, column=column), {}


MODEL = FrequencyL
MEANING = "No value has more than one in l records of a class."
RANK = 2
SUGGESTED = {"l": 2}
LABELS = {"l": "Records per occurrence of a value (l)"}
