"""The sensitive values of the people of each class, from the original table: each person counts once for a value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.attacks._contract import Mask
from incrowd.attacks._crowd import Crowd, distinct_pairs
from incrowd.core.hierarchy import plain, text_forms
from incrowd.core.histograms import Counts, Domain, Histogram
from incrowd.core.table import Codes

_WIDTH = np.int64(1 << 32)


@dataclass(frozen=True, eq=False, repr=False)
class HistogramOfPeople(Histogram):
    """How many people of each class have each value; a person may have several."""

    people: Counts
    """The people of each class."""
    everybody: int
    """The people of the release."""

    @cached_property
    def sizes(self) -> Counts:
        """How many people each class has."""
        return self.people


@dataclass(frozen=True, eq=False)
class ValuesOfPeople:
    """Which people of which groups have which values of a column, where that is known."""

    histogram: Histogram
    """By records."""
    group: Counts
    """Of each triple, which comes once; by group, person and value, ascending."""
    person: Counts
    value: Counts
    """Its code in the histogram."""
    known: Mask
    """Per group whether it is known whose records it has."""
    people: Counts
    """Per group how many people may have records in it."""

    @classmethod
    def of(cls, crowd: Crowd, histogram: Histogram) -> ValuesOfPeople | None:
        """Return the values of a column; None if the original does not have it."""
        [column] = histogram.domain.columns
        if column not in crowd.people.secret:
            return None
        group, record = crowd.entries
        value = _release_codes(crowd, column, histogram.domain)[record]
        known = crowd.complete.copy()
        # A value that the release does not have is published as something else.
        known[group[value < 0]] = False
        there = known[group]
        group, record, value = group[there], record[there], value[there]
        pairs, values = distinct_pairs(group * _WIDTH + crowd.people.person[record], value)
        return cls(histogram, pairs // _WIDTH, pairs % _WIDTH, values, known, crowd.of_groups)

    def share(self, kinds: NDArray[np.integer], only: int | None = None) -> Mask:
        """Return the groups in which everybody has a value of one kind, or of a given one, among others perhaps."""
        keys, _ = distinct_pairs(self.group * _WIDTH + kinds[self.value], self.person)
        kind, having = np.unique(keys, return_counts=True)
        of = kind // _WIDTH
        found = np.zeros(len(self.known), dtype=np.bool_)
        common = having == self.people[of]
        found[of[common if only is None else common & (kind % _WIDTH == only)]] = True
        return found

    def by_people(self) -> HistogramOfPeople | None:
        """Return how many people have each value; None if that is not known of all groups."""
        if not self.known.all():
            return None
        domain, n = self.histogram.domain, len(self.histogram)
        keys, counts = np.unique(self.group * _WIDTH + self.value, return_counts=True)
        starts = np.append(0, np.cumsum(np.bincount(keys // _WIDTH, minlength=n))).astype(np.int64)
        _, value = distinct_pairs(self.person, self.value)
        whole = np.bincount(value, minlength=len(domain.whole)).astype(np.int64)
        return HistogramOfPeople(
            Domain(domain.columns, whole, domain.values, domain.ladder),
            starts,
            (keys % _WIDTH).astype(np.int32),
            counts.astype(np.int64),
            self.people,
            len(np.unique(self.person)),
        )

    def within(self, numbers: NDArray[np.float64], reach: float) -> Mask:
        """Return the groups in which everybody has a number in one range that is no longer than `reach`.

        Numbers are given by value. In each group they are sorted. A range that begins with the i-th has to reach as far
        as the next number, from the i-th on, of the person for whom that is furthest.
        """
        order = np.lexsort((numbers[self.value], self.group))
        group, person, number = self.group[order], self.person[order], numbers[self.value][order]
        n, places = len(order), np.arange(len(order), dtype=np.int64)
        ends = np.searchsorted(group, group, side="right")
        by_person = np.lexsort((places, person, group))
        same = np.append((group[by_person][1:] == group[by_person][:-1]) & (np.diff(person[by_person]) == 0), False)
        following = ends.copy()
        following[by_person[np.flatnonzero(same)]] = by_person[np.flatnonzero(same) + 1]
        first = np.ones(n, dtype=np.bool_)
        first[by_person[np.flatnonzero(same) + 1]] = False
        # What comes before a number has to be made up for by its person's next one.
        needed = np.where(first, places, 0)
        begin = np.searchsorted(group, group, side="left")
        furthest = np.zeros(len(self.known), dtype=np.int64)
        np.maximum.at(furthest, group, needed)
        before = np.where(places > begin, np.append(0, following[:-1])[:n], 0)
        needed = np.maximum.accumulate(np.maximum(before, furthest[group])) if n else before
        found = np.zeros(len(self.known), dtype=np.bool_)
        inside = needed < ends
        with np.errstate(invalid="ignore"):
            near = number[needed[inside]] - number[inside] <= reach
        found[group[inside][near]] = True
        missing = np.zeros(len(self.known), dtype=np.bool_)
        missing[group[np.isnan(number)]] = True
        return found & ~missing


def _release_codes(crowd: Crowd, column: str, domain: Domain) -> Codes:
    """Return per known record the code that its value has in the release; -1 if the release does not have it."""
    assert domain.values is not None
    known = crowd.people.known
    at = known.names.index(column)
    code_of: dict[str | None, int] = {text_forms(value)[0]: code for code, value in enumerate(plain(domain.values), 1)}
    texts = [text_forms(value)[0] for value in plain(known.values[at])]
    codes = np.array([0, *(code_of.get(text, -1) for text in texts)], dtype=np.int32)
    found: Codes = codes[known.codes[at]]
    return found
