"""K-Members: as it is written, safe under every model, the same on every run, and better when refined."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.core.axes import Axis
from incrowd.core.frequencies import FrequencySet
from incrowd.core.groups import Groups
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.of_people import OfPeople
from incrowd.models.t_closeness import TCloseness
from incrowd.searches import LocalSearch, NothingFound, Problem
from incrowd.searches._clusters import threads
from incrowd.searches.k_members import KMembers
from incrowd.watch import Watch
from searches.chosen import groups_of
from searches.clusters_by_record import KMembers as ByRecord
from searches.clusters_by_record import as_told, told
from searches.local_problems import (
    PLAIN_PROBLEMS,
    is_safe,
    is_whole,
    local_problem,
    local_problems,
    numbers,
    records_of,
)
from searches.problems import DISEASE, Ticks

ALONE = KMembers(block=None, refine=0)
"""As Byun et al. wrote it."""
FIVE = KAnonymity(5)


def found(search: KMembers, problem: Problem) -> Groups | None:
    """What a search finds."""
    return groups_of(search.run(problem, Watch()))


def shuffled(problem: Problem, seed: int) -> Problem:
    """The same records, counted in another order."""
    table = problem.frequencies
    order = np.random.default_rng(seed).permutation(table.combinations)
    codes = np.ascontiguousarray(table.codes[:, order])
    return replace(problem, frequencies=FrequencySet(table.names, table.values, codes, table.counts[order]))


@given(problem=PLAIN_PROBLEMS, k=st.integers(2, 6), heights=st.booleans())
@settings(max_examples=60)
def test_clusters_are_those_of_the_algorithm_as_it_is_written(problem: Problem, k: int, heights: bool) -> None:
    problem = replace(problem, model=KAnonymity(k), budget=0)
    groups = found(replace(ALONE, measure="height" if heights else "leaves"), problem)
    expected = ByRecord(problem, k, heights).clusters()
    if groups is None:
        assert problem.frequencies.records < k
    else:
        assert as_told([records for _, records in records_of(groups)]) == told(problem, expected)


@given(problem=local_problems(st.just(KAnonymity(3))), k=st.integers(2, 5))
@settings(max_examples=40)
def test_clusters_for_protection_are_those_of_the_algorithm_as_it_is_written(problem: Problem, k: int) -> None:
    problem = replace(problem, model=KAnonymity(k), budget=0)
    search = replace(ALONE, objective="protection")
    if not problem.sensitive_axes:
        with pytest.raises(UsageError, match="no sensitive column"):
            found(search, problem)
        return
    groups = found(search, problem)
    expected = ByRecord(problem, k, protection=True).clusters()
    if groups is None:
        assert problem.frequencies.records < k
    else:
        assert as_told([records for _, records in records_of(groups)]) == told(problem, expected)


SEARCHES = st.builds(
    KMembers,
    measure=st.sampled_from(["leaves", "height"]),
    block=st.sampled_from([None, 1, 8]),
    starts=st.integers(1, 3),
    refine=st.integers(0, 2),
)


@given(problem=local_problems(), search=SEARCHES)
def test_every_group_satisfies_every_model(problem: Problem, search: KMembers) -> None:
    groups = found(search, problem)
    if groups is None:
        everything = Groups.of_combinations(
            problem.frequencies, np.zeros(problem.frequencies.combinations, dtype=np.int32)
        )
        assert not is_safe(problem, everything)
        assert problem.budget < problem.frequencies.records
    else:
        assert is_whole(groups)
        assert is_safe(problem, groups)


@given(problem=local_problems(), search=SEARCHES, seed=st.integers(0, 9))
def test_the_order_of_counting_changes_nothing(problem: Problem, search: KMembers, seed: int) -> None:
    one, other = found(search, problem), found(search, shuffled(problem, seed))
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert records_of(one) == records_of(other)


@given(problem=local_problems(), search=SEARCHES)
@settings(max_examples=30)
def test_the_number_of_threads_changes_nothing(problem: Problem, search: KMembers) -> None:
    with pytest.MonkeyPatch.context() as patch:
        told_by = []
        for processors in (1, 3):
            patch.setattr(threads, "processors", lambda number=processors: number)
            patch.setattr(threads, "SLICE", 10)
            groups = found(search, problem)
            told_by.append(groups and records_of(groups))
        assert told_by[0] == told_by[1]


@given(problem=local_problems(), search=SEARCHES, ticks=st.integers(0, 12))
def test_stopped_at_any_time_the_groups_are_safe(problem: Problem, search: KMembers, ticks: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "processors", lambda: 1)
        patch.setattr(threads, "SLICE", 30)
        outcome = search.run(problem, Ticks(ticks))
    if not isinstance(outcome, NothingFound):
        assert is_whole(outcome.groups)
        assert is_safe(problem, outcome.groups)
    else:
        assert found(search, problem) is None or outcome.stopped == "interrupted"


@given(problem=PLAIN_PROBLEMS, k=st.integers(2, 5))
def test_refining_never_makes_it_worse(problem: Problem, k: int) -> None:
    problem = replace(problem, model=KAnonymity(k))
    outcome = KMembers(refine=3).run(problem, Watch())
    assert outcome.details["loss_refined"] <= outcome.details["loss_grown"] <= 1
    if not isinstance(outcome, NothingFound) and outcome.details["joined"] == outcome.groups.suppressed == 0:
        assert outcome.details["loss_refined"] == pytest.approx(loss(problem, outcome.groups), abs=1e-5)


def loss(problem: Problem, groups: Groups) -> float:
    """The mean spread of a record's cells, columns weighted by their priorities."""
    weights = problem.priorities or (1.0,) * len(problem.axes)
    spreads = [
        weight * axis.cells(problem.frequencies.codes[c][groups.combination], groups.group, groups.n).spread
        for c, (axis, weight) in enumerate(zip(problem.axes, weights, strict=True))
    ]
    each = sum(spreads)[groups.group] @ groups.counts
    return float(each) / max(1e-9, problem.frequencies.records * sum(weights))


