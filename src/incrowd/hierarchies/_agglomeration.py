"""Groups of values that lose the least: what is joined resembles each other, and rare values are joined first.

A value is a row of counts: its records, and how many of them have each value of other columns. Joining two rows loses
the information that telling them apart gives about those columns (the mutual information, times the records), which is
never negative, and a little of what it says by itself, so that rare values are joined before frequent ones.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]

_RATIO = 2.5
"""How many groups of a level the next one joins on average."""
_MOST_LEVELS = 3
_OWN = 0.1
"""The weight of what a value says by itself."""
_FEWEST = 2
"""Groups of the level below the top."""


def group_counts(values: int) -> list[int]:
    """Return how many groups the levels above so many values have."""
    counts: list[int] = []
    left = values
    while len(counts) < _MOST_LEVELS and left > _FEWEST:
        left = max(_FEWEST, round(left / _RATIO))
        counts.append(left)
    return counts


def joined(rows: Rows, columns: int) -> list[list[list[int]]]:
    """Return for each level the groups of rows, each a list of their positions; the pair that loses least is joined
    next.

    A row begins with its records, and then counts them by the values of each of the columns. Of pairs that lose equally
    much the first is joined, so equal rows give equal groups.
    """
    groups: dict[int, list[int]] = {at: [at] for at in range(len(rows))}
    sums, known = rows.copy(), _information(rows, columns)
    losses = np.full((len(rows), len(rows)), np.inf)
    for at in range(len(rows) - 1):
        losses[at, at + 1 :] = _loss(sums, known, columns, at, np.arange(at + 1, len(rows)))
    levels: list[list[list[int]]] = []
    for wanted in group_counts(len(rows)):
        while len(groups) > wanted:
            one, two = map(int, np.unravel_index(int(losses.argmin()), losses.shape))
            groups[one] += groups.pop(two)
            sums[one] += sums[two]
            known[one] = _information(sums[one : one + 1], columns)[0]
            losses[two, :], losses[:, two] = np.inf, np.inf
            left = np.array([at for at in groups if at != one], dtype=np.int64)
            if len(left):
                costs = _loss(sums, known, columns, one, left)
                losses[np.minimum(left, one), np.maximum(left, one)] = costs
        levels.append([sorted(members) for members in groups.values()])
    return levels


def joined_neighbors(counts: Sequence[int]) -> list[list[int]]:
    """Return for each level where groups of neighbors begin: the two that hold least are joined first."""
    starts, held = list(range(len(counts))), [float(count) for count in counts]
    levels: list[list[int]] = []
    wanted = -(-len(counts) // 2)
    while len(starts) > _FEWEST and len(levels) < _MOST_LEVELS:
        wanted = max(_FEWEST, wanted)
        while len(starts) > wanted:
            at = min(range(len(starts) - 1), key=lambda at: (_joint(held[at], held[at + 1]), -at))
            held[at] += held.pop(at + 1)
            starts.pop(at + 1)
        levels.append(list(starts))
        wanted = -(-wanted // 2)
    return levels


def _joint(one: float, two: float) -> float:
    """Return the information lost by no longer telling two groups apart."""
    return _spread(one + two) - _spread(one) - _spread(two)


def _spread(count: float) -> float:
    return count * float(np.log(count)) if count > 0 else 0.0


def _loss(sums: Rows, known: Rows, columns: int, one: int, others: NDArray[np.int64]) -> Rows:
    """Return what each join of a row with others loses."""
    found: Rows = known[one] + known[others] - _information(sums[others] + sums[one], columns)
    # Joins of equal rows must tie, whatever rounding says.
    return np.round(found, 6)


def _information(rows: Rows, columns: int) -> Rows:
    """Return per row what its counts say about the columns, and a little for the row itself."""
    logs = np.log(rows, out=np.zeros_like(rows), where=rows > 0)
    terms = rows * logs
    found: Rows = terms[:, 1:].sum(axis=1) - (columns + _OWN) * terms[:, 0]
    return found
