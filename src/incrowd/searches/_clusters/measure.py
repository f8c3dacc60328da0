"""The cost of clusters: the spread of each column in whole units, which makes sums exact and equal costs equal."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, Kind
from incrowd.core.table import Codes

FINEST = 1 << 20
"""Units in a spread of 1 in the column that matters most."""
MOST = 1 << 29
"""Units in a spread of 1 in all columns together: sums of them fit into 32 bits."""

PLACES, NODES, VALUES = 0, 1, 2
"""The kinds of columns that the kernels know; numbers and ordered values are both places."""
_KINDS = {Kind.NUMBERS: PLACES, Kind.ORDER: PLACES, Kind.TREE: NODES, Kind.SET: VALUES}

Arrays = tuple[Codes, Codes, Codes, NDArray[np.int64], Codes]


@dataclass(frozen=True, eq=False)
class Measure:
    """Columns as the kernels measure them."""

    axes: tuple[Axis, ...]
    weights: tuple[float, ...]
    heights: bool = False
    """Whether a tree is measured by the height of the closest common ancestor (Byun et al.), not by its leaves."""

    @classmethod
    def of(cls, axes: Sequence[Axis], priorities: Sequence[float] = (), heights: bool = False) -> "Measure":
        """Return columns that matter as much as their priorities; equally when there are none."""
        return cls(tuple(axes), tuple(priorities) or (1.0,) * len(axes), heights)

    @cached_property
    def units(self) -> NDArray[np.float64]:
        """Per column what the whole domain costs."""
        weights = np.array(self.weights, dtype=np.float64)
        weights = weights / (weights.max(initial=0.0) or 1.0)
        return np.rint(weights * min(FINEST, MOST / max(1.0, float(weights.sum()))))

    @cached_property
    def all_units(self) -> int:
        """The cost of a fully suppressed record."""
        return int(self.units.sum())

    @cached_property
    def arrays(self) -> Arrays:
        """Kinds, numbers of ranks, costs of the whole domains, and where each column's part of the table begins."""
        columns = zip(self.axes, self.units, strict=True)
        parts = [_PARTS[axis.kind](axis, units, self.heights) for axis, units in columns]
        begins = np.append(0, np.cumsum([len(part) for part in parts]))[:-1]
        return (
            np.array([_KINDS[axis.kind] for axis in self.axes], dtype=np.int32),
            np.array([len(axis.rank) for axis in self.axes], dtype=np.int32),
            self.units.astype(np.int32),
            begins.astype(np.int64),
            np.concatenate([np.zeros(0), *parts]).astype(np.int32),
        )

    def chosen(self, columns: Sequence[int]) -> "Measure":
        """Return some of the columns, in the given order."""
        return Measure(tuple(self.axes[c] for c in columns), tuple(self.weights[c] for c in columns), self.heights)

    def between(self, c: int, low: Codes, high: Codes) -> NDArray[np.int64]:
        """Return the span of a column from one rank to another; without an order, the number of values in between."""
        kinds, sizes, fulls, begins, table = self.arrays
        low, high = np.minimum(low, high).astype(np.int64), np.maximum(low, high).astype(np.int64)
        part = table[begins[c] :]
        if kinds[c] == PLACES:
            found = np.where(low == 0, np.int64(fulls[c]), part[high] - part[low])
        elif kinds[c] == NODES:
            jump = np.frexp(np.maximum(1, high - low))[1].astype(np.int64) - 1
            found = np.maximum(part[jump * sizes[c] + low], part[jump * sizes[c] + np.maximum(high - (1 << jump), 0)])
        else:
            found = part[high - low + 1]
        return np.where(low == high, np.int64(0), found)

    def differences(self, ranks: Codes) -> NDArray[np.float64]:
        """Return per column what two records spread on average, of a thousand pairs."""
        n = ranks.shape[1]
        one, other = np.random.default_rng(0).integers(max(1, n), size=(2, 1000 if n else 0))
        return np.array([self.between(c, row[one], row[other]).mean() if n else 0.0 for c, row in enumerate(ranks)])


def _places(axis: Axis, units: float, heights: bool) -> NDArray[np.float64]:
    """Return the position of each rank; missing has none."""
    beyond = axis.places[1:] - axis.places[1:2]
    shares = np.minimum(beyond / axis.span, 1.0) if axis.span > 0 else np.zeros(len(beyond))
    return np.append(0.0, np.rint(shares * units))


def _nodes(axis: Axis, units: float, heights: bool) -> NDArray[np.float64]:
    """Return the cost of the closest common ancestor of each leaf and the next, then the highest of 2, 4, 8, ... of
    these.

    In depth-first order the closest common ancestor of many leaves is the highest of those of neighbors.
    """
    low = np.arange(len(axis.rank) - 1, dtype=np.int32)
    level = axis.ancestor(low, low + np.int32(1))
    assert axis.ladder is not None
    shares = level / axis.ladder.height if heights else np.array(axis.covered)[level, axis.code[low]]
    rows = [np.append(np.rint(shares * units), 0.0)]
    while 2 << len(rows) <= 2 * len(axis.rank):
        jump = 1 << (len(rows) - 1)
        rows.append(np.maximum(rows[-1], np.append(rows[-1][jump:], np.zeros(min(jump, len(rows[-1]))))))
    return np.concatenate(rows)


def _values(axis: Axis, units: float, heights: bool) -> NDArray[np.float64]:
    """Return the cost of 0, 1, 2, ... different values."""
    more = np.maximum(np.arange(len(axis.rank) + 1) - 1, 0)
    return np.rint(np.minimum(more / (axis.span or 1.0), 1.0) * units)


_PARTS = {Kind.NUMBERS: _places, Kind.ORDER: _places, Kind.TREE: _nodes, Kind.SET: _values}
