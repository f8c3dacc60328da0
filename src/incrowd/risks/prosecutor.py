"""Prosecutor risk: the attacker knows that the person is in the table.

A record in a class of f records is found with probability 1/f (El Emam & Dankar, Protecting privacy using k-anonymity,
JAMIA 2008; El Emam, Guide to the De-Identification of Personal Health Information, 2013).
"""

from collections import Counter
from collections.abc import Hashable, Sequence

from incrowd.core.frequencies import Counts
from incrowd.risks._attack import NOBODY, Attack
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
