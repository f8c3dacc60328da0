"""Prosecutor risk: the attacker knows that the person is in the table.

A record in a class of f records is found with probability 1/f (El Emam & Dankar, Protecting privacy using k-anonymity,
JAMIA 2008; El Emam, Guide to the De-Identification of Personal Health Information, 2013).

If people have several records, f is the number of different people of the class, and the risk of a person the highest
among the person's classes. If several records of a person are known, f is the number of people of whom all of that is
true, wherever it is smallest.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

from incrowd.core.frequencies import Counts
from incrowd.core.knowledge import Known, Knows, textbook_alike
from incrowd.risks._attack import NOBODY, Attack
from incrowd.risks._people import Record
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


def of_people(alike: Counts, threshold: Threshold) -> Attack:
    """Return the risk of people each of whom is found among so many."""
    if not len(alike):
        return NOBODY
    at_risk = int(np.count_nonzero(threshold.exceeded_by_one_in(alike)))
    return Attack(1 / int(alike.min()), float((1 / alike).sum() / len(alike)), at_risk)


def textbook_of_people(records: Sequence[Record], threshold: Threshold, knows: Knows = Known.RECORD) -> Attack:
    """Apply the definition person by person."""
    sizes = textbook_alike(records, knows)
    if not sizes:
        return NOBODY
    risks = [max(1 / size for size in mine) for mine in sizes.values()]
    at_risk = sum(any(size * threshold.exact < 1 for size in mine) for mine in sizes.values())
    return Attack(max(risks), sum(risks) / len(risks), at_risk)
