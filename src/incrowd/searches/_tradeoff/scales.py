"""What columns span, in whole units, as the kernels measure it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, Kind

UNITS = 1 << 40
"""In a weight of 1. Sums are exact, and rounding stays below the tolerance of thresholds."""

TOLERANCE = 1e-9
"""A threshold is exceeded by more than this."""

ON_LINE, IN_TREE, IN_SET, BY_PAIR = 0, 1, 2, 3
"""The kinds of columns that the kernels know."""

_KINDS = {Kind.NUMBERS: ON_LINE, Kind.ORDER: ON_LINE, Kind.TREE: IN_TREE, Kind.SET: IN_SET}

Scale = tuple[NDArray[Any], ...]
Numbers = NDArray[np.float64]


def limit(threshold: float, units: int = UNITS) -> int:
    """The most units that a threshold allows."""
    return int(np.floor((threshold + TOLERANCE) * units))


def scale_of(axes: Sequence[Axis], weights: Sequence[float]) -> Scale:
    """Columns that weigh so much each."""
    return packed([(_KINDS[axis.kind], _TABLES[axis.kind](axis), len(axis.rank)) for axis in axes], weights, UNITS)


def packed(tables: Sequence[tuple[int, Numbers, int]], weights: Sequence[float], units: int) -> Scale:
    """Kinds, numbers of ranks, units of the whole domains, where each column's table begins, tables.

    A table has shares of the domain, as the kind of the column wants them.
    """
    begins = np.append(0, np.cumsum([len(table) for _, table, _ in tables]))[:-1]
    found = [np.rint(table * weight * units) for (_, table, _), weight in zip(tables, weights, strict=True)]
    return (
        np.array([kind for kind, _, _ in tables], dtype=np.int32),
        np.array([ranks for _, _, ranks in tables], dtype=np.int64),
        np.rint(np.array(weights, dtype=np.float64) * units).astype(np.int64),
        begins.astype(np.int64),
        np.concatenate([np.zeros(0), *found]).astype(np.int64),
    )


def lines_of(axes: Sequence[Axis]) -> Scale:
    """For subspaces: kinds, where the places of each column's ranks begin, places, and what a column spans in which
    some cells are missing and some are not."""
    begins = np.append(0, np.cumsum([len(axis.rank) for axis in axes]))[:-1]
    return (
        np.array([_KINDS[axis.kind] for axis in axes], dtype=np.int32),
        begins.astype(np.int64),
        np.nan_to_num(np.concatenate([np.zeros(0), *(axis.places for axis in axes)])),
        np.array([axis.span or 1.0 for axis in axes], dtype=np.float64),
    )


def _along_a_line(axis: Axis) -> Numbers:
    """Per rank how far it is from the lowest; missing, the first, is nowhere."""
    places = axis.places[1:] - axis.places[1:2]
    return np.append(0.0, places / axis.span if axis.span > 0 else 0.0 * places)


def tree_table(axis: Axis) -> Numbers:
    """What the closest common ancestor of each leaf and the next covers, then the most of 2, 4, 8, .. such steps.

    In depth-first order the closest common ancestor of many leaves is the highest of those of neighbours.
    """
    low = np.arange(len(axis.rank) - 1, dtype=np.int32)
    steps = np.array(axis.covered)[axis.ancestor(low, low + np.int32(1)), axis.code[low]]
    rows = [np.append(steps, 0.0)]
    while (2 << (len(rows) - 1)) < len(axis.rank):
        jump = 1 << (len(rows) - 1)
        rows.append(np.maximum(rows[-1], np.append(rows[-1][jump:], np.zeros(jump))))
    return np.concatenate(rows)


def _of_a_set(axis: Axis) -> Numbers:
    """What 0, 1, 2, .. different values are of all."""
    return np.maximum(np.arange(len(axis.rank) + 2) - 1, 0) / (axis.span or 1.0)


_TABLES = {Kind.NUMBERS: _along_a_line, Kind.ORDER: _along_a_line, Kind.TREE: tree_table, Kind.SET: _of_a_set}
