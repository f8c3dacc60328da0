"""Records in groups of at least k: each group loses the columns in which its members differ."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Numbers
from incrowd.searches import CellsOutcome, Guarantee, NothingFound, Problem
from incrowd.searches._cells.options import Wiped, k_alone, refuse_larger, refuse_limits
from incrowd.searches._cells.outcome import outcome_of
from incrowd.searches._cells.wiping import WipedPieces, Wiping
from incrowd.searches.lattice import Lattice

Group = dict[int, int]
"""By place of a combination how many of its records are in the group."""


class Near:
    """Distances between combinations, whose places are those in the order of their texts."""

    def __init__(self, wiping: Wiping) -> None:
        self._codes = np.ascontiguousarray(wiping.codes[:, wiping.order])
        self._weights = wiping.weights
        self.counts: list[int] = wiping.counts[wiping.order].tolist()

    def row(self, at: int) -> Numbers:
        """Return the distances of one combination from all: the weights of the columns in which they differ."""
        found = np.zeros(self._codes.shape[1])
        for codes, weight in zip(self._codes, self._weights, strict=True):
            found += weight * (codes != codes[at])
        return found


def wiping_of(search: str, problem: Problem, most: int) -> Wiping:
    """Return the table, where the search's bound holds."""
    k = k_alone(search, problem)
    refuse_limits(search, problem)
    lattice = Lattice(problem)
    wiping = Wiping(lattice, lattice.bottom, k)
    refuse_larger(search, len(wiping.counts), most, "different combinations")
    return wiping


def outcome_of_groups(
    search: str, wiping: Wiping, groups: Sequence[Group], bound: Fraction, stopped: str = "done"
) -> CellsOutcome | NothingFound:
    """Return the outcome of these groups; no groups if there are too few records for one."""
    details: dict[str, Any] = {"bound": float(bound)} if stopped == "done" else {}
    pieces = _pieces(wiping, groups)
    return outcome_of(search, wiping, pieces, Wiped.OWN, Guarantee.HEURISTIC, stopped=stopped, details=details)


def _pieces(wiping: Wiping, groups: Sequence[Group]) -> WipedPieces:
    sizes = [len(group) for group in groups]
    at = np.array([member for group in groups for member in group], dtype=np.int64)
    counts = np.array([count for group in groups for count in group.values()], dtype=np.int64)
    group = np.repeat(np.arange(len(groups)), sizes)
    combination = wiping.order[at]
    wiped = np.zeros((len(wiping.tops), len(at)), dtype=np.bool_)
    starts = np.cumsum([0, *sizes[:-1]])
    for column, codes in enumerate(wiping.codes[:, combination]) if len(at) else ():
        wiped[column] = (np.minimum.reduceat(codes, starts) < np.maximum.reduceat(codes, starts))[group]
    out = np.setdiff1d(np.arange(len(wiping.counts)), combination)
    nothing: NDArray[np.bool_] = np.zeros((len(wiping.tops), len(out)), dtype=np.bool_)
    return WipedPieces.of(
        np.concatenate([combination, out]),
        np.concatenate([counts, wiping.counts[out]]),
        np.hstack([wiped, nothing]),
        np.arange(len(at) + len(out)) >= len(at),
    )
