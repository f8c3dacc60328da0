"""Earth mover's distance of classes from the whole table, over three ways to measure how far two values are apart.

Each way also tells the `gap`: what it costs at least to bring the table's values that a class lacks to their nearest
values in the class. The distance is never less than the gap, since whatever is moved must arrive at some value of the
class; and the gap never grows when a class is merged with another, since the values to arrive at only become more.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Counts, Domain, Histogram
from incrowd.core.table import Codes
from incrowd.errors import UsageError
from incrowd.models._entries import arranged
from incrowd.models._orders import ABSENT, Order, ranks_of

Numbers = NDArray[np.float64]

DISTANCES = ("equal", "ordered", "hierarchical")


class Ground(Protocol):
    """How far values are apart."""

    def distance(self, histogram: Histogram) -> Numbers:
        """Return the earth mover's distance of each class from the whole table; of an empty class anything."""
        ...

    def gap(self, histogram: Histogram) -> Numbers:
        """Return what the values that a class lacks contribute to it at least; of an empty class anything."""
        ...


_GROUNDS: WeakKeyDictionary[Domain, dict[tuple[str, Order], tuple[Ground, float]]] = WeakKeyDictionary()
"""A search asks for the same one at every node."""


def ground(distance: str, order: Order, domain: Domain) -> tuple[Ground, float]:
    """Return the distance between values, and the largest distance of a class of one value from the table."""
    known = _GROUNDS.setdefault(domain, {})
    if (distance, order) not in known:
        made = _ground(distance, order, domain)
        known[distance, order] = made, float(made.distance(_one_by_one(domain)).max(initial=0.0))
    return known[distance, order]


def _ground(distance: str, order: Order, domain: Domain) -> Ground:
    if distance == "ordered":
        return Ordered(ranks_of(domain, order))
    return Hierarchical.of(domain) if distance == "hierarchical" else Hierarchical.flat(domain)


