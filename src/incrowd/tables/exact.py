"""Secondary suppressions at the least cost, proven (Fischetti and Salazar-Gonzalez, 2001).

A master program chooses the cells to suppress. For each sensitive cell an attacker's program checks whether its
interval is wide enough under that choice; if not, its dual prices give a condition on the suppressed cells that every
safe choice satisfies and this one does not. The master learns them until no attacker succeeds: first as a linear
program, whose conditions are cheap, then in whole numbers. A choice under which attackers succeed is completed to a
safe one by the heuristic; once the master finds none that is cheaper than the best of those, that one is the cheapest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np

from incrowd.tables.audit import ceiling
from incrowd.tables.greedy import completed, greedy, is_safe
from incrowd.tables.linear_program import LIMIT, CellQuery, Impossible, Programme, Reals, integer, linear
from incrowd.tables.needs import Chosen, Mask, Needs
from incrowd.watch import Stopped, Watch

_NEAR = 1e-6
_SLACK = 1e-4
"""A condition must be broken by so much to be worth learning."""
_FURTHER = 8
"""The number of times attackers are checked again with one more cell suppressed, before the next choice."""
_MOMENT = 2.0
"""Seconds for choosing among equally cheap suppressions, without a proof."""


class _Master:
    """Chooses what to hide under the conditions learned so far."""

    def __init__(self, needs: Needs, known: Mask) -> None:
        self.best = known
        """The best safe choice."""
        self.bound = 0
        """A lower bound of the cost of any safe choice; later conditions only raise it."""
        self._whole = np.floor(needs.weights)
        self._beyond = needs.weights - self._whole
        self._lower = needs.sensitive.astype(np.float64)
        self._upper = (needs.sensitive | needs.may_hide).astype(np.float64)
        self._rows: list[Any] = [_never_alone(needs)]
        self._least: list[Reals] = [np.zeros(self._rows[0].shape[0])]

    @property
    def cost(self) -> int:
        """Return the cost of the best safe choice."""
        return int(self._whole[self.best].sum() + 0.5)

    def is_better(self, hidden: Mask) -> bool:
        """Return whether a choice costs less than the best one, or as much with smaller values."""
        cost, best = ((self._whole[of].sum(), self._beyond[of].sum()) for of in (hidden, self.best))
        return cost < best

    def improve(self, hidden: Mask) -> None:
        """Keep a safe choice if it is better."""
        if self.is_better(hidden):
            self.best = hidden

    def learn(self, conditions: list[Reals]) -> None:
        """Add conditions: what hidden cells count, so that they must add up to 1."""
        from scipy.sparse import csr_array

        self._rows.append(csr_array(np.unique(conditions, axis=0)))
        self._least.append(np.ones(self._rows[-1].shape[0]))

    def in_part(self) -> Reals:
        """Return the cheapest choice if cells may be suppressed in part."""
        found = linear(replace(self._asked(most=np.inf), whole=None)).moves
        self._prove(float(self._whole @ found))
        return np.clip(found, 0.0, 1.0)

    def cheaper(self, seconds: float, watch: Watch) -> Mask | None:
        """Return the cheapest choice; None if none costs less than the best one, which is then proven."""
        try:
            found = integer(self._asked(most=self.cost - 1), watch, 0.95 / self.cost, seconds)
        except Impossible:
            self.bound = self.cost
            return None
        self._prove(found.bound)
        return found.values > 0.5

    def smaller(self, seconds: float, watch: Watch) -> Mask | None:
        """Return, of choices that cost no more than the best, that with the smallest values; None if it is the best."""
        if not self._beyond.any():
            return None
        found = integer(replace(self._asked(most=self.cost), cost=self._beyond), watch, seconds=seconds).values > 0.5
        return found if self.is_better(found) else None

    def _asked(self, most: float) -> CellQuery:
        from scipy.sparse import csr_array, vstack

        rows = vstack([*self._rows, csr_array(self._whole[None, :])])
        least = np.append(np.concatenate(self._least), self.bound)
        highest = np.append(np.full(len(least) - 1, np.inf), most)
        whole = np.ones(len(self._whole), dtype=bool)
        return CellQuery(self._whole, rows, least, highest, self._lower, self._upper, whole)

    def _prove(self, least: float) -> None:
        self.bound = max(self.bound, int(np.ceil(least - _NEAR)))


def exact(needs: Needs, watch: Watch | None = None, seconds: float | None = None) -> Chosen:
    """Return the cheapest safe suppression; at the time limit the best known, with a lower bound of the cost.

    Infeasible where not even hiding all is safe.
    """
    watch = watch or Watch()
    known = greedy(needs, watch)
    if not needs.sensitive.any():
        return known
    master = _Master(needs, known.hidden)
    try:
        _search(needs, master, np.inf if seconds is None else monotonic() + seconds, watch)
    except Stopped as stop:
        if stop.reason != LIMIT:
            raise
    return Chosen(master.best, proven=master.bound == master.cost, least=master.bound)


def _search(needs: Needs, master: _Master, deadline: float, watch: Watch) -> None:
    """Search until nothing can be cheaper than the best; then briefly for an equally cheap one with smaller values."""
    attackers = _Attackers(needs)
    _wanted(deadline, watch)
    while learned := attackers.broken(master.in_part(), watch):
        master.learn(learned)
        _wanted(deadline, watch)
    while master.bound < master.cost:
        _wanted(deadline, watch)
        hidden = master.cheaper(deadline - monotonic(), watch)
        if hidden is not None:
            _tried(needs, master, attackers, hidden, watch)
    deadline = min(deadline, monotonic() + _MOMENT)
    while (hidden := master.smaller(deadline - monotonic(), watch)) is not None:
        _tried(needs, master, attackers, hidden, watch)
        _wanted(deadline, watch)


def _tried(needs: Needs, master: _Master, attackers: _Attackers, hidden: Mask, watch: Watch) -> None:
    """Keep a choice if it is safe; if not, learn why, and complete it."""
    learned = attackers.further(hidden, watch) or _from_insiders(needs, hidden, watch)
    if learned:
        master.learn(learned)
        master.improve(completed(needs, hidden, watch))
    elif is_safe(needs, hidden, watch):
        master.improve(hidden)
    else:
        # The programmes are content but tables of whole numbers are not: whatever is safe hides something else too.
        master.learn([(~hidden).astype(np.float64)])


def _from_insiders(needs: Needs, hidden: Mask, watch: Watch) -> list[Reals]:
    """Return the conditions of the first few contributors who learn too much."""
    found: list[Reals] = []
    for view, _ in needs.learned(hidden, watch):
        found += _Attackers(view).further(hidden, watch) if view is not needs else []
        if len(found) >= _FURTHER:
            break
    return found


def _wanted(deadline: float, watch: Watch) -> None:
    watch.tick("looking for the fewest secondary suppressions")
    if monotonic() >= deadline:
        raise Stopped(LIMIT)


def _never_alone(needs: Needs) -> Any:
    """Return the conditions that every suppressed cell has another one in each of its equations."""
    from scipy.sparse import csr_array

    matrix = abs(needs.cells.equations).tocsr()
    sizes = np.diff(matrix.indptr)
    possible = needs.sensitive | needs.may_hide
    row = np.repeat(np.arange(matrix.shape[0]), sizes)
    # One condition per entry: minus that cell, plus the others of its equation.
    own = np.flatnonzero(possible[matrix.indices])
    lengths = sizes[row[own]]
    at = np.repeat(np.arange(len(own)), lengths)
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    others = matrix.indices[np.repeat(matrix.indptr[row[own]], lengths) + within]
    signs = np.where(others == matrix.indices[own][at], -1.0, 1.0)
    return csr_array((signs, (at, others)), shape=(len(own), len(needs.cells)))


class _Attackers:
    """The programmes of all attackers: how far can a cell go, when cells are hidden wholly, in part or not at all?"""

    def __init__(self, needs: Needs) -> None:
        self._needs = needs
        self._values = needs.cells.values.astype(np.float64)
        movable = needs.movable
        self._down = np.where(movable, self._values - needs.floor, 0.0)
        self._up = np.where(movable, ceiling(needs.cells, needs.room) - self._values, 0.0)
        self._programme = Programme(needs.cells.equations, -self._down, self._up)

    def broken(self, choice: Reals, watch: Watch) -> list[Reals]:
        """Return the conditions that a choice violates: for each sensitive cell whose interval is too narrow."""
        self._programme.bound(-self._down * choice, self._up * choice)
        found = []
        for cell, sign, far in self.directions():
            watch.tick("checking what attackers can derive")
            condition = self.condition(cell, sign, far, choice)
            if condition is not None:
                found.append(condition)
        return found

    def further(self, hidden: Mask, watch: Watch) -> list[Reals]:
        """Return the same in whole numbers, then with more and more cells suppressed that would repair most of it."""
        choice, found = hidden.astype(np.float64), []
        for _ in range(_FURTHER):
            broken = self.broken(choice, watch)
            if not broken:
                break
            found += broken
            helps = np.sum(broken, axis=0) * self._needs.may_hide * (choice == 0)
            choice[np.argmax(helps)] = 1.0
        return found

    def directions(self) -> Iterator[tuple[int, float, float]]:
        """Yield each sensitive cell with the direction it must be able to move (1 down, -1 up), and how far."""
        for cell in self._needs.primary:
            for sign, far in ((1.0, self._needs.low[cell]), (-1.0, self._needs.high[cell])):
                if far != self._values[cell]:
                    yield int(cell), sign, abs(float(far - self._values[cell]))

    def condition(self, cell: int, sign: float, far: float, choice: Reals) -> Reals | None:
        """Return suppressed cells of which at least 1 is needed for the cell to move that far; None if it already can.

        The dual prices say how far one more unit of freedom at each cell would move this one.
        """
        objective = np.zeros(len(choice))
        objective[cell] = sign
        prices = self._programme.least(objective).prices
        freedom = np.maximum(prices, 0.0) * self._down + np.maximum(-prices, 0.0) * self._up
        freedom[freedom < _NEAR] = 0.0
        # More than the whole way is of no use.
        found = np.minimum(freedom, far) / far
        return None if found @ choice >= 1 - _SLACK else found
