"""Counting people instead of records, where the job says which columns tell the person of a record."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.keys import number_combinations
from incrowd.core.knowledge import Holdings, Known, Knows, views
from incrowd.core.schema import Role
from incrowd.core.table import MISSING, Codes
from incrowd.jobs import Job
from incrowd.models import PrivacyModel
from incrowd.models.of_people import OfPeople, records_are_people
from incrowd.recodings import RecodingMap
from incrowd.release import People


@dataclass(frozen=True, eq=False, repr=False)
class CountedPeople(Brief):
    """The people of a table."""

    person: tuple[str, ...]
    """The columns that together tell them."""
    counted: FrequencySet | None
    """Everything that was counted, these columns included; None if every record is about another person."""
    unknown: int
    """Records that no column tells the person of: each is a person of its own."""


def counted_in_people(job: Job, model: PrivacyModel) -> PrivacyModel:
    """Return the model, by people if the job names the columns of the person."""
    return OfPeople(model, job.person) if job.person else model


def unknown_people(job: Job, counted: FrequencySet) -> int:
    """Return how many records no column tells the person of."""
    return int(counted.counts[_tells_nobody(counted, job.person)].sum()) if job.person else 0


def counted_people(job: Job, model: PrivacyModel, counted: FrequencySet, unknown: int) -> CountedPeople | None:
    """Return the people that were counted, if the job names the columns of the person."""
    if not job.person:
        return None
    return CountedPeople(job.person, counted if isinstance(model, OfPeople) else None, unknown)


def as_records(job: Job, model: PrivacyModel, counted: FrequencySet) -> tuple[PrivacyModel, FrequencySet]:
    """Return the model and what was counted; by records if every record is about another person.

    Both give the same answers then, and counting records is faster.
    """
    if isinstance(model, OfPeople) and records_are_people(counted, model.person):
        return model.model, counted.project([name for name in counted.names if job.columns[name].role != Role.PERSON])
    return model, counted


def people_of(
    of: CountedPeople,
    recoding: RecodingMap,
    quasi: int,
    records: int,
    by_records: Counts,
    smallest: int,
    job: Job,
    budget: int,
) -> tuple[People, Counts]:
    """Return the people of a release, and how many each class has.

    Of the input the number of `records` is known, and of the classes by how many they have and how many the `smallest`
    has. The first `quasi` columns of the recoding are the quasi-identifiers, and `budget` is the limit of suppression.
    """
    if of.counted is None:
        alike = None if job.knows == Known.RECORD else smallest
        found, sizes = People(records, recoding.records, 0, of.unknown, smallest, alike=alike), by_records
    else:
        found, sizes = _people_among(of, of.counted, recoding, quasi, job.knows)
    limit = budget if job.counts_lost_people else None
    return replace(found, knows=str(job.knows), limit=limit, whole=job.takes_whole_people), sizes


def _people_among(
    of: CountedPeople, counted: FrequencySet, recoding: RecodingMap, quasi: int, knows: Knows
) -> tuple[People, Counts]:
    owner, counts, row = _pieces(counted, recoding, quasi)
    codes = [counted.codes[at] for at in counted.indices(of.person)]
    person, n = number_combinations(codes, [counted.cardinalities[at] for at in counted.indices(of.person)])
    alone = _tells_nobody(counted, of.person)
    known, kept = ~alone[row], owner >= 0
    pairs, _ = number_combinations([owner[known & kept], person[row[known & kept]]], [int(owner.max(initial=0)) + 1, n])
    _, first = np.unique(pairs, return_index=True)
    sizes = np.bincount(owner[known & kept][first], minlength=int(owner.max(initial=-1)) + 1)
    sizes += np.bincount(owner[~known & kept], weights=counts[~known & kept], minlength=len(sizes)).astype(np.int64)
    shown, hidden = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    shown[person[row[known & kept]]] = True
    hidden[person[row[known & ~kept]]] = True
    several = knows != Known.RECORD
    there = len(np.unique(person[~alone]))
    people = People(
        input=there + of.unknown,
        published=int(shown.sum()) + int(counts[~known & kept].sum()),
        fewer=int((shown & hidden).sum()),
        unknown=of.unknown,
        smallest=int(sizes.min()) if len(sizes) else 0,
        alike=_alike(owner[kept], person[row[kept]], counts[kept], known[kept], knows) if several else None,
    )
    return people, sizes


def _alike(owner: Codes, person: Codes, counts: Counts, known: NDArray[np.bool_], knows: Knows) -> int:
    """Return the fewest people of whom all is true that may be known of anybody."""
    # A record that tells nobody is a person of its own.
    times = np.where(known, 1, counts)
    who, alone = np.repeat(person.astype(np.int64), times), np.repeat(~known, times)
    who[alone] = int(person.max(initial=-1)) + 1 + np.arange(int(alone.sum()))
    records = np.where(alone, 1, np.repeat(counts, times))
    held = Holdings.joined(np.repeat(owner, times), who.astype(np.int32), records, int(who.max(initial=-1)) + 1)
    sizes = views(held, knows).sizes
    return int(sizes.min()) if len(sizes) else 0


def _pieces(counted: FrequencySet, recoding: RecodingMap, quasi: int) -> tuple[Codes, Counts, NDArray[np.int64]]:
    """Return all records in pieces: the class of each, -1 if it is suppressed, its records, and what was counted."""
    combinations = recoding.combinations
    classes = np.full(len(recoding.kept), -1, dtype=np.int32)
    classes[recoding.kept] = recoding.classes(quasi).of
    columns = counted.indices(combinations.names)
    both = [np.concatenate([combinations.codes[at], counted.codes[column]]) for at, column in enumerate(columns)]
    numbers, n = number_combinations(both, [counted.cardinalities[column] for column in columns])
    rows = np.arange(counted.combinations, dtype=np.int64)
    if recoding.pieces is None:
        place = np.full(n, -1, dtype=np.int32)
        place[numbers[: combinations.combinations]] = classes
        return place[numbers[combinations.combinations :]], counted.counts, rows
    assert len(columns) == len(counted.names), "records of a person part by the person"
    row = np.empty(n, dtype=np.int64)
    row[numbers[combinations.combinations :]] = rows
    return classes, recoding.counts, row[numbers[: combinations.combinations]][recoding.pieces[0]]


def _tells_nobody(counted: FrequencySet, person: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return which combinations lack every cell that tells the person."""
    codes: Codes = counted.codes[counted.indices(person)]
    found: NDArray[np.bool_] = (codes == MISSING).all(axis=0)
    return found
