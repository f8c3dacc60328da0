"""Secondary suppressions at the least cost, proven (Fischetti and Salazar-Gonzalez, 2001).

A master programme chooses the cells to hide. For each sensitive cell an attacker's programme asks whether its range
reaches far enough under that choice; if not, its dual prices give a condition on the hidden cells that every safe
choice fulfils and this one does not. The master learns them until no attacker succeeds: first as a linear programme,
whose conditions are cheap, then in whole numbers. A choice under which attackers succeed is completed to a safe one by
the heuristic; once the master finds none that is cheaper than the best of those, that one is the cheapest.
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
"""So many times attackers are asked again with one cell more hidden, before the next choice."""
_MOMENT = 2.0
"""So many seconds are spent on choosing among equals, of which no proof is asked."""


class _Master:
    """Chooses what to hide under the conditions learned so far."""

    def __init__(self, needs: Needs, known: Mask) -> None:
        self.best = known
        """The best safe choice."""
        self.bound = 0
        """What any safe choice costs at least; conditions that come later only raise it."""
        self._whole = np.floor(needs.weights)
        self._beyond = needs.weights - self._whole
        self._lower = needs.sensitive.astype(np.float64)
        self._upper = (needs.sensitive | needs.may_hide).astype(np.float64)
        self._rows: list[Any] = [_never_alone(needs)]
        self._least: list[Reals] = [np.zeros(self._rows[0].shape[0])]

    @property
    def cost(self) -> int:
        """What the best safe choice costs."""
        return int(self._whole[self.best].sum() + 0.5)

    def is_better(self, hidden: Mask) -> bool:
        """Whether a choice costs less than the best one, or among equals holds less."""
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
        """The cheapest choice when cells may be hidden in part."""
        found = linear(replace(self._asked(most=np.inf), whole=None)).moves
        self._prove(float(self._whole @ found))
        return np.clip(found, 0.0, 1.0)

    def cheaper(self, seconds: float, watch: Watch) -> Mask | None:
        """The cheapest choice; None where none costs less than the best one, which is thereby proven."""
        try:
            found = integer(self._asked(most=self.cost - 1), watch, 0.95 / self.cost, seconds)
        except Impossible:
            self.bound = self.cost
            return None
        self._prove(found.bound)
        return found.values > 0.5

    def smaller(self, seconds: float, watch: Watch) -> Mask | None:
        """Of all that cost no more than the best choice the one that holds least; None where that is the best one."""
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
    """The cheapest safe choice; after so many seconds the best one known, with what any choice costs at least.

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
    """Until nothing can be cheaper than the best choice; then for a moment for one as cheap that holds less."""
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
    """What the first few contributors object who learn too much."""
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
    """A hidden cell has hidden company in each of its equations, or it can be computed."""
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
        """The conditions that a choice breaks: for each sensitive cell whose range does not reach far enough."""
        self._programme.bound(-self._down * choice, self._up * choice)
        found = []
        for cell, sign, far in self.asked():
            watch.tick("asking attackers")
            condition = self.condition(cell, sign, far, choice)
            if condition is not None:
                found.append(condition)
        return found

    def further(self, hidden: Mask, watch: Watch) -> list[Reals]:
        """The same in whole numbers, and then with more and more cells hidden that would mend most of it."""
        choice, found = hidden.astype(np.float64), []
        for _ in range(_FURTHER):
            broken = self.broken(choice, watch)
            if not broken:
                break
            found += broken
            helps = np.sum(broken, axis=0) * self._needs.may_hide * (choice == 0)
            choice[np.argmax(helps)] = 1.0
        return found

    def asked(self) -> Iterator[tuple[int, float, float]]:
        """Each sensitive cell with the way it must be able to go (1 down, -1 up), and how far."""
        for cell in self._needs.primary:
            for sign, far in ((1.0, self._needs.low[cell]), (-1.0, self._needs.high[cell])):
                if far != self._values[cell]:
                    yield int(cell), sign, abs(float(far - self._values[cell]))

    def condition(self, cell: int, sign: float, far: float, choice: Reals) -> Reals | None:
        """What hidden cells must add up to 1 for the cell to go so far; None where under this choice they do.

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
