"""(alpha,k)-anonymity: classes of at least k, no sensitive value above a share of alpha (Wong et al. 2006)."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns
from incrowd.models import Block, Mask, Measurable, Monotone, PrivacyModel, Reference
from incrowd.models._exact import as_written, at_most
from incrowd.models._masks import spared
from incrowd.models.columns import OnColumns
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity, records_of_others
from incrowd.parameters import number_above_zero, whole_number


@dataclass(frozen=True)
class AlphaK(OnColumns):
    """Every class has at least k records, and no value more than a share of alpha in it; compared exactly.

    This is the general form: every value is guarded, not one chosen value.
    """

    alpha: float
    k: int

    def __post_init__(self) -> None:
        super().__post_init__()
        number_above_zero("alpha of alpha_k", self.alpha, most=1)
        whole_number("k of alpha_k", self.k)

    not_promised = (
        "A class may have only two values, and ruling out one discloses the other (background knowledge). "
        "Different values may mean much the same (similarity)."
    )

    @property
    def monotone(self) -> Monotone:
        """A merged share lies between both shares, and may rise to that of a class which violates it."""
        return Monotone(merging=True, absorbing=self.alpha == 1)

    def relaxed(self) -> PrivacyModel:
        """Return what is necessary: 1/alpha values or more make up the whole, and as many records."""
        if self.monotone.absorbing:
            return self
        fewest = ceil(1 / as_written(self.alpha))
        return All((KAnonymity(max(self.k, fewest)), DistinctL(fewest, column=self.column)))

    def holds(self, classes: Classes) -> Mask:
        """Return which classes are large and even enough, or empty."""
        histogram = self.histogram(classes)
        alpha = as_written(self.alpha)
        sizes = classes.sizes[histogram.owner]
        small_enough = at_most([alpha.denominator, histogram.counts], [alpha.numerator, sizes])
        return KAnonymity(self.k).holds(classes) & spared(histogram, ~small_enough)

    def strength(self, classes: Classes) -> float:
        """Return the smallest alpha: the largest share of a value in a class; 0 for an empty table."""
        histogram = self.histogram(classes)
        return float((histogram.counts / classes.sizes[histogram.owner]).max(initial=0.0))

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the definition holds: at least k records, and every count at most alpha times as large."""
        limit = Fraction(str(self.alpha)) * block.size
        few = all(count <= limit for count in block.values[self.columns].values())
        return block.size == 0 or (block.size >= self.k and few)

    def promise_of_people(self) -> str:
        """Return what it promises if people are counted."""
        return (
            f"Every record shares its quasi-identifiers with {records_of_others(self.k - 1)}, "
            f"and no value of {self.subject} is that of a share of more than {self.alpha:g} of the people in a class."
        )

    def clause(self, unit: str) -> str:
        """Return what each class has, in a sentence with what other models demand."""
        return f"at least {self.k:,} {unit}, and no value of {self.subject} in more than {100 * self.alpha:g}% of them"

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return (
            f"Every record shares its quasi-identifiers with at least {self.k - 1} others, "
            f"and no value of {self.subject} has a share of more than {self.alpha:g} in a class."
        )


def strengths(column: Columns) -> Measurable:
    """Yield the parameters that a table is measured by."""
    yield "alpha", AlphaK(1, 1, column=column), {}


MODEL = AlphaK
MEANING = "Every class has at least k records, and no value has more than a share alpha of it."
RANK = 5
SUGGESTED = {"alpha": 0.5, "k": 5}
LABELS = {"alpha": "Largest share of a value (alpha, 0 to 1)", "k": "Records per class (k)"}
