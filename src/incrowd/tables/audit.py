"""The attacker's audit: the interval of each cell that can be derived from the published table.

The attacker knows that parts add up to totals, that nothing is below its lower bound, and for every cell an interval:
a point if it is published, everything above 0 if it is suppressed, and what a rounded number leaves open. The least and
the largest value that a cell can have are two linear programs. Cells are whole numbers of people, or of the smallest
unit of an amount: if the solution is not a table of those, another one as far out is searched for, at last by an
integer program.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.linear_program import Programme
from incrowd.tables.moves import Moves
from incrowd.watch import Watch

_NEAR = 1e-6
"""The tolerance of HiGHS, relative to the size of the numbers."""
_TRIES = 6
"""The number of tables to draw before an integer program is solved for one of whole numbers."""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """An attacker's knowledge of each cell before adding up: that it lies between two numbers."""

    lower: Numbers
    upper: Numbers

    @property
    def open(self) -> NDArray[np.bool_]:
        """Return which cells are not known."""
        return self.lower < self.upper


def ceiling(cells: Cells, room: Numbers) -> int:
    """Return more than any suppressed cell must reach: twice the whole table, the widest interval, and some more."""
    return 2 * int(cells.values.max(initial=0)) + int(room.max(initial=0)) + 1000


@dataclass(frozen=True, eq=False)
class Ranges:
    """The least and the largest value of the cells that were asked for."""

    cells: Numbers
    low: Numbers
    high: Numbers


