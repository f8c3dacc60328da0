"""Range Diversity of classes: how much each two values of a class help to place a record in its sensitive range.

Range Diversity (Loukides 5.1.4) is the sum, over all pairs of records of a class, of the pairwise contribution of their
values where the second lies in the sensitive range of the first, divided by the number of pairs. Where the ranges part
the values into blocks, it is summed up block by block in one pass over the sorted entries; a policy of ranges that
overlap is looked at pair by pair.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.histograms import Counts, Histogram
from incrowd.core.table import MISSING, Codes

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]

PAIRS_AT_A_TIME = 1 << 20


class Nearness(Protocol):
    """How much two values contribute by being near to each other."""

    apart: bool
    """True if a missing value contributes nothing to any other."""

    def between(self, one: Codes, other: Codes) -> Numbers:
        """Return the pairwise contribution of values, pair by pair."""
        ...

    def within(self, entries: "Entries") -> Numbers:
        """Return per class the contributions of all pairs of records within a block, over the square of its size."""
        ...


class InRange(Protocol):
    """Which values lie in the sensitive range of which."""

    def holds(self, one: Codes, other: Codes) -> Mask:
        """Return whether the other lies in the range of the one, pair by pair."""
        ...


@dataclass(frozen=True, eq=False)
class Blocks:
    """Ranges that part the values: in the range of a value lies what is in its block."""

    of: Counts
    """Per code its block."""

    def holds(self, one: Codes, other: Codes) -> Mask:
        """Return whether both are in one block."""
        return np.asarray(self.of[one] == self.of[other])


@dataclass(frozen=True, eq=False)
class Listed:
    """A policy: each value has its own range."""

    numbers: Numbers
    """Per code its place among the different numbers; none has the place -1."""
    low: Counts
    """Per code the place from which its interval reaches; where it has none, the interval is empty."""
    high: Counts
    nodes: tuple[Codes, ...]
    """Per level the node above each code."""
    level: Counts
    """Per code the level of its range in the hierarchy; -1 where it is no label."""

    def holds(self, one: Codes, other: Codes) -> Mask:
        """Return whether the other is the one, lies in its interval, or below its label."""
        place = self.numbers[other]
        found = (one == other) | ((place >= self.low[one]) & (place <= self.high[one]))
        for level, node in enumerate(self.nodes):
            found |= (self.level[one] == level) & (node[one] == node[other])
        return np.asarray(found)


@dataclass(frozen=True, eq=False)
class Contributions:
    """How the values of one column contribute."""

    ranges: InRange
    nearness: Nearness

    def between(self, one: Codes, other: Codes) -> Numbers:
        """Return what the other contributes to placing the one in its range: nothing where it lies outside."""
        return np.where(self.ranges.holds(one, other), self.nearness.between(one, other), 0.0)

    def range_diversity(self, histogram: Histogram) -> Numbers:
        """Return per class; 0 of an empty one."""
        if isinstance(self.ranges, Blocks):
            of = self.ranges.of
            return self.nearness.within(Entries.of(histogram, of if not self.nearness.apart else _missing_apart(of)))
        return self._by_pairs(histogram)

    def _by_pairs(self, histogram: Histogram) -> Numbers:
        found = np.zeros(len(histogram))
        squares = histogram.distinct**2
        reached = np.cumsum(squares)
        first = 0
        while first < len(histogram):
            done = reached[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(reached, done + PAIRS_AT_A_TIME, side="right")))
            part = histogram.of_classes(np.arange(first, last))
            found[first:last] = self._of_pairs(part, squares[first:last])
            first = last
        return found

    def _of_pairs(self, histogram: Histogram, squares: Counts) -> Numbers:
        owner = np.repeat(np.arange(len(histogram)), squares)
        at = np.arange(len(owner)) - np.repeat(np.cumsum(squares) - squares, squares)
        width, start = histogram.distinct[owner], histogram.starts[owner]
        one, other = start + at // width, start + at % width
        shares = histogram.shares
        weight = shares[one] * shares[other]
        weight *= self.between(histogram.values[one], histogram.values[other])
        return np.bincount(owner, weights=weight, minlength=len(histogram)).astype(np.float64)


def _missing_apart(of: Counts) -> Counts:
    apart = of.copy()
    apart[MISSING] = int(of.max()) + 1
    return apart


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of a histogram with the block of each."""

    histogram: Histogram
    block: Counts

    @classmethod
    def of(cls, histogram: Histogram, blocks: Counts) -> "Entries":
        """Return the block of every entry."""
        return cls(histogram, blocks[histogram.values])

    def squares(self, keys: NDArray[np.integer], factor: Numbers) -> Numbers:
        """Return per class the sum over its groups (by block and key) of a factor times the square of their share."""
        histogram = self.histogram
        order = np.lexsort((keys, self.block, histogram.owner))
        owner, block, key = histogram.owner[order], self.block[order], keys[order]
        first = _beginnings(owner, block, key)
        if not len(first):
            return np.zeros(len(histogram))
        counts = np.add.reduceat(histogram.counts[order], first)
        shares = counts / histogram.sizes[owner[first]]
        weights = factor[order][first] * shares**2
        return np.bincount(owner[first], weights=weights, minlength=len(histogram)).astype(np.float64)


