"""Linear and integer programs, solved by HiGHS.

Those over one table are solved again and again, so a linear one starts where the last one ended. Their variables are
the distances of each cell from its real value, so every total moves by 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.watch import Stopped, Watch, wait_for

Reals = NDArray[np.float64]

LIMIT = "limit"
"""Why a search stops that has taken its seconds."""


class Impossible(ArithmeticError):
    """A linear program has no solution."""


@dataclass(frozen=True, eq=False)
class CellQuery:
    """A linear program: minimize a cost within bounds, with every row of the matrix between two numbers."""

    cost: Reals
    matrix: Any
    least: Reals
    most: Reals
    lower: Reals
    upper: Reals
    whole: NDArray[np.bool_] | None = None
    """Which variables are whole numbers."""


class Moved(NamedTuple):
    """The moves that make an objective least, and what one more unit of freedom at each cell would add to it."""

    moves: Reals
    prices: Reals


class Solved(NamedTuple):
    """The best solution of an integer program, and a lower bound of the cost."""

    values: Reals
    bound: float


class Programme:
    """Moves within bounds under which all sums stay right."""

    def __init__(self, matrix: Any, lower: Reals, upper: Reals) -> None:
        nothing = np.zeros(matrix.shape[0])
        self._asked = CellQuery(np.zeros(matrix.shape[1]), matrix, nothing, nothing, lower, upper)
        self._solver = _solver(self._asked)
        # The primal simplex method goes on from the last answer, which stays feasible when the objective changes.
        _set(self._solver, {"presolve": "off", "solver": "simplex", "simplex_strategy": 4})
        self._every = np.arange(matrix.shape[1], dtype=np.int32)

    def bound(self, lower: Reals, upper: Reals) -> None:
        """Change how far each cell can move."""
        self._asked = replace(self._asked, lower=lower, upper=upper)
        self._solver.changeColsBounds(len(self._every), self._every, lower, upper)

    def least(self, objective: Reals) -> Moved:
        """Solve it."""
        self._solver.changeColsCost(len(self._every), self._every, objective)
        self._solver.run()
        if _status(self._solver) != "Optimal":
            # From a basis that does not suit it may lose its way, from the beginning it does not.
            return linear(replace(self._asked, cost=objective))
        return _moved(self._solver)

    def in_whole_numbers(self, objective: Reals, watch: Watch) -> Reals:
        """Solve the same in whole numbers, which may take long."""
        asked = replace(self._asked, cost=objective, whole=np.ones(len(objective), dtype=bool))
        return np.round(integer(asked, watch).values)


def linear(asked: CellQuery) -> Moved:
    """Solve a linear program from scratch; raise Impossible if it has no solution."""
    solver = _solver(asked)
    solver.run()
    _check(solver)
    return _moved(solver)


def integer(asked: CellQuery, watch: Watch, gap: float = 0.0, seconds: float = np.inf) -> Solved:
    """Solve an integer program to within a relative gap; raise Impossible if it has no solution.

    It ends at once when the run does, and raises Stopped at its time limit.
    """
    solver, unwanted = _solver(asked), Event()
    # HiGHS does not look at the run while it is busy, so it is waited for; once it looks, it ends.
    solver.cbMipInterrupt += lambda event: event.interrupt(unwanted.is_set())
    limit = max(0.0, min(seconds, watch.seconds_left))
    _set(solver, {"mip_rel_gap": gap, "time_limit": limit})
    wait_for(solver.run, watch, "solving an integer program", unwanted.set)
    if _status(solver) == "Time limit reached":
        watch.tick("solving an integer program")
        raise Stopped(LIMIT)
    _check(solver)
    return Solved(np.array(solver.getSolution().col_value), float(solver.getInfo().mip_dual_bound))


def _solver(asked: CellQuery) -> Any:
    """Return HiGHS with the program loaded."""
    import highspy

    columns = asked.matrix.tocsc()
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = model.a_matrix_.num_row_, model.a_matrix_.num_col_ = columns.shape
    model.col_cost_, model.col_lower_, model.col_upper_ = asked.cost, asked.lower, asked.upper
    model.row_lower_, model.row_upper_ = asked.least, asked.most
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = columns.indptr, columns.indices
    model.a_matrix_.value_ = columns.data
    if asked.whole is not None:
        kinds = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger
        model.integrality_ = [kinds[int(whole)] for whole in asked.whole]
        # HiGHS takes some programmes for impossible where a whole number has a bound that is none.
        model.col_lower_ = np.where(asked.whole, np.ceil(asked.lower), asked.lower)
        model.col_upper_ = np.where(asked.whole, np.floor(asked.upper), asked.upper)
    solver = highspy.Highs()
    _set(solver, {"output_flag": False})
    solver.passModel(model)
    return solver


def _set(solver: Any, options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        solver.setOptionValue(name, value)


def _status(solver: Any) -> str:
    return str(solver.modelStatusToString(solver.getModelStatus()))


def _check(solver: Any) -> None:
    status = _status(solver)
    if status == "Infeasible":
        raise Impossible("the linear program has no solution")
    if status != "Optimal":
        raise ArithmeticError(f"the solver gave up: {status}")


def _moved(solver: Any) -> Moved:
    found = solver.getSolution()
    return Moved(np.array(found.col_value), np.array(found.col_dual))
