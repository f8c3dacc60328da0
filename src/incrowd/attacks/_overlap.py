"""The published cells of a column that can have the same original value: those whose covers overlap."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.scale import Counts

_AT_ONCE = 4_000_000
"""The number of pairs of cells to compare at once."""


@dataclass(frozen=True, eq=False)
class Relation:
    """For each cell of one table those of another that overlap it."""

    starts: Counts
    """The partners of cell a are cells[starts[a]] up to cells[starts[a + 1]], ascending."""
    cells: Counts
    width: int
    """The number of cells of the other table."""

    @classmethod
    def of_pairs(cls, ones: Counts, others: Counts, n: int, width: int) -> "Relation":
        """Return a relation from distinct pairs in any order."""
        keys = np.sort(ones * np.int64(max(1, width)) + others)
        starts = np.append(0, np.cumsum(np.bincount(keys // max(1, width), minlength=n))).astype(np.int64)
        return cls(starts, keys % max(1, width), width)

    @classmethod
    def any_of(cls, relations: Sequence["Relation"]) -> "Relation":
        """Return the pairs of any of the relations between the same cells."""
        if len(relations) == 1:
            return relations[0]
        first = relations[0]
        width = max(1, first.width)
        keys = np.unique(np.concatenate([each.keys for each in relations]))
        return cls.of_pairs(keys // width, keys % width, len(first.starts) - 1, first.width)

    @cached_property
    def owner(self) -> Counts:
        """Return the cell that each partner belongs to."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @cached_property
    def keys(self) -> Counts:
        """Return each pair as one number, ascending."""
        return self.owner * np.int64(self.width) + self.cells

    @property
    def density(self) -> float:
        """Return the share of all pairs that overlap."""
        return len(self.cells) / max(1, (len(self.starts) - 1) * self.width)


def spread(starts: Counts, lengths: Counts) -> Counts:
    """Return all numbers of several ranges, one range after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    found: Counts = np.arange(total) + np.repeat(starts - (ends - lengths), lengths)
    return found


def overlapping(one: Covers, other: Covers) -> Relation:
    """Return the cells of two tables that cover a value in common; both lie on the same scale.

    Single values are joined by sorting, so the cost is linear in their number. Only cells that cover several values
    are compared one by one.
    """
    wide, others_wide = (np.flatnonzero(each.low < each.high) for each in (one, other))
    single, others_single = (np.flatnonzero(each.low == each.high) for each in (one, other))
    parts = [
        _equal(one, other, single, others_single),
        *_compared(one, other, wide, np.concatenate([others_single, others_wide])),
        *_compared(one, other, single, others_wide),
    ]
    ones, cells = (np.concatenate([part[at] for part in parts]).astype(np.int64) for at in (0, 1))
    return Relation.of_pairs(ones, cells, len(one), len(other))


def consistent(one: Covers, other: Covers) -> Relation:
    """Return the cells of two tables that can have the same original value.

    A cell that covers everything is also consistent with unreadable cells.
    """
    found = overlapping(one, other)
    whole, others_whole = (np.flatnonzero((each.low == 0) & (each.high == each.scale.last)) for each in (one, other))
    unread, others_unread = (np.flatnonzero(np.isnan(each.low)) for each in (one, other))
    pairs = [
        (found.owner, found.cells),
        (np.repeat(whole, len(others_unread)), np.tile(others_unread, len(whole))),
        (np.repeat(unread, len(others_whole)), np.tile(others_whole, len(unread))),
    ]
    ones, cells = (np.concatenate([pair[at] for pair in pairs]) for at in (0, 1))
    return Relation.of_pairs(ones, cells, len(one), len(other))


def _equal(one: Covers, other: Covers, ones: Counts, others: Counts) -> tuple[Counts, Counts]:
    order = others[np.argsort(other.low[others], kind="stable")]
    left, right = (np.searchsorted(other.low[order], one.low[ones], side) for side in ("left", "right"))
    return np.repeat(ones, right - left), order[spread(left, right - left)]


def _compared(one: Covers, other: Covers, ones: Counts, others: Counts) -> Iterator[tuple[Counts, Counts]]:
    """Yield every cell of the one table with every cell of the other."""
    if not len(ones) or not len(others):
        return
    scattered = np.any(one.scattered[ones]) or np.any(other.scattered[others])
    # Where a cell leaves out positions, only those that some cell has itself can tell.
    known = np.unique(np.concatenate([one.members, other.members])) if scattered else np.zeros(0, dtype=np.int64)
    at_once = max(1, _AT_ONCE // max(len(others), len(known), 1))
    behind = _members(other, others, known) if scattered else None
    for part in np.array_split(ones, -(-len(ones) // at_once)):
        low, high = one.low[part][:, None], one.high[part][:, None]
        found = (low <= other.high[others]) & (high >= other.low[others])
        if behind is not None:
            shared = (_members(one, part, known) @ behind.T) > 0
            apart = one.scattered[part][:, None] | other.scattered[others]
            found &= shared | ~apart
        at = np.nonzero(found)
        yield part[at[0]], others[at[1]]


def _members(covers: Covers, cells: Counts, known: Counts) -> NDArray[np.float32]:
    """Return cells x known positions: 1 if a cell covers it."""
    found = np.zeros((len(cells), len(known)), dtype=np.float32)
    first = np.searchsorted(known, covers.low[cells], "left")
    last = np.searchsorted(known, covers.high[cells], "right")
    for row, cell in enumerate(cells.tolist()):
        if covers.scattered[cell]:
            found[row, np.searchsorted(known, covers.members_of(cell))] = 1
        else:
            found[row, first[row] : last[row]] = 1
    return found
