"""Guaranteed: the thesis' worked example, its Algorithm 6 line by line, limits that hold, interruption and edges."""

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
from incrowd.core.groups import Groups
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel, Reference, from_dict, parse
from incrowd.models._ranges_by_definition import TextRanges
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.range_diversity import RangeDiversity
from incrowd.searches import LocalSearch, NothingFound, Outcome, Problem
from incrowd.searches._tradeoff.contributing import Rated
from incrowd.searches._tradeoff.records import TradeoffRecords, whole
from incrowd.searches._tradeoff.scales import UNITS
from incrowd.searches.guaranteed import Guaranteed, GuaranteedRun
from incrowd.watch import Watch
from local.tables import assert_whole, local_problem, records_of, tables
from local.test_tradeoff import Ticks, assert_fits, found_in
from local.thesis import Guaranteed as Literally
from local.thesis import algorithm_2
from local.thesis_tables import LEAVES, columns_of, listed, of_texts, problems, rescaled
from searches.chosen import groups_of

INCOME = "range_diversity:p=0.5,column=income,ranges=0..4/5..9/10..30/80..99,domain=0..99"


def table_5_1(k: int, budget: int = 12, model: str = INCOME) -> Problem:
    """FX-LOU-6."""
    age = [30, 22, 29, 29, 31, 35, 37, 39, 41, 42, 44, 45]
    income = [1, 4, 22, 23, 24, 9, 0, 9, 25, 26, 90, 90]
    axes = [Axis.of_numbers(name, pa.array(sorted(set(of)))) for name, of in (("age", age), ("income", income))]
    rows = [{"age": a, "income": i} for a, i in zip(age, income, strict=True)]
    both = All((KAnonymity(k), parse(model)))
    return of_texts(rows, axes[:1], axes[1:], both, budget=budget)  # type: ignore[arg-type]


def in_row_order(problem: Problem, search: Guaranteed) -> GuaranteedRun:
    """A run that takes seeds in the order of the rows."""
    return GuaranteedRun(search, TradeoffRecords.of(problem, np.arange(problem.frequencies.combinations)), Watch())


def rows_in(groups: Groups) -> list[list[int]]:
    """The rows of every group, counted from 1; at last those that are suppressed."""
    rows = groups.combination + 1
    return [sorted(rows[groups.group == group].tolist()) for group in [*range(groups.n), -1]]


@pytest.mark.parametrize(
    ("utility", "k", "expected"),
    [
        (0.5, 2, [[1, 3, 4, 5, 6, 7, 8], [9, 11], [10, 12], [2]]),
        (0.3, 4, [[1, 3, 4, 5, 6], [2, 7, 8, 9, 10, 11, 12]]),
    ],
)
def test_fx_lou_6(utility: float, k: int, expected: list[list[int]]) -> None:
    """U, P = 0.5, no pre-partitioning, seeds in row order."""
    run = in_row_order(table_5_1(k), Guaranteed(utility, s=12))
    groups, stopped = run.groups()
    assert stopped == "done"
    assert groups is not None
    assert rows_in(groups) == expected
    assert run.details["subspaces"] == 1
    assert run.details["suppressed"] == len(expected[-1])
    assert run.details["regrouped"] + run.details["suppressed"] == run.details["leftovers"]


def test_fx_lou_6_in_the_order_of_growth() -> None:
    problem = table_5_1(2)
    run = in_row_order(problem, Guaranteed(0.5))
    made = run.growing(run.records, run.rated(run.records, whole(run.records)), whole(run.records))
    while made.work(1):
        pass
    position, _, starts, _ = made.clusters()
    assert (position[: starts[1]] + 1).tolist() == [1, 3, 6, 5, 4, 7, 8]


# Line by line.

