"""A warning of releases that count records although identifiers show that people have several.

The number of classes with fewer than k people is public; the columns that tell the people go to the publisher alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.anonymization import unprotected
from incrowd.core.brief import Brief
from incrowd.core.frequencies import Counts, FrequencySet, aligned
from incrowd.core.kernels import total
from incrowd.core.keys import number_combinations
from incrowd.core.schema import WILDCARDS, Role
from incrowd.core.table import MISSING, Codes
from incrowd.jobs import Job
from incrowd.proposing.person_names import told_by
from incrowd.recodings import RecodingMap
from incrowd.release import Manifest, Record
from incrowd.text import count, number, printable


@dataclass(frozen=True, eq=False, repr=False)
class Identified(Brief):
    """People with several records, by the identifiers of a job that names no person."""

    person: tuple[str, ...]
    people: int
    counted: FrequencySet
    """The columns that the search looks at, together with the identifiers."""


@dataclass(frozen=True)
class RepeatedPeople:
    """How many classes have fewer than k people, in a release that counts records."""

    person: tuple[str, ...]
    """The columns that together tell the people."""
    people: int
    records: int
    k: int
    """The records that every class must have; at least 2."""
    classes: int
    short: int | None
    """The classes with records of fewer than k people; None if records that match need not be equal."""
    exact: bool = True
    """False if there may be more: equal records of several people are in different classes."""

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "RepeatedPeople":
        """Return what `to_dict` gave to a private record."""
        return cls(**{**plain, "person": tuple(plain["person"])})

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**asdict(self), "person": list(self.person)}

    def public(self) -> str:
        """Return the warning without the names of columns that are not published."""
        if self.short is None:
            return "records repeat people, and the models count records: records that match may all be of one person."
        least = "" if self.exact else "at least "
        hold = "holds" if self.short == 1 else "hold"
        return (
            f"records repeat people: {least}{number(self.short)} of {count(self.classes, 'class')} {hold} records of "
            f"fewer than {self.k} people. The models count records."
        )

    def sentence(self) -> str:
        """Return the warning for the publisher, with what to do."""
        by = " and ".join(map(printable, self.person))
        return (
            f"{self.public()} By {by}, {count(self.records, 'record')} are about {count(self.people, 'person')}; "
            f"to count people, add --person {printable(','.join(self.person))} (in a job the role person)."
        )


def counted_identifiers(job: Job) -> tuple[str, ...]:
    """Return the identifiers that may tell people, the strongest kind of them; none if the job names the person."""
    identifiers = job.having(Role.IDENTIFIER)
    if job.person or not identifiers:
        return ()
    # With all of the diagnosis, which a job without identifiers does without.
    from incrowd.diagnosis.people import strongest

    return strongest(identifiers)


def worth_counting(identifiers: tuple[str, ...], repeating: tuple[str, ...]) -> tuple[str, ...]:
    """Return the identifiers to count: if one differs in every record, others only if their names tell people."""
    every = len(repeating) == len(identifiers)
    return tuple(name for name in repeating if every or told_by(name) is not None)


def identified(counted: FrequencySet, identifiers: tuple[str, ...]) -> Identified | None:
    """Return the people with several records; None if every record is about another person."""
    from incrowd.diagnosis.people import find_people

    found = find_people(counted, identifiers, trusted=True)
    return None if found is None else Identified(found.columns, found.people, counted)


def repeated_people(of: Identified, job: Job, recoding: RecodingMap, loose: bool, k: int) -> RepeatedPeople | None:
    """Return the classes with fewer than k people; None if there are none. Loose: records that match may differ."""
    records, k = of.counted.records, max(2, k)
    if loose or job.nulls in WILDCARDS:
        return RepeatedPeople(of.person, of.people, records, k, 0, None)
    people, exact = people_in_classes(of, recoding, len(job.having(Role.QUASI)))
    short = int(np.count_nonzero(people < k))
    return RepeatedPeople(of.person, of.people, records, k, len(people), short, exact) if short else None


def people_in_classes(of: Identified, recoding: RecodingMap, quasi: int) -> tuple[Counts, bool]:
    """Return the people of each class, and whether that is exact; else no class has more.

    The first `quasi` columns of the recoding are the quasi-identifiers. Where equal records of several people are
    published in different classes, it is not known whose are where: a class then has as many of them as fit.
    """
    classes, pieces = _classes(recoding, quasi), _Pieces.of(recoding)
    members, n = _members(of, recoding), int(classes.max(initial=-1)) + 1
    # A record that no cell tells the person of counts for itself.
    people = np.bincount(members.combination, members.people, minlength=len(pieces.number)).astype(np.int64)
    parted = (pieces.number > 1) & (people > 1)
    open_pieces = (classes >= 0) & parted[pieces.combination]
    most = np.minimum(recoding.counts, people[pieces.combination])[open_pieces]
    # All other pieces are of known people: they are whole combinations, or all of them of one person.
    row, piece = pieces.of_combinations(members.combination, ~parted[members.combination])
    row, owner = row[classes[piece] >= 0], classes[piece][classes[piece] >= 0]
    pairs = number_combinations([owner, members.person[row]], [max(1, n), int(members.person.max(initial=0)) + 1])
    once = _first_of_each(*pairs)
    sizes = np.bincount(owner[once], members.people[row[once]], minlength=n)
    sizes += np.bincount(classes[open_pieces], most, minlength=n)
    return sizes.astype(np.int64), not open_pieces.any()


def _classes(recoding: RecodingMap, quasi: int) -> Codes:
    """Return the class of each piece, or its group where sensitive values are published by group; -1 if suppressed."""
    classes = np.full(len(recoding.kept), -1, dtype=np.int32)
    groups = next((column.codes for column in recoding.added.values()), None)
    classes[recoding.kept] = recoding.classes(quasi).of if groups is None else groups[recoding.kept]
    return np.unique(classes, return_inverse=True)[1].reshape(-1).astype(np.int32) - np.int32((classes < 0).any())


@dataclass(frozen=True, eq=False)
class _Pieces:
    """The pieces of combinations, which are in their order."""

    combination: NDArray[np.int64]
    """Per piece."""
    number: NDArray[np.int64]
    """Per combination the number of its pieces."""

    @classmethod
    def of(cls, recoding: RecodingMap) -> "_Pieces":
        """Return those of a recoding."""
        n = recoding.combinations.combinations
        combination = np.arange(n, dtype=np.int64) if recoding.pieces is None else recoding.pieces[0]
        return cls(combination, np.bincount(combination, minlength=n))

    def of_combinations(
        self, combination: NDArray[np.int64], asked: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return every pair of a row that is asked for and a piece of its combination."""
        rows = np.flatnonzero(asked)
        several = self.number[combination[rows]]
        starts = np.append(0, np.cumsum(self.number))[combination[rows]]
        ends = np.cumsum(several)
        within = np.arange(int(several.sum())) - np.repeat(ends - several, several)
        return np.repeat(rows, several), np.repeat(starts, several) + within


