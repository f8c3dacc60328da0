"""Who a record is about: the columns that tell the person, found where people have several records.

Names of columns say what may tell a person, and counts decide. In this order, the first that repeats:

1. the number of a person, such as patient_id or an account number. If every record has its own, every record is about
   another person, and nothing else is asked;
2. a key whose name leaves open what it numbers (id), the word for a person (subject), or a way to reach one (e-mail).
   Sex and date of birth stay as they are: a key beside whose values they change, such as that of a household, tells no
   person;
3. names. Different people may have the same one, so the date of birth goes along if a name has several;
4. a key without a telling name beside whose values nothing changes that stays with a person: sex, origin, education,
   family.

A column with another value in every record numbers records.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.kernels import total
from incrowd.core.keys import number_combinations
from incrowd.core.table import MISSING, Codes
from incrowd.proposing.facts import is_category
from incrowd.proposing.kinds import Kind, kind_of
from incrowd.proposing.naming import topic_of
from incrowd.proposing.person_names import Tells, is_birth, is_constant, is_person, stays_with_person, told_by
from incrowd.text import count, number, printable

_CONSTANT = 0.95
"""The share of records, of those that share a person's key, that must have the most frequent sex or birth beside it;
others are typing errors."""
_SHARED_NAMES = 0.01
"""The share of records that must share their name, where no date of birth says whether it is the same person."""
_KNOWN = 0.5
"""The share of records in which a column that tells the person must have a value."""
_MANY = 30
"""People that a key without a telling name must tell apart."""
_STAYING = 2
"""Columns that must not change beside the values of such a key."""
_ANSWERS = 4
"""Values of an answer such as yes, no and refused; so few people have no key."""
_EVIDENCE = 20
"""Records that must share their key with others before sex and birth can show anything."""


@dataclass(frozen=True)
class RepeatedPeople:
    """People with several records, and the columns that tell them."""

    columns: tuple[str, ...]
    people: int
    records: int
    fewest: int
    """The smallest number of records of a person."""
    median: float
    """The median number of records of a person."""
    most: int
    """The largest number of records of a person."""
    unknown: int = 0
    """Records without any value in these columns: each is counted as a person of its own."""

    @property
    def average(self) -> float:
        """The mean number of records of a person."""
        return self.records / self.people

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"summary": self.sentence(), **asdict(self), "columns": list(self.columns), "average": self.average}

    def sentence(self) -> str:
        """Return in words how many people there are, and how many records each has."""
        columns = " and ".join(map(printable, self.columns))
        each = f"{number(self.fewest)} to {number(self.most)}" if self.fewest < self.most else number(self.most)
        return (
            f"Records repeat people: by {columns}, {count(self.records, 'record')} are about "
            f"{count(self.people, 'person')}, with {each} records each (median {self.median:g}, "
            f"average {self.average:.3g}).{self._of_nobody()}"
        )

    def _of_nobody(self) -> str:
        if not self.unknown:
            return ""
        if self.unknown == 1:
            return " 1 record lacks these values and counts as a person of its own."
        return f" {number(self.unknown)} records lack these values; each counts as a person of its own."


def find_people(counted: FrequencySet, among: Collection[str], trusted: bool = False) -> RepeatedPeople | None:
    """Return the people who have several records, told by columns among the named ones and dates of birth.

    Trusted columns are identifiers whatever their names are. None if no person has several records, or nothing tells.
    """
    keys = [_Key(counted, (name,)) for name in counted.names if name in among]
    of = {tells: [key for key in keys if told_by(key.columns[0]) is tells] for tells in Tells}
    numbers = [key for key in of[Tells.NUMBER] if key.is_known and (trusted or not key.is_answer)]
    if numbers:
        return _coarsest([key for key in numbers if key.repeats])
    named = [key for key in of[Tells.KEY] if key.repeats and key.is_known and (trusted or key.is_plausible)]
    if named:
        return _coarsest(named)
    if of[Tells.NAME]:
        found = _named(counted, [name for key in of[Tells.NAME] for name in key.columns], trusted)
        if found is not None:
            return found.people
    if not trusted:
        return _coarsest(
            [key for key in keys if _may_number_people(counted, key.columns[0]) and key.keeps_people_apart]
        )
    finest = max(keys, key=lambda key: len(key.records), default=None)
    return finest.people if finest is not None and finest.repeats else None


def strongest(identifiers: Sequence[str]) -> tuple[str, ...]:
    """Return the identifiers that `find_people` may choose from: numbers of people, if there are any."""
    numbers = tuple(name for name in identifiers if told_by(name) is Tells.NUMBER)
    return numbers or tuple(identifiers)


def _coarsest(keys: Sequence["_Key"]) -> RepeatedPeople | None:
    """Return the people of the key that most records have; of these the one with the fewest people."""
    chosen = min(keys, key=lambda key: (key.unknown, len(key.records)), default=None)
    return None if chosen is None else chosen.people


def _named(counted: FrequencySet, columns: Sequence[str], trusted: bool) -> "_Key | None":
    """Return the key of names, with the date of birth where a name has several; None if it does not repeat."""
    alone = _Key(counted, tuple(columns))
    births = [name for name in counted.names if is_birth(name)]
    if births:
        both = _Key(counted, (*columns, births[0]))
        finer = both if len(both.records) > len(alone.records) else alone
        return finer if finer.repeats else None
    enough = 1 if trusted else max(1.0, _SHARED_NAMES * counted.records)
    return alone if alone.shared >= enough and (trusted or alone.is_plausible) else None


def _may_number_people(counted: FrequencySet, name: str) -> bool:
    """Return whether a column without a telling name, or with the word for a relative, may have a key as its values."""
    if topic_of(name) is not None and not is_person(name):
        return False
    return kind_of(counted.values[counted.names.index(name)]) in (Kind.INTEGER, Kind.TEXT)


@dataclass(frozen=True, eq=False)
class _Key:
    """Columns that may together tell the person."""

    counted: FrequencySet
    columns: tuple[str, ...]

    @cached_property
    def values(self) -> tuple[Codes, int]:
        """Per combination the number of its value in these columns, and how many numbers there are."""
        at = self.counted.indices(self.columns)
        if len(at) == 1:
            return self.counted.codes[at[0]], self.counted.cardinalities[at[0]]
        return number_combinations([self.counted.codes[c] for c in at], [self.counted.cardinalities[c] for c in at])

    @cached_property
    def nobody(self) -> NDArray[np.bool_]:
        """Per combination whether all its cells in these columns are missing."""
        found: NDArray[np.bool_] = (self.counted.codes[self.counted.indices(self.columns)] == MISSING).all(axis=0)
        return found

    @cached_property
    def records(self) -> Counts:
        """The records of each person, but for those that no cell tells."""
        of, n = self.values
        sizes: Counts = total(of[~self.nobody], n, self.counted.counts[~self.nobody])
        return sizes[sizes > 0]

    @cached_property
    def unknown(self) -> int:
        """How many records no cell tells the person of."""
        return self.counted.records - int(self.records.sum())

    @property
    def is_known(self) -> bool:
        """Return whether enough records have a value."""
        return self.counted.records - self.unknown >= max(1, _KNOWN * self.counted.records)

    @property
    def shared(self) -> int:
        """Return how many records share their value with another record."""
        return int(self.records[self.records > 1].sum())

    @property
    def repeats(self) -> bool:
        """Return whether a value occurs in several records."""
        return self.shared > 0

    @cached_property
    def agreeing(self) -> tuple[float, ...]:
        """Per column with sex or birth the share of records, of those that share their key, with the most frequent
        value beside it."""
        return tuple(self._agrees(name) for name in self._others if is_constant(name))

    @property
    def _others(self) -> list[str]:
        return [name for name in self.counted.names if name not in self.columns]

    @property
    def keeps_people_apart(self) -> bool:
        """Return whether enough columns that stay with a person do not change beside its values, sex among them."""
        many = len(self.records) >= _MANY and self.is_known and self.shared >= _EVIDENCE and self.is_plausible
        if not many:
            return False
        stays = [name for name in self._others if stays_with_person(name)]
        return sum(self._agrees(name) >= _CONSTANT > self._most_frequent(name) for name in stays) >= _STAYING

    def _most_frequent(self, name: str) -> float:
        """Return the share of the most frequent value of a column: if nearly all have it, it shows nothing."""
        at = self.counted.names.index(name)
        held = total(self.counted.codes[at], self.counted.cardinalities[at], self.counted.counts)
        return float(held.max() / max(1, held.sum()))

    def _agrees(self, name: str) -> float:
        of, n = self.values
        at = self.counted.names.index(name)
        beside, there = self.counted.codes[at], ~self.nobody & (self.counted.codes[at] != MISSING)
        pairs, pair = number_combinations([of[there], beside[there]], [n, self.counted.cardinalities[at]])
        counts, owner = total(pairs, pair, self.counted.counts[there]), np.zeros(pair, dtype=np.int64)
        owner[pairs] = of[there]
        sizes, most = np.zeros((2, n), dtype=np.int64)
        np.add.at(sizes, owner, counts)
        np.maximum.at(most, owner, counts)
        shared = sizes > 1
        return float(most[shared].sum() / max(1, sizes[shared].sum())) if shared.any() else 1.0

    @property
    def is_plausible(self) -> bool:
        """Return whether it has the values of a key, and sex and birth do not change beside them."""
        if is_category(len(self.records), self.counted.records - self.unknown):
            return False
        return self.shared < _EVIDENCE or all(share >= _CONSTANT for share in self.agreeing)

    @property
    def is_answer(self) -> bool:
        """Return whether many records share each of its few values: yes and no beside driver_license."""
        people, records = len(self.records), self.counted.records - self.unknown
        return people <= _ANSWERS and is_category(people, records)

    @property
    def people(self) -> RepeatedPeople:
        """Return the people that it tells."""
        each = np.append(self.records, np.ones(self.unknown, dtype=np.int64))
        return RepeatedPeople(
            self.columns,
            len(each),
            int(each.sum()),
            int(each.min()),
            float(np.median(each)),
            int(each.max()),
            self.unknown,
        )
