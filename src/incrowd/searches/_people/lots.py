"""Lots: people who are clustered together, since all of them have records for the same groups of a cluster."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.knowledge import Known, Knows
from incrowd.searches._people.records import PeopleRecords

Numbers = NDArray[np.int64]
Together = Callable[[Numbers], bool]
"""Whether people can be published all alike, all of their records as one group."""


@dataclass(frozen=True, eq=False)
class Lot:
    """People who have a record at least for each of the groups of their cluster."""

    people: Numbers
    width: int
    """How many groups a cluster has; the last one takes all further records of each person."""
    fewest: int
    most: int
    """How many records they have."""

    def entries(self, records: PeopleRecords) -> Numbers:
        """Return people x groups: a record of each person in each group, that in the middle if there are more."""
        steps = np.arange(self.width)
        found = records.entries(self.people, steps)
        last = self.width - 1
        middle = (last + records.lengths[self.people] - 1) // 2
        found[:, last] = records.order[records.starts[self.people] + middle]
        return found


@dataclass(frozen=True, eq=False)
class Lots:
    """All lots, and who joins their clusters afterwards."""

    lots: list[Lot]
    guests: Numbers
    """People who are too few for a lot, each with fewer records than are known of a person."""


def lots_of(records: PeopleRecords, staying: Numbers, knows: Knows, together: Together) -> Lots:
    """Return the lots of those who stay, most records first."""
    lengths = records.lengths[staying]
    by_length = [(r, records.sorted_people(staying[lengths == r])) for r in np.unique(lengths)[::-1].tolist()]
    if knows == Known.HISTORY:
        return Lots([Lot(people, r, r, r) for r, people in by_length], staying[:0])
    m = int(knows)
    lots, waiting = _of_many([(r, people) for r, people in by_length if r >= m], m, together), []
    for r, people in by_length:
        if r < m and together(people):
            lots.append(Lot(people, r, r, r))
        elif r < m:
            waiting.append(people)
    return Lots(lots, np.concatenate(waiting) if waiting else staying[:0])


def _of_many(by_length: list[tuple[int, Numbers]], m: int, together: Together) -> list[Lot]:
    """Return lots of people with m records or more; those with rare numbers of records share one."""
    found: list[Lot] = []
    begun: list[Numbers] = []
    most = 0
    for r, people in by_length:
        most = most if begun else r
        begun.append(people)
        everybody = np.concatenate(begun)
        if together(everybody):
            found.append(Lot(everybody, _width(r, most, m), r, most))
            begun = []
    if begun and found:
        # Too few are left for a lot of their own.
        last, fewest = found.pop(), by_length[-1][0]
        found.append(Lot(np.concatenate([last.people, *begun]), _width(fewest, last.most, m), fewest, last.most))
    return found


def _width(fewest: int, most: int, m: int) -> int:
    """Return how many groups a cluster has: of the last one everybody has m records, if they have not equally many."""
    return fewest if fewest == most else fewest - m + 1
