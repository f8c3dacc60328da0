"""Local suppression: few cells are wiped, and every release satisfies every model."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.core.frequencies import FrequencySet
from incrowd.errors import UsageError
from incrowd.metrics.loss import Loss
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import CellsOutcome, NothingFound, Problem
from incrowd.searches._layers import candidates
from incrowd.searches.local_suppression import LocalSuppression
from incrowd.searches.mondrian import smallest
from incrowd.watch import Watch
from searches.cells_by_hand import all_match, partitions, shown, wipeable
from searches.own_levels import by_values, check_feasible, check_release, shuffled
from searches.problems import K_ANONYMITY, Row, Ticks, population_problems, problem, problems
from searches.scored_by_hand import published
from searches.test_optimal import adult, on_adult
from searches.worked_examples import samarati_rows

__all__ = ["adult"]

FOUR = ("sex", "age", "race", "marital-status")


@given(problems())
def test_every_class_satisfies_every_model(given_problem: Problem) -> None:
    outcome = LocalSuppression().run(given_problem, Watch())
    tops = [ladder.height for ladder in given_problem.ladders]
    if all(limit == top for limit, top in zip(given_problem.limit, tops, strict=False)):
        check_feasible(given_problem, outcome)
    if isinstance(outcome, NothingFound):
        return
    own = check_release(given_problem, outcome)
    low = given_problem.minimum or (0,) * len(tops)
    kept = own[:, (own >= 0).all(axis=0)]
    for levels, least, top in zip(kept, low, tops, strict=True):
        assert set(levels.tolist()) <= {least, top}


@given(problems(), st.integers(0, 8))
def test_stopped_at_any_moment_it_is_a_release(given_problem: Problem, ticks: int) -> None:
    outcome = LocalSuppression().run(given_problem, Ticks(ticks))
    if not isinstance(outcome, NothingFound):
        check_release(given_problem, outcome)


@pytest.mark.parametrize("generalize", ["none", "column"])
@settings(max_examples=25)
@given(given_problem=problems(K_ANONYMITY), ticks=st.integers(0, 8))
def test_stopped_with_wildcards_it_is_a_release(generalize: str, given_problem: Problem, ticks: int) -> None:
    outcome = LocalSuppression(generalize=generalize, wiped="anything").run(given_problem, Ticks(ticks))
    if not isinstance(outcome, NothingFound):
        assert isinstance(outcome, CellsOutcome)
        kept = (outcome.own_levels >= 0).all(axis=0)
        assert given_problem.frequencies.counts[~kept].sum() == outcome.node.suppressed <= given_problem.budget
        rows = [(cells, wild) for cells, wild in shown(given_problem, outcome)]
        assert all_match([cells for cells, _ in rows], [wild for _, wild in rows], smallest(given_problem.model))


@given(problems(), st.randoms())
def test_the_order_of_counting_does_not_matter(given_problem: Problem, random: Random) -> None:
    order = list(range(given_problem.frequencies.combinations))
    random.shuffle(order)
    other = shuffled(given_problem, order)
    one, two = LocalSuppression().run(given_problem, Watch()), LocalSuppression().run(other, Watch())
    assert one.details == two.details
    if isinstance(one, CellsOutcome) and isinstance(two, CellsOutcome):
        assert by_values(given_problem, one.own_levels) == by_values(other, two.own_levels)


def test_samarati_s_example() -> None:
    """FX-SAM-4, _CS: the lecture's table wipes 14 cells, this one 12."""
    columns = ("Race", "DOB", "Sex", "ZIP")
    rows = samarati_rows()
    ladders = {name: wipeable(sorted({str(row[name]) for row in rows})) for name in columns}
    given_problem = problem(rows, ladders, KAnonymity(2))
    outcome = LocalSuppression().run(given_problem, Watch())
    assert outcome.details == {"wiped": 12, "wiped_by_column": {"Race": 0, "DOB": 5, "Sex": 0, "ZIP": 7}}
    lines = sorted(
        "|".join(map(str, row)) for row in published(given_problem, check_release(given_problem, outcome)).values()
    )
    assert lines == sorted(
        ["asian|*|F|*"] * 3 + ["asian|*|M|94139"] * 2 + ["black|64/09/27|F|*"] * 2 + ["white|64/09/27|F|*"] * 2
    )


def fewest_wiped(frequencies: FrequencySet, k: int) -> int:
    """By trying every way to part the combinations into classes, which lose the columns in which they differ."""

    def cells(group: list[int]) -> int:
        differing = sum(len(set(codes[group].tolist())) > 1 for codes in frequencies.codes)
        return differing * int(frequencies.counts[group].sum())

    every = partitions(range(frequencies.combinations))
    safe = (groups for groups in every if all(frequencies.counts[group].sum() >= k for group in groups))
    return min(sum(map(cells, groups)) for groups in safe)


