"""Distinct l-diversity: no class agrees on few sensitive values (Machanavajjhala et al. 2006)."""

from dataclasses import dataclass

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts
from incrowd.models import Block, Mask, Measurable, Monotone, Reference
from incrowd.models._masks import or_empty
from incrowd.models.columns import OnColumns
from incrowd.parameters import whole_number


@dataclass(frozen=True)
class DistinctL(OnColumns):
    """Every class has at least l different values; missing is one value."""

    l: int  # noqa: E741 - the name that the parameter has in every paper

    monotone = Monotone(merging=True, absorbing=True)
    not_promised = (
        "Values need not be evenly spread: a class may have one of them nearly always (skewness), and different "
        "values may mean much the same (similarity)."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number("l of distinct_l", self.l)

    @property
    def different(self) -> int:
        """Return how many different values a class needs."""
        return self.l

    def relaxed(self) -> "DistinctL":
        """Return itself: a merged class has the values of both."""
        return self

    def holds(self, classes: Classes) -> Mask:
        """Return which classes have values enough, or no record."""
        return or_empty(self.histogram(classes).distinct >= self.l, classes)

    def strength(self, classes: Classes) -> float:
        """Return the fewest different values in a class; 0 for an empty table."""
        distinct = self.strengths(classes)
        distinct = distinct[distinct > 0]
        return float(distinct.min()) if len(distinct) else 0.0

    def strengths(self, classes: Classes) -> Counts:
        """Return how many different values each class has."""
        return self.histogram(classes).distinct

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the definition holds: at least l different values."""
        return block.size == 0 or len(block.values[self.columns]) >= self.l

    def promise_of_people(self) -> str:
        """Return what it promises if people are counted: values are values, however many have them."""
        return self.promise()

    def clause(self, unit: str) -> str:
        """Return what each class has, in a sentence with what other models demand."""
        return f"at least {self.l:,} different values of {self.subject}"

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return f"Every class has at least {self.l} different values of {self.subject}."


def strengths(column: Columns) -> Measurable:
    """Yield the parameters that a table is measured by."""
    yield "l", DistinctL(1, column=column), {}


MODEL = DistinctL
MEANING = "Every class has at least l different values, so no class alone discloses its value."
RANK = 1
SUGGESTED = {"l": 2}
LABELS = {"l": "Different values per class (l)"}
