"""One column split into intervals at the least cost: a shortest way from its first value to behind its last one."""

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Counts

Costs = NDArray[np.float64]


class Intervals(NamedTuple):
    """Intervals of a column's values, each from `first` to just before `last`."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]
    cost: Costs
    """Of their records; infinite if they may not be an interval."""
    lost: Counts
    """How many of their records are suppressed."""


class Way(NamedTuple):
    """Intervals one after the other."""

    cost: float
    lost: int
    starts: tuple[int, ...]
    """Where each begins."""


def reached(given: Intervals, values: int) -> tuple[Costs, Costs]:
    """Return the least cost of all values before each position, and of all from it on."""
    table = np.full((values + 1, values + 1), inf)
    table[given.first, given.last] = given.cost
    before, after = np.full(values + 1, inf), np.full(values + 1, inf)
    before[0] = after[values] = 0.0
    for at in range(1, values + 1):
        before[at] = (before[:at] + table[:at, at]).min()
    for at in range(values - 1, -1, -1):
        after[at] = (table[at, at + 1 :] + after[at + 1 :]).min()
    return before, after


def cheapest(given: Intervals, values: int, budget: int, before: Costs, after: Costs) -> Way | None:
    """Return the way that costs least among those that lose no more than the budget; None if there is none."""
    if not np.isfinite(before[values]):
        return None
    way = _unlimited(given, values, before)
    return way if way.lost <= budget else _limited(given, values, budget, after)


def _unlimited(given: Intervals, values: int, before: Costs) -> Way:
    by_last = _by_last(given, values)
    starts: list[int] = []
    lost, at = 0, values
    while at:
        ending = by_last[at]
        step = ending[int(np.argmin(before[given.first[ending]] + given.cost[ending]))]
        lost += int(given.lost[step])
        at = int(given.first[step])
        starts.append(at)
    return Way(float(before[values]), lost, tuple(starts[::-1]))


class _Label(NamedTuple):
    """Ways to a position of which none both costs and loses less than another, the cheapest first."""

    cost: Costs
    lost: Counts
    start: NDArray[np.int64]
    """Where the last interval of each begins."""
    before: NDArray[np.int64]
    """Which way led there."""


def _limited(given: Intervals, values: int, budget: int, after: Costs) -> Way | None:
    """Return the shortest way with a limited resource, keeping all ways that may still be part of it."""
    fewest = reached(given._replace(cost=np.where(np.isfinite(given.cost), given.lost, inf)), values)[1]
    by_last = _by_last(given, values)
    none = np.zeros(1, dtype=np.int64)
    labels = {0: _Label(np.zeros(1), none, none, none)}
    for at in range(1, values + 1):
        joined = [
            _further(labels[int(given.first[step])], given, step) for step in by_last[at] if given.first[step] in labels
        ]
        if not joined or not np.isfinite(after[at]):
            continue
        every = _Label(*(np.concatenate(each) for each in zip(*joined, strict=True)))
        possible = every.lost + fewest[at] <= budget
        order = np.lexsort((every.lost, every.cost))
        order = order[possible[order]]
        least = np.minimum.accumulate(every.lost[order]) if len(order) else every.lost[order]
        order = order[np.append(True, every.lost[order][1:] < least[:-1])] if len(order) else order
        if len(order):
            labels[at] = _Label(*(each[order] for each in every))
    return _traced(labels, values) if values in labels else None


def _further(label: _Label, given: Intervals, step: int) -> _Label:
    here = np.full(len(label.cost), given.first[step])
    return _Label(label.cost + given.cost[step], label.lost + given.lost[step], here, np.arange(len(label.cost)))


def _traced(labels: dict[int, _Label], values: int) -> Way:
    starts: list[int] = []
    at, way = values, 0
    while at:
        label = labels[at]
        at, way = int(label.start[way]), int(label.before[way])
        starts.append(at)
    end = labels[values]
    return Way(float(end.cost[0]), int(end.lost[0]), tuple(starts[::-1]))


def _by_last(given: Intervals, values: int) -> list[NDArray[np.int64]]:
    """Return the positions of the possible intervals that end at each position."""
    there = np.flatnonzero(np.isfinite(given.cost))
    order = there[np.argsort(given.last[there], kind="stable")]
    return np.split(order, np.searchsorted(given.last[order], np.arange(1, values + 1)))
