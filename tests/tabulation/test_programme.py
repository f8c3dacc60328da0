"""Programmes that start where the last one ended, and integer programmes that can be stopped."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.tables import programme
from incrowd.tables.audit import Knowledge, ranges
from incrowd.tables.cells import Cells
from incrowd.tables.protections.controlled_rounding import ControlledRounding
from incrowd.watch import Stopped, Watch
from tabulation.tables_by_hand import counted, small


@settings(max_examples=20, deadline=None)
@given(small((3, 3), (2, 3, 2), most=9), st.randoms(use_true_random=False))
def test_ranges_are_the_same_from_where_the_last_programme_ended_and_anew(cells: Cells, chance) -> None:  # type: ignore[no-untyped-def]
    hidden = np.array([chance.random() < 0.7 for _ in range(len(cells))])
    known = Knowledge(np.where(hidden, 0, cells.values), np.where(hidden, 999, cells.values))
    found = ranges(cells, known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programme, "_warm", lambda *_: None)
        anew = ranges(cells, known)
    assert (found.low.tolist(), found.high.tolist()) == (anew.low.tolist(), anew.high.tolist())


def test_the_solver_that_starts_where_it_ended_is_there() -> None:
    # SciPy does not promise it; without it tables are audited as they should be, but slowly.
    one = counted(np.array([[1, 2], [3, 4]]))
    assert programme._warm(one.equations, -np.ones(len(one)), np.ones(len(one))) is not None


def test_an_integer_programme_goes_on_until_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = []

    def broken_off(**given: object) -> object:
        turns.append(given["options"]["time_limit"])  # type: ignore[index]
        return type("Found", (), {"status": 1})

    monkeypatch.setattr("scipy.optimize.milp", broken_off)
    with pytest.raises(Stopped, match="limit"):
        programme.integer(Watch(), 10, options={})
    assert turns == [5, 5]


def test_a_rounding_ends_when_the_run_does(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(60)

    def interrupted(**given: object) -> object:
        assert given["options"]["time_limit"] <= 60  # type: ignore[index]
        watch.cancel()
        return type("Found", (), {"status": 1})

    monkeypatch.setattr("scipy.optimize.milp", interrupted)
    cells = counted(np.array([[1, 2], [3, 4]]))
    with watch, pytest.raises(Stopped, match="interrupted"):
        ControlledRounding().protect(cells, cells.values, np.random.default_rng(1), watch)


def test_in_whole_numbers() -> None:
    one = programme.Programme(counted(np.array([[1]])).equations, np.full(4, -1.5), np.full(4, 2.5))
    assert one.in_whole_numbers(np.ones(4), Watch()).tolist() == [-1.0] * 4
