"""Datafly and bottom-up: the ways they go, step by step, and what they end with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.metrics import Levels
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Node, NothingFound, Problem
from incrowd.searches.bottom_up import BottomUp
from incrowd.searches.datafly import Datafly
from incrowd.watch import Watch
from searches.problems import Ticks, every_node, problem, problems
from searches.worked_examples import samarati_hierarchies, samarati_rows


def ways_up(given_problem: Problem, levels: Levels) -> list[tuple[int, Levels]]:
    """Each column that can be taken a level up, and where that leads."""
    top = given_problem.limit or tuple(ladder.height for ladder in given_problem.ladders)
    return [
        (at, tuple(level + (other == at) for other, level in enumerate(levels)))
        for at in range(len(levels))
        if levels[at] < top[at]
    ]


def values(given_problem: Problem, at: int, level: int) -> int:
    """Different values of a column on a level, from its records."""
    ladder = given_problem.ladders[at]
    return len({int(ladder.up[level][code]) for code in given_problem.frequencies.codes[at]})


def by_hand(given_problem: Problem, search: str) -> Node | None:
    """The definition: from the bottom, a step at a time, until it is feasible."""
    nodes = every_node(given_problem)
    levels = given_problem.minimum or (0,) * len(given_problem.ladders)
    while not nodes[levels].feasible:
        found = ways_up(given_problem, levels)
        if not found:
            return None
        if search == "datafly":
            levels = min(found, key=lambda way: (-values(given_problem, way[0], levels[way[0]]), way[0]))[1]
            continue
        levels = min(found, key=lambda way: price(given_problem, levels, *way))[1]
    return nodes[levels]


def price(given_problem: Problem, levels: Levels, at: int, above: Levels) -> tuple[float, float, int]:
    """Loss for each record that becomes safe; then loss; then the first column."""
    from incrowd.searches.lattice import Lattice

    lattice, nodes = Lattice(given_problem), every_node(given_problem)
    lost = max(0.0, lattice.bound(above) - lattice.bound(levels))
    gained = nodes[levels].suppressed - nodes[above].suppressed
    return (lost / gained if gained > 0 else float("inf"), lost, at)


@pytest.mark.parametrize("search", [Datafly(), BottomUp()], ids=["datafly", "bottom_up"])
@given(given_problem=problems())
def test_they_go_as_they_are_defined(search: Datafly | BottomUp, given_problem: Problem) -> None:
    outcome = search.run(given_problem, Watch())
    expected = by_hand(given_problem, outcome.search)
    assert (isinstance(outcome, NothingFound)) == (expected is None)
    if not isinstance(outcome, NothingFound) and expected is not None:
        assert outcome.node.levels == expected.levels
        assert outcome.node.feasible
        assert outcome.details["path"][-1] == list(expected.levels)
    assert not outcome.optimal


@given(given_problem=problems(), ticks=st.integers(0, 3))
def test_stopped_they_end_with_the_top_or_nothing(given_problem: Problem, ticks: int) -> None:
    for search in (Datafly(), BottomUp()):
        outcome = search.run(given_problem, Ticks(ticks))
        assert isinstance(outcome, NothingFound) or outcome.node.feasible
        assert outcome.stopped in ("done", "interrupted")


def test_datafly_on_samaratis_table() -> None:
    """ZIP has four values and Race three: ZIP first, and then, with two values left, Race."""
    with_two = problem(samarati_rows(), samarati_hierarchies(), KAnonymity(2), budget=2)
    assert Datafly().run(with_two, Watch()).details["path"] == [[0, 0], [0, 1]]
    with_none = problem(samarati_rows(), samarati_hierarchies(), KAnonymity(2))
    assert Datafly().run(with_none, Watch()).details["path"] == [[0, 0], [0, 1], [1, 1]]
