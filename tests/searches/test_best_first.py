"""ANON's search: its example, its order of visits, and random lattices against all of their nodes."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics import Levels
from incrowd.metrics.loss import Loss
from incrowd.metrics.weighted_loss import WeightedLoss
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Guarantee, NothingFound, Problem, best_first
from incrowd.searches.best_first import BestFirst, WeightedLosses, as_meant, in_order
from incrowd.searches.lattice import Lattice
from incrowd.watch import Watch
from searches.problems import Ticks, every_node, feasible_levels, minimal, problem, problems
from searches.worked_examples import anon_hierarchies, anon_rows


def anon(k: int, l: int, budget: int, priorities: tuple[float, ...] = ()) -> Problem:  # noqa: E741
    """FX-ANON-1."""
    model = All((KAnonymity(k), DistinctL(l, column="Condition")))
    return problem(anon_rows(), anon_hierarchies(), model, WeightedLoss(), budget, priorities=priorities)


# The report's example.


@pytest.mark.parametrize(
    ("k", "l", "budget", "alike", "chosen", "weighted", "levels"),
    [
        (2, 1, 0, Fraction(4, 3), {(0, 1, 1)}, Fraction(5, 3), (0, 1, 1)),
        (2, 1, 2, Fraction(1), {(1, 2, 0), (2, 1, 0)}, Fraction(5, 3), (0, 1, 1)),
        (2, 1, 4, Fraction(1, 3), {(0, 1, 0)}, Fraction(2, 3), (0, 1, 0)),
        (4, 1, 0, Fraction(2), {(1, 2, 1), (2, 1, 1), (3, 3, 0)}, Fraction(10, 3), (1, 2, 1)),
        (4, 3, 0, Fraction(2), {(1, 2, 1)}, Fraction(10, 3), (1, 2, 1)),
        (4, 3, 4, Fraction(5, 3), {(0, 2, 1)}, Fraction(7, 3), (0, 2, 1)),
    ],
)
def test_every_row_of_the_example(
    k: int,
    l: int,  # noqa: E741
    budget: int,
    alike: Fraction,
    chosen: set[Levels],
    weighted: Fraction,
    levels: Levels,
) -> None:
    outcome = BestFirst().run(anon(k, l, budget, (1, 1, 1)), Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.levels in chosen
    assert outcome.node.score == pytest.approx(float(alike))
    assert outcome.details["weighted_loss"] == float(alike)
    outcome = BestFirst().run(anon(k, l, budget, (3, 2, 1)), Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.levels == levels
    assert outcome.details["weighted_loss"] == float(weighted)
    assert outcome.optimal
    assert outcome.gap == 0
    assert outcome.lattice == 32


def test_both_tables_of_the_report_are_four_anonymous() -> None:
    nodes = every_node(anon(4, 1, 0))
    assert [(nodes[levels].smallest, nodes[levels].classes) for levels in ((2, 1, 1), (1, 2, 1))] == [(4, 3), (4, 3)]
    diverse = every_node(anon(4, 3, 0))
    assert [diverse[levels].feasible for levels in ((2, 1, 1), (1, 2, 1))] == [False, True]
    # Left: two, three and one different conditions in a class.
    assert [every_node(anon(4, l, 0))[2, 1, 1].suppressed for l in (1, 2, 3)] == [0, 4, 8]  # noqa: E741


def test_the_order_of_visits() -> None:
    # Loss 0; then 1/3 twice (first column first); then the sums 2/3 in the order in which they were opened.
    outcome = BestFirst().run(anon(2, 1, 0), Watch())
    visited = [tuple(levels) for levels in outcome.details["visited"]]
    assert visited[:6] == [(0, 0, 0), (1, 0, 0), (0, 1, 0), (2, 0, 0), (1, 1, 0), (0, 2, 0)]
    # Three thirds and one whole are the same loss: (0, 0, 1) was opened first of all of loss 1.
    assert visited[6:] == [(0, 0, 1), (3, 0, 0), (2, 1, 0), (1, 2, 0), (0, 3, 0), (1, 0, 1), (0, 1, 1)]
    assert outcome.counted == len(visited) == 13


# FX-ANON-2: the lattice of Adult's seven quasi-identifiers.

HEIGHTS = (4, 1, 1, 2, 3, 2, 2)


def flat(height: int) -> Hierarchy:
    """Two values that only the top joins."""
    return Hierarchy.from_rows([(value, *[value] * (height - 1), "*") for value in "xy"])


def seven_columns(limit: Levels = ()) -> Problem:
    """Two records that differ everywhere: only the top joins them."""
    names = "abcdefg"
    ladders = {name: flat(height) for name, height in zip(names, HEIGHTS, strict=True)}
    return problem([dict.fromkeys(names, value) for value in "xy"], ladders, KAnonymity(2), WeightedLoss(), limit=limit)


def test_all_2160_nodes_are_visited_where_only_the_top_qualifies() -> None:
    outcome = BestFirst().run(seven_columns(), Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.levels == HEIGHTS
    assert outcome.counted == outcome.lattice == 2160


def test_limits_that_leave_out_the_top_leave_no_solution() -> None:
    outcome = BestFirst().run(seven_columns(limit=(3, 1, 1, 2, 3, 2, 2)), Watch())
    assert isinstance(outcome, NothingFound)
    assert outcome.nearest is not None
    assert outcome.nearest.suppressed == 2
    assert outcome.counted == outcome.lattice == 2160 * 4 // 5
    assert outcome.details["weighted_loss"] is None
    assert not outcome.optimal


# FX-ANON-3: a missing cell equals another missing cell, and nothing else below the top.

WITH_MISSING = [{"A": "a", "B": "1"}, {"A": "a", "B": None}, {"A": "b", "B": "1"}, {"A": None, "B": None},
                {"A": "a", "B": "1"}]  # fmt: skip


@pytest.mark.parametrize(
    ("nulls", "suppressed"),
    [
        ("extended", {(0, 0): 3, (1, 0): 0, (0, 1): 2, (1, 1): 0}),
        ("basic", {(0, 0): 1, (1, 0): 0, (0, 1): 1, (1, 1): 0}),
    ],
)
def test_missing_cells(nulls: str, suppressed: dict[Levels, int]) -> None:
    rows = [row for row in WITH_MISSING if nulls == "extended" or None not in row.values()]
    ladders = {"A": Hierarchy.from_rows([("a", "*"), ("b", "*")]), "B": Hierarchy.from_rows([("1", "*")])}
    given = problem(rows, ladders, KAnonymity(2))
    assert {levels: node.suppressed for levels, node in every_node(given).items()} == suppressed
    outcome = BestFirst().run(given, Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.levels == (1, 0)


# Against all nodes.


@given(problems())
def test_the_lowest_weighted_loss_of_all_feasible_nodes(given: Problem) -> None:
    outcome = BestFirst().run(given, Watch())
    feasible = feasible_levels(given)
    losses = WeightedLosses.of(given)
    if isinstance(outcome, NothingFound):
        assert not feasible
        assert outcome.counted == outcome.lattice
        assert outcome.nearest is not None
        assert outcome.nearest.suppressed == min(node.suppressed for node in every_node(given).values())
        return
    assert losses.exact(outcome.node.levels) == min(map(losses.exact, feasible))
    assert outcome.details["weighted_loss"] == pytest.approx(plain_loss(given, outcome.node.levels))
    if outcome.guarantee is Guarantee.MINIMAL:
        assert outcome.node.levels in minimal(feasible)
    if outcome.guarantee is Guarantee.OPTIMAL:
        assert outcome.node.score == pytest.approx(min(node.score for node in every_node(given).values()))


def plain_loss(given: Problem, levels: Levels) -> float:
    """The sum of priority x loss, in floating point."""
    priorities = given.priorities or [1.0] * len(levels)
    losses = [ladder.hierarchy.losses[level] for ladder, level in zip(given.ladders, levels, strict=True)]
    return sum(priority * loss for priority, loss in zip(priorities, losses, strict=True))


@given(problems())
def test_the_open_list_as_the_report_writes_it(given: Problem) -> None:
    outcome = BestFirst().run(given, Watch())
    assert [tuple(levels) for levels in outcome.details["visited"]] == by_the_report(given)


def by_the_report(given: Problem) -> list[Levels]:
    """Algorithm 2, with lists: the nodes in the order in which they are tested."""
    nodes, losses = every_node(given), WeightedLosses.of(given)
    top = max(nodes)
    tested: list[Levels] = []
    opened = [min(nodes)]
    visited = set(opened)
    while opened:
        best = opened[0]
        for node in opened:
            if losses.exact(node) < losses.exact(best):
                best = node
        tested.append(best)
        if nodes[best].feasible:
            return tested
        for at in range(len(top)):
            if top[at] > best[at]:
                child = (*best[:at], best[at] + 1, *best[at + 1 :])
                if child not in visited:
                    opened.append(child)
                    visited.add(child)
        opened.remove(best)
    return tested


# What it says about itself.


def test_another_metric_scores_the_node_and_changes_nothing_else() -> None:
    by_loss = BestFirst().run(replace(anon(4, 3, 4), metric=Loss()), Watch())
    by_own = BestFirst().run(anon(4, 3, 4), Watch())
    assert not isinstance(by_loss, NothingFound)
    assert not isinstance(by_own, NothingFound)
    assert by_loss.node.levels == by_own.node.levels
    assert by_loss.details == by_own.details
    assert by_loss.node.score == every_node(replace(anon(4, 3, 4), metric=Loss()))[by_loss.node.levels].score
    # The lowest weighted loss need not be the lowest loss; but nothing below it is feasible.
    assert by_loss.guarantee is Guarantee.MINIMAL
    assert by_loss.gap is None
    assert by_loss.details["optimal_for"] == "weighted_loss"


def test_a_step_that_costs_nothing_leaves_no_promise_under_another_metric() -> None:
    ladder = Hierarchy.from_rows([("x", "1", "*"), ("y", "1", "*")], losses=[0, 0, 1])
    given = problem([{"a": "x"}, {"a": "y"}], {"a": ladder}, KAnonymity(2))
    assert BestFirst().run(given, Watch()).guarantee is Guarantee.HEURISTIC


def test_the_list_of_visits_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_first, "_LISTED", 3)
    outcome = BestFirst().run(anon(2, 1, 0), Watch())
    assert outcome.details["visited"] == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert outcome.counted == 13


@pytest.mark.parametrize(
    ("number", "meant"),
    [(1 / 3, Fraction(1, 3)), (2 / 3, Fraction(2, 3)), (0.1, Fraction(1, 10)), (7.0, Fraction(7)), (0.0, Fraction(0)),
     (0.123456789, Fraction(123456789, 10**9)), (1e-9, Fraction(1, 10**9))],
)  # fmt: skip
def test_numbers_are_taken_for_what_they_mean(number: float, meant: Fraction) -> None:
    assert as_meant(number) == meant


def test_sums_that_are_equal_on_paper_are_equal() -> None:
    ladders = {name: flat(height) for name, height in (("a", 3), ("b", 10), ("c", 1))}
    given = problem([dict.fromkeys("abc", "x")], ladders, KAnonymity(1), priorities=(0.3, 1, 0.1))
    losses = WeightedLosses.of(given)
    assert plain_loss(given, (0, 2, 1)) != plain_loss(given, (0, 3, 0))
    assert losses.exact((1, 2, 0)) == losses.exact((0, 3, 0)) == losses.exact((0, 2, 1)) == Fraction(3, 10)


@given(problems())
def test_all_nodes_come_once_and_never_cheaper(given: Problem) -> None:
    losses = WeightedLosses.of(given)
    visits = list(in_order(Lattice(given), losses))
    assert sorted(visits) == sorted(every_node(given))
    costs = [losses.scaled(levels) for levels in visits]
    assert costs == sorted(costs)


# Interruption.


def test_stopped_at_any_tick() -> None:
    given = anon(4, 3, 0)
    whole = BestFirst().run(given, Watch())
    for ticks in range(whole.counted):
        outcome = BestFirst().run(given, Ticks(ticks))
        assert outcome.stopped == "interrupted"
        assert isinstance(outcome, NothingFound)
        assert outcome.gap is None
        assert outcome.guarantee is Guarantee.HEURISTIC
        assert outcome.counted == ticks
        assert outcome.details["visited"] == whole.details["visited"][:ticks]
        assert (outcome.nearest is None) == (ticks == 0)
    assert BestFirst().run(given, Ticks(whole.counted)).stopped == "done"


@given(problems(), st.integers(0, 10))
def test_what_an_interrupted_run_says_is_true(given: Problem, ticks: int) -> None:
    outcome = BestFirst().run(given, Ticks(ticks))
    assert (isinstance(outcome, NothingFound)) or outcome.node.feasible
    assert outcome.counted == min(ticks, BestFirst().run(given, Watch()).counted)
