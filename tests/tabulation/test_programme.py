"""Programmes that start where the last one ended, against SciPy's; and integer programmes that can be stopped."""

import subprocess
import sys
from threading import Timer

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.tables.cells import Cells
from incrowd.tables.linear_program import CellQuery, Impossible, Programme, integer, linear
from incrowd.watch import Stopped, Watch
from tabulation.tables_by_hand import counted, small

ONE = counted(np.array([[1]])).equations


@settings(max_examples=30, deadline=None)
@given(small((3, 3), (2, 3, 2), most=9), st.randoms(use_true_random=False))
def test_programmes_find_what_scipy_finds_whatever_was_asked_before(cells: Cells, chance) -> None:  # type: ignore[no-untyped-def]
    from scipy.optimize import Bounds, LinearConstraint, linprog, milp

    random = np.random.default_rng(chance.randrange(2**32))
    size, nothing = len(cells), np.zeros(cells.equations.shape[0])
    programme = Programme(cells.equations, np.zeros(size), np.zeros(size))
    for _ in range(4):
        lower, upper = -random.integers(0, 5, size) * 0.5, random.integers(0, 9, size) * 0.5
        objective = random.integers(-2, 3, size).astype(np.float64)
        programme.bound(lower, upper)
        found = programme.least(objective)
        best = linprog(objective, A_eq=cells.equations, b_eq=nothing, bounds=np.column_stack([lower, upper]))
        assert objective @ found.moves == pytest.approx(best.fun)
        assert np.abs(cells.equations @ found.moves).max() < 1e-6
        # What each cell's freedom is worth adds up to what was found.
        assert np.minimum(found.prices * lower, found.prices * upper).sum() == pytest.approx(best.fun)
        whole = milp(
            objective,
            constraints=LinearConstraint(cells.equations, 0, 0),
            bounds=Bounds(np.ceil(lower), np.floor(upper)),
            integrality=np.ones(size),
        )
        assert objective @ programme.in_whole_numbers(objective, Watch()) == pytest.approx(whole.fun)


def test_in_whole_numbers() -> None:
    one = Programme(ONE, np.full(4, -1.5), np.full(4, 2.5))
    assert one.in_whole_numbers(np.ones(4), Watch()).tolist() == [-1.0] * 4


def test_what_has_no_solution() -> None:
    # The cell moves by 1 at least, its total not at all.
    lower, upper = np.array([1.0, 0.0, 0.0, 0.0]), np.array([2.0, 0.0, 0.0, 0.0])
    with pytest.raises(Impossible):
        Programme(ONE, lower, upper).least(np.ones(4))
    with pytest.raises(Impossible):
        Programme(ONE, lower, upper).in_whole_numbers(np.ones(4), Watch())


def test_what_has_no_end() -> None:
    nothing = np.zeros(ONE.shape[0])
    with pytest.raises(ArithmeticError, match="gave up"):
        linear(CellQuery(-np.ones(4), ONE, nothing, nothing, np.zeros(4), np.full(4, np.inf)))


def long_one() -> CellQuery:
    """A market split (Cornuejols and Dawande, 1998): nobody can tell soon whether it has a solution."""
    from scipy.sparse import csr_array

    rows = np.random.default_rng(1).integers(0, 100, (6, 50)).astype(np.float64)
    half = rows.sum(axis=1) // 2
    return CellQuery(np.zeros(50), csr_array(rows), half, half, np.zeros(50), np.ones(50), np.ones(50, dtype=bool))


def test_an_integer_programme_ends_after_its_seconds() -> None:
    with pytest.raises(Stopped, match="limit"):
        integer(long_one(), Watch(), seconds=0.5)


def test_an_integer_programme_ends_when_the_time_of_the_run_is_up() -> None:
    with Watch(0.5) as watch, pytest.raises(Stopped, match="time"):
        integer(long_one(), watch)


def test_an_integer_programme_ends_when_the_run_is_stopped() -> None:
    watch = Watch()
    Timer(0.5, watch.cancel).start()
    with pytest.raises(Stopped, match="interrupted"):
        integer(long_one(), watch)


STOPPED = """
import signal, threading, os
from tabulation.test_programme import integer, long_one
from incrowd.watch import Stopped, Watch
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    with Watch() as watch:
        integer(long_one(), watch)
except Stopped as stop:
    print(stop.reason)
"""


def test_after_an_interrupt_the_program_ends_in_peace() -> None:
    path = ":".join(sys.path)
    done = subprocess.run([sys.executable, "-c", STOPPED], capture_output=True, text=True, env={"PYTHONPATH": path})
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")
