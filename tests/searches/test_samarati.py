"""Samarati's search: the lecture's example, and random lattices against all of their nodes."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.errors import UsageError
from incrowd.metrics import Levels
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.recursive_cl import RecursiveCL
from incrowd.searches import Guarantee, NothingFound, Outcome, Problem, _vectors
from incrowd.searches._vectors import VectorLattice, distance_vectors
from incrowd.searches.lattice import Lattice
from incrowd.searches.samarati import MINIMAL, PREFER, Samarati, at_height
from incrowd.watch import Watch
from searches.problems import (
    CLOSED_MODELS,
    K_ANONYMITY,
    Ticks,
    every_node,
    feasible_levels,
    frequency_set,
    minimal,
    population_problems,
    problem,
    problems,
)
from searches.worked_examples import samarati_hierarchies, samarati_rows

BOTH = pytest.mark.parametrize("vectors", [False, True], ids=["keys", "vectors"])


def race_and_zip(k: int, budget: int) -> Problem:
    """FX-SAM-1."""
    return problem(samarati_rows(), samarati_hierarchies(), KAnonymity(k), budget=budget)


def returned(outcome: Outcome) -> list[Levels]:
    """All nodes of an outcome, the chosen one first."""
    return [] if isinstance(outcome, NothingFound) else [outcome.node.levels, *outcome.also]


# The lecture.


@BOTH
def test_the_lecture_probes_height_one_then_zero(vectors: bool) -> None:
    # FX-SAM-2.
    outcome = Samarati(vectors=vectors).run(race_and_zip(2, budget=2), Watch())
    assert returned(outcome) == [(1, 0), (0, 1)]
    assert outcome.guarantee is Guarantee.MINIMAL
    assert outcome.details == {
        "heights": [1, 0],
        "bisected_to": 1,
        "lowest_height": 1,
        "solutions": [
            {"levels": [1, 0], "absolute": 1, "relative": 1.0, "distinct": 2, "suppressed": 2},
            {"levels": [0, 1], "absolute": 1, "relative": 0.5, "distinct": 3, "suppressed": 2},
        ],
    }
    assert (outcome.counted, outcome.lattice, outcome.gap) == (3, 6, None)
    assert outcome.stopped == "done"


def test_the_ground_of_the_lecture_loses_six_records() -> None:
    assert every_node(race_and_zip(2, budget=2))[0, 0].suppressed == 6


@BOTH
@pytest.mark.parametrize("every", MINIMAL)
@pytest.mark.parametrize(("k", "expected"), [(2, {(0, 2), (1, 1)}), (3, {(1, 1)}), (9, {(1, 2)}), (10, set())])
def test_the_lecture_without_suppression(k: int, expected: set[Levels], every: str, vectors: bool) -> None:
    outcome = Samarati(minimal=every, vectors=vectors).run(race_and_zip(k, budget=0), Watch())
    assert set(returned(outcome)) == expected


def test_no_solution_names_the_nearest_node() -> None:
    outcome = Samarati().run(race_and_zip(10, budget=0), Watch())
    assert isinstance(outcome, NothingFound)
    assert outcome.nearest is not None
    assert outcome.nearest.suppressed == 9
    assert outcome.details["heights"] == [1, 2, 3]
    assert outcome.details["lowest_height"] is None


@pytest.mark.parametrize(
    ("prefer", "chosen"),
    [("absolute", (1, 0)), ("relative", (0, 1)), ("distribution", (0, 1)), ("suppression", (1, 0))],
)
def test_preferences(prefer: str, chosen: Levels) -> None:
    outcome = Samarati(prefer=prefer).run(race_and_zip(2, budget=2), Watch())
    assert returned(outcome)[0] == chosen
    assert set(returned(outcome)) == {(1, 0), (0, 1)}


def test_the_fewest_suppressed_records_are_preferred() -> None:
    rows = [{"a": a, "b": b} for a, b in ("xp", "xq", "yp", "yp")]
    ladders = {name: Hierarchy.from_rows([(value, "*") for value in "xypq"]) for name in "ab"}
    given = problem(rows, ladders, KAnonymity(2), budget=1)
    lost = {levels: node.suppressed for levels, node in every_node(given).items()}
    assert (lost[0, 0], lost[1, 0], lost[0, 1]) == (2, 1, 0)
    assert returned(Samarati(prefer="absolute").run(given, Watch())) == [(1, 0), (0, 1)]
    assert returned(Samarati(prefer="suppression").run(given, Watch())) == [(0, 1), (1, 0)]


def test_minimal_solutions_lie_at_several_heights() -> None:
    # S4 of the digest: with four records to spare [0, 2] is minimal, yet higher than [1, 0].
    given = race_and_zip(3, budget=4)
    assert returned(Samarati().run(given, Watch())) == [(1, 0)]
    assert returned(Samarati(minimal="all").run(given, Watch())) == [(1, 0), (0, 2)]
    assert returned(Samarati(minimal="all", prefer="relative").run(given, Watch())) == [(1, 0), (0, 2)]


@BOTH
def test_limits_and_minimums_bound_the_lattice(vectors: bool) -> None:
    rows, ladders = samarati_rows(), samarati_hierarchies()
    capped = problem(rows, ladders, KAnonymity(2), limit=(1, 1))
    assert returned(Samarati(vectors=vectors).run(capped, Watch())) == [(1, 1)]
    raised = problem(rows, ladders, KAnonymity(2), minimum=(0, 2))
    outcome = Samarati(vectors=vectors).run(raised, Watch())
    assert returned(outcome) == [(0, 2)]
    assert outcome.details["heights"] == [0]
    assert outcome.lattice == 2


# Distance vectors.


def test_the_matrix_of_the_lecture() -> None:
    # FX-SAM-3, without the row of t3, t4 and t5, which is the column of the same name.
    printed = {
        "t1": "00 01 02 12 12 12 11",
        "t2": "01 00 02 12 12 12 10",
        "t6": "12 12 11 00 01 11 12",
        "t7": "12 12 10 01 00 10 12",
        "t8": "12 12 10 11 10 00 02",
        "t9": "11 10 12 12 12 02 00",
    }
    shown = ["t1", "t2", "t3", "t6", "t7", "t8", "t9"]
    given = race_and_zip(2, budget=2)
    code_of = [{value: at + 1 for at, value in enumerate(ladder.values.to_pylist())} for ladder in given.ladders]
    tuples = [row for row in samarati_rows() if row["id"] in shown]
    codes = np.array([[code_of[0][row["Race"]], code_of[1][row["ZIP"]]] for row in tuples], dtype=np.int32).T
    matrix = distance_vectors(codes, given.ladders).transpose(1, 2, 0).tolist()
    for name, row in zip(shown, matrix, strict=True):
        if name in printed:
            assert row == [[int(digit) for digit in pair] for pair in printed[name].split()]
    assert matrix[2] == [row[2] for row in matrix]


@given(problems())
def test_vectors_judge_as_keys_do(given: Problem) -> None:
    by_vectors = VectorLattice(given)
    for levels, node in every_node(given).items():
        found = by_vectors.count(levels)
        # What a score adds up comes in another order.
        assert found._replace(score=node.score, penalty=node.penalty) == node
        assert (found.score, found.penalty) == pytest.approx((node.score, node.penalty))


def test_vectors_are_for_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_vectors, "_MOST", 6)
    with pytest.raises(
        UsageError,
        match=r"the table has 7 .*; the limit of the comparison matrix is 6; omit vectors",
    ):
        Samarati(vectors=True).run(race_and_zip(2, budget=2), Watch())


# Against all nodes.


@given(problems(), st.sampled_from(sorted(PREFER)), st.booleans())
def test_all_solutions_of_the_lowest_height(given: Problem, prefer: str, vectors: bool) -> None:
    outcome = Samarati(prefer=prefer, vectors=vectors).run(given, Watch())
    feasible = feasible_levels(given)
    lowest = min(map(sum, feasible), default=0)
    assert set(returned(outcome)) == {levels for levels in feasible if sum(levels) == lowest}
    assert len(returned(outcome)) == len(set(returned(outcome)))
    assert outcome.guarantee is Guarantee.MINIMAL
    assert outcome.counted <= outcome.lattice
    check_preference(outcome, prefer)


@given(problems(), st.sampled_from(sorted(PREFER)))
def test_all_minimal_solutions(given: Problem, prefer: str) -> None:
    outcome = Samarati(prefer=prefer, minimal="all").run(given, Watch())
    assert set(returned(outcome)) == minimal(feasible_levels(given))
    check_preference(outcome, prefer)


def check_preference(outcome: Outcome, prefer: str) -> None:
    """The chosen node is the best of all that are returned."""
    if isinstance(outcome, NothingFound):
        assert outcome.nearest is not None
        assert not outcome.nearest.feasible
        return
    solutions = {tuple(each["levels"]): each for each in outcome.details["solutions"]}
    assert set(solutions) == set(returned(outcome))
    best = min(map(PREFER[prefer], solutions.values()))
    assert PREFER[prefer](solutions[outcome.node.levels]) == best
    assert solutions[outcome.node.levels]["suppressed"] == outcome.node.suppressed


@given(problems(K_ANONYMITY), st.sampled_from(sorted(WILDCARDS)), st.booleans())
def test_missing_cells_that_match_everything(given: Problem, nulls: Nulls, vectors: bool) -> None:
    given = replace(given, nulls=nulls)
    outcome = Samarati(minimal="all", vectors=vectors).run(given, Watch())
    assert set(returned(outcome)) == minimal(feasible_levels(given))


@given(population_problems(), st.booleans())
def test_models_of_a_population(given: Problem, vectors: bool) -> None:
    outcome = Samarati(minimal="all", vectors=vectors).run(given, Watch())
    assert set(returned(outcome)) == minimal(feasible_levels(given))


@given(problems(CLOSED_MODELS))
def test_bisection_suffices_where_generalizing_keeps_a_solution(given: Problem) -> None:
    outcome = Samarati().run(given, Watch())
    assert outcome.details["lowest_height"] in (None, outcome.details["bisected_to"])


@given(problems())
def test_nothing_feasible_leaves_the_top_counted(given: Problem) -> None:
    outcome = Samarati().run(given, Watch())
    if isinstance(outcome, NothingFound):
        top = every_node(given)[Lattice(given).top]
        assert outcome.nearest is not None
        assert outcome.nearest.suppressed <= top.suppressed


def test_bisection_never_jumps_over_a_solution_that_generalizing_destroys() -> None:
    # S8 of the digest: apart five records go; merged, all seven violate (2,2)-diversity.
    rows = [{"a": "p", "disease": each} for each in "xy"] + [{"a": "q", "disease": "x"}] * 5
    ladder = Hierarchy.from_rows([("p", "1", "2", "3", "*"), ("q", "1", "2", "3", "*")])
    given = problem(rows, {"a": ladder}, RecursiveCL(2, 2, column="disease"), budget=5)
    assert feasible_levels(given) == {(0,)}
    assert returned(Samarati().run(given, Watch())) == [(0,)]


def test_heights_are_scanned_from_where_bisection_ends() -> None:
    # What is necessary (two values) holds from the bottom; what is asked for holds from level 2 on.
    rows = [{"a": a, "disease": each} for a, each in ("px", "px", "px", "py", "qx", "qy", "qy", "qy", "qy")]
    ladder = Hierarchy.from_rows([("p", "p", "*"), ("q", "q", "*")])
    given = problem(rows, {"a": ladder}, RecursiveCL(2, 2, column="disease"), budget=3)
    outcome = Samarati().run(given, Watch())
    assert outcome.details["bisected_to"] == 0
    assert outcome.details["lowest_height"] == 2
    assert outcome.details["heights"] == [1, 0, 2]


def test_an_empty_table_needs_no_generalization() -> None:
    for vectors in (False, True):
        given = problem([], {"a": Hierarchy.from_rows([("x", "*")])}, KAnonymity(2))
        assert frequency_set([], ["a"]).records == 0
        assert returned(Samarati(vectors=vectors).run(given, Watch())) == [(0,)]


# Interruption.


@pytest.mark.parametrize("every", MINIMAL)
def test_stopped_at_any_tick(every: str) -> None:
    given = race_and_zip(3, budget=4)
    feasible = feasible_levels(given)
    ticks = 0
    while (outcome := Samarati(minimal=every).run(given, Ticks(ticks))).stopped != "done":
        assert outcome.stopped == "interrupted"
        assert outcome.counted == ticks
        assert set(returned(outcome)) <= feasible
        if outcome.guarantee is Guarantee.MINIMAL:
            assert set(returned(outcome)) <= minimal(feasible)
        ticks += 1
    assert ticks == outcome.counted
    assert ticks > 2


@given(problems(), st.integers(0, 20))
def test_what_an_interrupted_run_says_is_true(given: Problem, ticks: int) -> None:
    outcome = Samarati(minimal="all").run(given, Ticks(ticks))
    feasible = feasible_levels(given)
    assert set(returned(outcome)) <= feasible
    if outcome.guarantee is Guarantee.MINIMAL:
        assert set(returned(outcome)) <= minimal(feasible)
    if outcome.stopped == "done":
        assert outcome.guarantee is Guarantee.MINIMAL


# Small parts.


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=3), st.integers(0, 9))
def test_the_nodes_of_a_height(bounds: list[tuple[int, int]], height: int) -> None:
    bottom = tuple(low for low, _ in bounds)
    top = tuple(low + more for low, more in bounds)
    every = product(*(range(low, high + 1) for low, high in zip(bottom, top, strict=True)))
    of_height = [levels for levels in every if sum(levels) - sum(bottom) == height]
    assert list(at_height(bottom, top, height)) == sorted(of_height, reverse=True)


@pytest.mark.parametrize("option", ["prefer", "minimal"])
def test_unknown_words_are_refused(option: str) -> None:
    with pytest.raises(UsageError, match=f"{option} of samarati is 'best'; it may be "):
        Samarati(**{option: "best"})  # type: ignore[arg-type]


def test_large_hierarchies_fit_the_matrix() -> None:
    ladder = Hierarchy.from_rows([(value, *[value] * 299, "*") for value in "xy"])
    given = problem([{"a": "x"}, {"a": "y"}], {"a": ladder}, KAnonymity(2))
    assert np.array_equal(distance_vectors(given.frequencies.codes, given.ladders)[0], [[0, 300], [300, 0]])