def test_few_cells_are_wiped_on_small_tables() -> None:
    """Over 150 tables of six to eight different records, four percent more than the fewest that can be."""
    random = np.random.default_rng(5)
    ours = fewest = optimal = 0
    for _ in range(150):
        columns, k = int(random.integers(2, 5)), int(random.integers(2, 4))
        rows = [{f"c{at}": "uvw"[random.integers(3)] for at in range(columns)} for _ in range(random.integers(6, 9))]
        ladders = {f"c{at}": wipeable("uvw") for at in range(columns)}
        given_problem = problem(rows, ladders, KAnonymity(k))
        wiped = LocalSuppression().run(given_problem, Watch()).details["wiped"]
        best = fewest_wiped(given_problem.frequencies, k)
        assert wiped >= best
        ours, fewest, optimal = ours + wiped, fewest + best, optimal + (wiped == best)
    assert ours <= 1.04 * fewest
    assert optimal >= 115


def test_an_important_column_is_wiped_later() -> None:
    rows = [{"a": a, "b": b} for a, b in ("ux", "uy", "vx", "vy")]
    ladders = {"a": wipeable("uv"), "b": wipeable("xy")}
    for priorities, wiped in [((2.0, 1.0), {"a": 0, "b": 4}), ((1.0, 2.0), {"a": 4, "b": 0})]:
        outcome = LocalSuppression().run(problem(rows, ladders, KAnonymity(2), priorities=priorities), Watch())
        assert outcome.details == {"wiped": 4, "wiped_by_column": wiped}


def test_a_column_that_must_not_reach_its_top_is_not_wiped() -> None:
    rows = [{"a": a, "b": b} for a, b in ("ux", "uy", "vx", "vy")]
    ladders = {"a": wipeable("uv"), "b": wipeable("xy")}
    outcome = LocalSuppression().run(problem(rows, ladders, KAnonymity(2), limit=(1, 0)), Watch())
    assert outcome.details["wiped_by_column"] == {"a": 4, "b": 0}
    assert isinstance(
        LocalSuppression().run(problem(rows, ladders, KAnonymity(4), limit=(1, 0)), Watch()), NothingFound
    )


def test_tables_at_the_edge() -> None:
    ladders = {"a": wipeable("uv"), "b": wipeable("xy")}
    empty = LocalSuppression().run(problem([], ladders, KAnonymity(3)), Watch())
    assert not isinstance(empty, NothingFound)
    assert (empty.node.levels, empty.details["wiped"]) == ((0, 0), 0)
    two: list[Row] = [{"a": "u", "b": "x"}, {"a": "v", "b": "y"}]
    assert isinstance(LocalSuppression().run(problem(two, ladders, KAnonymity(3)), Watch()), NothingFound)
    gone = LocalSuppression().run(problem(two, ladders, KAnonymity(3), budget=2), Watch())
    assert not isinstance(gone, NothingFound)
    assert (gone.node.suppressed, gone.details["wiped"]) == (2, 0)
    missing: list[Row] = [{"a": None, "b": None}] * 3
    same = LocalSuppression().run(problem(missing, ladders, KAnonymity(3)), Watch())
    assert same.details["wiped"] == 0


@settings(max_examples=5)
@given(population_problems())
def test_a_population_is_refused(given_problem: Problem) -> None:
    with pytest.raises(UsageError, match=r"local_suppression: .*compared with a population"):
        LocalSuppression().run(given_problem, Watch())


def test_forty_columns() -> None:
    random = np.random.default_rng(3)
    rows = [{f"c{at}": "uvw"[random.integers(3)] for at in range(40)} for _ in range(30)]
    given_problem = problem(rows, {f"c{at}": wipeable("uvw") for at in range(40)}, KAnonymity(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "_LISTED", 4000)
        outcome = LocalSuppression().run(given_problem, Watch())
    check_release(given_problem, outcome)
    assert outcome.details["wiped"] < 30 * 40


# As many records are unsafe as the first number says, and each of them loses a cell at least. sdcMicro wipes 543, 1,046
# and 1,836 cells, where a wiped cell matches anything. Where it is a value of its own, no release wipes fewer than 543,
# 1,048 and 1,842 (fewest_cells).
@pytest.mark.parametrize(
    ("k", "unsafe", "own", "anything"), [(2, 543, 543, 543), (3, 1045, 1048, 1046), (5, 1824, 1849, 1836)]
)
def test_few_cells_are_wiped_on_adult(adult: FrequencySet, k: int, unsafe: int, own: int, anything: int) -> None:
    given_problem = on_adult(adult, FOUR, KAnonymity(k), Loss(), 0.0)
    counts = given_problem.frequencies.counts
    assert counts[counts < k].sum() == unsafe
    outcome = LocalSuppression().run(given_problem, Watch())
    assert unsafe <= outcome.details["wiped"] <= own
    check_release(given_problem, outcome)
    outcome = LocalSuppression(wiped="anything").run(given_problem, Watch())
    assert not isinstance(outcome, NothingFound)
    assert unsafe <= outcome.details["wiped"] <= anything
    assert outcome.node.smallest >= k