def table_of(n: int, model: PrivacyModel = FIVE) -> Problem:
    """Two columns of numbers, in two heaps far from each other."""
    rng = np.random.default_rng(5)
    rows = [
        {"a": str(int(x) + 1000 * (at % 2)), "b": str(int(y)), DISEASE: "xyz"[at % 3]}
        for at, (x, y) in enumerate(rng.integers(0, 50, (n, 2)))
    ]
    return local_problem(rows, {"a": numbers, "b": numbers}, model)


def test_records_that_are_near_are_together() -> None:
    groups = found(KMembers(), table_of(301))
    assert groups is not None
    for _, records in records_of(groups):
        assert len({int(a or 0) >= 1000 for a, *_ in records}) == 1


def test_refining_lowers_the_loss() -> None:
    details = KMembers(block=50).run(table_of(601), Watch()).details
    assert details["loss_refined"] < 0.8 * details["loss_grown"]
    assert details["blocks"] > 8


def test_the_seed_decides_the_first_record_and_more_starts_do_not_harm() -> None:
    problem = table_of(101)
    losses = [ALONE.run(replace(problem, seed=seed), Watch()).details["loss_grown"] for seed in range(6)]
    assert len(set(losses)) > 1
    several = replace(ALONE, starts=8).run(problem, Watch()).details["loss_grown"]
    assert several <= losses[0]


def test_fewer_records_than_k() -> None:
    problem = table_of(4)
    assert found(KMembers(), problem) is None
    groups = found(KMembers(), replace(problem, budget=4))
    assert groups is not None
    assert groups.suppressed == 4


def test_no_records_at_all() -> None:
    groups = found(KMembers(), local_problem([], {"a": numbers}, KAnonymity(5)))
    assert groups is not None
    assert groups.n == 0


@pytest.mark.parametrize("kind", [numbers, Axis.of_set])
def test_one_combination_and_cells_that_are_all_missing(kind: object) -> None:
    for value in ("7", None):
        problem = local_problem([{"a": value}] * 7, {"a": kind}, KAnonymity(2))  # type: ignore[dict-item]
        outcome = KMembers().run(problem, Watch())
        assert not isinstance(outcome, NothingFound)
        assert outcome.groups.n == 3
        assert outcome.details["loss_grown"] == 0


def test_hundreds_of_columns_and_huge_numbers() -> None:
    rng = np.random.default_rng(1)
    names = [f"c{at}" for at in range(700)]
    rows = [{name: str(int(cell) * 10**30) for name, cell in zip(names, rng.integers(0, 5, 700), strict=True)}
            for _ in range(40)]  # fmt: skip
    problem = local_problem(rows, dict.fromkeys(names, numbers), KAnonymity(4), priorities=tuple([0.5, 900.0] * 350))
    groups = found(KMembers(), problem)
    assert groups is not None
    assert is_safe(problem, groups)


def test_more_ranks_than_records_in_a_block() -> None:
    rng = np.random.default_rng(2)
    rows = [{"a": str(at), "b": str(int(b))} for at, b in enumerate(rng.integers(0, 9, 90))]
    problem = local_problem(rows, {"a": numbers, "b": numbers}, KAnonymity(3))
    whole, parted = found(ALONE, problem), found(replace(ALONE, block=10), problem)
    assert whole is not None
    assert parted is not None
    assert is_safe(problem, parted)
    expected = ByRecord(problem, 3).clusters()
    assert as_told([records for _, records in records_of(whole)]) == told(problem, expected)


