"""Journalist risk: the attacker does not know whether the person is in the table, and looks in a population.

A record whose values F people of the population share is found with probability 1/F (El Emam & Dankar 2008; El Emam
2013). Where of the population only the size is known, E[1/F | f] is used instead (Benedetti & Franconi 1998).
The average is over the records of the table.

If people have several records, the risk of a person is the highest among the person's classes; f and F count people.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

from incrowd.core.frequencies import Counts
from incrowd.risks._attack import NOBODY, Attack
from incrowd.risks._estimate import expected_risk_textbook
from incrowd.risks._people import PeopleInClasses, Record, textbook_classes
from incrowd.risks._population import Population
from incrowd.risks._threshold import Threshold


def measure(sizes: Counts, population: Population, threshold: Threshold) -> Attack:
    """Return the risk in a table whose classes have these sizes, drawn from the population."""
    if not len(sizes):
        return NOBODY
    risks = population.risks(sizes)
    at_risk = int(sizes[population.exceeding(sizes, threshold)].sum())
    return Attack(float(risks.max()), float((sizes * risks).sum() / sizes.sum()), at_risk)


def textbook(records: Sequence[Hashable], population: Sequence[Hashable] | int, threshold: Threshold) -> Attack:
    """Apply the definition record by record; the population is given as records or as a size."""
    if not records:
        return NOBODY
    if isinstance(population, int):
        here = Counter(records)
        risks = [expected_risk_textbook(here[record], len(records) / population) for record in records]
        at_risk = sum(risk > threshold.number for risk in risks)
    else:
        there = Counter(population)
        risks = [1 / there[record] for record in records]
        at_risk = sum(there[record] * threshold.exact < 1 for record in records)
    return Attack(max(risks), sum(risks) / len(records), at_risk)


def of_people(people: PeopleInClasses, population: Population, threshold: Threshold) -> Attack:
    """Return the risk of the people in the classes, drawn from the population."""
    if not people.people:
        return NOBODY
    risks = people.most(population.risks(people.sizes))
    at_risk = int(np.count_nonzero(people.most(population.exceeding(people.sizes, threshold))))
    return Attack(float(risks.max()), float(risks.sum() / people.people), at_risk)


def textbook_of_people(records: Sequence[Record], population: Sequence[Hashable] | int, threshold: Threshold) -> Attack:
    """Apply the definition person by person; the population is given as the values of its people or as a size."""
    everybody = {person for _, person in records}
    if not everybody:
        return NOBODY
    if isinstance(population, int):
        fraction = len(everybody) / population
        of_classes = textbook_classes(records, lambda _, people: expected_risk_textbook(len(people), fraction))
        at_risk = sum(max(mine) > threshold.number for mine in of_classes.values())
    else:
        there = Counter(population)
        of_classes = textbook_classes(records, lambda values, _: 1 / there[values])
        at_risk = sum(
            any(there[values] * threshold.exact < 1 for values, who in records if who == person) for person in everybody
        )
    risks = [max(mine) for mine in of_classes.values()]
    return Attack(max(risks), sum(risks) / len(risks), at_risk)
