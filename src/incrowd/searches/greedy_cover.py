"""Greedy cover (Meyerson and Williams 2004): suppressed cells within O(k log k) times the fewest, star after star."""

import heapq
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from incrowd.core.grid import Point
from incrowd.metrics import Numbers
from incrowd.searches import CellsOutcome, CellsSearch, NothingFound, Problem, Served
from incrowd.searches._cells.grouping import Group, Near, outcome_of_groups, wiping_of
from incrowd.watch import Stopped, Watch

_MOST = 8_000
"""How many different combinations are compared, each with each, several times."""

_DIGITS = 10
"""Distances that agree in so many digits are the same but for rounding."""


@dataclass(frozen=True)
class GreedyCover(CellsSearch):
    """At most (2k - 2)(1 + 1/2 + ... + 1/(2k - 1)) times as many suppressed cells as are needed; such a cell is a value
    of its own.

    A star is a record and k to 2k - 1 records around it; it weighs the sum of their distances to it. The classes of a
    best release, none larger than 2k - 1, are stars: one of g records that loses D columns weighs (g - 1) D at most,
    and costs g D. So the stars of the best cover weigh (2k - 2)/(2k - 1) of the best release at most, and the greedy
    cover, always the star that weighs least for each record it covers first, 1 + ... + 1/(2k - 1) times as much
    (Chvatal).
    Where stars overlap, the larger one lets go of the record, or two of k are joined, which then differ in no more
    columns than both did. So groups of at most 2k - 1 records are left, and lose no more columns, in each record, than
    the stars weigh.
    """

    counts_people: ClassVar[bool] = False

    metrics: ClassVar[tuple[str, ...]] = ("loss",)
    points: ClassVar[Served] = {Point.CS: {}}

    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | NothingFound:
        """Return groups star after star; if stopped, one group of all records."""
        wiping = wiping_of("greedy_cover", problem, _MOST)
        near, stopped = Near(wiping), "done"
        if sum(near.counts) < wiping.k:
            return outcome_of_groups("greedy_cover", wiping, [], _bound(wiping.k))
        try:
            groups = _Cover(near, wiping.k).run(watch)
        except Stopped as stop:
            groups, stopped = [dict(enumerate(near.counts))], stop.reason
        return outcome_of_groups("greedy_cover", wiping, groups, _bound(wiping.k), stopped)


SEARCH = GreedyCover


def _bound(k: int) -> Fraction:
    harmonic = sum((Fraction(1, size) for size in range(1, 2 * k)), Fraction(0))
    return max(Fraction(1), (2 * k - 2) * harmonic)


@dataclass(frozen=True)
class _Star:
    price: float
    """For each record that it covers first."""
    new: Group
    old: Group
    """Records that others cover as well."""


class _Cover:
    """Stars, and the groups that they have become so far."""

    def __init__(self, near: Near, k: int) -> None:
        self._near, self._k = near, k
        counts = np.array(near.counts)
        safe = counts >= k
        # k equal records are a star that weighs nothing. However many more there are, they cost nothing either.
        self._groups: list[Group] = [{at: near.counts[at]} for at in np.flatnonzero(safe).tolist()]
        self._of: dict[int, set[int]] = {next(iter(group)): {number} for number, group in enumerate(self._groups)}
        self._open = np.where(safe, 0, counts)
        """Per combination the records that are not covered yet."""
        self._covered = np.where(safe, counts, 0)

    def run(self, watch: Watch) -> list[Group]:
        """Take the cheapest star first; prices only rise, so a star that is still the cheapest when priced again is
        it."""
        queue = [(0.0, at) for at in range(len(self._open))]
        heapq.heapify(queue)
        left = int(self._open.sum())
        while self._open.any():
            watch.tick(f"{int(self._open.sum()):,} records are not in a group yet", 1 - int(self._open.sum()) / left)
            _, at = heapq.heappop(queue)
            star = self._cheapest(at)
            if queue and (star.price, at) > queue[0]:
                heapq.heappush(queue, (star.price, at))
                continue
            self._take(star)
            heapq.heappush(queue, (star.price, at))
        return [group for group in self._groups if group]

    def _cheapest(self, at: int) -> _Star:
        """Return the star around a combination that weighs least for each record that it covers first."""
        most, distances = 2 * self._k - 1, self._near.row(at)
        new = _nearest(distances, self._open, most)
        old = _nearest(distances, self._covered, self._k)
        weights = np.cumsum([0.0, *(distance for distance, _ in new)])
        filled = np.cumsum([0.0, *(distance for distance, _ in old)])
        best: tuple[float, int] | None = None
        for size in range(len(new), 0, -1):
            lacking = max(0, self._k - size)
            if lacking <= len(old):
                price = round(float(weights[size] + filled[lacking]) / size, _DIGITS)
                best = (price, size) if best is None or price < best[0] else best
        assert best is not None, "there are k records"
        price, size = best
        return _Star(price, _counted(new[:size]), _counted(old[: max(0, self._k - size)]))

    def _take(self, star: _Star) -> None:
        """Make the star a group; records shared with others go to one of them."""
        here, size = len(self._groups), sum(star.new.values()) + sum(star.old.values())
        self._groups.append({})
        for at, count in star.new.items():
            self._open[at] -= count
            self._covered[at] += count
            self._put(here, at, count)
        shared = [at for at, count in star.old.items() for _ in range(count)]
        while shared:
            at = shared.pop()
            other = max(self._of[at] - {here}, key=lambda each: (sum(self._groups[each].values()), -each), default=None)
            if other is None:
                # All of them are here.
                size -= 1
                continue
            if sum(self._groups[other].values()) > self._k:
                self._put(other, at, -1)
                self._put(here, at, 1)
            elif size > self._k:
                size -= 1
            else:
                taken = dict(self._groups[other])
                for member, count in taken.items():
                    self._put(other, member, -count)
                    self._put(here, member, count)
                # What was shared with that group is here now.
                inside = dict(taken)
                inside[at] -= 1
                for member in list(shared):
                    if inside.get(member, 0) > 0:
                        inside[member] -= 1
                        shared.remove(member)
                size = sum(self._groups[here].values()) + len(shared)

    def _put(self, number: int, at: int, count: int) -> None:
        group = self._groups[number]
        group[at] = group.get(at, 0) + count
        if group[at]:
            self._of.setdefault(at, set()).add(number)
        else:
            del group[at]
            self._of[at].discard(number)


def _nearest(distances: Numbers, counts: NDArray[np.int64], most: int) -> list[tuple[float, int]]:
    """Return the nearest records in order: the distance and the combination of each."""
    there = np.flatnonzero(counts)
    if len(there) > most:
        limit = np.partition(distances[there], most - 1)[most - 1]
        there = there[distances[there] <= limit]
    there = there[np.argsort(distances[there], kind="stable")][:most]
    found: list[tuple[float, int]] = []
    for at in there.tolist():
        found += [(float(distances[at]), at)] * min(int(counts[at]), most)
    return found[:most]


def _counted(records: list[tuple[float, int]]) -> Group:
    found = Group()
    for _, at in records:
        found[at] = found.get(at, 0) + 1
    return found


MEANING = "suppresses single cells, with a bound on how many more than necessary"
RANK = 10
