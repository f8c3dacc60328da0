"""Clusters of people as privacy models see them."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts
from incrowd.core.knowledge import Holdings, Known, Views
from incrowd.core.table import Codes
from incrowd.models import Block, Mask, Monotone, PrivacyModel, Reference
from incrowd.models.class_size import fewest_records
from incrowd.models.on_views import OnViews

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class OfClusters(Brief):
    """A model of views, asked of clusters of people: of the people of each, and of each of its groups of records."""

    judge: OnViews
    number: str
    """The column with the number of each person, from 1."""
    people: Numbers
    """By number the person of the judge's table."""
    slot: Numbers
    """Per entry of that table which of the groups of its cluster it is in, from 0."""

    @property
    def needs(self) -> tuple[Columns, ...]:
        """Who is in a class."""
        return ((self.number,),)

    @property
    def k(self) -> int:
        """No smaller cluster can satisfy the model."""
        return fewest_records(self.judge.model)

    @property
    def needs_population(self) -> bool:
        """Never: of the population no histories are known."""
        return False

    @property
    def needs_reference(self) -> bool:
        """The values of the whole table are the judge's."""
        return False

    @property
    def suppressible(self) -> bool:
        """Whether removing a cluster that violates the model helps."""
        return self.judge.model.suppressible

    @property
    def monotone(self) -> Monotone:
        """An absorbing model stays so, and nothing else is claimed."""
        return Monotone(merging=self.judge.absorbing, absorbing=self.judge.absorbing)

    def relaxed(self) -> "OfClusters | None":
        """The relaxed form of the model, asked of clusters."""
        found = self.judge.relaxed()
        return None if found is None else replace(self, judge=found)

    def lost(self, classes: Classes) -> Counts:
        """Return 0: nothing is known to be lost."""
        return np.zeros(len(classes), dtype=np.int64)

    def holds(self, classes: Classes) -> Mask:
        """Return which clusters satisfy the model."""
        person, cluster = self._people_of(classes)
        return self.of_people(person, cluster, len(classes))

    def _people_of(self, classes: Classes) -> tuple[Codes, Codes]:
        """Return who is in the clusters, and the cluster of each."""
        who = classes.histograms[(self.number,)]
        cluster = np.repeat(np.arange(len(classes), dtype=np.int32), np.diff(who.starts))
        return self.people[who.values - 1].astype(np.int32), cluster

    def of_people(self, person: Codes, cluster: Codes, n: int) -> Mask:
        """Return which of n clusters satisfy the model, given the people and the cluster of each."""
        seen = Views(cluster, person, n)
        histories = replace(self.judge, knows=Known.HISTORY)
        found: Mask = histories.model.holds(histories.classes([], seen)).copy()
        if self.judge.values:
            found &= self._groups(person, cluster, n)
        return found

    def _groups(self, person: Codes, cluster: Codes, n: int) -> Mask:
        """Return the clusters all of whose groups satisfy the model."""
        table = self.judge.tables[0]
        slots = int(self.slot.max(initial=0)) + 1
        own = np.full(table.people, -1, dtype=np.int64)
        own[person] = cluster
        of = own[table.person] * slots + self.slot
        there = own[table.person] >= 0
        numbers, dense = np.unique(of[there], return_inverse=True)
        of[there] = dense.reshape(-1)
        held = Holdings.joined(
            of[there].astype(np.int32), table.person[there], np.ones(int(there.sum()), dtype=np.int64), table.people
        )
        safe = self.judge.model.holds(
            self.judge.of_classes(0, of.astype(np.int32), Views(held.of, held.person, len(numbers)))
        )
        found = np.ones(n, dtype=np.bool_)
        found[numbers[~safe] // slots] = False
        return found

    def strength(self, classes: Classes) -> float:
        """Return the strength of the model among the people of each cluster."""
        person, cluster = self._people_of(classes)
        return self.judge.model.strength(self.judge.classes([], Views(cluster, person, len(classes))))

    def textbook(self, block: Block, reference: Reference) -> bool:
        """The definition of the model, for all records of the people of a cluster, and for those of each group."""
        person = self.judge.tables[0].person
        who = np.isin(person, [self.people[int(number or 0) - 1] for (number,) in block.values[(self.number,)]])
        groups = [who & (self.slot == slot) for slot in np.unique(self.slot[who]).tolist()]
        whole = Reference(
            {columns: self._counted(columns, person >= 0) for columns in self.judge.values}, reference.ladders
        )
        return all(
            self.judge.model.textbook(
                Block(
                    len(set(person[part].tolist())), {columns: self._counted(columns, part) for columns in whole.values}
                ),
                whole,
            )
            for part in [who, *groups]
        )

    def _counted(self, columns: Columns, part: Mask) -> "Counter[tuple[str | None, ...]]":
        """How many people have each value in some of the records."""
        table = self.judge.tables[0]
        found = []
        for name in columns:
            at = table.frequencies.names.index(name)
            texts = [None, *map(str, table.frequencies.values[at].to_pylist())]
            found.append([texts[code] for code in table.frequencies.codes[at][table.row[part]].tolist()])
        return Counter(pair[1:] for pair in set(zip(table.person[part].tolist(), *found, strict=True)))

    def promise(self) -> str:
        """The promise of the model."""
        return self.judge.model.promise()


def model_of(judge: OnViews, number: str, people: Numbers, slot: Numbers) -> PrivacyModel:
    """Return what clusters of people must satisfy; a model that looks at sizes alone counts people as it is."""
    return OfClusters(judge, number, people, slot) if judge.values else judge.model
