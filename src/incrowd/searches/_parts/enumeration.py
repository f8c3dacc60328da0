"""The set-enumeration tree of k-Optimize (Bayardo and Agrawal 2005), walked in the order of lower bounds.

A set of splits opens a new interval at each of them; the least value of each column is implied. A node has a **head**,
the splits that are made, and a **tail**, those that may still be made below it.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.searches._parts.split_points import Best, Bound, Mask, Numbers, SplitPoints

_PROBED = 32
"""How many splits of a tail are tried at a node."""


class _Node(NamedTuple):
    bound: float
    number: int
    """The younger one first, where bounds are equal: deeper nodes find releases."""
    head: Mask
    tail: Mask
    order: Numbers
    """The tail, those splits first that raised bounds most when they were tried last."""
    intervals: NDArray[np.uint8]
    """Those that a better release may have, a bit each."""


class SetEnumeration:
    """Nodes in the order of their bounds, so that the lowest one left open is what no release undercuts."""

    def __init__(self, splits: SplitPoints) -> None:
        self.splits = splits
        self.best: Best | None = None
        self.counted = 0
        """Bounds and costs computed."""
        self.nodes = 0
        self._open: list[_Node] = []
        self._at = 0.0
        self._numbers = 0

    @property
    def limit(self) -> float:
        """The cost that a better release must stay below."""
        return inf if self.best is None else self.best.cost

    @property
    def floor(self) -> float:
        """No release costs less."""
        return min(self.limit, self._at, self._open[0].bound if self._open else inf)

    def run(self) -> Iterator[str]:
        """Work piece by piece, and what to say after each."""
        splits = self.splits
        none, every = np.zeros(len(splits), dtype=np.bool_), np.ones(len(splits), dtype=np.bool_)
        intervals = np.arange(len(splits.ends[0]))
        self._tried(none, intervals)
        self._push(0.0, none, every, _middle_first(splits), intervals)
        while self._open:
            node = heappop(self._open)
            self._at = node.bound
            if node.bound >= self.limit:
                break
            self.nodes += 1
            yield from self._expand(node)
        self._at = inf
        self._open.clear()

    def _push(self, bound: float, head: Mask, tail: Mask, order: Numbers, intervals: Numbers) -> None:
        self._numbers += 1
        used = np.zeros(len(self.splits.ends[0]), dtype=np.bool_)
        used[intervals] = True
        heappush(self._open, _Node(bound, -self._numbers, head, tail, order, np.packbits(used)))

    def _words(self) -> str:
        return f"{self.nodes:,} nodes, {len(self._open):,} open; at least {self.floor:,.0f}, best {self.limit:,.0f}"

    def _bound(self, head: Mask, tail: Mask, intervals: Numbers) -> Bound:
        self.counted += 1
        return self.splits.bound(head, tail, intervals, self.limit)

    def _tried(self, splits: Mask, intervals: Numbers) -> float:
        """Return the lowest cost of these intervals with these splits of other columns; keep it if it is the best."""
        found = self._bound(splits, np.zeros_like(splits), intervals)
        if found.way is not None and found.cost < self.limit:
            self.best = Best(found.cost, splits, found.way)
        return found.cost

    def _climb(self, start: Mask, intervals: Numbers) -> Iterator[str]:
        """Go from a set of splits to the best that differs in one split (made, dropped or moved) while that helps."""
        here, cost = start, self._tried(start, intervals)
        yield self._words()
        while True:
            around = []
            for other in _around(here, self.splits):
                around.append((self._tried(other, intervals), other))
                yield self._words()
            lowest = min(around, key=lambda each: each[0], default=(inf, here))
            if lowest[0] >= cost:
                return
            cost, here = lowest

    def _expand(self, node: _Node) -> Iterator[str]:
        intervals = np.flatnonzero(np.unpackbits(node.intervals, count=len(self.splits.ends[0])))
        found = self._bound(node.head, node.tail, intervals)
        yield self._words()
        if found.cost >= self.limit:
            self._at = inf
            return
        if not node.tail.any():
            assert found.way is not None
            self.best = Best(found.cost, node.head, found.way)
            self._at = inf
            return
        if self.nodes & (self.nodes - 1) == 0:
            # At the first node, the second, the fourth and so on: a good release early prunes most.
            yield from self._climb(node.head, found.intervals)
        yield from self._branch(node._replace(bound=found.cost), found.intervals)
        self._at = inf

    def _branch(self, node: _Node, intervals: Numbers) -> Iterator[str]:
        """Try splits of the tail: some must be made, some must not, and one parts what is below into two."""
        head, tail = node.head, node.tail & ~self.splits.useless(node.head, node.tail)
        gains: dict[int, float] = {}
        chosen: tuple[float, int, Bound, Bound] | None = None
        for split in [int(split) for split in node.order if tail[split]][:_PROBED]:
            one = _one(len(tail), split)
            made = self._bound(head | one, tail & ~one, intervals)
            yield self._words()
            if made.cost >= self.limit:
                tail &= ~one
                continue
            left = self._bound(head, tail & ~one, intervals)
            yield self._words()
            if left.cost >= self.limit:
                head, tail, intervals = head | one, tail & ~one, made.intervals
                continue
            low, high = sorted((made.cost, left.cost))
            gains[split] = low + 0.1 * high
            if chosen is None or gains[split] > chosen[0]:
                chosen = (gains[split], split, made, left)
        order = np.array(
            sorted(np.flatnonzero(tail).tolist(), key=lambda split: -gains.get(split, 0.0)), dtype=np.int64
        )
        if chosen is None:
            self._push(node.bound, head, tail, order, intervals)
            return
        _, split, made, left = chosen
        one, order = _one(len(tail), split), order[order != split]
        self._push(
            max(node.bound, made.cost), head | one, tail & ~one, order, np.intersect1d(made.intervals, intervals)
        )
        self._push(max(node.bound, left.cost), head, tail & ~one, order, np.intersect1d(left.intervals, intervals))


def _one(splits: int, split: int) -> Mask:
    found = np.zeros(splits, dtype=np.bool_)
    found[split] = True
    return found


def _around(splits: Mask, of: SplitPoints) -> Iterator[Mask]:
    """Yield one split made or left out, or moved by one value."""
    for split in range(len(splits)):
        other = splits.copy()
        other[split] = not splits[split]
        yield other
        for beside in (split - 1, split + 1):
            if (
                splits[split]
                and 0 <= beside < len(splits)
                and not splits[beside]
                and of.column[beside] == of.column[split]
            ):
                moved = other.copy()
                moved[beside] = True
                yield moved


def _middle_first(splits: SplitPoints) -> Numbers:
    """Return the splits that part records most evenly first."""
    table, counts = splits.table, splits.table.problem.frequencies.counts
    found = []
    for at in splits.others:
        below = np.cumsum(np.bincount(table.ranks[at], weights=counts, minlength=table.sizes[at]))[:-1]
        found.append(np.abs(below - counts.sum() / 2))
    return np.argsort(np.concatenate(found), kind="stable") if found else np.empty(0, dtype=np.int64)
