"""Marketer risk: the attacker matches the whole table, and is content with being right often.

The expected share of records that are matched with the right person: each record of a class is matched with one of
the F people who share its values, so the class contributes f/F (Dankar & El Emam, A method for evaluating marketer
re-identification risk, 2010; El Emam 2013). Against a register of the same people F = f, and the share is J/n.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

from incrowd.core.frequencies import Counts
from incrowd.risks._estimate import expected_risk_textbook
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
