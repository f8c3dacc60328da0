"""Programmes over one table that are asked again and again: a linear one starts where the last one ended.

Their variables say how far each cell moves from its real value, so that everything that adds up moves by 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.watch import Stopped, Watch

Reals = NDArray[np.float64]

LIMIT = "limit"
"""Why a search stops that has taken its seconds."""
_TIME_IS_UP = 1
"""What milp says of a search that it broke off."""
_SECONDS = 5.0
"""An integer programme is interrupted after so long, and then twice as long, to see whether it is still wanted."""


class Moved(NamedTuple):
    """The moves that make an objective least, and what one more unit of freedom at each cell would add to it."""

    moves: Reals
    prices: Reals


class Programme:
    """Moves within bounds under which all sums stay right."""

    def __init__(self, matrix: Any, lower: Reals, upper: Reals) -> None:
        self._matrix = matrix
        self._lower, self._upper = lower.astype(np.float64), upper.astype(np.float64)
        self._solver = _warm(matrix, self._lower, self._upper)
        self._every = np.arange(matrix.shape[1], dtype=np.int32)

    def bound(self, lower: Reals, upper: Reals) -> None:
        """Change how far each cell can move."""
        self._lower, self._upper = lower.astype(np.float64), upper.astype(np.float64)
        if self._solver is not None:
            self._solver.changeColsBounds(len(self._every), self._every, self._lower, self._upper)

    def least(self, objective: Reals) -> Moved:
        """Solve it."""
        if self._solver is None:
            return self._anew(objective)
        self._solver.changeColsCost(len(self._every), self._every, objective)
        self._solver.run()
        if str(self._solver.getModelStatus()) != "HighsModelStatus.kOptimal":
            # From a basis that does not suit it may lose its way, from the beginning it does not.
            return self._anew(objective)
        found = self._solver.getSolution()
        return Moved(np.array(found.col_value), np.array(found.col_dual))

    def _anew(self, objective: Reals) -> Moved:
        from scipy.optimize import linprog

        bounds = np.column_stack([self._lower, self._upper])
        nothing = np.zeros(self._matrix.shape[0])
        found = linprog(objective, A_eq=self._matrix, b_eq=nothing, bounds=bounds, method="highs")
        if found.x is None:
            raise ArithmeticError(f"the solver gave up: {found.message}")
        return Moved(np.asarray(found.x), objective - self._matrix.T @ found.eqlin.marginals)

    def in_whole_numbers(self, objective: Reals, watch: Watch) -> Reals:
        """The same in whole numbers, which may take long."""
        from scipy.optimize import Bounds, LinearConstraint

        found = integer(
            watch,
            c=objective,
            constraints=LinearConstraint(self._matrix, 0.0, 0.0),
            bounds=Bounds(self._lower, self._upper),
            integrality=np.ones(len(objective)),
            options={"mip_rel_gap": 0.0},
        )
        if found.x is None:
            raise ArithmeticError(f"the solver gave up: {found.message}")
        return np.asarray(np.round(found.x), dtype=np.float64)


def integer(watch: Watch, seconds: float = np.inf, **programme: Any) -> Any:
    """An integer programme, solved while the run is still wanted; raises Stopped after so many seconds."""
    from scipy.optimize import milp

    spent, turn, options = 0.0, _SECONDS, programme.pop("options")
    while spent < seconds:
        watch.tick("solving an integer programme")
        limit = max(0.01, min(turn, seconds - spent, watch.seconds_left))
        found = milp(**programme, options={**options, "time_limit": limit})
        if found.status != _TIME_IS_UP:
            return found
        spent, turn = spent + limit, 2 * turn
    raise Stopped(LIMIT)


def _warm(matrix: Any, lower: Reals, upper: Reals) -> Any:
    """HiGHS with the programme; None where SciPy does not have its own, which it does not promise."""
    try:
        from scipy.optimize._highspy import _core as highs
    except ImportError:
        return None
    columns = matrix.tocsc()
    model = highs.HighsLp()
    model.num_row_, model.num_col_ = model.a_matrix_.num_row_, model.a_matrix_.num_col_ = columns.shape
    model.col_cost_, model.col_lower_, model.col_upper_ = np.zeros(columns.shape[1]), lower, upper
    model.row_lower_ = model.row_upper_ = np.zeros(columns.shape[0])
    model.a_matrix_.format_ = highs.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = columns.indptr, columns.indices
    model.a_matrix_.value_ = columns.data
    solver = highs._Highs()
    # The primal simplex method goes on from the last answer, which stays feasible when the objective changes.
    for option, value in {"output_flag": False, "presolve": "off", "solver": "simplex", "simplex_strategy": 4}.items():
        solver.setOptionValue(option, value)
    solver.passModel(model)
    return solver
