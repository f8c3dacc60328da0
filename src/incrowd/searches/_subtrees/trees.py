"""The trees of all columns, and cuts through them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.table import Codes
from incrowd.metrics import Levels
from incrowd.recodings.by_combination import Texts

Cut = NDArray[np.bool_]
"""Which nodes of the trees are open: their children are told apart. A node is open only where its parent is.

What is published of a value is the first node on its way down that is not open. One place more than there are nodes,
for values that nobody has; it is never open.
"""
Nodes = NDArray[np.int64]

ROOT = -1
"""In place of a parent."""


@dataclass(frozen=True, eq=False)
class HierarchyTrees:
    """Of every column what is below its highest level allowed and above its lowest, as far as the table has it.

    Nodes are numbered over all columns, a node before what is below it and siblings in the order of their texts: that
    does not depend on who counted the table. What is below a node has the numbers that follow.
    """

    columns: Nodes
    """Per node its column."""
    levels: Nodes
    """Per node its level."""
    parents: Nodes
    """Per node the node above it, or ROOT."""
    inner: NDArray[np.bool_]
    """Which nodes have children, and so can be opened."""
    ends: Nodes
    """Per node the number after the last one below it."""
    begins: Nodes
    """Per column where its values begin, when the codes of all columns stand in one row: its places."""
    tops: Nodes
    """Per place the highest level allowed."""
    paths: tuple[Nodes, ...]
    """Per step down and place the node there; the last number of all beyond the lowest level."""

    @classmethod
    def of(
        cls, ladders: Sequence[EncodedHierarchy], codes: NDArray[np.int32], bottom: Levels, top: Levels
    ) -> "HierarchyTrees":
        """Return the trees above the values that occur."""
        cardinalities = [len(ladder.values) + 1 for ladder in ladders]
        begins = np.cumsum([0, *cardinalities])
        steps = max((high - low for low, high in zip(bottom, top, strict=True)), default=0) + 1
        parts = [_tree(*each) for each in zip(ladders, codes, bottom, top, strict=True)]
        n = sum(len(levels) for _, levels, _ in parts)
        paths = np.full((steps, begins[-1]), n)
        nodes = 0
        for (occurring, levels, numbers), begin in zip(parts, begins, strict=False):
            paths[: len(numbers), begin + occurring] = numbers + nodes
            nodes += len(levels)
        levels = np.concatenate([levels for _, levels, _ in parts])
        parents = np.full(n, ROOT)
        for above, below in pairwise(paths):
            parents[below[below < n]] = above[below < n]
        return cls(
            columns=np.repeat(np.arange(len(parts)), [len(levels) for _, levels, _ in parts]),
            levels=levels,
            parents=parents,
            inner=np.bincount(parents[parents != ROOT], minlength=n) > 0,
            ends=_ends(parents),
            begins=begins[:-1],
            tops=np.repeat(np.array(top, dtype=np.int64), cardinalities),
            paths=tuple(paths),
        )

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def highest(self) -> Cut:
        """The most general cut: nothing is open."""
        return np.zeros(len(self) + 1, dtype=np.bool_)

    def at_levels(self, levels: Levels) -> Cut:
        """Return the cut that publishes every column on one level, as full-domain generalization does."""
        return np.append(self.levels > np.array(levels, dtype=np.int64)[self.columns], np.False_)

    def shut(self, cut: Cut) -> Nodes:
        """Return the nodes on a cut that can be opened: each is a step of specialization."""
        reached = self._reached(cut)
        return np.flatnonzero(self.inner & reached & ~cut[:-1])

    def lowest_open(self, cut: Cut) -> Nodes:
        """Return the open nodes with nothing open below: to close one is a step of generalization."""
        above = np.zeros(len(self), dtype=np.bool_)
        opened = np.flatnonzero(cut[:-1])
        parents = self.parents[opened]
        above[parents[parents != ROOT]] = True
        return opened[~above[opened]]

    def opened(self, cut: Cut, node: int) -> Cut:
        """Return a cut on which a node's children take its place."""
        found = cut.copy()
        found[node] = True
        return found

    def closed(self, cut: Cut, node: int) -> Cut:
        """Return a cut on which a node takes the place of all below it."""
        found = cut.copy()
        found[node : self.ends[node]] = False
        return found

    def repaired(self, cut: Cut) -> Cut:
        """Return the cut with all nodes below closed ones closed."""
        found = cut.copy()
        for above, below in pairwise(self.paths):
            found[below] &= found[above]
        return found

    def levels_of(self, cut: Cut) -> Nodes:
        """Return per place the level on which its value is published."""
        levels, is_open = self.tops.copy(), np.ones(len(self.tops), dtype=np.bool_)
        for nodes in self.paths:
            is_open &= cut[nodes]
            levels -= is_open
        return levels

    def _reached(self, cut: Cut) -> NDArray[np.bool_]:
        """Return which nodes are open or on the cut."""
        return np.where(self.parents == ROOT, True, cut[self.parents])


def _tree(ladder: EncodedHierarchy, codes: Codes, low: int, high: int) -> tuple[Nodes, Nodes, Nodes]:
    """Return the codes that occur, in the order of the tree; its nodes' levels; steps down x codes: the node of
    each."""
    occurring = np.flatnonzero(np.bincount(codes, minlength=len(ladder.values) + 1))
    texts = Texts.of(ladder)
    falling = range(high, low - 1, -1)
    up = np.array([ladder.up[level][occurring] for level in falling])
    ranks = np.array([texts.order[texts.numbers[level][occurring]] for level in falling])
    # The highest level decides, then the next; the last key of lexsort decides first.
    order = np.lexsort([key for pair in zip(up[::-1], ranks[::-1], strict=True) for key in pair])
    up = up[:, order]
    first = np.ones(up.shape, dtype=np.bool_)
    first[:, 1:] = up[:, 1:] != up[:, :-1]
    # A value begins a node on some level: then it begins one on every level below.
    first = np.logical_or.accumulate(first, axis=0)
    # Value by value, and for each from the highest level down.
    numbers = np.where(first, np.cumsum(first.T).reshape(first.T.shape).T - 1, -1)
    levels = np.broadcast_to(np.array(falling)[:, None], first.shape).T[first.T]
    return occurring[order], levels, np.maximum.accumulate(numbers, axis=1)


def _ends(parents: Nodes) -> Nodes:
    """Return the number after the last descendant of each node; descendants follow their node."""
    ends = np.arange(1, len(parents) + 1)
    for node in range(len(parents) - 1, -1, -1):
        if parents[node] != ROOT:
            ends[parents[node]] = max(ends[parents[node]], ends[node])
    return ends