def _one_by_one(domain: Domain) -> Histogram:
    """Return a class for each value that occurs in the table."""
    values = np.flatnonzero(domain.whole)
    starts = np.arange(len(values) + 1, dtype=np.int64)
    return Histogram(domain, starts, values.astype(np.int32), np.ones(len(values), dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Hierarchical:
    """Two values are apart by the height of their lowest common ancestor over the height H of the hierarchy.

    In such a tree a step up or down costs 1/2H, and through each edge must pass what is too much or too little below
    it. So the distance is the mean of the equal distances on the levels 0, 1, ..., H - 1, and the gap that of the gaps.
    Any two values that are 1 apart, whatever they are, are a hierarchy of a single level.
    """

    labels: Codes
    """Levels below the top x codes."""

    shares: Numbers
    """Levels below the top x nodes: the share of each in the whole table."""
    known: WeakKeyDictionary[Histogram, tuple[Numbers, Numbers]] = field(default_factory=WeakKeyDictionary)
    """A search asks for the distance and for the gap of the same classes."""

    @classmethod
    def of(cls, domain: Domain) -> "Hierarchical":
        """Return the way that the column's own hierarchy measures."""
        if domain.ladder is None:
            raise UsageError.invalid(
                f"t_closeness with hierarchical distance on column {domain.columns[0]!r}",
                "the column has no hierarchy",
                "give it one, or choose another distance",
            )
        return cls.over(np.array(domain.ladder.up[:-1]), domain)

    @classmethod
    def flat(cls, domain: Domain) -> "Hierarchical":
        """Return the distance in which any two values are 1 apart."""
        return cls.over(np.arange(len(domain.whole), dtype=np.int32).reshape(1, -1), domain)

    @classmethod
    def over(cls, labels: Codes, domain: Domain) -> "Hierarchical":
        """Return the tree of levels x codes."""
        nodes = int(labels.max(initial=0)) + 1
        shares = [np.bincount(level, weights=domain.shares, minlength=nodes) for level in labels]
        return cls(np.ascontiguousarray(labels, dtype=np.int32), np.array(shares))

    def distance(self, histogram: Histogram) -> Numbers:
        """Return the mean over the levels of the surplus of the class's nodes, half of all differences."""
        return self._surplus_and_lack(histogram)[0]

    def gap(self, histogram: Histogram) -> Numbers:
        """Return the mean over the levels of the share of the absent nodes."""
        return self._surplus_and_lack(histogram)[1]

    def _surplus_and_lack(self, histogram: Histogram) -> tuple[Numbers, Numbers]:
        if histogram not in self.known:
            self.known[histogram] = histogram.beside(self.labels, self.shares)
        return self.known[histogram]


@dataclass(frozen=True, eq=False)
class Ordered:
    """The m values of the table stand in a row, neighbors 1/(m - 1) apart."""

    ranks: Counts
    """Of each code."""

    def distance(self, histogram: Histogram) -> Numbers:
        """Return the mean of |P - Q| over the steps, P and Q being the cumulated shares of class and table.

        From one value of the class up to the next P stays the same and Q rises, so that two sums of Q are enough.
        """
        row = self._row(histogram)
        table = np.cumsum(row.whole) / max(1, int(row.whole.sum()))
        sums = np.append(0.0, np.cumsum(table))
        counted = np.cumsum(histogram.counts[row.order])
        before = np.append(0, counted)[histogram.starts[:-1]]
        reached = (counted - before[histogram.owner]) / histogram.sizes[histogram.owner]
        turn = np.clip(np.searchsorted(table, reached, side="right"), row.here, row.next)
        below = reached * (turn - row.here) - (sums[turn] - sums[row.here])
        above = (sums[row.next] - sums[turn]) - reached * (row.next - turn)
        return (histogram.total(below + above) + row.at_first(sums[row.here], len(histogram))) / row.steps

    def gap(self, histogram: Histogram) -> Numbers:
        """Return the distance of each absent value to the nearest value of the class."""
        row = self._row(histogram)
        shares = row.whole / max(1, int(row.whole.sum()))
        mass = np.append(0.0, np.cumsum(shares))
        moment = np.append(0.0, np.cumsum(shares * np.arange(len(shares))))
        middle = np.where(row.is_last, row.next, (row.here + row.next + 1) // 2)
        down = moment[middle] - moment[row.here] - row.here * (mass[middle] - mass[row.here])
        up = row.next * (mass[row.next] - mass[middle]) - (moment[row.next] - moment[middle])
        to_first = row.here * mass[row.here] - moment[row.here]
        return (histogram.total(down + up) + row.at_first(to_first, len(histogram))) / row.steps

    def _row(self, histogram: Histogram) -> "_Row":
        occurring = self.ranks != ABSENT
        whole = np.empty(np.count_nonzero(occurring), dtype=np.int64)
        whole[self.ranks[occurring]] = histogram.domain.whole[occurring]
        order = arranged(histogram, self.ranks)
        here = self.ranks[histogram.values[order]]
        is_first = np.zeros(len(here), dtype=np.bool_)
        is_first[histogram.starts[:-1][histogram.distinct > 0]] = True
        is_last = np.append(is_first[1:], True)[: len(here)]
        following = np.where(is_last, len(whole), np.append(here[1:], 0)[: len(here)])
        return _Row(whole, order, here, following, is_first, is_last, histogram.owner)


class _Row(NamedTuple):
    """The entries of each class in the order of their values; after `here` the class has nothing up to `next`."""

    whole: Counts
    """How often each rank occurs in the table."""
    order: NDArray[np.intp]
    here: Counts
    next: Counts
    is_first: NDArray[np.bool_]
    is_last: NDArray[np.bool_]
    owner: Counts

    @property
    def steps(self) -> int:
        """Return how many steps the row has; a single value is no distance from itself."""
        return max(1, len(self.whole) - 1)

    def at_first(self, numbers: Numbers, classes: int) -> Numbers:
        """Return per class the number of its first entry."""
        found = np.zeros(classes)
        found[self.owner[self.is_first]] = numbers[self.is_first]
        return found
