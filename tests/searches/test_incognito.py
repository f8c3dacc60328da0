"""Incognito: the set of all solutions, against counting every node."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.errors import UsageError
from incrowd.metrics import Levels
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.entropy_l import EntropyL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.recursive_cl import RecursiveCL
from incrowd.searches import Guarantee, NothingFound, Outcome, Problem
from incrowd.searches.exhaustive import Exhaustive
from incrowd.searches.incognito import ANSWERS, Incognito
from incrowd.searches.lattice import Lattice
from incrowd.watch import Watch
from searches.problems import (
    K_ANONYMITY,
    Ticks,
    every_node,
    feasible_levels,
    minimal,
    population_problems,
    problem,
    problems,
)
from searches.worked_examples import anon_hierarchies, anon_rows, samarati_hierarchies, samarati_rows


def returned(outcome: Outcome) -> set[Levels]:
    """All nodes of an outcome, each once."""
    found = [] if isinstance(outcome, NothingFound) else [outcome.node.levels, *outcome.also]
    assert len(found) == len(set(found))
    return set(found)


# Worked examples.


@pytest.mark.parametrize(
    ("k", "budget", "expected"),
    [
        (2, 2, {(1, 0), (0, 1)}),
        (2, 0, {(0, 2), (1, 1)}),
        (3, 0, {(1, 1)}),
        (9, 0, {(1, 2)}),
        (10, 0, set()),
        (3, 4, {(1, 0), (0, 2)}),
    ],
)
def test_the_minimal_nodes_of_samaratis_lecture(k: int, budget: int, expected: set[Levels]) -> None:
    given = problem(samarati_rows(), samarati_hierarchies(), KAnonymity(k), budget=budget)
    outcome = Incognito(answer="minimal").run(given, Watch())
    assert returned(outcome) == expected
    assert outcome.guarantee is Guarantee.MINIMAL
    assert outcome.gap is None


@pytest.mark.parametrize(
    ("k", "l", "expected"),
    [
        (2, 1, {(0, 1, 1), (3, 3, 0)}),
        (4, 1, {(1, 2, 1), (2, 1, 1), (3, 3, 0)}),
        (4, 3, {(1, 2, 1)}),
    ],
)
def test_the_minimal_nodes_of_anons_example(k: int, l: int, expected: set[Levels]) -> None:  # noqa: E741
    # FX-ANON-1.
    model = All((KAnonymity(k), DistinctL(l, column="Condition")))
    given = problem(anon_rows(), anon_hierarchies(), model)
    assert returned(Incognito(answer="minimal").run(given, Watch())) == expected


def test_sets_of_columns_rule_nodes_out() -> None:
    # One column: Race 0 has classes of 5, 2, 2; ZIP 0 of 1, 5, 2, 1. So k = 3 leaves Race 1 and ZIP 1, 2.
    given = problem(samarati_rows(), samarati_hierarchies(), KAnonymity(3))
    outcome = Incognito().run(given, Watch())
    assert returned(outcome) == {(1, 1), (1, 2)}
    assert outcome.details["rounds"] == [
        {"columns": 1, "sets": 2, "candidates": 5, "counted": 4, "kept": 3},
        {"columns": 2, "sets": 1, "candidates": 2, "counted": 1, "kept": 2},
    ]
    assert outcome.counted == 5
    assert outcome.lattice == 6
    assert outcome.optimal
    assert outcome.gap == 0


def test_only_what_every_smaller_set_leaves_is_a_candidate() -> None:
    given = problem(anon_rows(), anon_hierarchies(), KAnonymity(4))
    pairs = {columns: feasible_pairs(*columns) for columns in combinations(range(3), 2)}
    joined = [each for each in every_node(given) if each[:2] in pairs[0, 1] and each[::2] in pairs[0, 2]]
    left = [each for each in joined if each[1:] in pairs[1, 2]]
    assert len(left) < len(joined) < 32
    last = Incognito().run(given, Watch()).details["rounds"][-1]
    assert last["candidates"] == len(left)


def feasible_pairs(*columns: int) -> set[Levels]:
    """The solutions over two of the columns of ANON's example."""
    ladders = list(anon_hierarchies().items())
    return feasible_levels(problem(anon_rows(), dict(ladders[at] for at in columns), KAnonymity(4)))


def test_no_solution_counts_the_top_all_the_same() -> None:
    given = problem(samarati_rows(), samarati_hierarchies(), KAnonymity(10))
    outcome = Incognito().run(given, Watch())
    assert isinstance(outcome, NothingFound)
    assert outcome.nearest is not None
    assert outcome.nearest.levels == (1, 2)
    assert outcome.details["rounds"][-1] == {"columns": 2, "sets": 1, "candidates": 0, "counted": 1, "kept": 0}


def test_a_column_that_is_left_out_stands_at_its_top_whatever_its_limit() -> None:
    # b may not be generalized at all; alone, a is fine on level 0, because b does not split its classes then.
    rows = [{"a": a, "b": b} for a, b in ("xp", "xp", "yp", "yq", "yp", "yq")]
    ladder = Hierarchy.from_rows([(value, "*") for value in "xypq"])
    given = problem(rows, {"a": ladder, "b": ladder}, KAnonymity(2), limit=(1, 0))
    outcome = Incognito().run(given, Watch())
    assert returned(outcome) == feasible_levels(given) == {(0, 0), (1, 0)}


