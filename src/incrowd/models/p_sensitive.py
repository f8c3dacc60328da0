"""p-sensitive k-anonymity: classes of at least k with at least p sensitive values (Truta and Vinay 2006)."""

from dataclasses import dataclass

from incrowd.core.classes import Classes
from incrowd.models import Block, Mask, Monotone, Reference
from incrowd.models._masks import or_empty
from incrowd.models.columns import OnColumns
from incrowd.models.k_anonymity import records_of_others
from incrowd.parameters import whole_number


@dataclass(frozen=True)
class PSensitive(OnColumns):
    """Every class has at least k records and at least p different values."""

    p: int
    k: int

    monotone = Monotone(merging=True, absorbing=True)
    not_promised = (
        "Values need not be evenly spread: a class may have one of them nearly always (skewness), and different "
        "values may mean much the same (similarity)."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number("p of p_sensitive", self.p)
        whole_number("k of p_sensitive", self.k)

    @property
    def different(self) -> int:
        """Return how many different values a class needs."""
        return self.p

    def relaxed(self) -> "PSensitive":
        """Return itself: a merged class has the records and the values of both."""
        return self

    def holds(self, classes: Classes) -> Mask:
        """Return which classes have records and values enough, or are empty."""
        enough = (classes.sizes >= self.k) & (self.histogram(classes).distinct >= self.p)
        return or_empty(enough, classes)

    def strength(self, classes: Classes) -> float:
        """Return the largest p: the fewest different values in a class; 0 for an empty table."""
        distinct = self.histogram(classes).distinct
        distinct = distinct[distinct > 0]
        return float(distinct.min()) if len(distinct) else 0.0

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the definition holds: at least k records and p different values."""
        return block.size == 0 or (block.size >= self.k and len(block.values[self.columns]) >= self.p)

    def promise_of_people(self) -> str:
        """Return what it promises if people are counted."""
        return (
            f"Every record shares its quasi-identifiers with {records_of_others(self.k - 1)}, "
            f"and every class has at least {self.p} different values of {self.subject}."
        )

    def clause(self, unit: str) -> str:
        """Return what each class has, in a sentence with what other models demand."""
        return f"at least {self.k:,} {unit} with {self.p:,} different values of {self.subject}"

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return (
            f"Every record shares its quasi-identifiers with at least {self.k - 1} others, "
            f"and every class has at least {self.p} different values of {self.subject}."
        )


MODEL = PSensitive
MEANING = "Every class has at least k records and p different values."
RANK = 10
SUGGESTED = {"p": 2, "k": 5}
LABELS = {"p": "Different values per class (p)", "k": "Records per class (k)"}
