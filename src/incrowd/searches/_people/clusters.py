"""The clusters of people so far, and the groups of records that they make."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from incrowd.core.groups import SUPPRESSED, Groups
from incrowd.searches._people.records import PeopleRecords

Numbers = NDArray[np.int64]

NOBODY = -1
"""In place of a cluster: this person is left out."""


@dataclass(eq=False)
class Clusters:
    """People in clusters. The records of a cluster with the same slot are published alike, as one group."""

    records: PeopleRecords
    cluster: Numbers
    """The cluster of each person, or NOBODY."""
    lot: Numbers
    """The lot of each person who is in a cluster."""
    slot: Numbers
    """Which of the groups of its cluster each record is in."""
    members: Numbers
    """Who is in a cluster, in the order in which clusters were made."""

    @classmethod
    def none(cls, records: PeopleRecords) -> "Clusters":
        """Return no clusters."""
        nobody = np.full(records.table.people, NOBODY, dtype=np.int64)
        return cls(records, nobody, nobody.copy(), np.zeros_like(records.step), nobody[:0])

    @property
    def n(self) -> int:
        """How many clusters there are."""
        return int(self.cluster.max(initial=NOBODY)) + 1

    def add(self, lot: int, people: Numbers, cluster: Numbers, slot: Numbers) -> None:
        """Add clusters of people, numbered from 0; some of these may be in none."""
        mine = np.zeros(len(self.cluster), dtype=np.bool_)
        mine[people] = True
        entries = mine[self.records.table.person]
        self.slot[entries] = slot[entries]
        self.lot[people] = lot
        self.cluster[people] = np.where(cluster == NOBODY, NOBODY, cluster + self.n)
        there = cluster != NOBODY
        self.members = np.append(self.members, people[there][np.argsort(cluster[there], kind="stable")])

    def join_nearest(self, person: int) -> bool:
        """Put a person into the cluster of somebody with more records, the first of which are nearest to the person's.

        Return whether there is one.
        """
        records = self.records
        steps = np.arange(records.lengths[person])
        others = self.members[records.lengths[self.members] > len(steps)]
        if not len(others):
            return False
        mine, theirs = records.entries(np.array([person]), steps), records.entries(others, steps)
        apart = np.zeros(theirs.shape, dtype=np.int64)
        for column, ranks in enumerate(records.ranks):
            apart += records.measure.between(column, np.broadcast_to(ranks[mine], theirs.shape), ranks[theirs])
        host = int(others[int(np.argmin(apart.sum(axis=1)))])
        self.cluster[person], self.lot[person] = self.cluster[host], self.lot[host]
        self.slot[mine[0]] = self.slot[records.entries(np.array([host]), steps)[0]]
        return True

    def without_parting(self, by_lot: bool) -> "Clusters":
        """Return the same with equal records of a person in one group, for sources that cannot tell them apart.

        The groups of two equal records of anybody in a cluster are one for all of the cluster, or for all of the lot,
        so that everybody still has equally many records in each.
        """
        records, table = self.records, self.records.table
        order = records.order
        same = (table.person[order][1:] == table.person[order][:-1]) & (table.row[order][1:] == table.row[order][:-1])
        own = (self.lot if by_lot else self.cluster)[table.person] + 1
        second = order[1:][same]
        width = int(self.slot.max(initial=0)) + 1
        joined = np.zeros((int(own.max(initial=0)) + 1, width), dtype=np.bool_)
        joined[own[second], self.slot[second]] = self.slot[second] > 0
        slots = np.broadcast_to(np.arange(width), joined.shape)
        # The first of slots that are joined one to the next.
        first = np.maximum.accumulate(np.where(joined, 0, slots), axis=1)
        return replace(self, slot=first[own, self.slot])

    def renumbered(self, cluster: Numbers, slot: Numbers) -> "Clusters":
        """Return other clusters of the same people, which may have any numbers."""
        numbers = np.full(len(cluster), NOBODY, dtype=np.int64)
        there = self.cluster != NOBODY
        numbers[there] = np.unique(cluster[there], return_inverse=True)[1].reshape(-1)
        return replace(self, cluster=numbers, slot=slot)

    def group(self) -> Numbers:
        """Return the group of each record, or SUPPRESSED."""
        cluster = self.cluster[self.records.table.person]
        keys = cluster * (int(self.slot.max(initial=0)) + 1) + self.slot
        found = np.full(len(keys), SUPPRESSED, dtype=np.int64)
        there = cluster != NOBODY
        found[there] = np.unique(keys[there], return_inverse=True)[1].reshape(-1)
        return found

    def groups(self) -> Groups:
        """Return the groups of records."""
        table = self.records.table
        return Groups.of_pieces(
            self.records.problem.frequencies, table.row, table.counts, self.group().astype(np.int32)
        )
