"""Intersection: two releases of the same people are laid over each other (Xiao and Tao 2007, m-invariance)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from incrowd.attacks._candidates import Candidates
from incrowd.attacks._common import Common, Entries, Joint, common, joint
from incrowd.attacks._contract import Exposure, Mask, Needs, Worst
from incrowd.attacks._target import People, Target
from incrowd.attacks._two_crowds import people_behind
from incrowd.attacks.linkage import Cells, remarks
from incrowd.core.histograms import Counts
from incrowd.parameters import whole_number
from incrowd.text import count
from incrowd.watch import Watch

STORY = (
    "A person is in a class of each of two releases, and the sensitive values that both classes have in common are "
    "few, or a single one."
)
KNOWS = "a person's quasi-identifiers, and that the person is in both releases"
STOPPED_BY = (
    "no model of a single release: both together need m-invariance (Xiao and Tao 2007). Publish once, or publish only "
    "new people with the same recoding (incrowd apply)"
)
_BY_RECORDS = "classes overlap too much for people to be counted: what is left for a person is counted in records"
_UNKNOWN = "which people are where classes overlap is not known: give the original table with --with"


@dataclass(frozen=True)
class Intersection:
    """A person is exposed if both releases together leave one value of a column, or fewer than k records.

    Both releases include the person, with the same sensitive values. Without an outside table the persons are not
    known; then a record counts if every class of the other release that it can be in exposes it. If people are counted,
    a person is also exposed if fewer than k people have a record that may be in the person's classes of both releases.
    """

    k: int = 2
    """The smallest number of records that may be left."""

    needs = Needs.OTHER

    def __post_init__(self) -> None:
        whole_number("k of intersection", self.k)

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """Yield the people exposed by both releases together."""
        assert target.other is not None
        values = joint(target, target.other)
        if target.people is not None:
            yield self._of_people(target, target.other, target.people, values, watch)
        else:
            yield self._of_anybody(target, target.other, values, watch)

    def _exposed(self, found: Common) -> Mask:
        """Return which pairs of candidate sets leave one value of some column, or fewer than k records."""
        exposed: Mask = (found.crowd > 0) & ((found.crowd < self.k) | (found.fewest == 1))
        return exposed

    def _of_people(self, one: Target, other: Target, people: People, values: Joint, watch: Watch) -> Exposure:
        persons = people.combinations
        views = [target.candidates(persons, watch) for target in (one, other)]
        pairs, of = np.unique(np.stack([each.view for each in views]), axis=1, return_inverse=True)
        found = common(_entries(views[0], values, 0), _entries(views[1], values, 1), pairs, values)
        exposed, of = self._exposed(found), of.reshape(-1)
        alone = np.any([self._alone(view, values, at, people)[pairs[at]] for at, view in enumerate(views)], axis=0)
        few = self._few(people, (views[0], views[1]), pairs, of)
        details = {"people in both releases": people.number((found.crowd > 0)[of])}
        if few is not None:
            few = few & (found.crowd > 0)
            exposed = exposed | few
            details[f"people found among fewer than {self.k} people"] = people.number(few[of])
        details["exposed by neither release alone"] = people.number((exposed & ~alone)[of])
        where = np.flatnonzero(exposed)
        first = views[0].classes[views[0].starts[pairs[0][where]]]
        unmatched = {**views[1].unmatched, **views[0].unmatched}
        return Exposure(
            STORY,
            KNOWS,
            people.number(exposed[of]),
            len(np.unique(first)),
            among=people.everybody,
            worst=_worst(found, where, first, one),
            stopped_by=STOPPED_BY,
            details=details,
            people=people.names(exposed[of]),
            note="; ".join(
                [
                    *([_BY_RECORDS] if people.who is not None and few is None else []),
                    *remarks(unmatched, {**other.summaries, **one.summaries}),
                ]
            ),
        )

    def _few(self, people: People, views: tuple[Candidates, Candidates], pairs: Counts, of: Counts) -> Mask | None:
        """Return which pairs of candidate sets fewer than k people are behind; None if people are not counted."""
        behind = None if people.who is None else people_behind(people, views, pairs, of)
        return None if behind is None else behind < self.k

    def _alone(self, view: Candidates, values: Joint, at: int, people: People) -> Mask:
        """Return which views of one release already expose."""
        itself = np.stack([np.arange(len(view))] * 2)
        entries = _entries(view, values, at)
        exposed = self._exposed(common(entries, entries, itself, values))
        few = self._few(people, (view, view), itself, view.view)
        return exposed if few is None else exposed | few

    def _of_anybody(self, one: Target, other: Target, values: Joint, watch: Watch) -> Exposure:
        """Return records of the first release that are exposed wherever they are in the second, and that may be."""
        beside = other.candidates(one.cells, watch, silent=one.summaries)
        lengths = np.diff(beside.starts)[beside.view]
        pairs = np.stack([np.repeat(np.arange(len(one.cells.counts)), lengths), beside.of_persons()])
        narrow = common(_own(values, 0), _own(values, 1), pairs, values)
        # Where classes overlap within a release, whoever is in one may seem to be in another as well.
        around = [target.candidates(target.cells, watch) for target in (one, other)]
        wide = common(
            _entries(around[0], values, 0),
            _entries(around[1], values, 1),
            np.stack([around[at].view[pairs[at]] for at in (0, 1)]),
            values,
        )
        surely, perhaps = self._exposed(wide), self._exposed(narrow)
        certain, possible = _records(narrow, surely, perhaps, pairs[0], one, values)
        where = np.flatnonzero(certain > 0)
        unknown = [_UNKNOWN] if certain.sum() < possible.sum() else []
        summaries = {**other.summaries, **one.summaries}
        return Exposure(
            STORY,
            KNOWS,
            int(certain.sum()),
            len(where),
            worst=None if not len(where) else _hardest(certain, one),
            stopped_by=STOPPED_BY,
            at_most=int(possible.sum()),
            note="; ".join([*unknown, *remarks(beside.unmatched, summaries, "first release")]),
        )

    def textbook(
        self,
        people: Sequence[Cells],
        releases: Sequence[Sequence[tuple[Cells, tuple[Hashable, ...]]]],
    ) -> list[bool]:
        """Return whether each person is exposed, trying every record of both releases."""
        found = []
        for person in people:
            fitting = [
                Counter(values for cells, values in records if all(a & b for a, b in zip(person, cells, strict=True)))
                for records in releases
            ]
            left = fitting[0] & fitting[1]
            alike = any(len(set(column)) == 1 for column in zip(*left, strict=True))
            found.append(bool(left) and (left.total() < self.k or alike))
        return found


PersonsRecord = tuple[Hashable, Sequence[Sequence[Hashable]]]
"""For the textbook: the person of a record of the original, and the classes of each release that it fits."""


def textbook_people_behind(records: Sequence[PersonsRecord]) -> list[int]:
    """Return for each record how many people have one that may be in a class of both releases in which it may be."""
    return [
        len({who for who, other in records if all(set(a) & set(b) for a, b in zip(own, other, strict=True))})
        for _, own in records
    ]


def _entries(view: Candidates, values: Joint, at: int) -> Entries:
    """Return the values that occur in each view of a release."""
    return view.values(values.histograms[at], values.groups[at])


def _own(values: Joint, at: int) -> Entries:
    """Return the values that occur in each class."""
    histogram = values.histograms[at].of_classes(values.groups[at])
    return histogram.owner, histogram.values.astype(np.int64), histogram.counts


def _records(
    narrow: Common, surely: Mask, perhaps: Mask, classes: Counts, one: Target, values: Joint
) -> tuple[Counts, Counts]:
    """Return per class of the first release the records of values of which all pairs expose, and of which some do."""
    width = np.int64(values.distinct)
    keys, of = np.unique(classes[narrow.pair] * width + narrow.value, return_inverse=True)
    of = of.reshape(-1)
    every, some = np.ones(len(keys), dtype=np.bool_), np.zeros(len(keys), dtype=np.bool_)
    np.logical_and.at(every, of, surely[narrow.pair])
    np.logical_or.at(some, of, perhaps[narrow.pair])
    count_of = np.zeros(len(keys), dtype=np.int64)
    count_of[of] = narrow.mine
    n = len(one.cells.counts)
    certain, possible = (
        np.bincount(keys[mask] // width, weights=count_of[mask], minlength=n).astype(np.int64) for mask in (every, some)
    )
    return certain, possible


def _hardest(certain: Counts, one: Target) -> Worst:
    at = int(np.argmax(certain))
    reason = f"{count(int(certain[at]), 'record')} of {int(one.sizes[at]):,} are exposed"
    return Worst(at + 1, int(one.sizes[at]), reason)


def _worst(found: Common, where: Counts, first: Counts, one: Target) -> Worst | None:
    if not len(where):
        return None
    at = int(np.argmin(found.crowd[where]))
    reason = f"{count(int(found.crowd[where[at]]), 'record')} left for a person"
    return Worst(int(first[at]) + 1, int(one.sizes[first[at]]), reason)


ATTACK = Intersection
