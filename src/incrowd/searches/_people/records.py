"""Every record of every person, in an order that depends on the values alone."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.people import TableOfPeople
from incrowd.core.table import Codes
from incrowd.searches._clusters.measure import Measure
from incrowd.searches._clusters.records import ClusterRecords
from incrowd.searches.problem import Problem

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PeopleRecords:
    """The records of a problem person by person; each person's in an order that brings like records together."""

    problem: Problem
    table: TableOfPeople
    """Each record is an entry of its own."""
    measure: Measure
    ranks: Codes
    """Columns of the measure x entries."""
    place: Numbers
    """Per entry where its combination stands in an order that is the same however records were counted."""
    order: Numbers
    """The entries, person by person."""

    @classmethod
    def of(cls, problem: Problem) -> "PeopleRecords":
        """Return the records of a problem about people."""
        assert problem.people is not None
        table = _single(problem.people.tables[0].people)
        records = ClusterRecords.of(problem)
        position = np.empty(len(records.order), dtype=np.int64)
        position[records.order] = np.arange(len(records.order))
        place = position[table.row]
        ranks = np.ascontiguousarray(records.ranks[:, place])
        columns = _most_different_first(records.measure, ranks, table.person, place)
        keys = [place, *(ranks[column] for column in reversed(columns)), table.person]
        return cls(problem, table, records.measure, ranks, place, np.lexsort(keys).astype(np.int64))

    @cached_property
    def lengths(self) -> Numbers:
        """How many records each person has."""
        return np.bincount(self.table.person, minlength=self.table.people).astype(np.int64)

    @cached_property
    def starts(self) -> Numbers:
        """Where each person begins in the order."""
        return np.cumsum(self.lengths) - self.lengths

    @cached_property
    def step(self) -> Numbers:
        """Which of the person's records each entry is, from 0."""
        found = np.empty(len(self.order), dtype=np.int64)
        found[self.order] = np.arange(len(self.order)) - self.starts[self.table.person[self.order]]
        return found

    def sorted_people(self, people: Numbers) -> Numbers:
        """Return people with equally many records in an order that depends on their values alone."""
        width = int(self.lengths[people[0]]) if len(people) else 0
        places = self.place[self.entries(people, np.arange(width))]
        return people[np.lexsort(places.T[::-1])] if width else people

    def entries(self, people: Numbers, steps: Numbers) -> Numbers:
        """Return people x steps: their records with these numbers."""
        found: Numbers = self.order[self.starts[people][:, None] + steps[None, :]]
        return found


def _single(table: TableOfPeople) -> TableOfPeople:
    """Return the same people with every record as an entry of its own."""
    times = table.counts
    if (times == 1).all():
        return table
    row, person = np.repeat(table.row, times), np.repeat(table.person, times)
    return replace(table, row=row, person=person, counts=np.ones(len(row), dtype=np.int64))


def _most_different_first(measure: Measure, ranks: Codes, person: Codes, place: Numbers) -> list[int]:
    """Return the columns, those first in which the records of one person differ most: they decide which is which."""
    order = np.lexsort((place, person))
    same = person[order][1:] == person[order][:-1]
    one, other = order[:-1][same], order[1:][same]
    apart = [int(measure.between(c, row[one], row[other]).sum()) for c, row in enumerate(ranks)]
    return sorted(range(len(apart)), key=lambda column: -apart[column])
