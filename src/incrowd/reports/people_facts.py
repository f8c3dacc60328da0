"""The people behind the records of a release: the original table tells them, by the private record."""

from dataclasses import dataclass, replace

import numpy as np

from incrowd.attacks import with_classes
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.people import combinations_of_people, unused_name, with_person
from incrowd.engines.source import chosen_columns, count
from incrowd.reports.reading import GivenRelease
from incrowd.reports.sizes import Bin, binned
from incrowd.watch import Watch


@dataclass(frozen=True, eq=False, repr=False)
class ReleasedPeople(Brief):
    """Both tables, with the number of the person of each record."""

    before: FrequencySet
    after: FrequencySet
    number: str
    """The column with the number."""
    quasi: tuple[str, ...]

    def bins(self) -> tuple[Bin, ...]:
        """Return the classes of the release by their people."""
        classes, person = self.after.classes(self.quasi), self.after.codes[-1]
        pairs = np.unique(np.stack([classes.of.astype(np.int64), person]), axis=1)
        return binned(np.bincount(pairs[0], minlength=len(classes)).astype(np.int64), classes.sizes)


def counted_people(given: GivenRelease, after: FrequencySet, watch: Watch) -> ReleasedPeople | None:
    """Return the people of a release; None if records are people, or it is not known who is in which class."""
    record, people = given.record, given.manifest.people
    if record is None or people is None or given.original is None or people.input == given.manifest.input_records:
        return None
    quasi = tuple(column.name for column in given.manifest.quasi)
    parting = () if record.combinations is None else record.combinations.names
    names = list(dict.fromkeys((*quasi, *parting, *record.person)))
    if not {*names} <= {*given.original.columns}:
        return None
    original = count(given.original, chosen_columns(names, given.original.columns, given.original.name), watch)
    cells = after.project(quasi)
    known = with_classes(original, cells, record)
    if known is None:
        return None
    original, of = known
    at = of[combinations_of_people(original, record.person)]
    numbered = with_person(original, names, record.person)
    mine = [*numbered.indices(quasi), len(names)]
    before = replace(
        numbered,
        names=(*quasi, unused_name(quasi)),
        values=tuple(numbered.values[column] for column in mine),
        codes=np.ascontiguousarray(numbered.codes[mine]),
    )
    there = at >= 0
    codes = np.concatenate([cells.codes[:, at[there]], before.codes[-1:, there]])
    released = replace(
        before,
        values=(*cells.values, before.values[-1]),
        codes=np.ascontiguousarray(codes),
        counts=before.counts[there],
    )
    return ReleasedPeople(before, released, before.names[-1], quasi)
