"""The base values of a column, in an order in which the values of a published cell are mostly adjacent.

Numbers are in ascending order (all whole numbers from the lowest to the highest, if they are whole), ordered values in
their order, the leaves of a hierarchy depth first. Positions count from 0.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, Kind, numbers_of
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy, plain, text_forms
from incrowd.core.table import Codes, text_array

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]

_EXACT = 2.0**53
"""Up to here whole numbers are exact as floats."""


@dataclass(frozen=True, eq=False)
class Scale:
    """The base values of a column, in order."""

    axis: Axis
    positions: Numbers
    """Per code of the original the position of its value; NaN for missing."""
    size: int
    """The number of base values; missing is one if a hierarchy lists it."""
    origin: float | None
    """For whole numbers, the one at position 0."""
    numbers: Numbers | None
    """For other numbers, the one at each position; None if the values are not numbers."""

    @classmethod
    def of(cls, axis: Axis) -> "Scale":
        """Return the base values of an axis: the declared domain, the hierarchy's leaves, or the values."""
        if axis.kind == Kind.TREE:
            return _of_tree(axis)
        ranks = axis.rank.astype(np.float64)
        known = axis.places[1:]
        if axis.kind == Kind.NUMBERS and axis.span < _EXACT and (np.mod([*known, axis.span], 1) == 0).all():
            positions = _after_missing(axis.places[axis.rank[1:]] - (known[0] if len(known) else 0.0))
            return cls(axis, positions, int(axis.span) + 1, float(known[0]) if len(known) else 0.0, None)
        if axis.kind == Kind.ORDER:
            return cls(axis, axis.places[axis.rank], int(axis.span) + 1, None, None)
        positions = _after_missing(ranks[1:] - 1)
        if axis.kind == Kind.NUMBERS:
            return cls(axis, positions, len(known), None, known)
        return cls(axis, positions, len(axis.values), None, _numbers_by(positions[1:], axis.values, len(axis.values)))

    @property
    def name(self) -> str:
        """Return the column."""
        return self.axis.name

    @property
    def ladder(self) -> EncodedHierarchy | None:
        """Return the hierarchy, if the column has one."""
        return self.axis.ladder

    @property
    def last(self) -> float:
        """Return the highest position."""
        return float(max(0, self.size - 1 - self.lists_missing))

    @property
    def lists_missing(self) -> bool:
        """Return whether missing is a base value."""
        return self.ladder is not None and self.ladder.hierarchy.lists_missing

    @property
    def is_numeric(self) -> bool:
        """Return whether the base values are numbers or dates."""
        return self.origin is not None or self.numbers is not None

    @cached_property
    def order(self) -> Codes:
        """Return the codes of the values that occur, by position."""
        return (np.argsort(self.positions[1:], kind="stable") + 1).astype(np.int32)

    @cached_property
    def occurring(self) -> Numbers:
        """Return the positions of the values that occur, in order."""
        return self.positions[self.order]

    def number(self, position: Numbers) -> Numbers:
        """Return the numbers at positions."""
        if self.origin is not None:
            return position + self.origin
        assert self.numbers is not None
        return np.interp(position, np.arange(len(self.numbers)), self.numbers)


def leaf_positions(hierarchy: Hierarchy) -> Counts:
    """Return the position of each base value of a hierarchy, depth first: values of one label are adjacent."""
    order = np.lexsort(hierarchy.codes)
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.arange(len(order))
    return found


def _of_tree(axis: Axis) -> Scale:
    assert axis.ladder is not None
    hierarchy = axis.ladder.hierarchy
    leaves = leaf_positions(hierarchy)
    of_text = {text: at for at, text in enumerate(hierarchy.values)}
    codes = [
        next(of_text[form] for form in text_forms(value) if form in of_text) for value in plain(axis.ladder.values)
    ]
    positions = _after_missing(leaves[np.array(codes, dtype=np.int64)])
    numbers = _numbers_by(leaves.astype(np.float64), text_array(hierarchy.values), len(leaves))
    return Scale(axis, positions, hierarchy.domain, None, numbers)


def _after_missing(positions: NDArray[np.generic]) -> Numbers:
    return np.append(np.nan, positions.astype(np.float64))


def _numbers_by(positions: Numbers, values: object, size: int) -> Numbers | None:
    """Return the number at each position; None if a value is not one."""
    numbers = numbers_of(values)
    if numbers is None:
        return None
    found = np.zeros(size)
    found[positions.astype(np.int64)] = [float(number) for number in numbers]
    return found


def node_ends(hierarchy: Hierarchy, level: int) -> tuple[Numbers, Numbers]:
    """Return per code of a level the first and last position that it covers; NaN if it covers only missing."""
    leaves = leaf_positions(hierarchy).astype(np.float64)
    first, last = np.full(len(hierarchy.labels[level]), np.inf), np.full(len(hierarchy.labels[level]), -np.inf)
    np.minimum.at(first, hierarchy.codes[level], leaves)
    np.maximum.at(last, hierarchy.codes[level], leaves)
    return np.where(np.isinf(first), np.nan, first), np.where(np.isinf(last), np.nan, last)