@dataclass(frozen=True, eq=False)
class _Members:
    """Who has records of which combination of a recoding, each pair once."""

    combination: NDArray[np.int64]
    person: Codes
    people: Counts
    """1; or the records that no cell tells the person of, each a person of its own."""


def _members(of: Identified, recoding: RecodingMap) -> _Members:
    names, n = recoding.combinations.names, recoding.combinations.combinations
    combinations, counted = aligned(recoding.combinations, of.counted, names)
    columns = counted.indices(names)
    both = [np.concatenate([combinations.codes[at], counted.codes[c]]) for at, c in enumerate(columns)]
    numbers, everything = number_combinations(both, [int(codes.max(initial=0)) + 1 for codes in both])
    place = np.full(everything, -1, dtype=np.int64)
    place[numbers[:n]] = np.arange(n)
    combination = place[numbers[n:]]
    person = counted.codes[counted.indices(of.person)]
    who, people = number_combinations(list(person), [int(codes.max(initial=0)) + 1 for codes in person])
    alone = (person == MISSING).all(axis=0)
    # Records that were set aside are in no combination.
    pairs, several = number_combinations([combination.astype(np.int32) + np.int32(1), who], [n + 1, people])
    first, records = _first_of_each(pairs, several), total(pairs, several, counted.counts)
    there = combination[first] >= 0
    first, records, alone = first[there], records[there], alone[first[there]]
    person_of = np.where(alone, people + np.arange(len(first)), who[first]).astype(np.int32)
    return _Members(combination[first], person_of, np.where(alone, records, 1))


def _first_of_each(numbers: Codes, n: int) -> NDArray[np.int64]:
    """Return where each of n numbers comes first; all of them come."""
    found = np.empty(n, dtype=np.int64)
    # Of several places the one that is written last stays, which is the first.
    found[numbers[::-1]] = np.arange(len(numbers), dtype=np.int64)[::-1]
    return found


def warnings_of(manifest: Manifest, record: Record | None, verified: Iterable[str]) -> tuple[str, ...]:
    """Return the warnings of a verdict; for the publisher, who has the private record, with columns and what to do."""
    others = [*(warning for warning in verified if warning not in manifest.warnings), *unprotected.warnings(manifest)]
    if record is None or record.repeated is None:
        return (*others, *manifest.warnings)
    return (*others, RepeatedPeople.from_dict(record.repeated).sentence())
