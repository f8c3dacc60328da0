"""The people behind the classes of a release, from the original table, which says whose records fit them.

Records of the original that were left out of the release may fit a class too. So there may be fewer people behind a
class than are counted here, never more: whoever is exposed here is exposed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from incrowd.attacks._candidates import Candidates
from incrowd.attacks._contract import Mask
from incrowd.attacks._overlap import spread
from incrowd.attacks._target import People, Target
from incrowd.core.histograms import Counts
from incrowd.core.table import Codes
from incrowd.errors import UsageError
from incrowd.text import count
from incrowd.watch import Watch


@dataclass(frozen=True, eq=False)
class Crowd:
    """Which people may be behind which classes."""

    target: Target
    people: People
    found: Candidates
    """The classes that the records of people fit, by combination."""

    @cached_property
    def _records(self) -> tuple[Counts, Counts]:
        """Return the class and the record of each pair that fits."""
        view = self.found.view[self.people.of]
        lengths = np.diff(self.found.starts)[view]
        return (
            self.found.classes[spread(self.found.starts[view], lengths)],
            np.repeat(np.arange(len(view), dtype=np.int64), lengths),
        )

    @cached_property
    def _pairs(self) -> tuple[Counts, Counts]:
        """Return the class and the person of each pair, each once, by class."""
        classes, record = self._records
        return _distinct(classes, self.people.person[record])

    def of_views(self) -> Counts:
        """Return how many people may be behind the records of each view."""
        classes, person = self._pairs
        starts = np.searchsorted(classes, np.arange(len(self.target.sizes) + 1))
        lengths = np.diff(starts)[self.found.classes]
        entries = spread(starts[self.found.classes], lengths)
        owner, _ = _distinct(np.repeat(self.found.owner, lengths), person[entries].astype(np.int32))
        return np.bincount(owner, minlength=len(self.found)).astype(np.int64)

    @cached_property
    def of_groups(self) -> Counts:
        """Return how many people may be behind each group of sensitive values."""
        classes, person = self._pairs
        group, _ = _distinct(self.target.group[classes], person.astype(np.int32))
        return np.bincount(group, minlength=self.target.groups).astype(np.int64)

    @cached_property
    def _complete(self) -> Mask:
        """Return the groups whose records are all those of the original that fit: it is known whose they are."""
        unsure = self.found.fitting != self.target.sizes
        found: Mask = np.bincount(self.target.group, weights=unsure, minlength=self.target.groups) == 0
        return found

    def share_a_value(self, column: str) -> Mask:
        """Return the groups in which everybody has one value in common, among others perhaps."""
        alone: Mask = self.of_groups == 1
        if column not in self.people.secret:
            return alone
        known = self.people.known
        classes, record = self._records
        group = self.target.group[classes]
        value = known.codes[known.names.index(column)][record]
        keys, _ = _distinct(_joined(group, value), self.people.person[record])
        pairs, having = np.unique(keys, return_counts=True)
        of = pairs // _WIDTH
        found = np.zeros(self.target.groups, dtype=np.bool_)
        found[of[having == self.of_groups[of]]] = True
        return alone | (found & self._complete)

    def number(self, groups: Mask) -> int:
        """Return how many people have a record that fits classes of these groups alone."""
        outside = ~groups[self.target.group[self.found.classes]]
        lacks = np.bincount(self.found.owner, weights=outside, minlength=len(self.found))
        views: Mask = (np.diff(self.found.starts) > 0) & (lacks == 0)
        return self.people.number(views[self.found.view])


_WIDTH = np.int64(1 << 32)


def _joined(first: Counts, second: Counts) -> Counts:
    found: Counts = first.astype(np.int64) * _WIDTH + second
    return found


def _distinct(first: Counts, people: Codes) -> tuple[Counts, Counts]:
    """Return pairs of a number and a person, each pair once, sorted."""
    order = np.lexsort((people, first))
    first, second = first[order], people[order].astype(np.int64)
    new = np.append(True, (first[1:] != first[:-1]) | (second[1:] != second[:-1])) if len(first) else order > 0
    return first[new], second[new]


def crowd_of(target: Target, watch: Watch) -> Crowd | None:
    """Return the people behind a release; None if they are not told, so that records are counted."""
    people = target.people
    if people is None or people.who is None:
        return None
    found = target.candidates(people.combinations, watch)
    lacking = int(np.count_nonzero(found.fitting < target.sizes))
    if lacking:
        raise UsageError.invalid(
            "person",
            f"the outside table has too few records that fit {count(lacking, 'class')} of the release",
            "give the original table of the release (--with), or omit it",
        )
    return Crowd(target, people, found)
