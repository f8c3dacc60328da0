"""Marketer risk: the attacker matches the whole table, and is content with being right often.

The expected share of records that are matched with the right person: each record of a class is matched with one of
the F people who share its values, so the class contributes f/F (Dankar & El Emam, A method for evaluating marketer
re-identification risk, 2010; El Emam 2013). Against a register of the same people F = f, and the share is J/n.

If people have several records, what a person has in a class is matched with one of the F people who share its values,
class by class. The risk is the expected share of people who are matched with themselves in one class at least.
"""

import math
from collections import Counter
from collections.abc import Hashable, Sequence

from incrowd.core.frequencies import Counts
from incrowd.risks._estimate import expected_risk_textbook
from incrowd.risks._people import PeopleInClasses, Record, textbook_classes
from incrowd.risks._population import Population


def measure(sizes: Counts, population: Population | None = None) -> float:
    """Return the expected share of re-identified records, matched with the population or the table's own people."""
    if not len(sizes):
        return 0.0
    if population is None:
        return len(sizes) / int(sizes.sum())
    return float((sizes * population.risks(sizes)).sum() / sizes.sum())


def textbook(records: Sequence[Hashable], population: Sequence[Hashable] | int | None = None) -> float:
    """Apply the definition class by class; the population is given as records or as a size."""
    if not records:
        return 0.0
    here = Counter(records)
    if isinstance(population, int):
        found = sum(size * expected_risk_textbook(size, len(records) / population) for size in here.values())
    else:
        there = here if population is None else Counter(population)
        found = sum(size / there[values] for values, size in here.items())
    return found / len(records)


def of_people(people: PeopleInClasses, population: Population | None = None) -> float:
    """Return the expected share of re-identified people, matched with the population or the table's own people."""
    if not people.people:
        return 0.0
    risks = 1 / people.sizes if population is None else population.risks(people.sizes)
    return float(people.at_least_once(risks).sum() / people.people)


def textbook_of_people(records: Sequence[Record], population: Sequence[Hashable] | int | None = None) -> float:
    """Apply the definition person by person; the population is given as the values of its people or as a size."""
    everybody = {person for _, person in records}
    if not everybody:
        return 0.0
    there = Counter(population) if isinstance(population, Sequence) else Counter()

    def risk(values: Hashable, people: set[Hashable]) -> float:
        if population is None:
            return 1 / len(people)
        if isinstance(population, int):
            return expected_risk_textbook(len(people), len(everybody) / population)
        return 1 / there[values]

    of_classes = textbook_classes(records, risk)
    found: float = sum(1 - math.prod(1 - each for each in mine) for mine in of_classes.values())
    return found / len(everybody)
