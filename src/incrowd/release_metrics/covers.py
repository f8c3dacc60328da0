"""Covers: the base values of its column that a published cell covers, in any notation."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Cells, Kind
from incrowd.core.keys import different
from incrowd.core.table import MISSING, Codes
from incrowd.release_metrics.scale import Counts, Numbers, Scale, leaf_positions, node_ends

_AT_ONCE = 4_000_000
"""The number of pairs of a value and a cell to process at once."""

NO_LEVEL = -1
"""In place of a level: the column has no hierarchy."""


class Cell(NamedTuple):
    """A published cell: all positions from the first to the last, or some of them."""

    low: float
    """NaN where missing is all that is covered."""
    high: float
    missing: bool = False
    members: Counts | None = None
    """The positions, in order, where some between the first and the last are not covered."""


ABSENT = Cell(float("nan"), float("nan"), missing=True)
"""A missing cell that is published as one."""
NOTHING = Cell(float("nan"), float("nan"))
"""A range that no value of the column is in: it may be asked for, and cannot be published."""


@dataclass(frozen=True, eq=False)
class Covers:
    """The covers of a column's published cells."""

    scale: Scale
    low: Numbers
    """The first position covered; NaN where missing is all that is covered."""
    high: Numbers
    """The last one."""
    count: Numbers
    """The number of base values covered, 1 or more."""
    missing: NDArray[np.bool_]
    """True if the original cell may have been missing."""
    level: Codes
    """The level of the cell in the hierarchy, or NO_LEVEL."""
    starts: Counts
    """For a cell with gaps between its first and last position: where its positions begin in `members`."""
    members: Counts
    """The positions of such cells, in order; none of all others."""
    distinct: Counts | None = None
    """The number of distinct original values behind the cell; None if not known."""

    def __len__(self) -> int:
        return len(self.low)

    @classmethod
    def of_values(cls, scale: Scale) -> "Covers":
        """Return the original values: cell c is code c, missing included."""
        n = len(scale.positions)
        there = np.arange(n) != MISSING
        return cls(
            scale,
            low=scale.positions,
            high=scale.positions,
            count=np.ones(n),
            missing=~there,
            level=np.full(n, NO_LEVEL if scale.ladder is None else 0, dtype=np.int32),
            starts=np.zeros(n + 1, dtype=np.int64),
            members=np.zeros(0, dtype=np.int64),
            distinct=np.ones(n, dtype=np.int64),
        )

    @classmethod
    def of_groups(cls, scale: Scale, codes: Codes, groups: Codes, n: int) -> "Covers":
        """Return the published cells of n groups: from lowest to highest, the closest common ancestor, or the set."""
        cells = scale.axis.cells(codes, groups, n)
        if scale.axis.kind == Kind.TREE:
            return _of_nodes(scale, cells)
        low, high = scale.positions[scale.axis.code[cells.low]], scale.positions[scale.axis.code[cells.high]]
        count = high - low + 1
        starts, members = np.zeros(n + 1, dtype=np.int64), np.zeros(0, dtype=np.int64)
        everything = cells.missing & (cells.distinct > 0)
        if scale.axis.kind == Kind.SET:
            starts, members = _members(scale, codes, groups, n, (cells.distinct < count) & ~everything)
            count = cells.distinct.astype(np.float64)
        return cls(
            scale,
            low=np.where(everything, 0.0, np.where(cells.distinct > 0, low, np.nan)),
            high=np.where(everything, scale.last, np.where(cells.distinct > 0, high, np.nan)),
            count=np.where(everything, float(scale.size), np.where(cells.distinct > 0, count, 1.0)),
            missing=cells.missing,
            level=np.full(n, NO_LEVEL, dtype=np.int32),
            starts=starts,
            members=members,
            distinct=(cells.distinct + cells.missing).astype(np.int64),
        )

    @classmethod
    def of_cells(cls, scale: Scale, cells: Sequence[Cell]) -> "Covers":
        """Return what cells cover that were read one by one."""
        low, high = np.array([cell.low for cell in cells]), np.array([cell.high for cell in cells])
        segments = [np.zeros(0, dtype=np.int64) if cell.members is None else cell.members for cell in cells]
        starts = np.append(0, np.cumsum([len(each) for each in segments], dtype=np.int64))
        missing = np.array([cell.missing for cell in cells], dtype=np.bool_)
        lengths = np.where(np.diff(starts) > 0, np.diff(starts), np.nan_to_num(high - low) + 1)
        return cls(
            scale,
            low=low,
            high=high,
            count=lengths + (missing & scale.lists_missing & ~np.isnan(low)),
            missing=missing,
            level=_levels(scale, low, high, missing),
            starts=starts,
            members=np.concatenate([*segments, np.zeros(0, dtype=np.int64)]),
        )

    @cached_property
    def spread(self) -> Numbers:
        """Return Q-diversity: the share of the domain that the cell covers, 0 for one value, 1 for the whole domain."""
        axis = self.scale.axis
        if axis.kind in (Kind.NUMBERS, Kind.ORDER):
            low, high = np.nan_to_num(self.low), np.nan_to_num(self.high)
            ends = (low, high) if axis.kind == Kind.ORDER else (self.scale.number(low), self.scale.number(high))
            shares = (ends[1] - ends[0]) / (axis.span or 1.0)
        else:
            shares = (self.count - 1) / max(1, self.scale.size - 1)
        mixed: NDArray[np.bool_] = self.missing & ~np.isnan(self.low)
        # In a tree of one value, only the top covers missing cells too: it leaves everything open.
        whole = mixed & (axis.kind != Kind.TREE or self.scale.size == 1)
        return np.where(whole, 1.0, np.minimum(1.0, shares))

    @cached_property
    def scattered(self) -> NDArray[np.bool_]:
        """Return which cells have gaps between their first and last position."""
        return np.diff(self.starts) > 0

    @property
    def scattered_cells(self) -> list[int]:
        """Return the numbers of the cells with gaps."""
        found: list[int] = np.flatnonzero(self.scattered).tolist()
        return found

    @cached_property
    def codes(self) -> Codes:
        """Return the original code of each cell that is a single original value or missing; -1 for all others."""
        found = np.full(len(self), -1, dtype=np.int32)
        single = (self.count == 1) & ~np.isnan(self.low) & ~self.missing
        at = np.searchsorted(self.scale.occurring, self.low[single])
        at = np.minimum(at, max(0, len(self.scale.occurring) - 1))
        if len(self.scale.occurring):
            found[single] = np.where(self.scale.occurring[at] == self.low[single], self.scale.order[at], -1)
        found[np.isnan(self.low)] = MISSING
        return found

    def known(self, has_missing: bool) -> Counts:
        """Return how many of the values that occur in the original each cell covers, missing included if it occurs."""
        where = self.scale.occurring
        low, high = np.nan_to_num(self.low), np.nan_to_num(self.high, nan=-1.0)
        found = np.searchsorted(where, high, "right") - np.searchsorted(where, low, "left")
        for cell in self.scattered_cells:
            found[cell] = np.isin(where, self.members_of(cell)).sum()
        counted: Counts = np.maximum(1, found + (self.missing & has_missing)).astype(np.int64)
        return counted

    @cached_property
    def centers(self) -> Numbers:
        """Return the mean of the numbers covered; NaN if only missing is covered."""
        scale = self.scale
        if scale.origin is not None or not len(scale.numbers if scale.numbers is not None else ()):
            middle = (self.low + self.high) / 2
            found = scale.number(middle) if scale.is_numeric else np.full(len(self), np.nan)
        else:
            assert scale.numbers is not None
            sums = np.append(0.0, np.cumsum(scale.numbers))
            low = np.nan_to_num(self.low)
            first, last = np.floor(low).astype(np.int64), np.floor(np.nan_to_num(self.high)).astype(np.int64)
            mean = (sums[last + 1] - sums[first]) / (last - first + 1)
            found = np.where(self.low == self.high, scale.number(low), mean)
        for cell in self.scattered_cells:
            found[cell] = scale.number(self.members_of(cell).astype(np.float64)).mean()
        return np.where(np.isnan(self.low), np.nan, found)

    def members_of(self, cell: int) -> Counts:
        """Return the positions of a cell with gaps."""
        positions: Counts = self.members[self.starts[cell] : self.starts[cell + 1]]
        return positions

    def take(self, cells: NDArray[np.integer]) -> "Covers":
        """Return some of the cells."""
        lengths = np.diff(self.starts)[cells]
        starts = np.append(np.int64(0), np.cumsum(lengths))
        members = np.arange(starts[-1]) + np.repeat(self.starts[cells] - starts[:-1], lengths)
        return Covers(
            self.scale,
            self.low[cells],
            self.high[cells],
            self.count[cells],
            self.missing[cells],
            self.level[cells],
            starts,
            self.members[members],
            None if self.distinct is None else self.distinct[cells],
        )

    def overlap(self, asked: "Covers") -> Numbers:
        """Return queries x cells: the share of what a cell covers that is queried."""
        low = np.maximum(asked.low[:, None], self.low)
        high = np.minimum(asked.high[:, None], self.high)
        with np.errstate(invalid="ignore"):
            inside = np.clip(high - low + 1, 0, None)
            # A number between two base values is in a range or not, never partly.
            point = self.low == self.high
            inside[:, point] = low[:, point] <= high[:, point]
        inside = np.nan_to_num(inside)
        owner = np.repeat(np.arange(len(self)), np.diff(self.starts))
        for row in range(len(asked)) if len(owner) else asked.scattered_cells:
            if asked.scattered[row]:
                wanted = asked.members_of(row)
                inside[row] = np.searchsorted(wanted, self.high, "right") - np.searchsorted(wanted, self.low, "left")
                inside[row, np.isnan(self.low)] = 0
                there = np.isin(self.members, wanted)
            else:
                there = (self.members >= asked.low[row]) & (self.members <= asked.high[row])
            inside[row, self.scattered] = np.bincount(owner[there], minlength=len(self))[self.scattered]
        shares: Numbers = inside / self.count
        return shares

    def spread_over(self, counts: Counts) -> Numbers:
        """Return the expected records per code of the original, each cell's `counts` spread over what it covers."""
        where = self.scale.occurring
        each = np.where(self.scattered | np.isnan(self.low), 0.0, counts / self.count)
        steps = np.zeros(len(where) + 1)
        np.add.at(steps, np.searchsorted(where, np.nan_to_num(self.low), "left"), each)
        np.subtract.at(steps, np.searchsorted(where, np.nan_to_num(self.high), "right"), each)
        found = np.zeros(len(where) + 1)
        found[self.scale.order] = np.cumsum(steps)[:-1]
        for cell in self.scattered_cells:
            here = np.isin(where, self.members_of(cell))
            found[self.scale.order[here]] += counts[cell] / self.count[cell]
        listed = self.missing & self.scale.lists_missing & ~np.isnan(self.low)
        found[MISSING] = counts[np.isnan(self.low)].sum() + (counts[listed] / self.count[listed]).sum()
        return found

    def up_to(self, counts: Counts) -> Numbers:
        """Return how many records are expected at or below each value that occurs, by position."""
        there = np.flatnonzero(~np.isnan(self.low))
        where = self.scale.occurring
        found = np.zeros(len(where))
        slices = np.array_split(there, 1 + len(there) * len(where) // _AT_ONCE)
        for part in slices:
            low, high = self.low[part], self.high[part]
            inside = np.clip(where[:, None] - low + 1, 0, high - low + 1)
            # A number between two base values is at or below, or it is not.
            inside[:, low == high] = where[:, None] >= low[low == high]
            for at, cell in enumerate(part.tolist()):
                if self.scattered[cell]:
                    inside[:, at] = np.searchsorted(self.members_of(cell), where, "right")
            found += inside @ (counts[part] / np.where(self.scattered[part], self.count[part], high - low + 1))
        return found


def _of_nodes(scale: Scale, cells: Cells) -> Covers:
    """Return what the closest common ancestors of groups cover."""
    ladder, code = scale.ladder, scale.axis.code[cells.low]
    assert ladder is not None
    ends = [node_ends(ladder.hierarchy, level) for level in range(ladder.height + 1)]
    low, high = np.full(len(cells), np.nan), np.full(len(cells), np.nan)
    count, missing = np.ones(len(cells)), np.zeros(len(cells), dtype=np.bool_)
    for level, (first, last) in enumerate(ends):
        here = np.flatnonzero(cells.level == level)
        nodes = ladder.up[level][code[here]]
        there = nodes != MISSING
        if level == 0:
            low[here] = high[here] = scale.positions[code[here]]
        else:
            low[here[there]], high[here[there]] = first[nodes[there] - 1], last[nodes[there] - 1]
        count[here] = ladder.covered(level)[code[here]]
        missing[here] = ~there | (nodes - 1 == ladder.hierarchy.missing[level])
    n = len(cells)
    return Covers(
        scale,
        low,
        high,
        count,
        missing,
        level=cells.level.astype(np.int32),
        starts=np.zeros(n + 1, dtype=np.int64),
        members=np.zeros(0, dtype=np.int64),
        distinct=cells.distinct.astype(np.int64),
    )


def _members(scale: Scale, codes: Codes, groups: Codes, n: int, scattered: NDArray[np.bool_]) -> tuple[Counts, Counts]:
    """Return the positions of the groups whose sets have gaps."""
    kept = scattered[groups] & (codes != MISSING)
    width = len(scale.positions)
    pairs = different(groups[kept].astype(np.int64) * width + scale.positions[codes[kept]].astype(np.int64))
    starts = np.append(0, np.cumsum(np.bincount(pairs // width, minlength=n)))
    return starts.astype(np.int64), pairs % width


def _levels(scale: Scale, low: Numbers, high: Numbers, missing: NDArray[np.bool_]) -> Codes:
    """Return the level of the closest common ancestor of what each cell covers; depth first, that of its two ends."""
    if scale.ladder is None:
        return np.full(len(low), NO_LEVEL, dtype=np.int32)
    hierarchy = scale.ladder.hierarchy
    leaf = np.argsort(leaf_positions(hierarchy))
    there = ~np.isnan(low)
    first, last = (leaf[np.nan_to_num(each).astype(np.int64)] for each in (low, high))
    found = np.full(len(low), hierarchy.height, dtype=np.int32)
    for level in range(hierarchy.height - 1, -1, -1):
        codes = hierarchy.codes[level]
        together = (codes[first] == codes[last]) & (~missing | (codes[first] == hierarchy.missing[level]))
        found[together] = level
    found[~there] = 0
    return found
