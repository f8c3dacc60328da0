"""People found by several of their records, from the original table, which says whose records fit which classes.

Known records of a person are true of everybody who has as many records in the same classes. The private record beside
the release says which class a record of the original is published in. Without it, classes that one record may be in
count as one: which of them it is in is not known. So there may be fewer people with the same records than are counted
here, never more.

Without the private record, a record that was left out of the release may fit a class too. If a class has as many
records as fit it, it has all of these. In other classes it is not known whose records are published: they are looked at
only if the release states that nobody is published in part. Whoever has records in such classes alone may then be left
out, and is not counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from incrowd.attacks._contract import Worst
from incrowd.attacks._crowd import Crowd
from incrowd.core.histograms import Counts
from incrowd.core.knowledge import Holdings, Known, Knows, Mask, textbook_alike, views
from incrowd.core.table import Codes
from incrowd.text import count

MatchedRecord = tuple[Hashable, AbstractSet[Hashable]]
"""For the textbook: the person of a record of the original, and the classes that it fits."""


@dataclass(frozen=True, eq=False)
class SeveralRecords:
    """Among how many people each person is found by several known records."""

    crowd: Crowd
    knows: Knows
    people: Counts
    """Per person the fewest people with the same known records; 0 if the person may not be in the release."""
    unsure: int
    """The number of classes in which it is not known whose records are published."""
    whole: bool
    """True if nobody is published in part."""

    @classmethod
    def of(cls, crowd: Crowd, knows: Knows, whole: bool) -> SeveralRecords:
        """Return among how many people each person is found."""
        n = crowd.people.known.cardinalities[-1] - 1
        joined, (of, person, counts) = _joined_classes(crowd), _records(crowd)
        of = joined[of]
        fitting, published = (
            np.bincount(classes, weights=records, minlength=len(joined))
            for classes, records in ((of, counts), (joined, crowd.target.sizes))
        )
        sure: Mask = fitting == published
        there = np.zeros(n, dtype=np.bool_)
        there[person[sure[of]]] = True
        looked_at = np.ones(len(of), dtype=np.bool_) if whole else sure[of]
        held = Holdings.joined(of[looked_at].astype(np.int32), person[looked_at], counts[looked_at], n)
        seen = views(held, knows)
        fewest = np.full(n, n, dtype=np.int64)
        np.minimum.at(fewest, seen.person, seen.sizes[seen.of])
        return cls(crowd, knows, np.where(there, fewest, 0), int(np.count_nonzero(~sure[joined])), whole)

    @property
    def words(self) -> str:
        """Return by what people are found."""
        return "all their records" if self.knows == Known.HISTORY else f"any {self.knows} of their records"

    def found_among_fewer(self, k: int) -> Mask:
        """Return who is found among fewer than k people."""
        found: Mask = (self.people > 0) & (self.people < k)
        return found

    def classes(self, found: Mask) -> Counts:
        """Return the classes that records of some people fit."""
        chosen = np.zeros(len(self.crowd.found), dtype=np.bool_)
        chosen[self.crowd.found.view[self.crowd.people.of[found[self.crowd.people.person - 1]]]] = True
        return np.unique(self.crowd.found.classes[chosen[self.crowd.found.owner]])

    def worst(self, found: Mask) -> Worst | None:
        """Return the first class of the person who is found among the fewest people."""
        where = np.flatnonzero(found)
        if not len(where):
            return None
        at = int(where[np.argmin(self.people[where])])
        first = int(self.classes(np.arange(len(found)) == at)[0])
        told = f"{count(int(self.people[at]), 'person')} with {self.words} alike"
        return Worst(first + 1, int(self.crowd.target.sizes[first]), told)

    def note(self) -> str:
        """Return what is not known of the release, if something is not."""
        if not self.unsure:
            return ""
        classes = f"suppressed records also fit {count(self.unsure, 'class')}"
        if self.whole:
            return f"{classes}: people with records in these alone may be suppressed; one record of each is matched"
        return f"{classes}: whose records are published there is not known; one record of each person is matched there"


def _records(crowd: Crowd) -> tuple[Counts, Codes, Counts]:
    """Return of each record that may be published a class it may be in, its person from 0, and its count."""
    people, found = crowd.people, crowd.found
    if people.classes is not None:
        there = people.classes >= 0
        return people.classes[there].astype(np.int64), people.person[there] - 1, people.known.counts[there]
    view = found.view[people.of]
    fits = np.diff(found.starts)[view] > 0
    return found.classes[found.starts[:-1][view[fits]]], people.person[fits] - 1, people.known.counts[fits]


def _joined_classes(crowd: Crowd) -> Counts:
    """Return per class the first of all classes that count as one with it."""
    found, label = crowd.found, np.arange(len(crowd.target.sizes), dtype=np.int64)
    while crowd.people.classes is None and (np.diff(found.starts) > 1).any():
        lowest = np.full(len(found), len(label), dtype=np.int64)
        np.minimum.at(lowest, found.owner, label[found.classes])
        lower = label.copy()
        np.minimum.at(lower, found.classes, lowest[found.owner])
        lower = lower[lower]
        if np.array_equal(lower, label):
            break
        label = lower
    return label


def textbook(
    records: Sequence[MatchedRecord], sizes: Mapping[Hashable, int], knows: Knows, whole: bool
) -> dict[Hashable, int]:
    """Return by person the fewest people with the same known records, trying all collections of them.

    `sizes` are the records of each class of the release. Whoever may not be in the release is left out.
    """
    sets = _components([set(classes) for _, classes in records if classes] + [{each} for each in sizes])
    of = [
        (person, next(at for at, joined in enumerate(sets) if classes & joined))
        for person, classes in records
        if classes
    ]
    sure = {
        at
        for at, joined in enumerate(sets)
        if sum(1 for _, other in of if other == at) == sum(sizes[each] for each in joined)
    }
    held = [(at, person) for person, at in of if whole or at in sure]
    there = {person for person, at in of if at in sure}
    return {person: min(alike) for person, alike in textbook_alike(held, knows).items() if person in there}


def _components(sets: Sequence[set[Hashable]]) -> list[set[Hashable]]:
    """Return the sets, those that share an element as one."""
    found: list[set[Hashable]] = []
    for each in sets:
        touched = [other for other in found if other & each]
        found = [other for other in found if not other & each] + [each.union(*touched)]
    return found
