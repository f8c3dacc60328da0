"""What the classes of a release still tell about a sensitive column: four attacks, and who is exposed to each.

Homogeneity and background knowledge: Machanavajjhala et al., l-Diversity (2006). Skewness and similarity: Li et al.,
t-Closeness (2007). Each is judged from the release alone, as whoever gets it can.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import numbers_of
from incrowd.core.histograms import Domain, Histogram
from incrowd.core.table import MISSING, Codes

Mask = NDArray[np.bool_]

NARROW = Fraction(1, 10)
"""Numbers that lie within this share of the column's range are alike."""


class Attack(StrEnum):
    """What somebody may learn although nobody is found."""

    HOMOGENEITY = "homogeneity"
    """A class has a single value: whoever is in it has that."""
    BACKGROUND_1 = "background knowledge, 1 value"
    """A single value is left once an attacker knows of one that a person does not have it."""
    BACKGROUND_2 = "background knowledge, 2 values"
    """The same with two values."""
    SKEWNESS = "skewness"
    """A value is more than twice as frequent in a class as in the release, and half of the class or more has it."""
    SIMILARITY = "similarity"
    """The values of a class differ and still say much the same: they lie below one node of the column's hierarchy that
    is not its top; without a hierarchy, within a tenth of the range of the column's numbers."""


@dataclass(frozen=True)
class Exposure:
    """How many records of a release an attack exposes."""

    attack: str
    records: int | None
    """None where it cannot be told."""
    classes: int | None


def exposures(histogram: Histogram) -> tuple[Exposure, ...]:
    """Every attack on one sensitive column."""
    alike = similar(histogram)
    masks = {
        Attack.HOMOGENEITY: few(histogram, 1),
        Attack.BACKGROUND_1: few(histogram, 2),
        Attack.BACKGROUND_2: few(histogram, 3),
        Attack.SKEWNESS: skewed(histogram),
        Attack.SIMILARITY: alike,
    }
    return tuple(
        Exposure(str(attack), None, None)
        if mask is None
        else Exposure(str(attack), int(histogram.sizes[mask].sum()), int(np.count_nonzero(mask)))
        for attack, mask in masks.items()
    )


def few(histogram: Histogram, values: int) -> Mask:
    """Classes with so many different values or fewer: who rules out all but one of them knows the last."""
    found: Mask = (histogram.distinct > 0) & (histogram.distinct <= values)
    return found


def skewed(histogram: Histogram) -> Mask:
    """Classes in which a value has at least half of the records, and more than twice its share of the release."""
    sizes, whole = histogram.sizes[histogram.owner], histogram.domain.whole
    # As whole numbers, because a share of exactly twice must not depend on rounding.
    doubled = histogram.counts * int(whole.sum()) > 2 * whole[histogram.values] * sizes
    found = np.zeros(len(histogram), dtype=np.bool_)
    found[histogram.owner[doubled & (2 * histogram.counts >= sizes)]] = True
    return found


def similar(histogram: Histogram) -> Mask | None:
    """Classes whose values are alike; None where nothing tells which values are."""
    ladder = histogram.domain.ladder
    if ladder is not None:
        # Whatever shares a node further down shares one directly below the top.
        return _one_node(histogram, ladder.up[-2]) if ladder.height > 1 else None
    return _near(histogram)


def _one_node(histogram: Histogram, node: Codes) -> Mask:
    first = np.full(len(histogram), -1, dtype=np.int64)
    owner, nodes = histogram.owner, node[histogram.values]
    first[owner] = nodes
    found: Mask = histogram.distinct > 0
    found[owner[nodes != first[owner]]] = False
    return found


def _near(histogram: Histogram) -> Mask | None:
    numbers = _numbers(histogram.domain)
    if numbers is None:
        return None
    there = np.flatnonzero(histogram.domain.whole)
    there = there[there != MISSING]
    if len(there) < 2:
        return few(histogram, 1)
    reach = float(np.ptp(numbers[there])) * float(NARROW)
    low, high = np.full(len(histogram), np.inf), np.full(len(histogram), -np.inf)
    # A missing value is no number: of a class that has one, nothing is said.
    with np.errstate(invalid="ignore"):
        np.minimum.at(low, histogram.owner, numbers[histogram.values])
        np.maximum.at(high, histogram.owner, numbers[histogram.values])
        near: Mask = (histogram.distinct > 0) & (high - low <= reach)
    return near


def _numbers(domain: Domain) -> NDArray[np.float64] | None:
    """Per code its number, missing as none; None where the values are not numbers."""
    if domain.values is None or not len(domain.values):
        return None
    found = numbers_of(domain.values)
    return None if found is None else np.array([np.nan, *map(float, found)])


def textbook(
    classes: Sequence[Sequence[Hashable]], nodes: Mapping[Hashable, Hashable] | None = None
) -> dict[str, int | None]:
    """The definitions, class by class; `nodes` gives for each value the node directly below the top."""
    whole = Counter(value for group in classes for value in group)
    records = sum(whole.values())

    def exposed(group: Sequence[Hashable], attack: Attack) -> bool:
        counts = Counter(group)
        if attack == Attack.SKEWNESS:
            return any(
                Fraction(n, len(group)) > 2 * Fraction(whole[value], records) and 2 * n >= len(group)
                for value, n in counts.items()
            )
        if attack == Attack.SIMILARITY:
            return nodes is not None and len({nodes[value] for value in group}) == 1
        most = {Attack.HOMOGENEITY: 1, Attack.BACKGROUND_1: 2, Attack.BACKGROUND_2: 3}[attack]
        return len(counts) <= most

    found: dict[str, int | None] = {
        str(attack): sum(len(group) for group in classes if group and exposed(group, attack)) for attack in Attack
    }
    return found if nodes is not None else {**found, str(Attack.SIMILARITY): None}
