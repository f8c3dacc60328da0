"""Models that ask of a class nothing but a number of records."""

from dataclasses import dataclass
from typing import Self

from incrowd.core.classes import Classes
from incrowd.core.histograms import Counts
from incrowd.models._contract import Block, Mask, Monotone, Reference
from incrowd.models._masks import or_empty, wholly


@dataclass(frozen=True)
class LargeEnough:
    """Every class has at least k records."""

    k: int

    needs = ()
    needs_population = False
    needs_reference = False
    suppressible = True
    monotone = Monotone(merging=True, absorbing=True)

    def relaxed(self) -> Self:
        """Return itself: classes only grow."""
        return self

    def lost(self, classes: Classes) -> Counts:
        """Return all records of the classes that violate it: no part of them satisfies it."""
        return wholly(~self.holds(classes), classes)

    def holds(self, classes: Classes) -> Mask:
        """Return which classes are large enough, or empty."""
        return or_empty(classes.sizes >= self.k, classes)

    def strength(self, classes: Classes) -> float:
        """Return the size of the smallest class; 0 for an empty table."""
        sizes = classes.sizes[classes.sizes > 0]
        return float(sizes.min()) if len(sizes) else 0.0

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the definition holds: at least k records."""
        return block.size == 0 or block.size >= self.k