def test_groups_that_fail_join_until_they_hold_even_when_stopped() -> None:
    problem = table_of(90, TCloseness(t=0.05, column=DISEASE))
    for watch in (Watch(), Ticks(3)):
        outcome = KMembers().run(problem, watch)
        assert not isinstance(outcome, NothingFound)
        assert is_safe(problem, outcome.groups)


def test_clusters_are_made_with_the_values_that_models_ask_for() -> None:
    # Neighbors share their disease: clusters of the nearest would all have to be joined.
    rows = [{"a": str(at), DISEASE: "xy"[at // 5 % 2]} for at in range(100)]
    problem = local_problem(rows, {"a": numbers}, All((FIVE, DistinctL(l=2, column=DISEASE))))
    outcome = KMembers().run(problem, Watch())
    assert not isinstance(outcome, NothingFound)
    assert is_safe(problem, outcome.groups)
    assert outcome.details["joined"] == 0
    assert loss(problem, outcome.groups) < 0.07


def test_clusters_are_made_of_different_people() -> None:
    # Ten records of each person, near each other; the people without a number are one each.
    rows = [{"a": str(at), "who": str(at // 10) if at < 90 else None} for at in range(100)]
    problem = local_problem(rows, {"a": numbers}, OfPeople(KAnonymity(3), ("who",)))
    outcome = KMembers().run(problem, Watch())
    assert not isinstance(outcome, NothingFound)
    assert is_safe(problem, outcome.groups)
    assert outcome.details["joined"] == 0
    assert loss(problem, outcome.groups) < 0.25
    alone = [records for _, records in records_of(outcome.groups) if all(who is None for *_, who in records)]
    assert alone


def test_values_of_two_columns_jointly() -> None:
    rows = [{"a": str(at), DISEASE: "xy"[at // 5 % 2], "e": "pq"[at // 10 % 2]} for at in range(100)]
    problem = local_problem(rows, {"a": numbers}, DistinctL(l=3, column=(DISEASE, "e")))
    outcome = KMembers().run(problem, Watch())
    assert not isinstance(outcome, NothingFound)
    assert is_safe(problem, outcome.groups)
    assert outcome.details["joined"] == 0


def test_a_value_that_too_few_records_have() -> None:
    rows = [{"a": str(at), DISEASE: "y" if at % 20 == 0 else "x"} for at in range(100)]
    problem = local_problem(rows, {"a": numbers}, All((FIVE, DistinctL(l=2, column=DISEASE))))
    outcome = KMembers().run(problem, Watch())
    assert not isinstance(outcome, NothingFound)
    assert is_safe(problem, outcome.groups)
    assert 1 < outcome.groups.n <= 5


def test_records_are_left_out_first_where_that_saves_most() -> None:
    rows = [{"a": str(at // 5)} for at in range(100)] + [{"a": "3000"}, {"a": "9000"}]
    suppressed = []
    for budget in (0, 1, 2):
        problem = local_problem(rows, {"a": numbers}, FIVE, budget)
        groups = found(KMembers(), problem)
        assert groups is not None
        assert is_safe(problem, groups)
        gone = groups.combination[~groups.kept]
        suppressed.append(sorted(problem.frequencies.values[0][code - 1].as_py() for code in
                                 problem.frequencies.codes[0][gone].tolist()))  # fmt: skip
    assert suppressed == [[], ["9000"], ["3000", "9000"]]


def test_an_outlier_is_suppressed_where_that_is_cheaper() -> None:
    rows = [{"a": str(at // 3), DISEASE: "xyz"[at % 3]} for at in range(30)] + [{"a": "1000", DISEASE: "x"}] * 3
    for budget, gone in ((0, 0), (2, 0), (3, 3), (20, 3)):
        problem = local_problem(rows, {"a": numbers}, DistinctL(l=3, column=DISEASE), budget)
        groups = found(KMembers(), problem)
        assert groups is not None
        assert is_safe(problem, groups)
        assert groups.suppressed == gone


def test_what_a_search_says_of_itself() -> None:
    assert isinstance(KMembers(), LocalSearch)
    assert not KMembers().needs_sensitive
    assert KMembers(objective="protection").needs_sensitive


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"objective": "speed"}, "objective of k_members is 'speed'; it may be utility, protection"),
        ({"measure": "depth"}, "measure of k_members is 'depth'; it may be leaves, height"),
        ({"block": 0}, "block of k_members is 0"),
        ({"block": 1.5}, "block of k_members is 1.5"),
        ({"starts": True}, "starts of k_members is True"),
        ({"refine": -1}, "refine of k_members is -1"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        KMembers(**options)  # type: ignore[arg-type]