RANGED: list[dict[str, Any]] = [
    {"column": "income", "ranges": [[0, 2], [4, 8]], "domain": [0, 8]},
    {"column": "income", "policy": [["0", 0, 2], ["2", 1, 8], ["7", 4, 7]], "domain": [0, 8]},
    {"column": "income", "ranges": [[0, 4]], "domain": [0, 8]},
    {"column": "illness"},
    {"column": "illness", "level": 0, "distance": "equal"},
    {"column": "ward", "level": 1},
    {"column": "ward", "ranges": ["n0"]},
]
_limited = st.tuples(st.sampled_from([0.375, 0.5, 0.625, 0.75, 1.0]), st.sampled_from(RANGED)).map(
    lambda drawn: from_dict({"range_diversity": {"p": drawn[0], **drawn[1]}})
)
MODELS: st.SearchStrategy[PrivacyModel] = st.tuples(
    st.integers(1, 4).map(KAnonymity), st.lists(_limited, min_size=1, max_size=2)
).map(lambda parts: All((parts[0], *parts[1])))
UTILITIES = st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0])


def literally(problem: Problem, run: GuaranteedRun, rated: Rated, utility: float) -> Literally:
    """The slow reference; group diversity is rounded as the kernels round it."""
    records = run.records
    columns = columns_of(problem, records)
    names = problem.frequencies.names
    texts = {
        name: [None, *map(str, values.to_pylist())]
        for name, values in zip(names, problem.frequencies.values, strict=True)
    }
    paths = {row[0]: row[1:] for row in LEAVES.rows}

    def diversity(model: RangeDiversity) -> Any:
        [name] = model.columns
        codes = columns.codes[names.index(name)]
        everything = Counter((texts[name][codes[record]],) for record in listed(records))
        ranges = TextRanges(model, Reference({(name,): everything}, {"ward": paths}))
        return lambda group: ranges.range_diversity(Counter(texts[name][codes[record]] for record in group))

    bits = round(np.log2(UNITS / (rated.finest * len(run.models))))

    def rounded(mean: Fraction, told: list[Fraction], size: int) -> int:
        spans = mean * len(problem.axes) * UNITS
        assert spans.denominator == 1
        found = int(float(spans) * (1.0 / len(problem.axes)))
        for each in told:
            pairs = each * size * size * 2**bits
            assert pairs.denominator == 1
            found += int(float(pairs) * (rated.finest / float(size * size)))
        return found

    limits = [Fraction(str(model.p)) for model in run.models]
    return Literally(columns, [diversity(each) for each in run.models], limits, Fraction(utility), run.k, rounded)


@settings(max_examples=60)
@given(problem=problems(most=9, models=MODELS), utility=UTILITIES, s=st.sampled_from([2, 4, 100]))
def test_groups_are_those_of_algorithm_6(problem: Problem, utility: float, s: int) -> None:
    run = GuaranteedRun(Guaranteed(utility, s=s), TradeoffRecords.of(problem), Watch())
    records = run.records
    subspaces = records.subspaces(s, Watch())
    rated = run.rated(records, subspaces)
    made = run.growing(records, rated, subspaces)
    while made.work(1):
        pass
    reference = literally(problem, run, rated, utility)
    parts = algorithm_2(listed(records), reference.columns, s)
    position, counts, starts, _ = made.clusters()
    found = [
        Counter(dict(zip(at.tolist(), n.tolist(), strict=True)))
        if len(set(at.tolist())) == len(at)
        else Counter(np.repeat(at, n).tolist())
        for at, n in zip(np.split(position, starts[1:-1]), np.split(counts, starts[1:-1]), strict=True)
    ]
    assert found == [Counter(cluster) for cluster in reference.clusters(parts)]
    kept, suppressed = reference.run(parts)
    clusters = run.standing(made)
    if clusters.n:
        clusters = run.regrouped(records, clusters)
    assert found_in(clusters) == [Counter(cluster) for cluster in kept]
    assert clusters.left_over == len(suppressed)


# Whole runs.


def run(problem: Problem, search: Guaranteed) -> Outcome:
    """What the search finds."""
    with Watch() as watch:
        return search.run(problem, watch)