def test_a_solution_below_another_node_that_is_none() -> None:
    # S8 of the digest: generalizing destroys a solution, so nothing above it may be marked.
    rows = [{"a": "p", "disease": each} for each in "xy"] + [{"a": "q", "disease": "x"}] * 5
    ladder = Hierarchy.from_rows([("p", "*"), ("q", "*")])
    given = problem(rows, {"a": ladder}, RecursiveCL(2, 2, column="disease"), budget=5)
    assert returned(Incognito().run(given, Watch())) == {(0,)}


def test_what_generalizing_keeps() -> None:
    entropy, k = EntropyL(2, column="Condition"), KAnonymity(2)
    given = problem(anon_rows(), anon_hierarchies(), entropy)
    assert Lattice(given).keeps_feasible
    assert not Lattice(replace(given, budget=1)).keeps_feasible
    assert Lattice(replace(given, budget=1, model=k)).keeps_feasible
    assert not Lattice(replace(given, budget=1, model=All((k, entropy)))).keeps_feasible


# Against all nodes.


@given(problems())
def test_all_solutions_and_the_best_of_them(given: Problem) -> None:
    outcome = Incognito().run(given, Watch())
    oracle = Exhaustive().run(given, Watch())
    assert returned(outcome) == feasible_levels(given)
    assert outcome.guarantee is Guarantee.OPTIMAL
    assert outcome.counted == sum(each["counted"] for each in outcome.details["rounds"])
    if isinstance(oracle, NothingFound):
        assert isinstance(outcome, NothingFound)
        assert outcome.nearest is not None
        assert outcome.nearest.suppressed <= every_node(given)[Lattice(given).top].suppressed
    else:
        assert not isinstance(outcome, NothingFound)
        assert outcome.node.score == pytest.approx(oracle.node.score)


@given(problems())
def test_all_minimal_solutions_and_the_best_of_them(given: Problem) -> None:
    outcome = Incognito(answer="minimal").run(given, Watch())
    expected = minimal(feasible_levels(given))
    assert returned(outcome) == expected
    if not isinstance(outcome, NothingFound):
        nodes = every_node(given)
        assert outcome.node.score == pytest.approx(min(nodes[levels].score for levels in expected))


@given(problems())
def test_what_generalizing_keeps_is_closed_upwards(given: Problem) -> None:
    check_closed_upwards(given)


@given(problems(K_ANONYMITY), st.sampled_from(sorted(WILDCARDS)))
def test_missing_cells_that_match_everything(given: Problem, nulls: Nulls) -> None:
    given = replace(given, nulls=nulls)
    assert returned(Incognito().run(given, Watch())) == feasible_levels(given)
    assert returned(Incognito(answer="minimal").run(given, Watch())) == minimal(feasible_levels(given))
    check_closed_upwards(given)


@given(population_problems())
def test_models_of_a_population(given: Problem) -> None:
    assert returned(Incognito().run(given, Watch())) == feasible_levels(given)
    assert returned(Incognito(answer="minimal").run(given, Watch())) == minimal(feasible_levels(given))
    check_closed_upwards(given)


def check_closed_upwards(given: Problem) -> None:
    """Where generalizing keeps a solution one, all that lies above a solution is one."""
    feasible = feasible_levels(given)
    if Lattice(given).keeps_feasible:
        for levels in every_node(given):
            below = any(all(low <= high for low, high in zip(each, levels, strict=True)) for each in feasible)
            assert (levels in feasible) == below


# Interruption.


@pytest.mark.parametrize("answer", ANSWERS)
def test_stopped_at_any_tick(answer: str) -> None:
    given = problem(anon_rows(), anon_hierarchies(), KAnonymity(4), budget=2)
    feasible = feasible_levels(given)
    ticks = 0
    while (outcome := Incognito(answer=answer).run(given, Ticks(ticks))).stopped != "done":
        assert outcome.stopped == "interrupted"
        assert outcome.counted == ticks
        assert outcome.gap is None
        assert not outcome.optimal
        assert returned(outcome) <= (feasible if answer == "all" else minimal(feasible))
        ticks += 1
    assert outcome.counted == ticks
    assert ticks > 10


@given(problems(), st.sampled_from(ANSWERS), st.integers(0, 25))
def test_what_an_interrupted_run_says_is_true(given: Problem, answer: str, ticks: int) -> None:
    outcome = Incognito(answer=answer).run(given, Ticks(ticks))
    feasible = feasible_levels(given)
    assert returned(outcome) <= feasible
    if outcome.guarantee is Guarantee.MINIMAL:
        assert returned(outcome) <= minimal(feasible)
    if outcome.guarantee is Guarantee.OPTIMAL:
        assert outcome.stopped == "done"


def test_unknown_answers_are_refused() -> None:
    with pytest.raises(UsageError, match="answer of incognito is 'some'; it may be all, minimal"):
        Incognito(answer="some")
