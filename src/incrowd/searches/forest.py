"""Forest (Aggarwal et al. 2005): suppressed cells within 3(k - 1) times the fewest, through trees of near records."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from incrowd.core.grid import Point
from incrowd.searches import CellsOutcome, CellsSearch, NothingFound, Problem, Served
from incrowd.searches._cells.grouping import Group, Near, outcome_of_groups, wiping_of
from incrowd.watch import Stopped, Watch

_MOST = 20_000
"""How many different combinations are compared, each with each."""


@dataclass(frozen=True)
class Forest(CellsSearch):
    """At most 3(k - 1) times as many suppressed cells as are needed, where such a cell is a value of its own.

    Every record is joined to a near one until every tree has k records. In the best release a record loses all columns
    in which it differs from the k - 1 others of its class, so at least its distance to the (k - 1)th nearest; and no
    edge is longer than that, because a tree of fewer than k records leaves one of its k - 1 nearest outside. As each
    record starts one edge at most, all edges together are no longer than the best release is dear. Trees are
    decomposed into groups of at most 3(k - 1) records that share no edge (see `_TreeDecomposition`). A group loses no
    more columns than its edges are long, in each of its records: in all at most 3(k - 1) times the edges.
    """

    counts_people: ClassVar[bool] = False

    metrics: ClassVar[tuple[str, ...]] = ("loss",)
    points: ClassVar[Served] = {Point.CS: {}}

    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | NothingFound:
        """Return groups from trees of edges; if stopped, one group of all records."""
        wiping = wiping_of("forest", problem, _MOST)
        near, stopped = Near(wiping), "done"
        everybody = dict(enumerate(near.counts))
        if sum(near.counts) < wiping.k:
            return outcome_of_groups("forest", wiping, [], _bound(wiping.k))
        try:
            groups = _TreeDecomposition(near, wiping.k, _edges(near, wiping.k, watch)).groups()
        except Stopped as stop:
            groups, stopped = [everybody], stop.reason
        return outcome_of_groups("forest", wiping, groups, _bound(wiping.k), stopped)


SEARCH = Forest


def _bound(k: int) -> Fraction:
    """Return how many times the optimum; a group of one is never wiped."""
    return Fraction(max(1, 3 * (k - 1)))


def _edges(near: Near, k: int, watch: Watch) -> list[list[int]]:
    """Return per combination those it is joined with. Equal records are joined for nothing, so a combination is one
    node."""
    n = len(near.counts)
    edges: list[list[int]] = [[] for _ in range(n)]
    tree = np.arange(n)
    members = {at: [at] for at in range(n)}
    sizes = dict(enumerate(near.counts))
    waiting = [at for at in range(n) if sizes[at] < k]
    while waiting:
        watch.tick(f"{len(members):,} trees of records")
        here = waiting.pop()
        if here not in members or sizes[here] >= k:
            continue
        # A tree is called by the only one of it that started no edge yet.
        start = here
        distances = near.row(start)
        distances[tree == here] = np.inf
        end = int(np.argmin(distances))
        there = int(tree[end])
        edges[start].append(end)
        edges[end].append(start)
        tree[members[here]] = there
        members[there] += members.pop(here)
        sizes[there] += sizes.pop(here)
        if sizes[there] < k:
            waiting.append(there)
    return edges


class _TreeDecomposition:
    """Trees become groups of k to 3(k - 1) records that share no edge.

    From the leaves up, each node has a rest of fewer than k records that hangs on it. At a node the rests of its
    children, each with the edge to the node, are put together until they have k: that is a group of at most 2(k - 1),
    which reaches the node but need not hold it. Then come records of the node itself; what is left and the node are its
    own rest. The rest of a root joins a group that reaches one of the rest's nodes, or hangs on one by an edge that no
    group has: there is one, because the tree is more than its rest. That makes 3(k - 1) at most. Equal records of a
    node that no child needs are groups of k for nothing.
    """

    def __init__(self, near: Near, k: int, edges: list[list[int]]) -> None:
        self._near, self._k, self._edges = near, k, edges
        self._groups: list[Group] = []
        self._reach: list[list[int]] = [[] for _ in edges]
        """Per node the groups that reach it."""
        self._spare = [0] * len(edges)
        """Per node how many of its records are groups of k by themselves."""
        self._rest: list[Group] = [{} for _ in edges]

    def groups(self) -> list[Group]:
        """Return all trees, cut."""
        seen = [False] * len(self._edges)
        for root in range(len(self._edges)):
            if not seen[root]:
                order, parents = self._downwards(root, seen)
                for at in reversed(order):
                    self._close(at, [child for child in self._edges[at] if child != parents[at]])
                self._finish(root, parents)
        spare = [{at: count} for at, count in enumerate(self._spare) if count]
        return [*(group for group in self._groups if group), *spare]

    def _downwards(self, root: int, seen: list[bool]) -> tuple[list[int], dict[int, int]]:
        order, parents = [root], {root: -1}
        seen[root] = True
        for at in order:
            for child in self._edges[at]:
                if not seen[child]:
                    seen[child] = True
                    parents[child] = at
                    order.append(child)
        return order, parents

    def _close(self, at: int, children: list[int]) -> None:
        """Make groups of the rests below a node; the remainder goes to its parent."""
        k, together = self._k, Group()
        for child in children:
            together |= self._rest[child]
            self._rest[child] = {} if sum(together.values()) >= k else self._rest[child]
            if sum(together.values()) >= k:
                self._add(at, together)
                together = {}
        own = self._near.counts[at]
        lacking = k - sum(together.values())
        if together and own >= lacking:
            self._add(at, {**together, at: lacking})
            own, together = own - lacking, {}
        self._spare[at] = own // k * k
        if own % k:
            together[at] = own % k
        self._rest[at] = together

    def _add(self, at: int, group: Group) -> None:
        self._reach[at].append(len(self._groups))
        self._groups.append(group)

    def _finish(self, root: int, parents: dict[int, int]) -> None:
        """Join the root's rest to a group that it touches."""
        rest = self._rest[root]
        if not rest:
            return
        # Nodes of the rest first, then those that hang on them by an edge that no group has.
        hanging = [child for at in rest for child in self._edges[at] if parents.get(child) == at]
        for at in [*rest, *hanging]:
            if self._spare[at] >= self._k:
                self._spare[at] -= self._k
                self._groups.append(_joined(rest, {at: self._k}))
                return
            if self._reach[at]:
                number = min(self._reach[at], key=lambda each: sum(self._groups[each].values()))
                self._groups[number] = _joined(rest, self._groups[number])
                return
        raise AssertionError("a tree of k records has a group")


def _joined(one: Group, other: Group) -> Group:
    return {at: one.get(at, 0) + other.get(at, 0) for at in {**one, **other}}


MEANING = "suppresses single cells, with a bound on how many more than necessary"
RANK = 11