def mean_spreads(problem: Problem, groups: Groups) -> np.ndarray[Any, Any]:
    """The mean Q-diversity of every group."""
    codes, group = groups.published.codes, groups.group[groups.kept]
    spreads = [axis.cells(own, group, groups.n).spread for axis, own in zip(problem.axes, codes, strict=False)]
    return np.mean(spreads, axis=0)


def assert_guaranteed(problem: Problem, outcome: Outcome, utility: float) -> None:
    """Every class keeps all that is promised."""
    assert_fits(problem, outcome)
    if isinstance(outcome, NothingFound):
        assert outcome.details["would_suppress"] > problem.budget
    else:
        assert (mean_spreads(problem, outcome.groups) <= utility + 2e-9).all()
        assert outcome.groups.suppressed == outcome.details["suppressed"]


DISEASE = "range_diversity:p={p},column=disease"
FURTHER = ["distinct_l:l=2,column=disease", "t_closeness:t=0.4,column=disease", "entropy_l:l=1.5,column=disease"]


@st.composite
def jobs(draw: st.DrawFn) -> Problem:
    """Rows of all kinds of columns, and models beyond those that the algorithm knows."""
    rows = draw(tables())
    limited = parse(DISEASE.format(p=draw(st.sampled_from([0.4, 0.5, 0.7, 1]))))
    further = [parse(text) for text in draw(st.lists(st.sampled_from(FURTHER), max_size=1))]
    model = All((KAnonymity(draw(st.integers(1, 5))), limited, *further))
    return local_problem(rows, model, budget=draw(st.integers(0, len(rows))))


@given(problem=jobs(), utility=UTILITIES, s=st.none() | st.integers(1, 12))
def test_every_class_keeps_what_is_promised(problem: Problem, utility: float, s: int | None) -> None:
    outcome = run(problem, Guaranteed(utility, s=s))
    assert outcome.stopped == "done"
    assert_guaranteed(problem, outcome, utility)


@given(problem=jobs(), utility=UTILITIES, s=st.none() | st.integers(1, 12), ticks=st.integers(0, 12))
def test_stopped_at_any_time(problem: Problem, utility: float, s: int | None, ticks: int) -> None:
    outcome = Guaranteed(utility, s=s).run(problem, Ticks(ticks))
    assert outcome.stopped in ("done", "interrupted")
    assert_guaranteed(problem, outcome, utility)


