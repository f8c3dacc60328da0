"""Secondary suppressions at the least cost, proven (Fischetti and Salazar-Gonzalez, 2001).

A master programme chooses the cells to hide. For each sensitive cell an attacker's programme asks whether its range
reaches far enough under that choice; if not, its dual prices give a condition on the hidden cells that every safe
choice fulfils and this one does not. The master learns them until no attacker succeeds: first as a linear programme,
whose conditions are cheap, then in whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np

from incrowd.tables.audit import ceiling, short
from incrowd.tables.greedy import greedy
from incrowd.tables.needs import Chosen, Needs
from incrowd.tables.programme import LIMIT, Asked, Programme, Reals, integer, linear
from incrowd.watch import Stopped, Watch

_NEAR = 1e-6
_SLACK = 1e-4
"""A condition must be broken by so much to be worth learning."""


class _Master:
    """Chooses what to hide under the conditions learned so far."""

    def __init__(self, needs: Needs, known: float) -> None:
        self.weights = needs.weights
        self.lower = needs.sensitive.astype(np.float64)
        self.upper = (needs.sensitive | needs.may_hide).astype(np.float64)
        self._spread = needs.spread
        self._known = known
        """What a safe choice costs that is known before."""
        self.bound = 0.0
        """What any safe choice costs at least; conditions that come later only raise it."""
        self._rows: list[Any] = [_never_alone(needs)]
        self._least: list[Reals] = [np.zeros(self._rows[0].shape[0])]

    def learn(self, conditions: list[Reals]) -> None:
        """Add conditions: what hidden cells count, so that they must add up to 1."""
        from scipy.sparse import csr_array

        self._rows.append(csr_array(np.array(conditions)))
        self._least.append(np.ones(len(conditions)))

    def choose(self, whole: bool, deadline: float, watch: Watch) -> Reals:
        """The cheapest choice, with cells hidden in part where they may be."""
        from scipy.sparse import csr_array, vstack

        rows = vstack([*self._rows, csr_array(self.weights[None, :])])
        least = np.concatenate([*self._least, [self.bound]])
        most = np.append(np.full(len(least) - 1, np.inf), self._known + _NEAR)
        asked = Asked(self.weights, rows, least, most, self.lower, self.upper)
        if not whole:
            found = linear(asked).moves
            proven = float(self.weights @ found)
        else:
            gap = (0.95 - self._spread) / max(1.0, self._known)
            asked = replace(asked, whole=np.ones(len(self.weights), dtype=bool))
            found, proven = integer(asked, watch, gap, deadline - monotonic())
        self.bound = max(self.bound, float(np.ceil(proven - self._spread - _NEAR)))
        return found


def exact(needs: Needs, watch: Watch | None = None, seconds: float | None = None) -> Chosen:
    """The cheapest safe choice; after so many seconds the best one known, with what any choice costs at least.

    Infeasible where not even hiding all is safe.
    """
    watch = watch or Watch()
    known = greedy(needs, watch)
    if not needs.sensitive.any():
        return known
    master = _Master(needs, float(needs.weights[known.hidden].sum()))
    try:
        return _proven(needs, master, np.inf if seconds is None else monotonic() + seconds, watch)
    except Stopped as stop:
        if stop.reason != LIMIT:
            raise
        return Chosen(known.hidden, proven=False, least=int(master.bound))


def _proven(needs: Needs, master: _Master, deadline: float, watch: Watch) -> Chosen:
    _settled(needs, master, False, deadline, watch)
    while True:
        hidden = _settled(needs, master, True, deadline, watch) > 0.5
        if not len(short(needs.cells, needs.suppressed(hidden), needs.primary, needs.low, needs.high, watch)):
            return Chosen(hidden, proven=True, least=int(needs.weights[hidden].sum()))
        # The programmes are content but tables of whole numbers are not: whatever is safe hides something else as well.
        master.learn([(~hidden).astype(np.float64)])


def _settled(needs: Needs, master: _Master, whole: bool, deadline: float, watch: Watch) -> Reals:
    """The cheapest choice under which no attacker's programme succeeds."""
    rounds, attackers = 0, _Attackers(needs)
    while True:
        rounds += 1
        watch.tick(f"round {rounds:,} of the search for secondary suppressions")
        if monotonic() > deadline:
            raise Stopped(LIMIT)
        choice = master.choose(whole, deadline, watch)
        choice = np.round(choice) if whole else np.clip(choice, 0.0, 1.0)
        learned = attackers.broken(choice, watch)
        if not learned:
            return choice
        master.learn(learned)


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
        self._down = self._values - needs.floor
        self._up = ceiling(needs.cells, needs.room) - self._values
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
