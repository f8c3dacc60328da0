"""Whom an attacker singles out in several tables, by what may be known of each person there."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from incrowd.core.keys import number_combinations
from incrowd.core.knowledge import Counts, Knows, Views, views_of_tables
from incrowd.core.schema import Role
from incrowd.core.table import Codes
from incrowd.errors import UsageError
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.claims import words
from incrowd.searches import LinkedTable
from incrowd.searches.lattice.structure import with_structure

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Singled:
    """A set of columns, and how many people it singles out."""

    columns: tuple[str, ...]
    """By `table.column`."""
    people: int
    only_together: int
    """People whom no set with one column less singles out."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of the columns."""
        return tuple(dict.fromkeys(name.partition(".")[0] for name in self.columns))


@dataclass(frozen=True)
class RiskOfPeople:
    """How well people are hidden from an attacker who knows something of each in every table."""

    knows: str
    known: str
    """The knowledge, in words."""
    k: int
    people: int
    exposed: int
    """People of whom something may be known that is true of fewer than k people."""
    alone: int
    """Those of whom something may be known that is true of nobody else."""
    fewest: int
    """The fewest people of whom anything is true that may be known."""
    highest: float
    """The highest prosecutor risk: 1 / fewest."""
    average: float
    """The mean over all people of 1 by the fewest people of whom the same may be known."""


def risk_of_people(job: LinkedJob, tables: Sequence[LinkedTable], knows: Knows, k: int = 2) -> RiskOfPeople:
    """Return the risk from an attacker who knows all quasi-identifiers of as many records as `knows` says."""
    columns = quasi_identifiers(job)
    fewest = Counting(job, tables, columns, knows, k).fewest()
    least = int(fewest.min(initial=len(fewest)))
    return RiskOfPeople(
        str(knows),
        f"the record of a person and {words(knows)}",
        k,
        len(fewest),
        int((fewest < k).sum()),
        int((fewest < 2).sum()),
        least,
        1 / least if len(fewest) else 0.0,
        float((1 / fewest).mean()) if len(fewest) else 0.0,
    )


def quasi_identifiers(job: LinkedJob) -> list[str]:
    """Return the quasi-identifiers of all tables, by `table.column`; raise UsageError if there are none."""
    found = [
        f"{name}.{column}"
        for name, part in job.tables.items()
        for column, of in part.columns.items()
        if of.role == Role.QUASI
    ]
    if not found:
        raise UsageError.no_columns("the job")
    return found


@dataclass(eq=False)
class Counting:
    """Counts who is singled out by sets of columns; what is known of subsets is kept."""

    job: LinkedJob
    tables: Sequence[LinkedTable]
    columns: Sequence[str]
    """By `table.column`."""
    knows: Knows
    k: int
    _known: dict[frozenset[int], Mask] = field(default_factory=dict)

    def singled(self, chosen: frozenset[int]) -> Singled:
        """Return how many people a set singles out, and how many of them only together."""
        exposed = self.exposed(chosen)
        before = np.zeros_like(exposed)
        for column in chosen if len(chosen) > 1 else ():
            before |= self.exposed(chosen - {column})
        names = tuple(self.columns[at] for at in sorted(chosen))
        return Singled(names, int(exposed.sum()), int((exposed & ~before).sum()) if len(chosen) > 1 else 0)

    def exposed(self, chosen: frozenset[int]) -> Mask:
        """Return whom a set of columns singles out."""
        if chosen not in self._known:
            names = [self.columns[at] for at in sorted(chosen)]
            seen = self._views(names, self._involved(names))
            self._known[chosen] = seen.exposed(seen.sizes >= self.k, self.tables[0].people.people)
        return self._known[chosen]

    def fewest(self) -> Counts:
        """Return for each person the fewest people of whom something is true that may be known of the person.

        All columns of all tables are known, and that the person has a record in a table without any.
        """
        seen = self.all_views()
        people = self.tables[0].people.people
        found = np.full(people, people, dtype=np.int64)
        np.minimum.at(found, seen.person, seen.sizes[seen.of])
        return found

    def all_views(self) -> Views:
        """Return all that may be known of anybody: of the columns of some tables, or of all if all columns are known.

        Then it is also known whether a person has a record in a table without quasi-identifiers.
        """
        is_all = set(self.columns) == set(quasi_identifiers(self.job))
        return self._views(self.columns, range(len(self.tables)) if is_all else self._involved(self.columns))

    def _views(self, names: Sequence[str], involved: Sequence[int]) -> Views:
        own = [self._classes(at, names) for at in range(len(self.tables))]
        # Of the others not even the number of records is known.
        known = [
            each if at in involved else replace(each, parent=None, above=None) for at, each in enumerate(self.tables)
        ]
        classes = with_structure(own, known, self.knows)
        held = [self.tables[at].people.held(classes[at]) for at in involved]
        return views_of_tables(held, self.knows)

    def _classes(self, at: int, names: Sequence[str]) -> Codes:
        """Return the class of each entry of a table by the columns that are known."""
        frequencies = self.tables[at].people.frequencies
        columns = [column for column, name in enumerate(frequencies.names) if name in names]
        if not columns or not frequencies.combinations:
            return np.zeros(frequencies.combinations, dtype=np.int32)
        codes = [frequencies.codes[column] for column in columns]
        return number_combinations(codes, [frequencies.cardinalities[column] for column in columns])[0]

    def _involved(self, names: Sequence[str]) -> list[int]:
        """Return the first table, those with columns that are known, and those that they hang on."""
        order = list(self.job.tables)
        found = {0}
        for name in names:
            table: str | None = name.partition(".")[0]
            while table is not None:
                found.add(order.index(table))
                table = self.job.tables[table].of
        return sorted(found)
