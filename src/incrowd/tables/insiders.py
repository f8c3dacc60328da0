"""Contributors as attackers: each knows their own record, which is behind several cells of the table.

A contributor knows that each of those cells holds at least their own amount. The only contributor to a cell of a sum
knows all of it. A coalition knows what its members know together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.axis import Axis
from incrowd.tables.cells import Cells, Numbers


@dataclass(frozen=True, eq=False)
class Member:
    """A contributor."""

    cells: Numbers
    """All cells that the record is in; the first is that of its categories, the others are totals."""
    amount: int
    """The contribution of the record to each."""


@dataclass(frozen=True, eq=False)
class Insider:
    """The knowledge of one contributor, or a coalition, besides the published table."""

    members: tuple[Member, ...]
    whole: Numbers
    """The cells that they know to hold nothing else."""

    def floor(self, floor: Numbers, adds_up: bool) -> Numbers:
        """Return lower bounds they know for each cell; `floor` is public and may add up as the cells do."""
        found = floor.copy()
        at, least = self.at_least(floor, adds_up)
        found[at] = least
        return found

    def knows_more(self, floor: Numbers, adds_up: bool) -> bool:
        """Return whether they know anything of a cell that is not public."""
        at, least = self.at_least(floor, adds_up)
        return bool(len(self.whole) or (least > floor[at]).any())

    def at_least(self, floor: Numbers, adds_up: bool) -> tuple[Numbers, Numbers]:
        """Return their cells, and lower bounds of these."""
        own: dict[int, int] = {}
        of_leaves: dict[int, tuple[Numbers, int]] = {}
        for member in self.members:
            leaf = int(member.cells[0])
            of_leaves[leaf] = member.cells, of_leaves.get(leaf, (0, 0))[1] + member.amount
        for leaf, (cells, amount) in of_leaves.items():
            # What anybody knows of their own categories is part of what they have themselves.
            more = max(0, amount - int(floor[leaf])) if adds_up else amount
            for cell in cells.tolist():
                own[cell] = own.get(cell, 0) + more
        at, more_of = (np.array(list(each), dtype=np.int64) for each in (own, own.values()))
        return at, floor[at] + more_of if adds_up else np.maximum(floor[at], more_of)

    def matters(self, hidden: NDArray[np.bool_]) -> bool:
        """Return whether each of them is in a suppressed cell; without the others they are another coalition."""
        return all(bool(hidden[member.cells].any()) for member in self.members)


def insiders(cells: Cells, room: Numbers, floor: Numbers) -> tuple[Insider, ...]:
    """Return the coalitions that know more than `floor`, without those that learn no more than larger contributors."""
    members = list(_members(cells, room))
    additive = adds_up(cells, floor)
    groups = (group for size in range(1, cells.contributors + 1) for group in combinations(members, size))
    found = (Insider(group, _whole(cells, group)) for group in groups)
    return tuple(insider for insider in found if insider.knows_more(floor, additive))


def adds_up(cells: Cells, floor: Numbers) -> bool:
    """Return whether the public knowledge of each cell adds up as the cells do."""
    return not (cells.equations @ floor).any()


def _whole(cells: Cells, members: tuple[Member, ...]) -> Numbers:
    """Return the cells with no other contributors; in a table of counts a contributor does not know this."""
    if cells.measure.column is None:
        return np.zeros(0, dtype=np.int64)
    at, times = np.unique(np.concatenate([member.cells for member in members]), return_counts=True)
    whole: Numbers = at[cells.counts[at] == times]
    return whole


def _members(cells: Cells, room: Numbers) -> Iterator[Member]:
    """Yield the largest contributors of each combination of categories.

    A smaller one knows less of other cells. Of their own cells more must stay uncertain for them, as far as the range
    that must be possible reaches below what the larger ones have; so contributors are added until it does not.
    """
    size = cells.contributors
    if not size:
        return
    shape, low = cells.shape, cells.values - room
    paths = [[_upward(axis, leaf) for leaf in range(axis.leaves)] for axis in cells.axes]
    records = cells.records
    amounts = np.ones_like(records.counts) if records.amounts is None else records.amounts
    flat = np.ravel_multi_index(tuple(records.leaves), shape) if len(amounts) else amounts
    order = np.lexsort((-amounts, flat))
    enough: dict[int, int] = {}
    for at in order.tolist():
        leaf = int(flat[at])
        if enough.get(leaf, 0) >= size:
            continue
        nodes = np.ix_(*(paths[side][int(node)] for side, node in enumerate(records.leaves[:, at])))
        above = np.arange(len(cells)).reshape(shape)[nodes].ravel()
        own = above[(room[above] > 0) & (cells.counts[above] > 1)]
        amount = int(amounts[at])
        implied = bool((low[own] >= amount).all()) or cells.measure.column is None
        times = min(int(records.counts[at]), size)
        yield from [Member(above, amount)] * times
        enough[leaf] = enough.get(leaf, 0) + times * implied


def _upward(axis: Axis, leaf: int) -> list[int]:
    found = [leaf]
    while axis.parents[found[-1]] >= 0:
        found.append(axis.parents[found[-1]])
    return found
