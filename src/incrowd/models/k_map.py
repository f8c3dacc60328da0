"""k-map: every record could be one of at least k people of the population (Sweeney)."""

from dataclasses import dataclass

from incrowd.core.classes import Classes
from incrowd.core.histograms import Counts
from incrowd.models import Block, Mask, Monotone, Reference
from incrowd.models._masks import or_empty, wholly
from incrowd.models._population import people, people_like
from incrowd.parameters import whole_number


@dataclass(frozen=True)
class KMap:
    """The population has at least k people in every class that has records; how many records there are is free."""

    k: int

    needs = ()
    needs_population = True
    needs_reference = False
    suppressible = True
    monotone = Monotone(merging=True, absorbing=True)
    not_promised = (
        "It does not protect sensitive values, nor against an attacker who knows who is in the table: k "
        "counts the population."
    )

    def __post_init__(self) -> None:
        whole_number("k of k_map", self.k)

    def relaxed(self) -> "KMap":
        """Return itself: the people of merged classes add up."""
        return self

    def lost(self, classes: Classes) -> Counts:
        """Return all records of the classes that violate it: no part of them satisfies it."""
        return wholly(~self.holds(classes), classes)

    def holds(self, classes: Classes) -> Mask:
        """Return which classes have people enough, or no record to protect."""
        return or_empty(people(classes) >= self.k, classes)

    def strength(self, classes: Classes) -> float:
        """Return the fewest people in a class that has records; 0 for an empty table."""
        found = people(classes)[classes.sizes > 0]
        return float(found.min()) if len(found) else 0.0

    def textbook(self, block: Block, reference: Reference) -> bool:
        """Return whether the definition holds: at least k people."""
        return block.size == 0 or people_like(block) >= self.k

    def promise_of_people(self) -> str:
        """Return what it promises if people are counted, which it does anyway."""
        return self.promise()

    def promise(self) -> str:
        """Return the promise in one sentence."""
        return f"Every record could be that of any of at least {self.k} people of the population."


MODEL = KMap
