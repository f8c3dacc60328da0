"""Counting sets of columns with the histograms of a sensitive column, for measures other than k."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.histograms import Domain, Histogram
from incrowd.core.kernels import regroup, total
from incrowd.core.schema import Nulls
from incrowd.core.table import Codes
from incrowd.diagnosis.counters import Counts, RollupCounter, counter_for
from incrowd.diagnosis.measures import Measure
from incrowd.diagnosis.profiles import Profile, SizeProfiles

Entries = tuple[Counts, Codes, Counts]
"""The start of each combination's entries, and the sensitive value and count of each entry."""


class Profiles(Protocol):
    """Counts one set of columns after the other."""

    monotone: bool
    """True if classes are only ever split when a column joins a set."""

    def profile(self, columns: Sequence[int]) -> Profile:
        """Return the classes of a set as the measure sees them."""
        ...


def profiles_for(
    frequencies: FrequencySet, nulls: Nulls, measure: Measure, hierarchy: Hierarchy | None = None
) -> Profiles:
    """Return the counter for a measure; its sensitive column, if any, is the last of the frequency set."""
    if measure.column is None:
        return SizeProfiles(counter_for(frequencies, nulls), measure)
    if nulls is Nulls.BASIC and (frequencies.codes[:-1] == 0).any():
        return CompleteProfiles(frequencies, measure, hierarchy)
    return RollupProfiles(frequencies, measure, hierarchy)


class _RollupEntries(RollupCounter):
    """A counter whose rolled-up frequency sets have entries of the sensitive column."""

    def __init__(self, judged: FrequencySet) -> None:
        quasi = judged.names[:-1]
        super().__init__(judged.project(quasi))
        self._n_values = judged.cardinalities[-1]
        one_each = np.arange(judged.combinations + 1, dtype=np.int64)
        values = np.ascontiguousarray(judged.codes[-1])
        self._entries = {len(quasi): self._grouped(judged, quasi, (one_each, values, judged.counts))}

    def histogram(self, columns: Sequence[int]) -> tuple[Counts, Entries]:
        """Return the sizes of a set's classes, and their entries."""
        base, of, n = self.rolled_classes(columns)
        entries = regroup(of, n, *self._entries[len(base.names)], self._n_values)
        return total(of, n, base.counts), entries

    def _project(self, above: FrequencySet, names: Sequence[str]) -> FrequencySet:
        # Combinations are numbered as the classes of the larger set are: `project` groups in the same way.
        self._entries[len(names)] = self._grouped(above, names, self._entries[len(above.names)])
        return super()._project(above, names)

    def _grouped(self, above: FrequencySet, names: Sequence[str], entries: Entries) -> Entries:
        classes = above.classes(names)
        found: Entries = regroup(classes.of, len(classes), *entries, self._n_values)
        return found


class RollupProfiles:
    """Classes are refined as for k, and the histograms of rolled-up combinations merged into theirs."""

    monotone = True

    def __init__(self, judged: FrequencySet, measure: Measure, hierarchy: Hierarchy | None) -> None:
        self._measure = measure
        self._counter = _RollupEntries(judged)
        self._domain = domain_of(judged, hierarchy)

    def profile(self, columns: Sequence[int]) -> Profile:
        """Return the classes of a set."""
        sizes, entries = self._counter.histogram(columns)
        histogram = Histogram(self._domain, *entries)
        return Profile.of_classes(self._measure, Classes(sizes, {self._domain.columns: histogram}))


class CompleteProfiles:
    """Basic matching: records with a missing cell in the set are set aside, and are part of the whole table still."""

    monotone = False

    def __init__(self, judged: FrequencySet, measure: Measure, hierarchy: Hierarchy | None) -> None:
        self._all = judged
        self._measure = measure
        self._domain = domain_of(judged, hierarchy)

    def profile(self, columns: Sequence[int]) -> Profile:
        """Return the classes among the records that are complete in the set."""
        names = [self._all.names[column] for column in columns]
        complete = self._all.complete(names)
        classes = complete.classes(names)
        found = complete.grouped(classes.of, len(classes), [self._domain.columns], {}, self._all)
        entries = found.histograms[self._domain.columns]
        histogram = Histogram(self._domain, entries.starts, entries.values, entries.counts)
        return Profile.of_classes(self._measure, Classes(found.sizes, {self._domain.columns: histogram}))


def domain_of(judged: FrequencySet, hierarchy: Hierarchy | None) -> Domain:
    """Return the values of the sensitive column, and how often each occurs in the table."""
    whole = total(np.ascontiguousarray(judged.codes[-1]), judged.cardinalities[-1], judged.counts)
    name, values = judged.names[-1], judged.values[-1]
    return Domain((name,), whole, values, None if hierarchy is None else hierarchy.along(name, values))
