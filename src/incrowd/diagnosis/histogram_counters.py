"""Counting sets of columns with the histograms of a sensitive column, for measures other than k."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import pyarrow as pa

from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.histograms import Domain, Histogram
from incrowd.core.kernels import regroup, total
from incrowd.core.keys import number_combinations
from incrowd.core.schema import Nulls
from incrowd.core.table import Codes
from incrowd.diagnosis.counters import Counts, RollupCounter, counter_for
from incrowd.diagnosis.measures import Measure, Number
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

    def falls_below(self, columns: Sequence[int], value: Number) -> bool:
        """Return True if a class that does not satisfy a value was found in passing; False tells nothing."""
        return False


def profiles_for(
    frequencies: FrequencySet, nulls: Nulls, measure: Measure, hierarchy: Hierarchy | None = None
) -> Profiles:
    """Return the counter for a measure; its sensitive column, if any, is the last of the frequency set.

    If people are counted, the column that numbers them comes after it.
    """
    if measure.person:
        quasi = frequencies.codes[: -1 if measure.column is None else -2]
        of_people = CompletePeople if nulls is Nulls.BASIC and (quasi == 0).any() else RollupPeople
        return of_people(frequencies, measure, hierarchy)
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


class RollupProfiles(Profiles):
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


class CompleteProfiles(Profiles):
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


class RollupPeople(Profiles):
    """Pairs of a person and a sensitive value, or people alone, are merged as sensitive values are otherwise."""

    monotone = True

    def __init__(self, judged: FrequencySet, measure: Measure, hierarchy: Hierarchy | None) -> None:
        self._measure = measure
        self._who = judged.names[-1]
        self._people = domain_of(judged, None)
        if measure.model is None:
            self._counter = _RollupEntries(judged)
            return
        self._plain = domain_of(judged, hierarchy, -2)
        pairs, n = number_combinations([judged.codes[-2], judged.codes[-1]], judged.cardinalities[-2:])
        parts = tuple(np.zeros(n, dtype=np.int32) for _ in range(2))
        for part, codes in zip(parts, judged.codes[-2:], strict=True):
            part[pairs] = codes
        self._pairs = Domain((*self._plain.columns, self._who), total(pairs, n, judged.counts), parts=parts)
        self._counter = _RollupEntries(
            FrequencySet(
                judged.names[:-1],
                (*judged.values[:-2], pa.nulls(n)),
                np.concatenate([judged.codes[:-2], pairs[np.newaxis]]),
                judged.counts,
            )
        )

    def profile(self, columns: Sequence[int]) -> Profile:
        """Return the classes of a set."""
        sizes, entries = self._counter.histogram(columns)
        if self._measure.model is None:
            who = Histogram(self._people, *entries)
            return Profile(self._measure, sizes, None, who.distinct, who)
        pairs = Histogram(self._pairs, *entries)
        every = np.arange(len(pairs), dtype=np.int32)
        people = self._pairs.parts[1][pairs.values]
        who = Histogram(
            self._people, *regroup(every, len(pairs), pairs.starts, people, pairs.counts, len(self._people.whole))
        )
        # Of the values alone only the domain is asked for: how many people have each follows from the pairs.
        values = Histogram(self._plain, pairs.starts, self._pairs.parts[0][pairs.values], pairs.counts)
        histograms = {who.domain.columns: who, values.domain.columns: values, pairs.domain.columns: pairs}
        return Profile.of_people(self._measure, Classes(sizes, histograms), self._who)


class CompletePeople(Profiles):
    """Basic matching, by people."""

    monotone = False

    def __init__(self, judged: FrequencySet, measure: Measure, hierarchy: Hierarchy | None) -> None:
        self._all = judged
        self._measure = measure
        self._ladders = {} if hierarchy is None else {judged.names[-2]: hierarchy.along(*_sensitive(judged))}

    def profile(self, columns: Sequence[int]) -> Profile:
        """Return the classes among the records that are complete in the set."""
        names = [self._all.names[column] for column in columns]
        who = self._all.names[-1]
        complete = self._all.complete(names)
        classes = complete.classes(names)
        found = complete.grouped(classes.of, len(classes), self._measure.needs(who), self._ladders, self._all)
        return Profile.of_people(self._measure, found, who)


def _sensitive(judged: FrequencySet) -> tuple[str, pa.Array]:
    return judged.names[-2], judged.values[-2]


def domain_of(judged: FrequencySet, hierarchy: Hierarchy | None, at: int = -1) -> Domain:
    """Return the values of a column, the sensitive one as a rule, and how often each occurs in the table."""
    whole = total(np.ascontiguousarray(judged.codes[at]), judged.cardinalities[at], judged.counts)
    name, values = judged.names[at], judged.values[at]
    return Domain((name,), whole, values, None if hierarchy is None else hierarchy.along(name, values))
