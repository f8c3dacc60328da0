"""People and the classes in which they have records.

An attacker knows the values of one record of a person, whichever is worst for the person. So what a person risks is
decided in each class by the people there, each counted once, and then among the classes of the person. An attacker who
knows several records finds the person among those of whom that is true: then views take the place of classes.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.knowledge import Holdings, Known, Knows, views
from incrowd.core.people import number_of_people, with_person
from incrowd.core.table import Codes

Record = tuple[Hashable, Hashable]
"""For the textbook: the values of a record, and its person."""


@dataclass(frozen=True, eq=False)
class PeopleInClasses:
    """Which people have records in which classes."""

    classes: FrequencySet
    """The combinations of the quasi-identifiers with their numbers of people."""
    held: Holdings
    """Sorted by person."""

    @classmethod
    def of(cls, numbered: FrequencySet, quasi: Sequence[str]) -> "PeopleInClasses":
        """Return the people of a frequency set whose last column numbers them."""
        classes, grouped = numbered.project(quasi), numbered.classes(quasi)
        people = numbered.cardinalities[-1] - 1
        held = Holdings.joined(grouped.of, numbered.codes[-1] - 1, numbered.counts, people)
        sizes = np.bincount(held.of, minlength=len(grouped)).astype(np.int64)
        return cls(replace(classes, counts=sizes), held)

    @property
    def sizes(self) -> Counts:
        """Return the number of people in each class."""
        return self.classes.counts

    @property
    def people(self) -> int:
        """Return the number of people."""
        return self.held.people

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.searchsorted(self.held.person, np.arange(self.people))

    def fewest(self, of_classes: NDArray[Any]) -> NDArray[Any]:
        """Return for each person the smallest number among the person's classes."""
        return np.minimum.reduceat(of_classes[self.held.of], self._starts)

    def alike(self, knows: Knows) -> Counts:
        """Return for each person the number of people in the smallest view of the person."""
        if knows == Known.RECORD and self.people:
            return self.fewest(self.sizes)
        seen = views(self.held, knows)
        found = np.full(self.people, self.people, dtype=np.int64)
        np.minimum.at(found, seen.person, seen.sizes[seen.of])
        return found

    def most(self, of_classes: NDArray[Any]) -> NDArray[Any]:
        """Return for each person the largest number among the person's classes."""
        return np.maximum.reduceat(of_classes[self.held.of], self._starts)

    def at_least_once(self, of_classes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each person the probability that it happens in one class at least, each by itself."""
        return 1 - np.multiply.reduceat(1 - of_classes[self.held.of], self._starts)

    def alone(self) -> Codes:
        """Return the only person of each class; -1 if there are several."""
        found = np.full(len(self.sizes), -1, dtype=np.int32)
        found[self.held.of] = self.held.person
        found[self.sizes != 1] = -1
        return found


def population_of_people(
    population: FrequencySet | int | None, quasi: Sequence[str], person: Sequence[str]
) -> tuple[FrequencySet | int | None, int | None]:
    """Return the population by its people and their number, if it tells them; otherwise each of its records is one."""
    if not isinstance(population, FrequencySet) or not person or not set(person) <= set(population.names):
        return population, None
    people = number_of_people(population, person)
    return PeopleInClasses.of(with_person(population, tuple(quasi), person), quasi).classes, people


def textbook_people(records: Sequence[Record]) -> dict[Hashable, set[Hashable]]:
    """Apply the definition: by values the people who have them."""
    found: dict[Hashable, set[Hashable]] = {}
    for values, person in records:
        found.setdefault(values, set()).add(person)
    return found


def textbook_classes(
    records: Sequence[Record], number: Callable[[Hashable, set[Hashable]], Any]
) -> dict[Hashable, list[Any]]:
    """Apply the definition: by person the number of each of its classes, from the values and people of the class."""
    found: dict[Hashable, list[Any]] = {}
    for values, people in textbook_people(records).items():
        for person in people:
            found.setdefault(person, []).append(number(values, people))
    return found