@given(rows=tables(), data=st.data())
def test_the_order_of_combinations_does_not_matter(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    found = []
    model = All((KAnonymity(2), parse(DISEASE.format(p=0.7))))
    for given_rows in (rows, data.draw(st.permutations(rows))):
        outcome = run(local_problem(given_rows, model, budget=len(rows)), Guaranteed(0.6))
        found.append((outcome.details, groups_of(outcome) and sorted(records_of(outcome.groups).values(), key=str)))
    assert found[0] == found[1]


@settings(max_examples=40)
@given(problem=problems(most=16, models=MODELS, budget=100), utility=UTILITIES, s=st.none() | st.integers(1, 12))
def test_the_unit_of_a_column_does_not_matter(problem: Problem, utility: float, s: int | None) -> None:
    found = [run(each, Guaranteed(utility, s=s)) for each in (problem, rescaled(problem, 365, 1000))]
    assert found[0].details == found[1].details
    assert (found[0].groups and found[0].groups.group.tolist()) == (found[1].groups and found[1].groups.group.tolist())


def test_what_must_go_is_told() -> None:
    problem = table_5_1(4, budget=6)
    run = in_row_order(problem, Guaranteed(0.3, s=12))
    groups, _ = run.groups()
    assert groups is None
    assert run.details["would_suppress"] == 7


def test_groups_that_publish_the_same_cells_are_one_class() -> None:
    """Ages 1 and 2 in both subspaces: the groups are told apart by nothing."""
    rows = [{"age": "1" if at < 7 else "2", "disease": "abcd"[at % 4]} for at in range(17)]
    axes = [Axis.of_numbers("age", pa.array(["1", "2"])), Axis.of_set("disease", pa.array(list("abcd")))]
    problem = of_texts(rows, axes[:1], axes[1:], All((KAnonymity(2), parse(DISEASE.format(p=0.5)))))  # type: ignore[arg-type]
    outcome = run(problem, Guaranteed(1.0, s=2))
    assert_guaranteed(problem, outcome, 1.0)
    assert outcome.details["clusters"] > outcome.details["groups"]


def test_a_class_that_does_not_hold_loses_groups() -> None:
    """Ranges that overlap: two safe groups of equal cells are unsafe together."""
    policy = "range_diversity:p=0.5,column=income,policy=1=1..2/2=1..3/3=2..4/4=3..4,domain=0..1000"
    incomes = Axis.of_numbers("income", pa.array([1, 2, 3, 4]))
    age = Axis.of_numbers("age", pa.array([1, 2]), (0, 1000))
    assert incomes is not None
    assert age is not None
    rows = [{"age": 1, "income": 1}, {"age": 2, "income": 3}, {"age": 1, "income": 2}, {"age": 2, "income": 4}]
    problem = of_texts(rows, [age], [incomes], All((KAnonymity(2), parse(policy))), budget=2)
    outcome = run(problem, Guaranteed(1.0, s=4))
    assert not isinstance(outcome, NothingFound)
    assert outcome.details["clusters"] == 2
    assert outcome.groups.n == 1
    assert outcome.groups.suppressed == 2
    assert_guaranteed(problem, outcome, 1.0)


def test_k_is_at_least_what_the_limit_needs() -> None:
    """With P = 0.3 no two records are safe, nor are three; the thesis' k = 2 would suppress all."""
    problem = table_5_1(2, model="range_diversity:p=0.3,column=income")
    outcome = run(problem, Guaranteed(1.0))
    assert not isinstance(outcome, NothingFound)
    assert outcome.groups.n > 0
    assert_guaranteed(problem, outcome, 1.0)


def test_a_job_without_range_diversity_is_refused() -> None:
    problem = replace(table_5_1(2), model=KAnonymity(2))
    with pytest.raises(UsageError, match="no model limits what a class discloses; add a range_diversity"):
        run(problem, Guaranteed(0.5))
    assert isinstance(Guaranteed(0.5), LocalSearch)


def test_range_diversity_alone() -> None:
    problem = replace(table_5_1(2), model=parse(INCOME))
    assert_guaranteed(problem, run(problem, Guaranteed(0.5)), 0.5)


def test_a_policy_with_too_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("incrowd.searches._tradeoff.contributing.MOST_PAIRED", 5)
    problem = table_5_1(2, model="range_diversity:p=0.5,column=income,policy=1=0..4,domain=0..99")
    with pytest.raises(UsageError, match="the column has more than 5 different values; give ranges or a level"):
        run(problem, Guaranteed(0.5))


def test_an_empty_table() -> None:
    problem = local_problem([], All((KAnonymity(2), parse(DISEASE.format(p=0.5)))))
    outcome = run(problem, Guaranteed(0.5))
    assert not isinstance(outcome, NothingFound)
    assert outcome.groups.n == 0


def test_large_groups() -> None:
    """Few combinations with many records each: sums over pairs of records stay exact enough."""
    problem = table_5_1(2, budget=0)
    frequencies = replace(problem.frequencies, counts=np.full(12, 3000, dtype=np.int64))
    outcome = run(replace(problem, frequencies=frequencies, budget=36000), Guaranteed(0.9, s=10**6))
    assert not isinstance(outcome, NothingFound)
    assert_whole(replace(problem, frequencies=frequencies, budget=36000), outcome.groups)
    assert outcome.groups.suppressed < 36000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"utility": 1.5}, "utility of guaranteed is 1.5; it may be a number from 0 to 1"),
        ({"utility": None}, "utility of guaranteed is None"),
        ({"utility": 0.5, "s": 0}, "s of guaranteed is 0; it may be a whole number, 1 or more"),
        ({"utility": 0.5, "s": True}, "s of guaranteed is True"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Guaranteed(**options)
