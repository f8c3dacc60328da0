"""Which records of two releases may be the same person's, if no more people left or joined than the releases show.

Records with the same cells and values are a node. An assignment pairs records of both releases, each at most once,
whose values are equal and whose cells overlap. Those with the most pairs are the maximum flows of a network, so one
flow and the strong components of what it leaves say what some of them do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from incrowd.attacks._common import Joint, common
from incrowd.attacks._contract import Mask
from incrowd.attacks._overlap import spread
from incrowd.core.histograms import Counts
from incrowd.core.kernels import total
from incrowd.core.table import Codes

_AT_ONCE = 4_000_000
"""The number of edges to process at once."""

Sets = tuple[Counts, Counts]
"""Several sets of classes: set s is classes[starts[s]] up to classes[starts[s + 1]]."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """Records of one release with the same cells and values; by class, then by value."""

    classes: Counts
    values: Counts
    counts: Counts

    def keys(self, width: int) -> Counts:
        """Return each node as one number, ascending."""
        return self.classes * np.int64(max(1, width)) + self.values

    def within(self, sets: Sets) -> tuple[Counts, Counts]:
        """Return all nodes of several sets of classes: the set, and the node."""
        begin, end = (np.searchsorted(self.classes, sets[1], side) for side in ("left", "right"))
        owner = np.repeat(np.arange(len(sets[0]) - 1), np.diff(sets[0]))
        return np.repeat(owner, end - begin), spread(begin, end - begin)


@dataclass(frozen=True, eq=False)
class Assignments:
    """All assignments of the records of one release to those of another that have the most pairs."""

    one: Nodes
    other: Nodes
    tails: Counts
    """Per edge its node of the first release, ascending."""
    heads: Counts
    """Per edge its node of the other release."""
    codes: Codes
    """Sensitive columns x values: what each column has."""

    @classmethod
    def of(cls, values: Joint, pairs: Counts) -> "Assignments":
        """Return the assignments for pairs of classes that overlap, 2 x pairs."""
        one, other = (_nodes(values, at) for at in (0, 1))
        mine, others = ((each.classes, each.values, each.counts) for each in (one, other))
        shared = common(mine, others, pairs, values)
        width = np.int64(max(1, values.distinct))
        ends = [
            np.searchsorted(each.keys(values.distinct), pairs[at][shared.pair] * width + shared.value)
            for at, each in enumerate((one, other))
        ]
        order = np.lexsort((ends[1], ends[0]))
        return cls(one, other, ends[0][order], ends[1][order], values.codes)

    @property
    def reversed(self) -> "Assignments":
        """Return the same, seen from the other release."""
        order = np.lexsort((self.tails, self.heads))
        return Assignments(self.other, self.one, self.heads[order], self.tails[order], self.codes)

    def pairs(self, among: Mask | None = None) -> int:
        """Return the largest number of pairs of some nodes of the first release, or of all."""
        return int((self._all if among is None else self._flow(among)).flow_value)

    def left_at_least(self, among: Mask) -> int:
        """Return how many records of some nodes are unpaired in every assignment."""
        # Whatever can be paired of some nodes alone is so in an assignment with the most pairs.
        return int(self.one.counts[among].sum()) - self.pairs(among)

    def left_at_most(self, among: Mask) -> int:
        """Return how many records of some nodes are unpaired in one assignment, at most."""
        return int(self.one.counts[among].sum()) - self.pairs() + self.pairs(~among)

    @cached_property
    def _all(self) -> Any:
        return self._flow(np.ones(len(self.one.counts), dtype=np.bool_))

    def _flow(self, among: Mask) -> Any:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_flow

        n, m = len(self.one.counts), len(self.other.counts)
        source, sink = n + m, n + m + 1
        most = np.minimum(self.one.counts[self.tails], self.other.counts[self.heads])
        capacity = np.concatenate([most, self.one.counts * among, self.other.counts]).astype(np.int32)
        tails = np.concatenate([self.tails, np.full(n, source), n + np.arange(m)])
        heads = np.concatenate([n + self.heads, np.arange(n), np.full(m, sink)])
        return maximum_flow(csr_array((capacity, (tails, heads)), shape=(sink + 1, sink + 1)), source, sink)

    @cached_property
    def _possible(self) -> tuple[Mask, Mask]:
        """Return per node whether some assignment leaves a record of it unpaired; per edge whether some uses it."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        n, m = len(self.one.counts), len(self.other.counts)
        source, sink = n + m, n + m + 1
        if not n:
            return np.zeros(0, dtype=np.bool_), np.zeros(0, dtype=np.bool_)
        flow = self._all.flow.tocsr()
        used = _entries(flow, self.tails, n + self.heads)
        begun = _entries(flow, np.full(n, source), np.arange(n))
        ended = _entries(flow, n + np.arange(m), np.full(m, sink))
        most = np.minimum(self.one.counts[self.tails], self.other.counts[self.heads])
        ways = [
            (self.tails, n + self.heads, used < most),
            (n + self.heads, self.tails, used > 0),
            (np.full(n, source), np.arange(n), begun < self.one.counts),
            (np.arange(n), np.full(n, source), begun > 0),
            (n + np.arange(m), np.full(m, sink), ended < self.other.counts),
            (np.full(m, sink), n + np.arange(m), ended > 0),
        ]
        tails, heads = (np.concatenate([way[at][way[2]] for way in ways]) for at in (0, 1))
        graph = csr_array((np.ones(len(tails), dtype=np.int8), (tails, heads)), shape=(sink + 1, sink + 1))
        component = connected_components(graph, connection="strong")[1]
        free: Mask = (begun < self.one.counts) | (component[:n] == component[source])
        usable: Mask = (used > 0) | (component[self.tails] == component[n + self.heads])
        return free, usable

    @property
    def free(self) -> Mask:
        """Return per node of the first release whether one of its people may be in that release alone."""
        return self._possible[0]

    @cached_property
    def usable(self) -> tuple[Counts, Counts]:
        """Return nodes of the first release, ascending, with the classes of the other their people may be in."""
        kept = self._possible[1]
        return self.tails[kept], self.other.classes[self.heads[kept]]

    def records(self, ones: Sets, others: Sets, pairs: Counts, left: bool, stayed: bool) -> tuple[Counts, Counts]:
        """Return how many records may belong to a person in a class of the first set, and of the second if still there.

        Per pair of sets, with the fewest different values of a column among them. The person may have left, or stayed.
        """
        parts = [
            self._records(ones, others, pairs[:, part], left, stayed) for part in self._portions(ones, pairs, stayed)
        ]
        crowd, fewest = (np.concatenate([np.zeros(0, dtype=np.int64), *(part[at] for part in parts)]) for at in (0, 1))
        return crowd, fewest

    def _portions(self, ones: Sets, pairs: Counts, stayed: bool) -> Iterator[slice]:
        """Yield pairs in portions that fit in memory."""
        begin, end = (np.searchsorted(self.one.classes, ones[1], side) for side in ("left", "right"))
        of_nodes = np.ones(len(self.one.counts), dtype=np.int64)
        if stayed:
            of_nodes += np.bincount(self.usable[0], minlength=len(of_nodes))
        ways = np.append(0, np.cumsum(of_nodes))
        of_sets = np.append(0, np.cumsum(ways[end] - ways[begin]))
        cost = np.cumsum((of_sets[ones[0][1:]] - of_sets[ones[0][:-1]])[pairs[0]])
        edges = np.searchsorted(cost, np.arange(_AT_ONCE, int(cost[-1]) if len(cost) else 0, _AT_ONCE)).tolist()
        yield from (slice(*each) for each in pairwise(sorted({0, *edges, pairs.shape[1]})))

    def _records(self, ones: Sets, others: Sets, pairs: Counts, left: bool, stayed: bool) -> tuple[Counts, Counts]:
        n = pairs.shape[1]
        begin, lengths = ones[0][pairs[0]], np.diff(ones[0])[pairs[0]]
        own = (np.append(0, np.cumsum(lengths)), ones[1][spread(begin, lengths)])
        pair, node = self.one.within(own)
        fits = self.free[node] if left else np.zeros(len(node), dtype=np.bool_)
        if stayed:
            fits = fits | self._may_stay(pairs[1][pair], node, others)
        pair, node = pair[fits], node[fits]
        fewest = np.full(n, np.iinfo(np.int64).max)
        for codes in self.codes:
            width = np.int64(int(codes.max(initial=0)) + 1)
            kinds = np.unique(pair * width + codes[self.one.values[node]])
            np.minimum(fewest, np.bincount(kinds // width, minlength=n), out=fewest)
        return total(pair.astype(np.int32), n, self.one.counts[node]), fewest

    def _may_stay(self, wanted: Counts, node: Counts, others: Sets) -> Mask:
        """Return whether a person of a node may be in a class of the wanted set of the other release."""
        tails, classes = self.usable
        begin, end = (np.searchsorted(tails, node, side) for side in ("left", "right"))
        of = np.repeat(np.arange(len(node)), end - begin)
        width = np.int64(1 + max(int(classes.max(initial=0)), int(others[1].max(initial=0))))
        known = np.repeat(np.arange(len(others[0]) - 1), np.diff(others[0])) * width + others[1]
        asked = wanted[of] * width + classes[spread(begin, end - begin)]
        found = np.zeros(len(node), dtype=np.bool_)
        found[of[np.isin(asked, known)]] = True
        return found


def _entries(flow: Any, rows: Counts, columns: Counts) -> Counts:
    # SciPy gives something else where nothing is asked for.
    return np.asarray(flow[rows, columns]).reshape(-1) if len(rows) else np.zeros(0, dtype=np.int64)


def _nodes(values: Joint, at: int) -> Nodes:
    histogram = values.histograms[at].of_classes(values.groups[at])
    return Nodes(histogram.owner, histogram.values.astype(np.int64), histogram.counts)
