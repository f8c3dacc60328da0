"""One question over all sets of columns: Q3, Q4, Q7, Q8, Q10, Q12."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import Nulls
from incrowd.diagnosis.answer import Answer
from incrowd.diagnosis.histogram_counters import profiles_for
from incrowd.diagnosis.measures import Number
from incrowd.diagnosis.profiles import Profile
from incrowd.diagnosis.query import DiagnosisQuery
from incrowd.diagnosis.questions import FIND
from incrowd.diagnosis.subsets import Borders, BorderSearch, Columns, borders_of_all, columns_of, extreme, walk
from incrowd.watch import Watch

LISTED = 1_000_000
"""The largest number of sets that an answer lists in full."""


@dataclass(frozen=True)
class _Value:
    """The answer for one set: its rows."""

    rows: list[dict[str, Any]]
    is_settled: bool
    """True if every set that contains this one has the same rows."""


class Lattice:
    """One question over all sets of columns; after them come a sensitive column and the one that numbers people."""

    def __init__(
        self, asked: DiagnosisQuery, frequencies: FrequencySet, hierarchy: Hierarchy | None, watch: Watch
    ) -> None:
        self._names = asked.among
        self._width = len(self._names)
        # Columns with many values get high numbers: see RollupCounter.
        order = sorted(range(self._width), key=lambda at: frequencies.cardinalities[at])
        columns = [*order, *range(self._width, len(frequencies.names))]
        self._asked = asked
        self._records = frequencies.records
        self._order = order
        self._watch = watch
        self._most = min(asked.max_size or self._width, self._width)
        ordered = FrequencySet(
            tuple(frequencies.names[at] for at in columns),
            tuple(frequencies.values[at] for at in columns),
            np.ascontiguousarray(frequencies.codes[columns]),
            frequencies.counts,
        )
        self._profiles = profiles_for(ordered, asked.nulls, asked.measure, hierarchy)
        self._cardinalities = ordered.cardinalities

    def _judged(self, profile: Profile) -> int:
        return profile.records if self._asked.nulls is Nulls.BASIC else self._records

    def _reached(self, profile: Profile) -> Number:
        return profile.reached(self._asked.budget(self._judged(profile)))

    @property
    def _no_suppression(self) -> bool:
        return self._asked.budget(self._records) == 0

    @property
    def _falls_with_columns(self) -> bool:
        """Return whether a set's value can only get worse when a column joins, by the model's properties."""
        measure = self._asked.measure
        return measure.is_absorbed or (measure.survives_merging and self._no_suppression)

    def _in_order(self, masks: Iterable[int]) -> list[tuple[tuple[int, ...], int]]:
        """Return the sets by size, then in table order: each as positions in the table and as a mask."""
        sets = [(tuple(sorted(self._order[column] for column in columns_of(mask))), mask) for mask in masks]
        return sorted(sets, key=lambda each: (len(each[0]), each[0]))

    def _listed(self, masks: Iterable[int]) -> list[list[str]]:
        return [[self._names[at] for at in positions] for positions, _ in self._in_order(masks)]

    def borders(self) -> Answer:
        """Return the largest safe sets, or the smallest unsafe ones (Q3, Q7)."""
        asked = self._asked
        found = self._search()
        safe, unsafe = self._listed(found.largest_safe), self._listed(found.smallest_unsafe)
        return Answer(
            asked,
            lambda: unsafe if asked.is_threat else safe,
            self._records,
            found.evaluations,
            other_border=safe if asked.is_threat else unsafe,
            stopped=found.stopped,
        )

    def _search(self) -> Borders:
        if not self._profiles.monotone:
            return borders_of_all(self._width, self._is_safe, self._most, self._watch)
        if not self._falls_with_columns:
            return self._search_all_but_hopeless()
        return BorderSearch(self._width, self._is_safe, self._is_promising, self._most, self._watch).run()

    def _is_safe(self, columns: Columns) -> bool:
        if self._no_suppression and self._profiles.falls_below(columns, self._asked.least_size):
            return False
        return self._asked.is_safe(self._reached(self._profiles.profile(columns)))

    def _is_promising(self, columns: Columns) -> bool:
        """Return whether every combination could occur often enough, if the columns were independent."""
        least = self._asked.least_size
        # With a single record nothing can fail.
        return least == 1 or math.prod(max(1, self._cardinalities[c] - 1) for c in columns) * least <= self._records

    def _search_all_but_hopeless(self) -> Borders:
        """Return both borders if suppression may help larger sets more; skip those that nothing can make safe.

        A class may have parts that satisfy what it does not, and the others may be few enough to go. But where more
        records are lost than may go, however classes are split, a set and all that hold it are unsafe.
        """
        value = self._asked.value
        assert value is not None

        def evaluate(columns: Columns) -> tuple[bool, bool]:
            profile = self._profiles.profile(columns)
            is_safe = self._asked.is_safe(self._reached(profile))
            return is_safe, not is_safe and profile.lost(value) > self._asked.budget(self._records)

        found = walk(self._width, evaluate, lambda each: each[1], self._most, self._watch)
        unsafe = [mask for mask, (is_safe, _) in found.values.items() if not is_safe]
        return Borders(
            extreme([mask for mask, (is_safe, _) in found.values.items() if is_safe], largest=True),
            extreme([*unsafe, *found.saturated], largest=False),
            found.evaluations,
            found.stopped,
        )

    def every_set(self) -> Answer:
        """Return a value for every set (Q4, Q8, Q10, Q12)."""
        return self._values(self._least if self._asked.suppress is FIND else self._best)

    def _best(self, columns: Columns) -> _Value:
        measure, profile = self._asked.measure, self._profiles.profile(columns)
        reached = self._reached(profile)
        # With suppression, parts of the classes that went may stay, unless nothing changes any more.
        settled = measure.is_worst(reached, profile.classes) if self._falls_with_columns else profile.is_settled
        return _Value([{measure.parameter: reached}], settled)

    def _least(self, columns: Columns) -> _Value:
        asked, profile = self._asked, self._profiles.profile(columns)
        judged = self._judged(profile)
        if asked.value is not None:
            return _Value([profile.suppression(asked.value, judged)], profile.lost(asked.value) == judged)
        # Where only l = 1 is listed, nothing has to go for any set.
        is_told = asked.up_to > 1 or not asked.measure.larger_is_safer
        return _Value(profile.needed_for_each(asked.up_to), is_told and profile.is_settled)

    def _values(self, evaluate: Callable[[Columns], _Value]) -> Answer:
        def saturated(value: _Value) -> bool:
            return value.is_settled

        prune = saturated if self._profiles.monotone else lambda _: False
        singles_out = self._asked.measure.column is None and self._asked.suppress is None
        words = "that single somebody out" if singles_out else "that decide all larger ones"
        found = walk(self._width, evaluate, prune, self._most, self._watch, words)
        sets = sum(math.comb(self._width, size) for size in range(1, self._most + 1))
        compact = sets > LISTED and bool(found.saturated)
        every = not compact and not found.stopped
        border = next(iter(found.saturated.values()), _Value([], is_settled=True))

        def listed(sets: Iterable[tuple[tuple[int, ...], int]]) -> list[dict[str, Any]]:
            return [
                {"quasi": [self._names[at] for at in positions], **row}
                for positions, mask in sets
                for row in found.values.get(mask, border).rows
            ]

        border_sets = found.saturated or extreme([m for m, v in found.values.items() if saturated(v)], largest=False)
        return Answer(
            self._asked,
            lambda: listed(self._all_sets() if every else self._in_order([*found.values, *found.saturated])),
            self._records,
            found.evaluations,
            other_border=self._listed(border_sets),
            below_border=lambda: listed(self._in_order(found.values)),
            compact=compact,
            through=found.through,
            stopped=found.stopped,
        )

    def _all_sets(self) -> Iterator[tuple[tuple[int, ...], int]]:
        bit = {position: 1 << column for column, position in enumerate(self._order)}
        for size in range(1, self._most + 1):
            for positions in combinations(range(self._width), size):
                yield positions, sum(bit[position] for position in positions)
