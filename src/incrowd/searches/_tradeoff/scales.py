"""Spans of columns, in the whole units of the kernels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, Kind

UNITS = 1 << 50
"""In a weight of 1. Sums over a few thousand columns fit into 64 bits, and rounding stays below the tolerance of
thresholds."""

LONGEST = 1 << 17
"""Whole numbers of a domain no longer than this are so many equal steps apart: equal differences are equal units."""

EXACT = 1 << 53
"""Up to here every whole number is a float."""

TOLERANCE = 1e-9
"""A threshold is exceeded by more than this."""

ON_LINE, IN_TREE, IN_SET, BY_PAIR = 0, 1, 2, 3
"""The kinds of columns that the kernels know."""

_KINDS = {Kind.NUMBERS: ON_LINE, Kind.ORDER: ON_LINE, Kind.TREE: IN_TREE, Kind.SET: IN_SET}

Scale = tuple[NDArray[Any], ...]
Numbers = NDArray[np.float64]


def limit(threshold: float, units: int = UNITS) -> int:
    """Return the most units that a threshold allows."""
    return int(np.floor((threshold + TOLERANCE) * units))


def scale_of(axes: Sequence[Axis], weights: Sequence[float]) -> Scale:
    """Return columns that weigh so much each."""
    units = [weight * UNITS for weight in weights]
    tables = [_TABLES[axis.kind](axis, each) for axis, each in zip(axes, units, strict=True)]
    return packed([_KINDS[axis.kind] for axis in axes], [len(axis.rank) for axis in axes], units, tables)


def packed(kinds: Sequence[int], ranks: Sequence[int], units: Sequence[float], tables: Sequence[Numbers]) -> Scale:
    """Return kinds, numbers of ranks, units of the whole domains, where each column's table of units begins, tables."""
    begins = np.append(0, np.cumsum([len(table) for table in tables]))[:-1]
    return (
        np.array(kinds, dtype=np.int32),
        np.array(ranks, dtype=np.int64),
        np.rint(np.array(units, dtype=np.float64)).astype(np.int64),
        begins.astype(np.int64),
        np.concatenate([np.zeros(0), *tables]).astype(np.int64),
    )


def lines_of(axes: Sequence[Axis]) -> Scale:
    """Return the columns for subspaces: kinds, where the places of ranks begin, places, and domain spans."""
    begins = np.append(0, np.cumsum([len(axis.rank) for axis in axes]))[:-1]
    return (
        np.array([_KINDS[axis.kind] for axis in axes], dtype=np.int32),
        begins.astype(np.int64),
        np.nan_to_num(np.concatenate([np.zeros(0), *(axis.places for axis in axes)])),
        np.array([axis.span or 1.0 for axis in axes], dtype=np.float64),
    )


def _along_a_line(axis: Axis, units: float) -> Numbers:
    """Return per rank how far it is from the lowest; missing, the first, is nowhere."""
    return np.append(0.0, steps(axis.places[1:] - axis.places[1:2], axis.span, units))


def steps(places: Numbers, span: float, units: float) -> Numbers:
    """Return places in a domain so long, in units of which it has so many."""
    if span <= 0:
        return np.zeros(len(places))
    if (places == np.floor(places)).all():
        # Years or days: the unit of a column must not matter.
        common = _common(places, span)
        places, span = places / common, span / common
        if span <= LONGEST:
            return np.asarray(places * np.floor(units / span))
    return np.rint(places / span * units)


def _common(places: Numbers, span: float) -> float:
    """Return the greatest whole number of which all of these are multiples; 1 if floats are too coarse to tell."""
    if span != np.floor(span) or max(span, float(np.max(places, initial=0.0))) >= EXACT:
        return 1.0
    return float(np.gcd.reduce(np.append(places, span).astype(np.int64)))


def tree_table(axis: Axis, units: float) -> Numbers:
    """Return the cover of the closest common ancestor of each leaf and the next, then the most of 2, 4, 8, .. such
    steps.

    In depth-first order the closest common ancestor of many leaves is the highest of those of neighbors.
    """
    low = np.arange(len(axis.rank) - 1, dtype=np.int32)
    covered = np.array(axis.covered)[axis.ancestor(low, low + np.int32(1)), axis.code[low]]
    rows = [np.append(np.floor(covered * units), 0.0)]
    while (2 << (len(rows) - 1)) < len(axis.rank):
        jump = 1 << (len(rows) - 1)
        rows.append(np.maximum(rows[-1], np.append(rows[-1][jump:], np.zeros(jump))))
    return np.concatenate(rows)


def _of_a_set(axis: Axis, units: float) -> Numbers:
    """Return 0, 1, 2, .. different values as shares of all."""
    return np.floor(np.maximum(np.arange(len(axis.rank) + 2) - 1, 0) / (axis.span or 1.0) * units)


_TABLES = {Kind.NUMBERS: _along_a_line, Kind.ORDER: _along_a_line, Kind.TREE: tree_table, Kind.SET: _of_a_set}
