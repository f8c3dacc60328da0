"""One question over all sets of columns: Q3, Q4, Q7, Q8, Q10, Q12."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from incrowd.core.frequencies import FrequencySet
from incrowd.core.schema import Nulls
from incrowd.diagnosis.answer import Answer, Asked
from incrowd.diagnosis.counters import Counts, counter_for
from incrowd.diagnosis.questions import FIND
from incrowd.diagnosis.subsets import Borders, BorderSearch, Columns, borders_of_all, columns_of, extreme, walk
from incrowd.diagnosis.suppression import Share, needed, needed_for_each, reached, suppression_row
from incrowd.watch import Watch

LISTED = 1_000_000
"""Up to so many sets an answer lists every one."""


@dataclass(frozen=True)
class _Least:
    """The least suppression of one set: a row, or one for each k."""

    rows: list[dict[str, Any]]
    nothing_left: bool
    """Whether nothing is left for the k asked for, or for any listed k above 1."""


class Lattice:
    """One question over all sets of columns."""

    def __init__(self, asked: Asked, frequencies: FrequencySet, watch: Watch) -> None:
        # Columns with many values get high numbers: see RollupCounter.
        order = sorted(range(len(frequencies.names)), key=lambda at: frequencies.cardinalities[at])
        names = [frequencies.names[at] for at in order]
        self._asked = asked
        self._frequencies = frequencies
        self._order = order
        self._watch = watch
        self._width = len(names)
        self._most = min(asked.max_size or self._width, self._width)
        ordered = FrequencySet(
            tuple(names),
            tuple(frequencies.values[at] for at in order),
            np.ascontiguousarray(frequencies.codes[order]),
            frequencies.counts,
        )
        self._counter = counter_for(ordered, asked.nulls)
        self._cardinalities = ordered.cardinalities

    def _judged(self, sizes: Counts) -> int:
        return int(sizes.sum()) if self._asked.nulls is Nulls.BASIC else self._frequencies.records

    def _k(self, columns: Columns) -> int:
        sizes = self._counter.sizes(columns)
        share = self._asked.suppress
        budget = share.of(self._judged(sizes)) if isinstance(share, Share) else 0
        return reached(sizes, budget)[0]

    def _in_order(self, masks: Iterable[int]) -> list[tuple[tuple[int, ...], int]]:
        """Sets by size, then in the order of the table: each as positions in the table and as a mask."""
        sets = [(tuple(sorted(self._order[column] for column in columns_of(mask))), mask) for mask in masks]
        return sorted(sets, key=lambda each: (len(each[0]), each[0]))

    def _listed(self, masks: Iterable[int]) -> list[list[str]]:
        return [[self._frequencies.names[at] for at in positions] for positions, _ in self._in_order(masks)]

    def borders(self) -> Answer:
        """Q3, Q7: the largest sets that are safe, or the smallest that are not."""
        asked = self._asked
        assert asked.k is not None
        limit = asked.k + 1 if asked.at_most else asked.k
        found = self._search(lambda columns: self._k(columns) >= limit, limit)
        safe, unsafe = self._listed(found.largest_safe), self._listed(found.smallest_unsafe)
        return Answer(
            asked,
            lambda: unsafe if asked.at_most else safe,
            self._frequencies.records,
            found.evaluations,
            other_border=safe if asked.at_most else unsafe,
            stopped=found.stopped,
        )

    def _search(self, safe: Callable[[Columns], bool], k: int) -> Borders:
        if not self._counter.monotone:
            return borders_of_all(self._width, safe, self._most, self._watch)

        def promising(columns: Columns) -> bool:
            """Whether every combination could occur k times, as it must where the columns are independent."""
            # With k = 1 nothing can fail.
            return (
                k == 1
                or math.prod(max(1, self._cardinalities[c] - 1) for c in columns) * k <= self._frequencies.records
            )

        return BorderSearch(self._width, safe, promising, self._most, self._watch).run()

    def every_set(self) -> Answer:
        """Q4, Q8, Q10, Q12: a value for every set."""
        asked = self._asked
        if asked.suppress is not FIND:
            return self._values(self._k, lambda k: k <= 1, lambda k: [{"k": k}])
        return self._values(self._least, lambda least: least.nothing_left, lambda least: least.rows)

    def _least(self, columns: Columns) -> _Least:
        asked, sizes = self._asked, self._counter.sizes(columns)
        judged = self._judged(sizes)
        if asked.k is not None:
            suppressed = needed(sizes, asked.k)
            return _Least([suppression_row(suppressed, judged)], suppressed == judged)
        each = needed_for_each(sizes, asked.up_to)
        rows = [{"k": at + 1, **suppression_row(suppressed, judged)} for at, suppressed in enumerate(each)]
        return _Least(rows, nothing_left=int(sizes.max(initial=0)) < 2 <= asked.up_to)

    def _values(
        self,
        evaluate: Callable[[Columns], Any],
        saturated: Callable[[Any], bool],
        rows: Callable[[Any], list[dict[str, Any]]],
    ) -> Answer:
        prune = saturated if self._counter.monotone else lambda _: False
        found = walk(self._width, evaluate, prune, self._most, self._watch)
        sets = sum(math.comb(self._width, size) for size in range(1, self._most + 1))
        compact = sets > LISTED and bool(found.saturated)
        every = not compact and not found.stopped
        border = next(iter(found.saturated.values()), None)

        def listed(sets: Iterable[tuple[tuple[int, ...], int]]) -> list[dict[str, Any]]:
            return [
                {"quasi": [self._frequencies.names[at] for at in positions], **row}
                for positions, mask in sets
                for row in rows(found.values.get(mask, border))
            ]

        border_sets = found.saturated or extreme([m for m, v in found.values.items() if saturated(v)], largest=False)
        return Answer(
            self._asked,
            lambda: listed(self._all_sets() if every else self._in_order([*found.values, *found.saturated])),
            self._frequencies.records,
            found.evaluations,
            other_border=self._listed(border_sets),
            below_border=lambda: listed(self._in_order(found.values)),
            compact=compact,
            stopped=found.stopped,
        )

    def _all_sets(self) -> Iterator[tuple[tuple[int, ...], int]]:
        bit = {position: 1 << column for column, position in enumerate(self._order)}
        for size in range(1, self._most + 1):
            for positions in combinations(range(self._width), size):
                yield positions, sum(bit[position] for position in positions)
