"""Prosecutor risk: the attacker knows that the person is in the table.

A record in a class of f records is found with probability 1/f (El Emam & Dankar, Protecting privacy using k-anonymity,
JAMIA 2008; El Emam, Guide to the De-Identification of Personal Health Information, 2013).

If people have several records, f is the number of different people of the class, and the risk of a person the highest
among the person's classes.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

from incrowd.core.frequencies import Counts
from incrowd.risks._attack import NOBODY, Attack
from incrowd.risks._people import PeopleInClasses, Record, textbook_classes
from incrowd.risks._threshold import Threshold


def measure(sizes: Counts, threshold: Threshold) -> Attack:
    """Return the risk in a table whose classes have these sizes."""
    if not len(sizes):
        return NOBODY
    at_risk = int(sizes[threshold.exceeded_by_one_in(sizes)].sum())
    return Attack(1 / int(sizes.min()), len(sizes) / int(sizes.sum()), at_risk)


def textbook(records: Sequence[Hashable], threshold: Threshold) -> Attack:
    """Apply the definition record by record."""
    if not records:
        return NOBODY
    alike = Counter(records)
    risks = [1 / alike[record] for record in records]
    at_risk = sum(alike[record] * threshold.exact < 1 for record in records)
    return Attack(max(risks), sum(risks) / len(records), at_risk)


def of_people(people: PeopleInClasses, threshold: Threshold) -> Attack:
    """Return the risk of the people in the classes."""
    if not people.people:
        return NOBODY
    fewest = people.fewest(people.sizes)
    at_risk = int(np.count_nonzero(threshold.exceeded_by_one_in(fewest)))
    return Attack(1 / int(fewest.min()), float((1 / fewest).sum() / people.people), at_risk)


def textbook_of_people(records: Sequence[Record], threshold: Threshold) -> Attack:
    """Apply the definition person by person."""
    sizes = textbook_classes(records, lambda _, people: len(people))
    if not sizes:
        return NOBODY
    risks = [max(1 / size for size in mine) for mine in sizes.values()]
    at_risk = sum(any(size * threshold.exact < 1 for size in mine) for mine in sizes.values())
    return Attack(max(risks), sum(risks) / len(risks), at_risk)
