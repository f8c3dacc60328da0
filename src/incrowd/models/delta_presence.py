"""delta-presence: who of the population is in the table stays uncertain (Nergiz, Atzori and Clifton 2007)."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf

import numpy as np

from incrowd.core.classes import Classes
from incrowd.core.histograms import Counts
from incrowd.errors import UsageError
from incrowd.models import Block, Mask, Monotone, Reference
from incrowd.models._exact import as_written, at_most
from incrowd.models._population import people, people_like
from incrowd.models.k_map import KMap
from incrowd.parameters import number_above_zero, number_from


@dataclass(frozen=True)
class DeltaPresence:
    """In every class lower <= records / people of the population <= upper; compared exactly.

    A class of people none of whom is in the table counts too, with the share 0.
    """

    lower: float
    upper: float

    needs = ()
    needs_population = True
    needs_reference = False
    # A merged share lies between both shares, and may rise to that of a class which violates it.
    monotone = Monotone(merging=True, absorbing=False)
    not_promised = (
        "It does not protect sensitive values: it hides who is in the table from an attacker who knows "
        "only the population."
    )

    def __post_init__(self) -> None:
        number_from("lower of delta_presence", self.lower, 0, 1)
        number_above_zero("upper of delta_presence", self.upper, most=1)
        if self.lower > self.upper:
            raise UsageError.invalid("delta_presence", "lower is above upper", "give the smaller share as lower")

    @property
    def suppressible(self) -> bool:
        """Without its records the share of a class is 0, which is allowed only where lower is."""
        return self.lower == 0

    def relaxed(self) -> KMap:
        """Return what is necessary: a record and a share of at most upper need 1 / upper people."""
        return KMap(ceil(1 / as_written(self.upper)))

    def lost(self, classes: Classes) -> Counts:
        """Return all records of the classes that lack people."""
        return self.relaxed().lost(classes)

    def holds(self, classes: Classes) -> Mask:
        """Return which classes have a share within the limits; what has neither records nor people satisfies it."""
        lower, upper = as_written(self.lower), as_written(self.upper)
        population = people(classes)
        enough = at_most([lower.numerator, population], [lower.denominator, classes.sizes])
        return enough & at_most([upper.denominator, classes.sizes], [upper.numerator, population])

    def strength(self, classes: Classes) -> float:
        """Return the smallest upper: the largest share of a class, infinite where records have no people."""
        population = people(classes)
        if np.any((population == 0) & (classes.sizes > 0)):
            return inf
        return float(np.max(classes.sizes / np.maximum(population, 1), initial=0.0))

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the definition holds: lower <= records / people <= upper."""
        population = people_like(block)
        return Fraction(str(self.lower)) * population <= block.size <= Fraction(str(self.upper)) * population

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return (
            "Of the people of the population who could be in a class, "
            f"a share from {self.lower:g} to {self.upper:g} is in the table."
        )


MODEL = DeltaPresence
