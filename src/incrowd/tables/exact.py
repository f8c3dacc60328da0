"""Secondary suppressions at the least cost, proven (Fischetti and Salazar-Gonzalez, 2001).

A master programme chooses the cells to hide. For each sensitive cell an attacker's programme asks whether its range
reaches far enough under that choice; if not, its dual prices give a condition on the hidden cells that every safe
choice fulfils and this one does not. The master learns them until no attacker succeeds: first as a linear programme,
whose conditions are cheap, then in whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.errors import Infeasible
from incrowd.tables.audit import ceiling, short
from incrowd.tables.needs import Mask, Needs
from incrowd.watch import Stopped, Watch

Reals = NDArray[np.float64]

_NEAR = 1e-6
_TIME_IS_UP = 1
"""What milp says of a search that it broke off."""
_SLACK = 1e-4
"""A condition must be broken by so much of what it asks for to be worth learning."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """Which cells are hidden, and whether nothing cheaper is safe."""

    hidden: Mask
    proven: bool


class _Master:
    """Chooses what to hide under the conditions learned so far."""

    def __init__(self, needs: Needs) -> None:
        self.weights = needs.weights
        self.lower = needs.sensitive.astype(np.float64)
        self.upper = (needs.sensitive | needs.may_hide).astype(np.float64)
        self._rows: list[Any] = [_never_alone(needs)]
        self._least: list[Reals] = [np.zeros(self._rows[0].shape[0])]

    def learn(self, conditions: list[tuple[Reals, float]]) -> None:
        """Add conditions: coefficients of the hidden cells, and what they must add up to."""
        from scipy.sparse import csr_array

        # Scaled, so that all of them ask for 1.
        rows = [np.minimum(coefficients, least) / least for coefficients, least in conditions]
        self._rows.append(csr_array(np.array(rows)))
        self._least.append(np.ones(len(rows)))

    def choose(self, whole: bool, deadline: float | None = None) -> Reals | None:
        """The cheapest choice, with cells hidden in part where they may be; None where there is none."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import vstack

        rows = LinearConstraint(vstack(self._rows), lb=np.concatenate(self._least))
        found = milp(
            self.weights,
            integrality=np.full(len(self.weights), int(whole)),
            bounds=Bounds(self.lower, self.upper),
            constraints=rows,
            options={
                "mip_rel_gap": 0.0,
                **({} if deadline is None else {"time_limit": max(0.01, deadline - monotonic())}),
            },
        )
        if found.status == _TIME_IS_UP:
            raise Stopped("limit")
        return None if found.x is None else np.asarray(found.x, dtype=np.float64)


def exact(needs: Needs, watch: Watch | None = None, seconds: float | None = None) -> Chosen:
    """The cheapest safe choice; Infeasible where there is none, Stopped("limit") after so many seconds."""
    watch = watch or Watch()
    if not needs.sensitive.any():
        return Chosen(needs.sensitive.copy(), proven=True)
    deadline = None if seconds is None else monotonic() + seconds
    master = _Master(needs)
    _settled(needs, master, False, deadline, watch)
    while True:
        hidden = _settled(needs, master, True, deadline, watch) > 0.5
        if not len(short(needs.cells, needs.suppressed(hidden), needs.primary, needs.low, needs.high, watch)):
            return Chosen(hidden, proven=True)
        # The programmes are content but tables of whole numbers are not: whatever is safe hides something else as well.
        master.learn([((~hidden).astype(np.float64), 1.0)])


def _settled(needs: Needs, master: _Master, whole: bool, deadline: float | None, watch: Watch) -> Reals:
    """The cheapest choice under which no attacker's programme succeeds."""
    rounds = 0
    while True:
        rounds += 1
        watch.tick(f"round {rounds:,} of the search for secondary suppressions")
        if deadline is not None and monotonic() > deadline:
            raise Stopped("limit")
        choice = master.choose(whole, deadline)
        if choice is None:
            raise cannot_be_hidden(needs)
        choice = np.round(choice) if whole else np.clip(choice, 0.0, 1.0)
        learned = _broken(needs, choice, watch)
        if not learned:
            return choice
        master.learn(learned)


def cannot_be_hidden(needs: Needs) -> Infeasible:
    """Even with all cells hidden that may be, an attacker learns too much."""
    number = int(needs.sensitive.sum())
    return Infeasible(
        f"no table is safe: {number} sensitive {'cell' if number == 1 else 'cells'} cannot all be hidden by hiding "
        "others; tabulate by fewer or coarser columns, let empty cells be hidden too (zeros=hide), or ask for less room"
    )


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


def _broken(needs: Needs, choice: Reals, watch: Watch) -> list[tuple[Reals, float]]:
    """The conditions that a choice breaks: for each sensitive cell whose range does not reach far enough."""
    from scipy.optimize import linprog

    values = needs.cells.values.astype(np.float64)
    down, up = values - needs.floor, ceiling(needs.cells) - values
    bounds = np.column_stack([values - down * choice, values + up * choice])
    matrix = needs.cells.equations
    right = np.zeros(matrix.shape[0])
    low, high = needs.low, needs.high
    found: list[tuple[Reals, float]] = []
    for cell in needs.primary:
        for sign, least in ((1.0, values[cell] - low[cell]), (-1.0, high[cell] - values[cell])):
            if least <= 0:
                continue
            watch.tick("asking attackers")
            objective = np.zeros(len(values))
            objective[cell] = sign
            solved = linprog(objective, A_eq=matrix, b_eq=right, bounds=bounds, method="highs")
            if solved.x is None:
                raise ArithmeticError(f"the solver gave up: {solved.message}")
            prices = objective - matrix.T @ solved.eqlin.marginals
            # How far one more unit of freedom at each cell would move this one.
            coefficients = np.maximum(prices, 0.0) * down + np.maximum(-prices, 0.0) * up
            coefficients[coefficients < _NEAR] = 0.0
            capped = np.minimum(coefficients, least)
            if capped @ choice < least * (1 - _SLACK):
                found.append((coefficients, least))
    return found
