"""The attacker's audit: from what is published, what range is left for each cell?

The attacker knows that parts add up to totals, that nothing is below its lower bound, and for every cell an interval:
a point where it was published, everything above 0 where it was suppressed, what a rounded number leaves open. The
least and the largest value that a cell can have are two linear programmes; counts are whole numbers, so for them a
programme whose answer is no table of whole numbers is asked again as an integer programme.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.moves import Moves
from incrowd.watch import Watch

_NEAR = 1e-6
"""What HiGHS counts as satisfied, relative to the size of the numbers."""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What an attacker knows of each cell before adding up: that it lies between two numbers."""

    lower: Numbers
    upper: Numbers

    @property
    def open(self) -> NDArray[np.bool_]:
        """Which cells are not known."""
        return self.lower < self.upper


def ceiling(cells: Cells) -> int:
    """More than any hidden cell needs to reach: twice the whole table and some more."""
    return 2 * int(cells.values.max(initial=0)) + 1000


@dataclass(frozen=True, eq=False)
class Ranges:
    """The least and the largest value of the cells that were asked for."""

    cells: Numbers
    low: Numbers
    high: Numbers


@dataclass(frozen=True, eq=False)
class _Part:
    """Unknown cells that hang together through what must add up, apart from all others."""

    cells: Numbers
    matrix: Any
    right: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    whole: bool

    def solved(self, objective: NDArray[np.float64]) -> NDArray[np.float64]:
        """The cells that make the objective least."""
        from scipy.optimize import linprog

        bounds = np.column_stack([self.lower, self.upper])
        found = linprog(objective, A_eq=self.matrix, b_eq=self.right, bounds=bounds, method="highs")
        if found.x is None:
            raise ArithmeticError(f"the solver gave up: {found.message}")
        if self.whole and np.abs(found.x - np.round(found.x)).max(initial=0.0) > _NEAR:
            return self._in_whole_numbers(objective)
        return np.asarray(found.x, dtype=np.float64)

    def _in_whole_numbers(self, objective: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.optimize import Bounds, LinearConstraint, milp

        found = milp(
            objective,
            constraints=LinearConstraint(self.matrix, self.right, self.right),
            bounds=Bounds(self.lower, self.upper),
            integrality=np.ones(len(objective)),
            options={"mip_rel_gap": 0.0},
        )
        if found.x is None:
            raise ArithmeticError(f"the solver gave up: {found.message}")
        return np.asarray(np.round(found.x), dtype=np.float64)


def ranges(cells: Cells, known: Knowledge, asked: Numbers | None = None, watch: Watch | None = None) -> Ranges:
    """The range of each cell that is asked for, of every cell that is not known when none is."""
    wanted = np.flatnonzero(known.open) if asked is None else np.asarray(asked, dtype=np.int64)
    low, high = cells.values.copy(), cells.values.copy()
    watch = watch or Watch()
    for part in _parts(cells, known):
        at = np.flatnonzero(np.isin(part.cells, wanted))
        if len(at):
            low[part.cells], high[part.cells] = _ranges_within(part, cells.values[part.cells], at, watch)
    return Ranges(wanted, low[wanted], high[wanted])


def short(
    cells: Cells, known: Knowledge, asked: Numbers, low: Numbers, high: Numbers, watch: Watch | None = None
) -> Numbers:
    """Which of the cells that are asked for have a range that does not reach down to `low` and up to `high`.

    The same answer as from their ranges, sooner: a table that the attacker cannot rule out shows for many cells at once
    that they reach far enough. The two numbers are given for all cells.
    """
    watch = watch or Watch()
    reached_low, reached_high = cells.values.copy(), cells.values.copy()
    moves = Moves(cells, known.lower, known.upper)
    for reached, target in ((reached_low, low), (reached_high, high)):
        watch.tick(f"{len(asked):,} cells to audit")
        seen = asked[moves.reach(asked, target)]
        reached[seen] = target[seen]
    asked = asked[(reached_low[asked] > low[asked]) | (reached_high[asked] < high[asked])]
    for part in _parts(cells, known):
        at = np.flatnonzero(np.isin(part.cells, asked))
        if len(at):
            own = part.cells
            found = _widened(part, (reached_low[own], reached_high[own]), at, (low[own], high[own]), watch)
            reached_low[own], reached_high[own] = found
    return np.asarray([cell for cell in asked if reached_low[cell] > low[cell] or reached_high[cell] < high[cell]], int)


def _widened(
    part: _Part, seen: tuple[Numbers, Numbers], asked: Numbers, needed: tuple[Numbers, Numbers], watch: Watch
) -> tuple[Numbers, Numbers]:
    """The values that the cells are known to be able to have: as low and as high as needed, where that is possible."""
    low, high = seen
    least, most = _outer(part)
    for sign, reached, target, outer in ((1.0, low, needed[0], least), (-1.0, high, needed[1], most)):
        lacking = asked[sign * reached[asked] > sign * target[asked]]
        # Where one equation already forbids it, no programme finds it.
        lacking = lacking[sign * outer[lacking] <= sign * target[lacking]]
        while len(lacking):
            watch.tick(f"{len(lacking):,} cells to audit")
            found = _together(part, lacking, target, sign)
            before = len(lacking)
            np.minimum(low, _up(found), out=low)
            np.maximum(high, _down(found), out=high)
            lacking = lacking[sign * reached[lacking] > sign * target[lacking]]
            if len(lacking) == before:
                # Together they are in each other's way; alone the first one reaches whatever it can.
                found = part.solved(_objective(len(low), lacking[:1], sign))
                np.minimum(low, _up(found), out=low)
                np.maximum(high, _down(found), out=high)
                rest = lacking[1:]
                lacking = rest[sign * reached[rest] > sign * target[rest]]
    return low, high


def _together(part: _Part, lacking: Numbers, target: Numbers, sign: float) -> NDArray[np.float64]:
    """A table in which many of the cells are as far as they must be, and none is further."""
    lower, upper = part.lower.copy(), part.upper.copy()
    bound = lower if sign > 0 else upper
    bound[lacking] = target[lacking]
    return replace(part, lower=lower, upper=upper).solved(_objective(len(lower), lacking, sign))


def _objective(cells: int, at: Numbers, sign: float) -> NDArray[np.float64]:
    objective = np.zeros(cells)
    objective[at] = sign
    return objective


def _ranges_within(part: _Part, real: Numbers, asked: Numbers, watch: Watch) -> tuple[Numbers, Numbers]:
    """Every solution is a table the attacker cannot rule out, so it widens the ranges of all its cells."""
    low, high = real.copy(), real.copy()
    least, most = _outer(part)
    for done, cell in enumerate(asked):
        for sign, reached, bound in ((1.0, low, least), (-1.0, high, most)):
            watch.tick(f"{done:,} of {len(asked):,} cells audited", done / len(asked))
            if sign * reached[cell] <= sign * bound[cell]:
                continue
            found = part.solved(_objective(len(real), np.array([cell]), sign))
            np.minimum(low, _up(found), out=low)
            np.maximum(high, _down(found), out=high)
            bound[cell] = reached[cell]
    return low, high


def _up(found: NDArray[np.float64]) -> Numbers:
    """The least whole numbers of units not below what the solver found."""
    return np.ceil(found - _NEAR * np.maximum(1.0, np.abs(found) * 1e-3)).astype(np.int64)


def _down(found: NDArray[np.float64]) -> Numbers:
    return np.floor(found + _NEAR * np.maximum(1.0, np.abs(found) * 1e-3)).astype(np.int64)


def _outer(part: _Part, passes: int = 4) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bounds that no solution can leave, from one equation at a time; where a range reaches them it is known."""
    least, most = part.lower.copy(), part.upper.copy()
    entries = part.matrix.tocoo()
    row, column, sign = entries.row, entries.col, entries.data
    for _ in range(passes):
        small = np.where(sign > 0, least[column], -most[column])
        large = np.where(sign > 0, most[column], -least[column])
        fewest = np.bincount(row, small, minlength=len(part.right))
        largest = np.bincount(row, large, minlength=len(part.right))
        # sign * x = right - the others, whose sum lies between the two.
        above = part.right[row] - (fewest[row] - small)
        below = part.right[row] - (largest[row] - large)
        np.minimum.at(most, column, np.where(sign > 0, above, -below))
        np.maximum.at(least, column, np.where(sign > 0, below, -above))
    return least, most


def _parts(cells: Cells, known: Knowledge) -> list[_Part]:
    """The unknown cells, apart where no equation joins them."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    unknown = np.flatnonzero(known.open)
    if not len(unknown):
        return []
    fixed = np.where(known.open, 0, known.lower)
    matrix = cells.equations[:, unknown]
    rows = np.flatnonzero(np.diff(matrix.indptr))
    matrix, right = matrix[rows], -(cells.equations @ fixed)[rows]
    joined = connected_components(csr_array(abs(matrix).T @ abs(matrix)), directed=False)[1]
    order = np.argsort(joined, kind="stable")
    starts = np.flatnonzero(np.diff(joined[order], prepend=-1))
    of_row = joined[matrix.indices[matrix.indptr[:-1]]]
    row_order = np.argsort(of_row, kind="stable")
    row_ends = np.searchsorted(of_row[row_order], np.arange(len(starts) + 1))
    parts = []
    for at, inside in enumerate(np.split(order, starts[1:])):
        lines = row_order[row_ends[at] : row_ends[at + 1]]
        own = matrix[lines][:, inside]
        lower, upper = known.lower[unknown[inside]], known.upper[unknown[inside]]
        whole = cells.measure.column is None
        parts.append(_Part(unknown[inside], own, right[lines], lower.astype(float), upper.astype(float), whole))
    return parts
