"""The classes of one set of columns by a measure: the value they reach, and the suppression needed for more."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from incrowd.core.classes import Classes
from incrowd.core.histograms import Histogram
from incrowd.diagnosis.counters import Counter
from incrowd.diagnosis.measures import Measure, Number, Scores
from incrowd.diagnosis.suppression import Counts, needed_for_each, reached, reached_by_score, suppression_row
from incrowd.models.t_closeness import TOLERANCE

_STEPS = 100
"""t is listed in hundredths, as people state it."""


@dataclass(frozen=True, eq=False)
class Profile:
    """The records of each class, and the score it reaches."""

    measure: Measure
    sizes: Counts
    classes: Classes | None = None
    """With the histograms of the sensitive column; None for k, where classes reach their sizes."""
    scores: Scores | None = None
    who: Histogram | None = None
    """The people of each class, if people are counted."""

    @classmethod
    def of_classes(cls, measure: Measure, classes: Classes) -> "Profile":
        """Return the profile of classes with histograms."""
        return cls(measure, classes.sizes, classes, measure.scores(classes))

    @classmethod
    def of_people(cls, measure: Measure, classes: Classes, who: str) -> "Profile":
        """Return the profile by people of classes with all the histograms that the measure needs for that."""
        counted = measure.by_people(classes, who)
        of_values = None if measure.model is None else counted
        return cls(measure, classes.sizes, of_values, measure.scores(counted), classes.histograms[who,])

    @property
    def records(self) -> int:
        """Return how many records are counted."""
        return int(self.sizes.sum())

    def reached(self, budget: int) -> Number:
        """Return the best value if at most `budget` records are suppressed: whole classes, the least safe first."""
        if self.scores is None:
            return reached(self.sizes, budget)[0]
        if not len(self.sizes):
            return self.measure.shown(0)
        return self.measure.shown(reached_by_score(self.scores, self.sizes, budget))

    def needed(self, value: Number) -> int:
        """Return how many records are in classes that do not satisfy a value."""
        scores = self.sizes if self.scores is None else self.scores
        return int(self.sizes[scores < self.measure.score(value)].sum())

    def people_below(self, value: Number) -> int | None:
        """Return how many people have a record in such a class; None if records are counted."""
        return None if self.who is None else int(np.count_nonzero(self._worst_scores < self.measure.score(value)))

    @cached_property
    def _worst_scores(self) -> Scores:
        """The lowest score among the classes of each person."""
        assert self.who is not None
        assert self.scores is not None
        order = np.argsort(self.who.values, kind="stable")
        people = self.who.values[order]
        first = np.flatnonzero(np.append(True, people[1:] != people[:-1])) if len(people) else order
        of_entries = self.scores[self.who.owner[order]]
        return np.minimum.reduceat(of_entries, first) if len(first) else of_entries

    @property
    def unique(self) -> int:
        """Return how many records are alone in a class; if people are counted, how many of them are."""
        if self.who is None:
            return int(np.count_nonzero(self.sizes == 1))
        return len(np.unique(self.who.values[self.who.starts[:-1][self.who.distinct == 1]]))

    def suppression(self, value: Number, judged: int) -> dict[str, Any]:
        """Return the suppression that a value needs: share and number of records, and the people who lose some."""
        return self._row(self.needed(value), judged, value)

    def _row(self, gone: int, judged: int, value: Number) -> dict[str, Any]:
        people = {} if self.who is None else {"people": self.people_below(value)}
        return {**suppression_row(gone, judged), **people}

    def needed_for_each(self, up_to: int) -> list[dict[str, Any]]:
        """Return the suppression needed for each value, until no record remains."""
        if self.scores is None:
            gone_for_k = needed_for_each(self.sizes, up_to)
            each: list[tuple[Number, int]] = [(at + 1, gone) for at, gone in enumerate(gone_for_k)]
        else:
            each = self._in_steps(self._listed(self.scores, up_to) if len(self.scores) else [])
        records, parameter = self.records, self.measure.parameter
        return [{parameter: value, **self._row(gone, records, value)} for value, gone in each]

    @property
    def is_settled(self) -> bool:
        """Return whether no further column changes anything: each class has one record, person or sensitive value."""
        if self.classes is None:
            scores = self.sizes if self.scores is None else self.scores
            return int(scores.max(initial=0)) < 2
        return self.homogeneous == self.records

    @property
    def homogeneous(self) -> int:
        """Return how many records are in classes with a single sensitive value, which is disclosed for all of them."""
        assert self.classes is not None
        (histogram,) = self.classes.histograms.values()
        return int(self.sizes[histogram.distinct == 1].sum())

    def lost(self, value: Number) -> int:
        """Return how many records, at least, are in classes that do not satisfy a value, whatever columns join."""
        if self.classes is None or self.measure.is_absorbed:
            return self.needed(value)
        if self.who is None:
            return int(self.measure.at(value).lost(self.classes).sum())
        return int(self.sizes[~self.measure.at(value).relaxed().holds(self.classes)].sum())

    def _listed(self, scores: Scores, up_to: int) -> Sequence[Number]:
        """Return the values to list, from the one that needs no suppression."""
        if self.measure.larger_is_safer:
            return range(1, min(up_to, math.floor(float(scores.max()) + TOLERANCE) + 1) + 1)
        first = math.ceil((-float(scores.min()) - TOLERANCE) * _STEPS)
        return [step / _STEPS for step in range(max(0, first), -1, -1)]

    def _in_steps(self, values: Sequence[Number]) -> list[tuple[Number, int]]:
        """Return each value with the suppression it needs, up to the first that needs all records."""
        assert self.scores is not None
        order = np.argsort(self.scores, kind="stable")
        gone = np.append(np.int64(0), np.cumsum(self.sizes[order]))
        limits = [self.measure.score(value) for value in values]
        below = gone[np.searchsorted(self.scores[order], limits)].tolist()
        last = next((at for at, each in enumerate(below) if each == gone[-1]), len(below))
        return list(zip(values, below, strict=True))[: last + 1]


class SizeProfiles:
    """Profiles for k, from counted class sizes."""

    def __init__(self, counter: Counter, measure: Measure) -> None:
        self._counter = counter
        self._measure = measure
        self.monotone = counter.monotone

    def profile(self, columns: Sequence[int]) -> Profile:
        """Return the classes of a set."""
        return Profile(self._measure, self._counter.sizes(columns))

    def falls_below(self, columns: Sequence[int], value: Number) -> bool:
        """Return True if a class that does not satisfy a value was found in passing; False tells nothing."""
        return self._counter.has_smaller(columns, int(value))
