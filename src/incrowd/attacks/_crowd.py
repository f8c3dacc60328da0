"""The people behind the classes of a release, from the original table, which says whose records fit them.

Records of the original that were left out of the release may fit a class too. So there may be fewer people behind a
class than are counted here, never more: whoever is exposed here is exposed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.attacks._candidates import Candidates
from incrowd.attacks._contract import Mask
from incrowd.attacks._overlap import spread
from incrowd.attacks._target import People, Target
from incrowd.core.histograms import Counts
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
        return distinct_pairs(classes, self.people.person[record])

    def of_views(self) -> Counts:
        """Return how many people may be behind the records of each view."""
        classes, person = self._pairs
        starts = np.searchsorted(classes, np.arange(len(self.target.sizes) + 1))
        lengths = np.diff(starts)[self.found.classes]
        entries = spread(starts[self.found.classes], lengths)
        owner, _ = distinct_pairs(np.repeat(self.found.owner, lengths), person[entries].astype(np.int32))
        return np.bincount(owner, minlength=len(self.found)).astype(np.int64)

    @cached_property
    def entries(self) -> tuple[Counts, Counts]:
        """Return the group and the record of each pair: where records are published, or may be if that is not known."""
        if self.people.classes is not None:
            record = np.flatnonzero(self.people.classes >= 0)
            return self.target.group[self.people.classes[record]], record
        classes, record = self._records
        return self.target.group[classes], record

    @cached_property
    def of_groups(self) -> Counts:
        """Return how many people may be behind each group of sensitive values."""
        group, record = self.entries
        owner, _ = distinct_pairs(group, self.people.person[record])
        return np.bincount(owner, minlength=self.target.groups).astype(np.int64)

    @cached_property
    def complete(self) -> Mask:
        """Return the groups of which it is known whose records they have.

        The private record says it, or a group has all records of the original that fit.
        """
        if self.people.classes is not None:
            return np.ones(self.target.groups, dtype=np.bool_)
        unsure = self.found.fitting != self.target.sizes
        found: Mask = np.bincount(self.target.group, weights=unsure, minlength=self.target.groups) == 0
        return found

    def number(self, groups: Mask) -> int:
        """Return how many people have a record that fits classes of these groups alone."""
        outside = ~groups[self.target.group[self.found.classes]]
        lacks = np.bincount(self.found.owner, weights=outside, minlength=len(self.found))
        views: Mask = (np.diff(self.found.starts) > 0) & (lacks == 0)
        return self.people.number(views[self.found.view])


def distinct_pairs(first: Counts, second: NDArray[np.integer]) -> tuple[Counts, Counts]:
    """Return pairs of two numbers, each pair once, sorted."""
    order = np.lexsort((second, first))
    first, then = first[order], second[order].astype(np.int64)
    new = np.append(True, (first[1:] != first[:-1]) | (then[1:] != then[:-1])) if len(first) else order > 0
    return first[new], then[new]


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
