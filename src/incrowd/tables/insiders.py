"""Contributors as attackers: each knows their own records, each of which is behind several cells of the table.

A contributor knows that each of those cells holds at least their own amount. The only contributor to a cell of a sum
knows all of it. A coalition knows what its members know together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from incrowd.errors import UsageError
from incrowd.tables.cells import Cells, Numbers, Records
from incrowd.tables.contributions import Contributions, upward

MOST_COALITIONS = 1_000_000
"""More contributors, or pairs of them, are not audited one by one."""


@dataclass(frozen=True, eq=False)
class Member:
    """The contribution of somebody to one combination of categories: a record, or all that a person has there."""

    cells: Numbers
    """All cells that it is in; the first is that of its categories, the others are totals."""
    amount: int
    """The contribution to each."""


Contributor = tuple[Member, ...]
"""One part for each combination of categories; a record has one, a person may have several."""


@dataclass(frozen=True, eq=False)
class Insider:
    """The knowledge of one contributor, or a coalition, besides the published table."""

    contributors: tuple[Contributor, ...]
    whole: Numbers
    """The cells that they know to hold nothing else."""

    @property
    def members(self) -> Iterator[Member]:
        """Yield all that they have."""
        return (member for contributor in self.contributors for member in contributor)

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
        return all(any(hidden[member.cells].any() for member in each) for each in self.contributors)


def insiders(cells: Cells, room: Numbers, floor: Numbers) -> tuple[Insider, ...]:
    """Return the coalitions that know more than `floor`, without those that learn no more than larger contributors."""
    if not room.any():
        return ()
    additive = adds_up(cells, floor)
    everybody = list(_contributors(cells, room, floor, additive))
    if cells.records.person is not None and comb(len(everybody), cells.contributors) > MOST_COALITIONS:
        raise UsageError.invalid(
            f"contributors of {cells.contributors}",
            f"{len(everybody):,} people with records in several cells make too many pairs",
            "use 1, or tabulate by fewer or coarser columns",
        )
    groups = (group for size in range(1, cells.contributors + 1) for group in combinations(everybody, size))
    found = (Insider(group, _whole(cells, group)) for group in groups)
    return tuple(insider for insider in found if insider.knows_more(floor, additive))


def adds_up(cells: Cells, floor: Numbers) -> bool:
    """Return whether the public knowledge of each cell adds up as the cells do."""
    return not (cells.equations @ floor).any()


def _whole(cells: Cells, contributors: tuple[Contributor, ...]) -> Numbers:
    """Return the cells with no other contributors; in a table of counts a contributor does not know this."""
    if cells.measure.column is None:
        return np.zeros(0, dtype=np.int64)
    own = [np.unique(np.concatenate([member.cells for member in each])) for each in contributors]
    at, times = np.unique(np.concatenate(own), return_counts=True)
    whole: Numbers = at[cells.contributing[at] == times]
    return whole


def _contributors(cells: Cells, room: Numbers, floor: Numbers, additive: bool) -> Iterator[Contributor]:
    """Yield the contributors who may learn more than others: everybody in several combinations of categories, and of
    each combination the largest who are in no other."""
    records = cells.records
    if not cells.contributors or records.person is None:
        yield from ((member,) for member in _members(cells, room))
        return
    inner = Contributions.of_leaves(cells.axes, records.leaves, records.person, records.added)
    times = np.bincount(inner.person)[inner.person] if len(inner.person) else inner.person
    alone = times == 1
    nodes = np.array(np.unravel_index(inner.cell[alone], [axis.leaves for axis in cells.axes]), dtype=np.int64)
    largest = Records(nodes.reshape(len(cells.axes), -1), np.ones(int(alone.sum()), np.int64), inner.amount[alone])
    yield from ((member,) for member in _members(replace(cells, records=largest), room, cells.contributing))
    if additive and cells.measure.column is None and cells.contributors == 1:
        # In a table of counts nobody knows more alone who has no more anywhere than everybody knows to be there.
        places = np.unravel_index(inner.cell, [axis.leaves for axis in cells.axes])
        more = inner.amount > floor[np.ravel_multi_index(places, cells.shape)]
        alone = alone | ~np.isin(inner.person, inner.person[more])
    yield from _in_several(cells, inner, ~alone)


def _in_several(cells: Cells, inner: Contributions, chosen: NDArray[np.bool_]) -> Iterator[Contributor]:
    """Yield people in several combinations of categories; of those who have the same everywhere no more than may
    combine."""
    above = _above(cells)
    order = np.flatnonzero(chosen)[np.argsort(inner.person[chosen], kind="stable")]
    seen: dict[tuple[tuple[int, int], ...], int] = {}
    for part in np.split(order, np.flatnonzero(np.diff(inner.person[order])) + 1) if len(order) else ():
        has = tuple(sorted(zip(inner.cell[part].tolist(), inner.amount[part].tolist(), strict=True)))
        seen[has] = seen.get(has, 0) + 1
        if seen[has] <= cells.contributors:
            yield tuple(Member(above(leaf), amount) for leaf, amount in has)


def _above(cells: Cells) -> Callable[[int], Numbers]:
    """Return a function from a combination of categories to its cell and all totals that it is in."""
    leaves = tuple(axis.leaves for axis in cells.axes)
    numbers = np.arange(len(cells)).reshape(cells.shape)
    known: dict[int, Numbers] = {}

    def above(leaf: int) -> Numbers:
        if leaf not in known:
            places = np.unravel_index(leaf, leaves)
            paths = [upward(axis, int(place)) for axis, place in zip(cells.axes, places, strict=True)]
            known[leaf] = numbers[np.ix_(*paths)].ravel()
        return known[leaf]

    return above


def _members(cells: Cells, room: Numbers, contributing: Numbers | None = None) -> Iterator[Member]:
    """Yield the largest contributors of each combination of categories.

    A smaller one knows less of other cells. Of their own cells more must stay uncertain for them, as far as the range
    that must be possible reaches below what the larger ones have; so contributors are added until it does not.
    """
    size = cells.contributors
    if not size:
        return
    shape, low = cells.shape, cells.values - room
    counts = cells.counts if contributing is None else contributing
    paths = [[upward(axis, leaf) for leaf in range(axis.leaves)] for axis in cells.axes]
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
        own = above[(room[above] > 0) & (counts[above] > 1)]
        amount = int(amounts[at])
        # Records count the same in a table of counts; people may have more of them than others.
        alike = cells.measure.column is None and contributing is None
        implied = alike or bool((low[own] >= amount).all())
        times = min(int(records.counts[at]), size)
        yield from [Member(above, amount)] * times
        enough[leaf] = enough.get(leaf, 0) + times * implied