@dataclass(frozen=True, eq=False)
class _Part:
    """Unknown cells that hang together through what must add up, apart from all others, and how far each can move."""

    cells: Numbers
    matrix: Any
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]

    @cached_property
    def programme(self) -> Programme:
        """Return the attacker's linear program."""
        return Programme(self.matrix, self.lower, self.upper)

    def furthest(self, cell: int, sign: float, reached: int, watch: Watch) -> NDArray[np.float64] | None:
        """Return a whole-number table with a cell as low (1) or high (-1) as possible; None if none goes beyond."""
        objective = _objective(len(self.cells), np.array([cell]), sign)
        found = self.programme.least(objective).moves
        if _is_whole(found):
            return found
        best = float(_up(found)[cell] if sign > 0 else _down(found)[cell])
        if sign * reached <= sign * best:
            return None
        vertex = self._vertex(np.array([cell]), np.array([best]))
        return self.programme.in_whole_numbers(objective, watch) if vertex is None else vertex

    def together(self, lacking: Numbers, target: Numbers, sign: float, watch: Watch) -> NDArray[np.float64]:
        """Return a table in which many of the cells are as far as required, and none is further."""
        lower, upper = self.lower.copy(), self.upper.copy()
        (lower if sign > 0 else upper)[lacking] = target[lacking]
        objective = _objective(len(lower), lacking, sign)
        self.programme.bound(lower, upper)
        try:
            found = self.programme.least(objective).moves
            if _is_whole(found):
                return found
            there = lacking[np.abs(found[lacking] - target[lacking]) < _NEAR]
            vertex = self._vertex(there, target[there].astype(np.float64))
            return self.programme.in_whole_numbers(objective, watch) if vertex is None else vertex
        finally:
            self.programme.bound(self.lower, self.upper)

    def _vertex(self, fixed: Numbers, at: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return a random whole-number table with some cells as given; None if none of a few tries is one."""
        lower, upper = self.lower.copy(), self.upper.copy()
        lower[fixed] = upper[fixed] = at
        chance = np.random.default_rng(0)
        self.programme.bound(lower, upper)
        try:
            tried = (self.programme.least(chance.random(len(lower)) - 0.5).moves for _ in range(_TRIES))
            return next(filter(_is_whole, tried), None)
        finally:
            self.programme.bound(self.lower, self.upper)


def ranges(cells: Cells, known: Knowledge, asked: Numbers | None = None, watch: Watch | None = None) -> Ranges:
    """Return the interval of each given cell, or of every cell that is not known."""
    wanted = np.flatnonzero(known.open) if asked is None else np.asarray(asked, dtype=np.int64)
    low, high = cells.values.copy(), cells.values.copy()
    watch = watch or Watch()
    for part in _parts(cells, known):
        at = np.flatnonzero(np.isin(part.cells, wanted))
        if len(at):
            below, above = _ranges_within(part, at, watch)
            low[part.cells] += below
            high[part.cells] += above
    return Ranges(wanted, low[wanted], high[wanted])


def short(
    cells: Cells, known: Knowledge, asked: Numbers, low: Numbers, high: Numbers, watch: Watch | None = None
) -> Numbers:
    """Return which of the given cells have an interval that does not reach down to `low` and up to `high`.

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
            own, real = part.cells, cells.values[part.cells]
            so_far = reached_low[own] - real, reached_high[own] - real
            below, above = _widened(part, so_far, at, (low[own] - real, high[own] - real), watch)
            reached_low[own], reached_high[own] = real + below, real + above
    return np.asarray([cell for cell in asked if reached_low[cell] > low[cell] or reached_high[cell] < high[cell]], int)


def _widened(
    part: _Part, seen: tuple[Numbers, Numbers], asked: Numbers, needed: tuple[Numbers, Numbers], watch: Watch
) -> tuple[Numbers, Numbers]:
    """Return values that the cells can have: as low and as high as needed, if possible."""
    low, high = seen
    least, most = _outer(part)
    for sign, reached, target, outer in ((1.0, low, needed[0], least), (-1.0, high, needed[1], most)):
        lacking = asked[sign * reached[asked] > sign * target[asked]]
        # Where one equation already forbids it, no programme finds it.
        lacking = lacking[sign * outer[lacking] <= sign * target[lacking]]
        while len(lacking):
            watch.tick(f"{len(lacking):,} cells to audit")
            found = part.together(lacking, target, sign, watch)
            before = len(lacking)
            _widen(low, high, found)
            lacking = lacking[sign * reached[lacking] > sign * target[lacking]]
            if len(lacking) == before:
                # Together they are in each other's way; alone the first one reaches whatever it can.
                _widen(low, high, part.furthest(int(lacking[0]), sign, int(reached[lacking[0]]), watch))
                rest = lacking[1:]
                lacking = rest[sign * reached[rest] > sign * target[rest]]
    return low, high


def _objective(cells: int, at: Numbers, sign: float) -> NDArray[np.float64]:
    objective = np.zeros(cells)
    objective[at] = sign
    return objective


def _ranges_within(part: _Part, asked: Numbers, watch: Watch) -> tuple[Numbers, Numbers]:
    """Return how far cells can move down and up. Every solution is a possible table, so it widens all intervals."""
    low, high = np.zeros((2, len(part.cells)), dtype=np.int64)
    least, most = _outer(part)
    for done, cell in enumerate(asked):
        for sign, reached, bound in ((1.0, low, least), (-1.0, high, most)):
            watch.tick(f"{done:,} of {len(asked):,} cells audited", done / len(asked))
            if sign * reached[cell] > sign * bound[cell]:
                _widen(low, high, part.furthest(int(cell), sign, int(reached[cell]), watch))
    return low, high


def _widen(low: Numbers, high: Numbers, found: NDArray[np.float64] | None) -> None:
    if found is not None:
        np.minimum(low, _up(found), out=low)
        np.maximum(high, _down(found), out=high)


def _is_whole(found: NDArray[np.float64]) -> bool:
    return bool((_up(found) <= _down(found)).all())


def _up(found: NDArray[np.float64]) -> Numbers:
    """Return the least whole numbers of units not below what the solver found."""
    return np.ceil(found - _tolerance(found)).astype(np.int64)


def _down(found: NDArray[np.float64]) -> Numbers:
    return np.floor(found + _tolerance(found)).astype(np.int64)


def _tolerance(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far a whole number may be off: more for huge amounts, but never half a unit."""
    return np.clip(np.abs(found) * _NEAR, 1.0, 0.25 / _NEAR) * _NEAR


def _outer(part: _Part, passes: int = 4) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return bounds that no solution can exceed, from one equation at a time; intervals that reach them are known."""
    least, most = part.lower.copy(), part.upper.copy()
    entries = part.matrix.tocoo()
    row, column, sign = entries.row, entries.col, entries.data
    for _ in range(passes):
        small = np.where(sign > 0, least[column], -most[column])
        large = np.where(sign > 0, most[column], -least[column])
        fewest = np.bincount(row, small, minlength=part.matrix.shape[0])
        largest = np.bincount(row, large, minlength=part.matrix.shape[0])
        # sign * x = 0 - the others, whose sum lies between the two.
        above, below = small - fewest[row], large - largest[row]
        np.minimum.at(most, column, np.where(sign > 0, above, -below))
        np.maximum.at(least, column, np.where(sign > 0, below, -above))
    return least, most


def _parts(cells: Cells, known: Knowledge) -> list[_Part]:
    """Return the unknown cells in parts that no equation joins."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    unknown = np.flatnonzero(known.open)
    if not len(unknown):
        return []
    matrix = cells.equations[:, unknown]
    matrix = matrix[np.flatnonzero(np.diff(matrix.indptr))]
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
        lower, upper = (bound[unknown[inside]] - cells.values[unknown[inside]] for bound in (known.lower, known.upper))
        parts.append(_Part(unknown[inside], own, lower.astype(float), upper.astype(float)))
    return parts
