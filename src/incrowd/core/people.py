"""The people of a table: which of them have which of its combinations, and how often."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.keys import number_combinations
from incrowd.core.knowledge import Holdings
from incrowd.core.table import MISSING, Codes


@dataclass(frozen=True, eq=False, repr=False)
class TableOfPeople(Brief):
    """A table, and the person of each of its records.

    Several tables about the same people share the numbers of the people: `TableOfPeople.several`.
    """

    frequencies: FrequencySet
    """The distinct combinations of the quasi-identifiers, of the sensitive columns that the models need, and of the
    columns that tell the person."""
    columns: tuple[str, ...]
    """The columns that together tell the person."""
    row: NDArray[np.int64]
    """The combination of each entry, never falling. One of a person is one entry; where nothing tells the person, every
    record is an entry."""
    person: Codes
    """The person of each entry, numbered from 0 over all tables."""
    counts: Counts
    """The records of each entry."""
    people: int
    """How many people there are in all tables."""

    @classmethod
    def of(cls, frequencies: FrequencySet, columns: Sequence[str]) -> "TableOfPeople":
        """Return the people of a table by the columns that tell them."""
        [found] = cls.several([(frequencies, columns)])
        return found

    @classmethod
    def several(cls, tables: Sequence[tuple[FrequencySet, Sequence[str]]]) -> list["TableOfPeople"]:
        """Return the people of tables whose columns of the person have the same codes for the same values.

        A record without any cell that tells its person is a person of its own.
        """
        codes = [frequencies.codes[frequencies.indices(columns)] for frequencies, columns in tables]
        every = np.concatenate(codes, axis=1)
        numbers, known = number_combinations(list(every), [int(row.max(initial=0)) + 1 for row in every])
        rows, people, nobody = [], [], (every == MISSING).all(axis=0)
        begin = 0
        for frequencies, _ in tables:
            end = begin + frequencies.combinations
            row = np.repeat(np.arange(begin, end), np.where(nobody[begin:end], frequencies.counts, 1))
            alone = nobody[row]
            who = np.where(alone, known + np.cumsum(alone) - 1, numbers[row])
            rows.append(row - begin)
            people.append(who)
            begin, known = end, known + int(alone.sum())
        # The number of all who lack every cell is nobody's.
        there, person = np.unique(np.concatenate(people), return_inverse=True)
        ends = np.cumsum([len(row) for row in rows])
        return [
            cls._of_rows(frequencies, tuple(columns), row, who.astype(np.int32), len(there))
            for (frequencies, columns), row, who in zip(
                tables, rows, np.split(person.reshape(-1), ends[:-1]), strict=True
            )
        ]

    @classmethod
    def _of_rows(
        cls,
        frequencies: FrequencySet,
        columns: tuple[str, ...],
        row: NDArray[np.int64],
        person: Codes,
        people: int,
    ) -> "TableOfPeople":
        parted = np.append(row[1:] == row[:-1], False) | np.append(False, row[1:] == row[:-1]) if len(row) else row > 0
        return cls(frequencies, columns, row, person, np.where(parted, 1, frequencies.counts[row]), people)

    @property
    def records(self) -> int:
        """How many records there are."""
        return self.frequencies.records

    def held(self, of: Codes) -> Holdings:
        """Return what people hold in classes, given the class of each entry."""
        return Holdings.joined(of, self.person, self.counts, self.people)


def with_person(counted: FrequencySet, names: Sequence[str], person: Sequence[str]) -> FrequencySet:
    """Return the named columns and, as the last one, the number of the person, from 1; nobody is missing there.

    A record without any cell that tells its person is a person of its own.
    """
    wanted = dict.fromkeys((*names, *person))
    counted = counted if set(counted.names) == set(wanted) else counted.project(tuple(wanted))
    at = counted.indices(person)
    nobody = (counted.codes[at] == MISSING).all(axis=0)
    told = [counted.codes[column][~nobody] for column in at]
    numbers, n = number_combinations(told, [counted.cardinalities[column] for column in at])
    combination = combinations_of_people(counted, person)
    alone = nobody[combination]
    who = np.empty(len(combination), dtype=np.int32)
    who[~alone] = numbers + 1
    who[alone] = np.arange(n + 1, n + 1 + int(np.count_nonzero(alone)))
    kept = counted.indices(names)
    return FrequencySet(
        (*names, unused_name(names)),
        (*(counted.values[column] for column in kept), pa.array(np.arange(1, int(who.max(initial=0)) + 1))),
        np.stack([*(counted.codes[column][combination] for column in kept), who]),
        np.where(alone, 1, counted.counts[combination]),
    )


def combinations_of_people(counted: FrequencySet, person: Sequence[str]) -> NDArray[np.int64]:
    """Return the combination of each row of `with_person`: every record that tells nobody is a row of its own."""
    nobody = (counted.codes[counted.indices(person)] == MISSING).all(axis=0)
    return np.repeat(np.arange(counted.combinations), np.where(nobody, counted.counts, 1))


def number_of_people(counted: FrequencySet, person: Sequence[str]) -> int:
    """Return how many people the records are about."""
    alone = counted.project(person)
    nobody = (alone.codes == MISSING).all(axis=0)
    return int(np.count_nonzero(~nobody)) + int(alone.counts[nobody].sum())


def unused_name(names: Sequence[str]) -> str:
    """Return a name for the column of people that no other column has."""
    name = "person"
    while name in names:
        name += "_"
    return name
