"""The lattice of attribute sets: which sets to count, and what follows for the others.

A set is a bit mask over the columns. Sets are reached as in a tree: a set's children add one column below its lowest.
The walk goes level by level, so that a walk that is stopped knows all smaller sets; the border search goes down first.
In both a set comes after all its subsets, and next to others that share all its columns but the last.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from incrowd.text import count
from incrowd.watch import Stopped, Watch

Value = TypeVar("Value")
Columns = tuple[int, ...]


def mask_of(columns: Columns) -> int:
    """Return the bit mask of these columns."""
    return sum(1 << column for column in columns)


def columns_of(mask: int) -> Columns:
    """Return the columns of a set, highest first: the order that counters need."""
    columns = []
    while mask:
        top = mask.bit_length() - 1
        columns.append(top)
        mask ^= 1 << top
    return tuple(columns)


@dataclass
class Walk(Generic[Value]):
    """The values of all counted sets, and the smallest saturated ones.

    Every superset of a saturated set has the same value as it, so nothing above the border is visited.
    """

    values: dict[int, Value] = field(default_factory=dict)
    """Every set counted that is not saturated."""
    saturated: dict[int, Value] = field(default_factory=dict)
    """The minimal saturated sets."""
    through: int = 0
    """Every set of at most so many columns is decided."""
    stopped: str | None = None
    """The reason the walk ended early; None if it did not."""

    @property
    def evaluations(self) -> int:
        """Return how many sets were counted."""
        return len(self.values) + len(self.saturated)


def walk(
    width: int,
    evaluate: Callable[[Columns], Value],
    saturated: Callable[[Value], bool],
    most: int,
    watch: Watch,
    found: str = "that decide all larger ones",
) -> Walk[Value]:
    """Evaluate every set of at most `most` columns that is not above a saturated one, smaller sets first.

    `found` says in the progress what saturated sets are.
    """
    known: Walk[Value] = Walk()
    level: Iterable[tuple[int, Columns]] = [(1 << column, (column,)) for column in range(width - 1, -1, -1)]
    try:
        for size in range(1, most + 1):
            unsaturated = []
            for mask, columns in level:
                # Of a level all sets begin with the first column, then all others with the second, and so on.
                done = (size - columns[0] / width) / most
                counted = f"{known.evaluations:,} attribute sets counted, now of {count(size, 'column')}"
                watch.tick(
                    f"{counted}; {len(known.saturated):,} smallest {found}" if known.saturated else counted, done
                )
                value = evaluate(columns)
                if saturated(value):
                    known.saturated[mask] = value
                else:
                    known.values[mask] = value
                    unsaturated.append((mask, columns))
            known.through = size
            level = _next_level(unsaturated, known.values)
    except Stopped as stop:
        known.stopped = stop.reason
    return known


def _next_level(level: Sequence[tuple[int, Columns]], unsaturated: Container[int]) -> Iterator[tuple[int, Columns]]:
    """Yield the sets with one column more than those of a level, all of whose subsets are unsaturated."""
    for mask, columns in level:
        for low in range(columns[-1] - 1, -1, -1):
            larger = mask | 1 << low
            if all(larger ^ (1 << column) in unsaturated for column in columns):
                yield larger, (*columns, low)


@dataclass
class Borders:
    """The largest safe sets and the smallest unsafe ones: together they decide every set."""

    largest_safe: list[int] = field(default_factory=list)
    smallest_unsafe: list[int] = field(default_factory=list)
    evaluations: int = 0
    stopped: str | None = None


class BorderSearch:
    """Finds both borders of a property that is lost when columns join.

    A set is counted only when all its subsets are safe (the a-priori test). Where everything that may still join a set
    promises to be safe together, that is tried at once: if it is, nothing in between needs counting.
    """

    def __init__(
        self, width: int, safe: Callable[[Columns], bool], promising: Callable[[Columns], bool], most: int, watch: Watch
    ) -> None:
        self._width = width
        self._safe = safe
        self._promising = promising
        self._most = most
        self._watch = watch
        self._safe_sets: set[int] = set()
        self._found_at_once = 0
        # Bit i of covers[c]: the i-th set found at once holds column c. One AND tells whether any of them covers a set.
        self._covers = [0] * width
        # Safe sets of which no larger one has been met, each with its own bit in covers, if any.
        self._largest: dict[int, int] = {}
        self._unsafe: list[int] = []
        # Sets that were tried at once and failed; they need not be counted again when their turn comes.
        self._failed: set[int] = set()
        self._evaluations = 0

    def run(self) -> Borders:
        """Return both borders, or the parts found before the watch stopped the search."""
        stopped = None
        try:
            self._descend((), list(range(self._width)))
        except Stopped as stop:
            stopped = stop.reason
        largest = [mask for mask, own in self._largest.items() if self._cover(columns_of(mask)) in (0, own)]
        return Borders(largest, self._unsafe, self._evaluations, stopped)

    def _descend(self, columns: Columns, tail: list[int]) -> None:
        """Decide all sets that add columns of the tail to a safe set."""
        if len(columns) == self._most or not tail or self._all_at_once(columns, tail):
            return
        safe_tail: list[int] = []
        for low in tail:
            child = (*columns, low)
            mask = mask_of(child)
            if self._covered(child) or self._decide(mask, child):
                self._descend(child, list(safe_tail))
                safe_tail.append(low)

    def _all_at_once(self, columns: Columns, tail: list[int]) -> bool:
        """Return whether the set with its whole tail is safe; count it only if that is promising."""
        whole = (*columns, *reversed(tail))
        mask = mask_of(whole)
        if self._covered(whole):
            return True
        if mask in self._failed or len(tail) < 3 or len(whole) > self._most or not self._promising(whole):
            return False
        if not self._count(mask, whole):
            self._failed.add(mask)
            return False
        own = 1 << self._found_at_once
        self._found_at_once += 1
        self._largest[mask] = own
        for column in whole:
            self._covers[column] |= own
        return True

    def _cover(self, columns: Columns) -> int:
        """Return which sets found at once contain all these columns."""
        cover = (1 << self._found_at_once) - 1
        for column in columns:
            cover &= self._covers[column]
        return cover

    def _covered(self, columns: Columns) -> bool:
        return self._cover(columns) != 0

    def _subsets_safe(self, mask: int, columns: Columns) -> bool:
        return len(columns) == 1 or all(
            mask ^ (1 << column) in self._safe_sets or self._covered((*columns[:at], *columns[at + 1 :]))
            for at, column in enumerate(columns)
        )

    def _decide(self, mask: int, columns: Columns) -> bool:
        """Return whether a set is safe, from its subsets if possible."""
        if not self._subsets_safe(mask, columns):
            return False
        if mask in self._failed or not self._count(mask, columns):
            self._unsafe.append(mask)
            return False
        self._safe_sets.add(mask)
        self._largest[mask] = 0
        for column in columns:
            self._largest.pop(mask ^ (1 << column), None)
        return True

    def _count(self, mask: int, columns: Columns) -> bool:
        self._watch.tick(
            f"{self._evaluations:,} attribute sets counted, {len(self._unsafe):,} smallest unsafe sets found",
            mask / (1 << self._width),
        )
        self._evaluations += 1
        return self._safe(columns)


def borders_of_all(width: int, safe: Callable[[Columns], bool], most: int, watch: Watch) -> Borders:
    """Return both borders by counting every set, for a property that larger sets may regain (basic matching)."""
    every = walk(width, safe, lambda _: False, most, watch)
    return Borders(
        extreme([mask for mask, is_safe in every.values.items() if is_safe], largest=True),
        extreme([mask for mask, is_safe in every.values.items() if not is_safe], largest=False),
        every.evaluations,
        every.stopped,
    )


def extreme(masks: list[int], largest: bool) -> list[int]:
    """Return the masks that no other contains (or that contain no other)."""
    kept: list[int] = []
    for mask in sorted(masks, key=int.bit_count, reverse=largest):
        inside = (mask & other == (mask if largest else other) for other in kept)
        if not any(inside):
            kept.append(mask)
    return kept
