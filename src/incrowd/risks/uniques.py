"""Uniques: records alone in their class, in the table and in the population.

If only the size of the population is known, the expected number is given. Under the model of Benedetti & Franconi
(1998) P(F = 1 | f = 1) = C(0, 0) p^1 (1-p)^0 = p, the sampling fraction.

If people have several records, these are the people who are alone in a class, with however many records; if several
records of a person are known, those of whom something known is true of nobody else.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from incrowd.core.frequencies import Counts
from incrowd.core.knowledge import Knows, textbook_alike
from incrowd.risks._people import PeopleInClasses, Record, textbook_people
from incrowd.risks._population import Population


@dataclass(frozen=True)
class Uniques:
    """The number of unique records, or people, of the table."""

    sample: int
    """In the table."""
    population: int | float | None
    """Also in the population; an expected number if only its size is known, None without one."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def measure(sizes: Counts, population: Population | None = None) -> Uniques:
    """Return the uniques of a table whose classes have these sizes."""
    return Uniques(int(np.count_nonzero(sizes == 1)), None if population is None else population.unique(sizes))


def textbook(records: Sequence[Hashable], population: Sequence[Hashable] | int | None = None) -> Uniques:
    """Apply the definition record by record; the population is given as records or as a size."""
    here = Counter(records)
    alone = [record for record in records if here[record] == 1]
    if population is None:
        return Uniques(len(alone), None)
    if isinstance(population, int):
        return Uniques(len(alone), len(alone) * len(records) / population if population else 0.0)
    there = Counter(population)
    return Uniques(len(alone), sum(there[record] == 1 for record in alone))


def of_people(people: PeopleInClasses, population: Population | None = None) -> Uniques:
    """Return how many people are alone in a class."""
    if not people.people:
        return Uniques(0, None if population is None else population.unique(people.sizes))
    alone = int(np.count_nonzero(people.fewest(people.sizes) == 1))
    if population is None:
        return Uniques(alone, None)
    likely = people.at_least_once(population.alone(people.sizes))
    return Uniques(alone, float(likely.sum()) if population.estimated else int(np.count_nonzero(likely)))


def textbook_of_people(records: Sequence[Record], population: Sequence[Hashable] | int | None = None) -> Uniques:
    """Apply the definition person by person; the population is given as the values of its people or as a size."""
    alone = [(values, *people) for values, people in textbook_people(records).items() if len(people) == 1]
    own = Counter(person for _, person in alone)
    if population is None:
        return Uniques(len(own), None)
    if isinstance(population, int):
        fraction = len({person for _, person in records}) / population if population else 1.0
        return Uniques(len(own), sum(1 - (1 - fraction) ** times for times in own.values()))
    there = Counter(population)
    return Uniques(len(own), len({person for values, person in alone if there[values] == 1}))


def of_known_people(alike: Counts) -> Uniques:
    """Return the uniques among people each of whom is found among so many."""
    return Uniques(int(np.count_nonzero(alike == 1)), None)


def textbook_of_known_people(records: Sequence[Record], knows: Knows) -> Uniques:
    """Apply the definition person by person."""
    return Uniques(sum(1 in alike for alike in textbook_alike(records, knows).values()), None)