def _beginnings(*columns: NDArray[np.integer]) -> NDArray[np.intp]:
    """Return where a run of equal entries begins."""
    if not len(columns[0]):
        return np.empty(0, dtype=np.intp)
    changed = np.zeros(len(columns[0]) - 1, dtype=np.bool_)
    for column in columns:
        changed |= column[1:] != column[:-1]
    return np.flatnonzero(np.append(True, changed))


@dataclass(frozen=True, eq=False)
class Equal:
    """Two different values are 1/(m - 1) of the domain's m values."""

    values: int
    apart = True

    @property
    def near(self) -> float:
        """Return what two different values contribute."""
        return 1.0 - 1.0 / max(1, self.values - 1)

    def between(self, one: Codes, other: Codes) -> Numbers:
        """Return 1 for the same value."""
        missing = (one == MISSING) | (other == MISSING)
        return np.where(one == other, 1.0, np.where(missing, 0.0, self.near))

    def within(self, entries: Entries) -> Numbers:
        """Return whole blocks as if all were near, and the values themselves."""
        ones = np.ones(len(entries.block))
        whole = entries.squares(np.zeros(len(ones), dtype=np.int64), ones * self.near)
        return whole + entries.squares(entries.histogram.values, ones * (1.0 - self.near))


@dataclass(frozen=True, eq=False)
class Numeric:
    """Two numbers are apart by their difference, as a share of the domain."""

    offsets: Numbers
    """Per code how much it is above the lowest number of the domain; anything for missing."""
    span: float
    """The highest number less the lowest; 1 where there is but one."""
    apart = True

    @cached_property
    def places(self) -> Numbers:
        """Per code, from 0 for the lowest number of the domain to 1 for the highest."""
        return self.offsets / self.span

    def between(self, one: Codes, other: Codes) -> Numbers:
        """Return 1 less their distance."""
        near = 1.0 - np.abs(self.places[one] - self.places[other])
        missing = (one == MISSING) | (other == MISSING)
        return np.where(one == other, 1.0, np.where(missing, 0.0, near))

    def within(self, entries: Entries) -> Numbers:
        """Return whole blocks as if all were one number, less their distances.

        Between two neighbors with F records of the block up to the one and S - F from the other on, F (S - F) pairs
        are apart by at least the gap between the neighbors.
        """
        histogram = entries.histogram
        place = self.places[histogram.values]
        order = np.lexsort((place, entries.block, histogram.owner))
        owner, block, counts = histogram.owner[order], entries.block[order], histogram.counts[order]
        first = _beginnings(owner, block)
        if not len(first):
            return np.zeros(len(histogram))
        lengths = np.diff(np.append(first, len(owner)))
        summed = np.add.reduceat(counts, first)
        reached = np.cumsum(counts)
        reached -= np.repeat(reached[first] - counts[first], lengths)
        gap = np.append(np.diff(place[order]), 0.0)
        # After the last of a block nothing of it follows.
        sizes = histogram.sizes[owner]
        beyond = (np.repeat(summed, lengths) - reached) / sizes
        apart = np.bincount(owner, weights=gap * (reached / sizes) * beyond, minlength=len(histogram))
        shares = summed / histogram.sizes[owner[first]]
        return np.bincount(owner[first], weights=shares**2, minlength=len(histogram)) - 2.0 * apart


@dataclass(frozen=True, eq=False)
class Tree:
    """Two values are apart by what their closest common ancestor covers, as a share of the domain."""

    ladder: EncodedHierarchy
    apart = False

    def near(self, level: int) -> Numbers:
        """Return per code what two values below its node on a level contribute at least."""
        return 1.0 - self.ladder.spread(level)

    def between(self, one: Codes, other: Codes) -> Numbers:
        """Return the levels from the top down, as long as both are below the same node."""
        found = self.near(self.ladder.height)[one]
        for level in range(self.ladder.height - 1, 0, -1):
            up = self.ladder.up[level]
            found = np.where(up[one] == up[other], self.near(level)[one], found)
        return np.where(one == other, 1.0, found)

    def within(self, entries: Entries) -> Numbers:
        """Return the pairs below each node of a level, less what they contribute below its parent."""
        values = entries.histogram.values
        top = self.ladder.height
        found = np.zeros(len(entries.histogram))
        for level in range(top + 1):
            gain = self.near(level) - (self.near(level + 1) if level < top else 0.0)
            found += entries.squares(self.ladder.up[level][values], gain[values])
        return found
