"""k-anonymity: nobody stands in a group of fewer than k (Samarati and Sweeney)."""

from dataclasses import dataclass

from incrowd.core.classes import Classes
from incrowd.core.histograms import Counts
from incrowd.models import Block, Mask, Monotone, Reference
from incrowd.models._masks import or_empty, wholly
from incrowd.models._parameters import whole_number


@dataclass(frozen=True)
class KAnonymity:
    """Every class has at least k records."""

    k: int

    needs = ()
    needs_population = False
    needs_reference = False
    suppressible = True
    monotone = Monotone(merging=True, absorbing=True)
    not_promised = (
        "Nothing about sensitive values: a class whose records all have the same one tells it to everybody "
        "(homogeneity)."
    )

    def __post_init__(self) -> None:
        whole_number("k of k_anonymity", self.k)

    def relaxed(self) -> "KAnonymity":
        """Itself: classes only grow."""
        return self

    def lost(self, classes: Classes) -> Counts:
        """All records of the classes that violate it: no part of them satisfies it."""
        return wholly(~self.holds(classes), classes)

    def holds(self, classes: Classes) -> Mask:
        """Which classes are large enough, or empty."""
        return or_empty(classes.sizes >= self.k, classes)

    def strength(self, classes: Classes) -> float:
        """The size of the smallest class; 0 for an empty table."""
        sizes = classes.sizes[classes.sizes > 0]
        return float(sizes.min()) if len(sizes) else 0.0

    def textbook(self, block: Block, reference: Reference) -> bool:
        """At least k records."""
        return block.size == 0 or block.size >= self.k

    def promise(self) -> str:
        """What it promises."""
        others = "1 other" if self.k == 2 else f"{self.k - 1} others"
        return f"Every record shares its quasi-identifiers with at least {others}."


MODEL = KAnonymity
