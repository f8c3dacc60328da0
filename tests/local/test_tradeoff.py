"""Trade-off: the thesis' worked examples, its algorithms line by line, every model, interruption and edges."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.core.axes import Axis
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.kernels import Neighbors
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel, parse
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import LocalSearch, NothingFound, Outcome, Problem
from incrowd.searches._tradeoff.clusters import TradeoffClusters, alike
from incrowd.searches._tradeoff.joining import diversities, joined, of_k
from incrowd.searches._tradeoff.quality import quality, spans
from incrowd.searches._tradeoff.records import Pieces, TradeoffRecords, whole
from incrowd.searches._tradeoff.sampling import (
    DOUBLINGS,
    HALVINGS,
    REFINEMENTS,
    ROUNDS,
    SETTLED,
    best_size,
    best_threshold,
    sample_size,
)
from incrowd.searches._tradeoff.scales import UNITS, steps
from incrowd.searches.tradeoff import Tradeoff, TradeoffRun, seeded, standing, weighted
from incrowd.watch import Watch
from local.tables import assert_whole, local_problem, records_of, some_models, tables
from local.thesis import (
    Choice,
    algorithm_1,
    algorithm_2,
    algorithm_3,
    algorithm_4,
    algorithm_5,
    joined_in_a_round,
    parted,
)
from local.thesis_tables import columns_of, listed, of_texts, problems, rescaled
from searches.chosen import groups_of
from searches.problems import Ticks

SHARES = st.sampled_from([0.0, 0.25, 0.5, 1.0])
LEFTOVERS = st.sampled_from(["place", "place_smallest", "suppress"])
DELTAS = st.integers(0, 16).map(lambda at: at / 16)
OPTIONS = st.builds(Tradeoff, protection=SHARES, leftovers=LEFTOVERS) | st.builds(
    Tradeoff,
    protection=SHARES,
    clusters=st.just("seeded"),
    delta=st.none() | DELTAS,
    s=st.none() | st.integers(1, 12),
    leftovers=LEFTOVERS,
)


def made_by(records: TradeoffRecords, protection: float, delta: float, subspaces: Any) -> TradeoffClusters:
    """Clusters around seeds."""
    made = seeded(records, weighted(records, protection), subspaces, delta)
    while made.work(1):
        pass
    return standing(records, made)


def found_in(clusters: TradeoffClusters) -> list[Counter[int]]:
    """The records of every cluster that stands, by position."""
    found: list[Counter[int]] = [Counter() for _ in range(clusters.n)]
    for position, count, number in zip(clusters.position, clusters.counts, clusters.cluster, strict=True):
        if number >= 0:
            found[number][int(position)] += int(count)
    return found


def left_over(clusters: TradeoffClusters) -> list[int]:
    """Left-over records by position, in order of arrival."""
    left = clusters.cluster < 0
    return np.repeat(clusters.position[left], clusters.counts[left]).tolist()


# The thesis' tables.

POSTCODES = Hierarchy.from_rows(
    [(f"NW{at}", "NW[10-15]" if at < 16 else "NW[16-19]" if at < 20 else "NW[20-30]", "*") for at in range(10, 31)]
)


def numbers(name: str, values: list[int], domain: tuple[float, float] | None = None) -> Axis:
    """A column of numbers."""
    axis = Axis.of_numbers(name, pa.array(sorted(set(values))), domain)
    assert axis is not None
    return axis


def table_3_1() -> Problem:
    """FX-LOU-4."""
    age, salary = [30, 32, 37, 40, 45, 46, 57, 60], [10, 10, 10, 10, 20, 40, 40, 30]
    codes = ["NW10", "NW15", "NW12", "NW13", "NW20", "NW30", "NW30", "NW25"]
    postcode = Axis.of_tree(POSTCODES.along("postcode", pa.array(sorted(set(codes)))))
    rows = [dict(zip(("age", "postcode", "salary"), row, strict=True)) for row in zip(age, codes, salary, strict=True)]
    return of_texts(rows, [numbers("age", age), postcode], [numbers("salary", salary)], KAnonymity(4))


def table_3_5(height: tuple[float, float] | None = None, postcode: Axis | None = None) -> Problem:
    """FX-LOU-5; with the domains of height and postcode where they are given."""
    rows = [
        {"age": age, "height": height, "postcode": "NW30" if height == 170 else "NW32", "salary": salary}
        for age, height, salary in [
            (10, 170, 20),
            (15, 175, 20),
            (15, 170, 65),
            (20, 175, 65),
            (20, 170, 20),
            (25, 175, 20),
            (25, 170, 65),
            (30, 175, 65),
        ]
    ]
    quasi = [
        numbers("age", [row["age"] for row in rows]),  # type: ignore[misc]
        numbers("height", [170, 175], height),
        postcode or Axis.of_set("postcode", pa.array(["NW30", "NW32"])),
    ]
    return of_texts(rows, quasi, [numbers("salary", [20, 65])], KAnonymity(2))


def in_row_order(problem: Problem) -> TradeoffRecords:
    """Rows are all different here, and were counted in their order."""
    return TradeoffRecords.of(problem, np.arange(problem.frequencies.combinations))


def rows_of(clusters: TradeoffClusters) -> list[list[int]]:
    """Clusters by the numbers of their rows, counted from 1."""
    return [sorted(at + 1 for at in found) for found in found_in(clusters)]


def test_fx_lou_4_diversities() -> None:
    records = in_row_order(table_3_1())
    apart, mixed = np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.array([0, 0, 1, 1, 0, 0, 1, 1])
    every = np.arange(8)
    for cluster, expected in ((apart, Fraction(95, 240) + Fraction(2, 3)), (mixed, Fraction(33, 40))):
        clusters = TradeoffClusters(every, records.counts, cluster)
        found = quality(records, clusters)
        assert found is not None
        assert float(found) == pytest.approx(float(expected), abs=1e-11)
    shares = spans(records, TradeoffClusters(every, records.counts, apart)) / UNITS
    assert shares.tolist() == [
        pytest.approx([10 / 30, 15 / 30]),
        pytest.approx([5 / 20, 10 / 20]),
        pytest.approx([0, 2 / 3]),
    ]
    # mr_wtd with equal weights, as placing weighs groups: 31/48 and 5/12; 23/60 and 53/120.
    scale = weighted(records, 0.5)
    for cluster, expected_each in ((apart, (31 / 48, 5 / 12)), (mixed, (23 / 60, 53 / 120))):
        for group, share in enumerate(expected_each):
            own = np.flatnonzero(cluster == group)
            halves = (own, np.ones(4, dtype=np.int64), np.array([0, 2, 4]))
            _, cost = Neighbors(scale, 2, records.ranks, halves, 0, 2).nearest(0)
            assert cost / UNITS == pytest.approx(share)


def subspaces_of_table_3_6() -> Pieces:
    """Table 3.6, s = 2: age has a much larger domain than height and postcode, so all splits are done around it. As the
    largest normalized domain it is, if the other two columns have domains wider than what this table shows."""
    outward = Hierarchy.from_rows([(f"NW{at}", "*") for at in range(10, 40)])
    given = table_3_5((0, 250), Axis.of_tree(outward.along("postcode", pa.array(["NW30", "NW32"]))))
    return in_row_order(given).subspaces(2, Watch())


def test_fx_lou_5_subspaces() -> None:
    """Table 3.6: s = 2."""
    records = in_row_order(table_3_5())
    position, counts, starts = subspaces_of_table_3_6()
    assert counts.tolist() == [1] * 8
    assert [sorted(part + 1) for part in np.split(position, starts[1:-1])] == [[1, 2], [3, 4], [5, 6], [7, 8]]
    found = quality(records, TradeoffClusters.of((position, counts, starts), np.ones(4, dtype=np.bool_)))
    assert found is not None
    assert float(found) == pytest.approx(0.75 + 1)


@pytest.mark.parametrize("delta", [0.05, 0.1])
def test_fx_lou_5_clusters(delta: float) -> None:
    """Table 3.7: no subspaces, equal weights."""
    records = in_row_order(table_3_5())
    clusters = made_by(records, 0.5, delta, whole(records))
    assert rows_of(clusters) == [[1, 3], [2, 4], [5, 7], [6, 8]]
    assert float(quality(records, clusters) or 0) == pytest.approx(1 / 12)


def test_fx_lou_5_a_larger_threshold() -> None:
    records = in_row_order(table_3_5())
    clusters = made_by(records, 0.5, 0.2, whole(records))
    assert rows_of(clusters) == [[1, 3, 7], [2, 4, 6, 8]]
    assert left_over(clusters) == [4]


def test_fx_lou_8_ratio() -> None:
    """The bound of Theorem 3.3.1 is 10 for n = 8, s = 2, m = 3; the true ratio is 9."""
    n, s, m = 8, 2, 3
    assert n // s * (Fraction(1, n // (2 * s - 1)) + m - 1) == 10
    records = in_row_order(table_3_5())
    position, counts, starts = subspaces_of_table_3_6()
    parts = spans(records, TradeoffClusters.of((position, counts, starts), np.ones(4, dtype=np.bool_)))[:3].mean()
    alone = spans(records, made_by(records, 0.5, 0.05, whole(records)))[:3].mean()
    assert parts / alone == pytest.approx(9)


def test_example_3_2_1() -> None:
    """Figure 3.5: ages from 20 to 70, heights from 150 to 190, s = 6; cut along age, then each half along height.

    Both spread over their whole domains: the first column of equals is cut, its halves are then narrower.
    """
    rows = [{"age": 20 + 50 * at // 23, "height": 150 + 40 * (at * 7 % 24) // 23} for at in range(24)]
    axes = [numbers(name, [row[name] for row in rows]) for name in ("age", "height")]
    records = in_row_order(of_texts(rows, axes, [], KAnonymity(2)))
    position, _, starts = records.subspaces(6, Watch())
    found = [{name: [rows[at][name] for at in part] for name in rows[0]} for part in np.split(position, starts[1:-1])]
    assert [len(part["age"]) for part in found] == [6, 6, 6, 6]
    assert max(found[0]["age"] + found[1]["age"]) < min(found[2]["age"] + found[3]["age"])
    for one, other in (found[:2], found[2:]):
        assert max(one["height"]) <= min(other["height"])


# Line by line.


@given(problem=problems(), s=st.integers(1, 6))
def test_subspaces_are_those_of_algorithm_2(problem: Problem, s: int) -> None:
    records = TradeoffRecords.of(problem)
    position, counts, starts = records.subspaces(s, Watch())
    found = [
        np.repeat(at, n).tolist()
        for at, n in zip(np.split(position, starts[1:-1]), np.split(counts, starts[1:-1]), strict=True)
    ]
    assert found == algorithm_2(listed(records), columns_of(problem, records), s)


@given(problem=problems(), protection=SHARES, delta=DELTAS, s=st.sampled_from([1, 3, 100]))
def test_clusters_are_those_of_algorithm_1(problem: Problem, protection: float, delta: float, s: int) -> None:
    records = TradeoffRecords.of(problem)
    columns = columns_of(problem, records)
    clusters = made_by(records, protection, delta, records.subspaces(s, Watch()))
    wanted: list[list[int]] = []
    for part in algorithm_2(listed(records), columns, s):
        wanted += algorithm_1(part, lambda group: columns.mr_wtd(group, Fraction(protection)), Fraction(delta))
    kept, left = parted(wanted, records.k)
    assert found_in(clusters) == [Counter(cluster) for cluster in kept]
    assert left_over(clusters) == left


@given(
    problem=problems(),
    protection=SHARES,
    delta=DELTAS,
    s=st.sampled_from([1, 3, 100]),
    leftovers=st.sampled_from(["place", "place_smallest"]),
)
def test_left_over_records_go_where_algorithm_5_puts_them(
    problem: Problem, protection: float, delta: float, s: int, leftovers: str
) -> None:
    run = TradeoffRun(Tradeoff(protection=protection, leftovers=leftovers), TradeoffRecords.of(problem), Watch())
    records = run.records
    columns = columns_of(problem, records)
    clusters = made_by(records, protection, delta, records.subspaces(s, Watch()))

    def mr_wtd(group: list[int]) -> Fraction:
        return columns.mr_wtd(group, Fraction(protection))

    wanted: list[list[int]] = []
    for part in algorithm_2(listed(records), columns, s):
        wanted += algorithm_1(part, mr_wtd, Fraction(delta))
    kept = algorithm_5(wanted, records.k, mr_wtd, leftovers == "place")
    if kept:
        assert found_in(run._placed(records, clusters)) == [Counter(cluster) for cluster in kept]


@settings(max_examples=12)
@given(problem=problems(most=8), protection=SHARES, leftovers=LEFTOVERS)
def test_thresholds_are_those_of_algorithms_3_and_4(problem: Problem, protection: float, leftovers: str) -> None:
    run = TradeoffRun(Tradeoff(protection=protection, leftovers=leftovers), TradeoffRecords.of(problem), Watch())
    records = run.records
    choice = Choice(columns_of(problem, records), Fraction(protection), records.k, leftovers)
    found = choice.thresholds(listed(records), ROUNDS, (HALVINGS, REFINEMENTS), (SETTLED, DOUBLINGS))
    assert run.thresholds(records) == found
    fixed = replace(run, search=replace(run.search, delta=0.25))
    assert fixed.thresholds(records) == (0.25, run.best_s(records, 0.25))
    fixed = replace(run, search=replace(run.search, s=3))
    assert fixed.thresholds(records) == (run.best_delta(records, 3), 3)


@given(scores=st.lists(st.none() | st.integers(0, 9).map(Fraction), min_size=65, max_size=65))
def test_the_threshold_is_that_of_algorithm_3(scores: list[Fraction | None]) -> None:
    def tried(delta: float | Fraction) -> Fraction | None:
        return scores[int(64 * delta)]

    assert Fraction(best_threshold(tried)) == algorithm_3(tried, HALVINGS, REFINEMENTS)


def test_thresholds_are_tried_to_one_64th() -> None:
    assert best_threshold(lambda delta: abs(Fraction(delta) - Fraction(15, 64))) == 15 / 64
    assert best_threshold(lambda _: None) == 1
    assert sample_size(2) == 16_384
    assert sample_size(1 << 30) == 1000


@settings(max_examples=50)
@given(problem=problems(), protection=SHARES)
def test_clusters_are_joined_as_the_rule_says(problem: Problem, protection: float) -> None:
    records = TradeoffRecords.of(problem)
    columns = columns_of(problem, records)
    clusters, _ = of_k(records, Watch())
    clusters = clusters.renumbered(alike(records, clusters))
    scale = weighted(records, protection)
    each = diversities(records, clusters, scale)
    for _ in range(3):
        lists = [sorted(found.elements()) for found in found_in(clusters)]
        wanted = joined_in_a_round(lists, lambda group: columns.mr_wtd(group, Fraction(protection)))
        clusters, each = joined(records, clusters, each, scale, Watch())
        assert each == diversities(records, clusters, scale)
        assert found_in(clusters) == [Counter(cluster) for cluster in wanted]


@given(rows=tables(), k=st.integers(1, 5))
def test_utility_alone_gives_the_clusters_of_k_members(rows: list[dict[str, Any]], k: int) -> None:
    problem = local_problem(rows, KAnonymity(k), sensitive=["disease"])
    records = TradeoffRecords.of(problem)
    clusters, _ = of_k(records, Watch())
    merged = clusters.renumbered(alike(records, clusters))
    outcome = run(problem, Tradeoff(protection=0))
    if not isinstance(outcome, NothingFound):
        wanted = sorted(records_of(merged.groups(records)).values(), key=str)
        assert sorted(records_of(outcome.groups).values(), key=str) == wanted


@given(
    scores=st.lists(st.none() | st.integers(0, 40).map(lambda at: Fraction(at, 100)), min_size=6, max_size=6),
    k=st.integers(1, 5),
    records=st.integers(1, 200),
)
def test_the_size_is_that_of_algorithm_4(scores: list[Fraction | None], k: int, records: int) -> None:
    def tried(s: int) -> Fraction | None:
        return scores[(s // k).bit_length() - 1]

    assert best_size(k, records, tried) == algorithm_4(k, records, tried, SETTLED, DOUBLINGS)


def test_a_size_that_makes_it_worse_is_not_chosen() -> None:
    """The scores rise from size to size, by more than what counts as settled."""
    assert best_size(2, 1000, lambda s: Fraction(s, 10)) == 2
    assert best_size(2, 1000, lambda s: Fraction(abs(s - 8), 10)) == 8


@given(places=st.lists(st.integers(0, 5000), min_size=1), more=st.integers(1, 9), factor=st.integers(1, 1000))
def test_steps_are_the_same_in_every_unit(places: list[int], more: int, factor: int) -> None:
    line, span = np.array([0.0, *map(float, places)]), float(max(places) + more)
    assert steps(line * factor, span * factor, UNITS / 6).tolist() == steps(line, span, UNITS / 6).tolist()


@settings(max_examples=50)
@given(problem=problems(), search=OPTIONS, factor=st.sampled_from([2, 3, 365]), shift=st.sampled_from([0, 1000]))
def test_the_unit_of_a_column_does_not_matter(problem: Problem, search: Tradeoff, factor: int, shift: int) -> None:
    """Years or days: numbers times a factor, more or less, and their domains too."""

    other = rescaled(problem, factor, shift)
    found = [run(each, search) for each in (problem, other)]
    assert found[0].details == found[1].details
    one, same = map(groups_of, found)
    assert (one is None) == (same is None)
    if one is not None and same is not None:
        assert one.group.tolist() == same.group.tolist()
        assert one.combination.tolist() == same.combination.tolist()


def test_a_sample_is_drawn_with_replacement() -> None:
    records = in_row_order(table_3_5())
    many = replace(records, counts=np.full(8, 1000, dtype=np.int64))
    sample = many.sample(500)
    assert sample.total == 500
    assert sample.counts.tolist() == many.sample(500).counts.tolist()
    assert sample.counts.min() > 20
    assert many.sample(8000) is many


# Whole runs.


def run(problem: Problem, search: Tradeoff) -> Outcome:
    """What the search finds."""
    with Watch() as watch:
        return search.run(problem, watch)


def assert_fits(problem: Problem, outcome: Outcome) -> None:
    """Valid groups, no two of which publish the same cells; or none, for a reason."""
    if isinstance(outcome, NothingFound):
        return
    assert_whole(problem, outcome.groups)
    records = TradeoffRecords.of(problem)
    position = np.empty(problem.frequencies.combinations, dtype=np.int64)
    position[records.order] = np.arange(len(records.order))
    groups = outcome.groups
    clusters = TradeoffClusters(position[groups.combination], groups.counts, groups.group.astype(np.int64))
    assert len(set(alike(records, clusters).tolist())) == clusters.n


def everything_holds(problem: Problem) -> bool:
    """One group of all records satisfies the model."""
    groups = TradeoffRecords.of(problem)
    every = TradeoffClusters(np.arange(len(groups.counts)), groups.counts, np.zeros(len(groups.counts), dtype=np.int64))
    classes = every.groups(groups).classes(problem.model.needs, problem.sensitive)
    return bool(problem.model.holds(classes).all())


@given(rows=tables(), model=some_models(), search=OPTIONS, budget=st.integers(0, 4))
def test_every_group_satisfies_the_model(
    rows: list[dict[str, Any]], model: PrivacyModel, search: Tradeoff, budget: int
) -> None:
    problem = local_problem(rows, model, budget=budget, sensitive=["disease"])
    outcome = run(problem, search)
    assert outcome.stopped == "done"
    assert_fits(problem, outcome)
    if isinstance(outcome, NothingFound) and search.places:
        assert not everything_holds(problem)


@given(rows=tables(), model=some_models(), search=OPTIONS, ticks=st.integers(0, 30))
def test_stopped_at_any_time(rows: list[dict[str, Any]], model: PrivacyModel, search: Tradeoff, ticks: int) -> None:
    problem = local_problem(rows, model, sensitive=["disease"])
    outcome = search.run(problem, Ticks(ticks))
    assert outcome.stopped in ("done", "interrupted")
    assert_fits(problem, outcome)
    if everything_holds(problem) and search.places:
        assert not isinstance(outcome, NothingFound)


@given(rows=tables(), search=OPTIONS, data=st.data())
def test_the_order_of_combinations_does_not_matter(
    rows: list[dict[str, Any]], search: Tradeoff, data: st.DataObject
) -> None:
    found = []
    for given_rows in (rows, data.draw(st.permutations(rows))):
        outcome = run(local_problem(given_rows, KAnonymity(3), budget=len(rows), sensitive=["disease"]), search)
        found.append((outcome.details, groups_of(outcome) and sorted(records_of(outcome.groups).values(), key=str)))
    assert found[0] == found[1]


def test_left_over_records_beyond_the_budget() -> None:
    problem = table_3_5()
    search = Tradeoff(delta=0.2, s=8, leftovers="suppress")
    outcome = search.run(problem, Watch())
    assert isinstance(outcome, NothingFound)
    assert outcome.details["would_suppress"] == 1
    enough = search.run(replace(problem, budget=1), Watch())
    assert not isinstance(enough, NothingFound)
    assert enough.groups.suppressed == 1
    assert enough.details == {"delta": 0.2, "s": 8, "subspaces": 1, "clusters": 2, "leftovers": 1, "groups": 2}


def test_groups_that_fail_are_suppressed_where_left_over_records_are() -> None:
    problem = replace(table_3_5(), budget=3, model=All((KAnonymity(2), parse("distinct_l:l=2,column=salary"))))
    # Subspaces of one salary each.
    outcome = Tradeoff(protection=0, delta=1.0, s=2, leftovers="suppress").run(problem, Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.groups.suppressed == 2
    assert_fits(problem, outcome)


def test_groups_that_no_neighbour_helps_are_suppressed_where_they_may_be() -> None:
    """Eight of twelve salaries are 10: all together fail, and a group of six does from the beginning."""
    given = table_3_1()
    frequencies = replace(given.frequencies, counts=np.array([2, 2, 2, 2, 1, 1, 1, 1], dtype=np.int64))
    model = All((KAnonymity(2), parse("alpha_k:alpha=0.5,k=2,column=salary")))
    for budget, suppressed in ((0, None), (5, None), (6, 6)):
        problem = replace(given, frequencies=frequencies, model=model, budget=budget)
        outcome = run(problem, Tradeoff(protection=0, delta=1.0, s=4))
        assert (None if isinstance(outcome, NothingFound) else outcome.groups.suppressed) == suppressed
        assert_fits(problem, outcome)


def test_without_sensitive_columns() -> None:
    problem = local_problem(
        [{"age": str(at), "place": None, "size": None, "mark": None} for at in range(30)], KAnonymity(4)
    )
    outcome = run(problem, Tradeoff())
    assert_fits(problem, outcome)
    assert not isinstance(outcome, NothingFound)
    assert outcome.groups.n > 1


@pytest.mark.parametrize("k", [1, 2, 8, 9])
def test_k_from_one_to_more_than_there_are(k: int) -> None:
    problem = replace(table_3_5(), model=KAnonymity(k))
    outcome = run(problem, Tradeoff())
    assert (isinstance(outcome, NothingFound)) == (k > 8)
    assert_fits(problem, outcome)


def test_an_empty_table() -> None:
    problem = local_problem([], KAnonymity(3), sensitive=["disease"])
    outcome = run(problem, Tradeoff())
    assert not isinstance(outcome, NothingFound)
    assert outcome.groups.n == 0


def test_hundreds_of_columns_and_huge_counts() -> None:
    axes = [numbers(f"c{at}", [1, 2**60, 2**62]) for at in range(300)]
    rows = [{axis.name: (1, 2**60, 2**62)[(at * 7 + row) % 3] for at, axis in enumerate(axes)} for row in range(6)]
    problem = of_texts(rows, axes, [], KAnonymity(2))
    frequencies = replace(problem.frequencies, counts=np.array([10**12, 1, 1], dtype=np.int64))
    assert problem.frequencies.combinations == 3
    for search in (Tradeoff(), Tradeoff(delta=0.0, s=1)):
        outcome = run(replace(problem, frequencies=frequencies), search)
        assert_fits(replace(problem, frequencies=frequencies), outcome)


def test_one_combination_many_times() -> None:
    problem = local_problem(
        [{"age": "7", "place": "Bonn", "size": None, "mark": "ü", "disease": "flu"}] * 50, KAnonymity(5)
    )
    outcome = run(problem, Tradeoff())
    assert not isinstance(outcome, NothingFound)
    assert outcome.groups.n == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"protection": 1.5}, "protection of tradeoff is 1.5; it may be a number from 0 to 1"),
        ({"protection": None}, "protection of tradeoff is None"),
        ({"delta": -1}, "delta of tradeoff is -1; it may be a number from 0 to 1"),
        ({"delta": True}, "delta of tradeoff is True"),
        ({"s": 0}, "s of tradeoff is 0; it may be a whole number, 1 or more"),
        ({"s": 2.5}, "s of tradeoff is 2.5"),
        ({"leftovers": "keep"}, "leftovers of tradeoff is 'keep'; it may be place, place_smallest, suppress"),
        ({"clusters": "none"}, "clusters of tradeoff is 'none'; it may be joined, seeded"),
        ({"clusters": "joined", "s": 5}, "delta and s are thresholds of seeded clusters"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Tradeoff(**options)
    assert isinstance(Tradeoff(), LocalSearch)
    assert Tradeoff().needs_sensitive
