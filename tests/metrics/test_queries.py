"""Queries that steer a search: worked by hand, queries of a file, bounds under attack, every search that takes them."""

import csv
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.errors import IncrowdError, SourceError, UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import METRICS
from incrowd.metrics import Columns
from incrowd.metrics.queries import Queries
from metrics.by_hand import bound, laid, levels_of, node, records
from strategies_lattice import laid_tables

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}-{age // 10 * 10 + 9}", "*") for age in range(20, 60)])
TOWNS = Hierarchy.from_rows(
    [("Graz", "Styria", "*"), ("Leoben", "Styria", "*"), ("Linz", "Upper Austria", "*"), ("Wels", "Upper Austria", "*")]
)
TOWN_FILE = Path(__file__).parents[2] / "examples" / "hierarchies" / "town.yaml"
TEN = [(23, "Graz"), (27, "Graz"), (25, "Leoben"), (28, "Leoben"), (31, "Linz")]
TEN += [(34, "Linz"), (36, "Linz"), (42, "Wels"), (44, "Wels"), (47, "Wels")]


def ten() -> Columns:
    """The ten people of the documentation."""
    return laid({"age": AGES, "town": TOWNS}, [(str(age), town) for age, town in TEN])


def written(path: Path, *rows: list[str]) -> Queries:
    """Queries of a file."""
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return Queries(workload=str(path))


@pytest.mark.parametrize(
    ("rows", "levels", "error"),
    [
        # Two are from 30 to 34; three are from 30 to 39, half of which that is.
        ([["age"], ["30-34"]], (1, 0), 0.25),
        # A label of the hierarchy, and the same as a range.
        ([["age"], ["30-39"], ["[30, 40)"]], (1, 0), 0.0),
        # Three of three; of all ten, ten fortieths of the ages.
        ([["age"], ["30-39"]], (2, 0), abs(3 - 2.5) / 3),
        # Both columns: one of two of 20-29 in Graz is 23; four in Styria, a half of it, times a tenth.
        ([["age", "town"], ["23", "Graz"]], (1, 1), abs(1 - 4 / 20)),
        # A set, and nobody: the second query is left out.
        ([["town", "age"], ["{Graz, Linz}", ""], ["Graz", "55"]], (0, 1), abs(5 - 5) / 5),
        ([["age"], ["50+"]], (2, 2), 0.0),
    ],
)
def test_by_hand(tmp_path: Path, rows: list[list[str]], levels: tuple[int, int], error: float) -> None:
    metric, columns = written(tmp_path / "queries.csv", *rows), ten()
    seen = node(columns, levels)
    assert metric.prepare(columns).score(seen) == pytest.approx(error)
    assert metric.textbook(records(columns, seen), levels, columns) == pytest.approx(error)


def test_suppressed_records_are_in_no_estimate(tmp_path: Path) -> None:
    metric, columns = written(tmp_path / "queries.csv", ["town"], ["Linz"]), ten()
    seen = node(columns, (2, 0), lambda sizes: sizes > 2)
    assert seen.sizes[seen.kept].tolist() == [3, 3]
    assert metric.prepare(columns).score(seen) == 0.0
    none = replace(seen, kept=np.zeros(4, dtype=np.bool_))
    assert metric.prepare(columns).score(none) == 1.0


def test_it_is_what_the_yardstick_measures(tmp_path: Path) -> None:
    """On the releases of a whole run, query by query."""
    file = tmp_path / "queries.csv"
    metric = written(file, ["age", "town"], ["30-34", ""], ["", "Styria"], ["20-29", "Graz"], ["25-44", "{Linz, Graz}"])
    table = pa.table({"age": [age for age, _ in TEN], "town": [town for _, town in TEN]})
    columns = {
        "age": {"role": "quasi", "hierarchy": "intervals:widths=10/20,domain=20/59"},
        "town": {"role": "quasi", "hierarchy": str(TOWN_FILE)},
    }
    job: dict[str, Any] = {"columns": columns, "models": ["k_anonymity:k=2"], "suppress": 2}
    made = incrowd.anonymize(table, {**job, "metric": METRICS.to_plain(metric)})
    found = incrowd.measure(
        table, {"it": made.frame}, columns=columns, metrics=["query_error"], queries=incrowd.read(str(file))
    )
    assert made.figures.scores["queries"] == pytest.approx(found.releases[0].readings["query_error"].value)


# Bounds.


@st.composite
def asked(draw: st.DrawFn) -> tuple[Columns, list[list[str]]]:
    """A table in which one combination may outweigh all others, and queries for sets of base values, its own values
    among them or not, of which some ask nothing of a column. So estimates lack much, little or nothing."""
    columns = draw(laid_tables(most_levels=2, least_count=1).filter(lambda laid: laid.combinations.combinations > 0))
    table = columns.combinations
    heavy = draw(st.integers(0, table.combinations - 1))
    counts = table.counts.copy()
    counts[heavy] += draw(st.sampled_from([0, 5, 60]))
    rows = [[ladder.name for ladder in columns.ladders]]
    for _ in range(draw(st.integers(1, 4))):
        row = []
        for ladder, code in zip(columns.ladders, table.codes[:, heavy].tolist(), strict=True):
            some = draw(st.lists(st.sampled_from(ladder.hierarchy.values), max_size=2))
            if code and draw(st.integers(0, 3)):
                some.append(text_forms(plain(ladder.values)[code - 1])[0])
            row.append("{" + ", ".join(f'"{each}"' for each in dict.fromkeys(some)) + "}" if some else "")
        rows.append(row)
    return replace(columns, combinations=replace(table, counts=counts)), rows


@settings(max_examples=300)
@given(case=asked(), data=st.data())
def test_own_queries_are_scored_by_the_book_and_never_below_the_bound(
    tmp_path_factory: pytest.TempPathFactory, case: tuple[Columns, list[list[str]]], data: st.DataObject
) -> None:
    columns, rows = case
    metric = written(tmp_path_factory.mktemp("own") / "queries.csv", *rows)
    score = metric.prepare(columns)
    for part in score.parts:
        assert all(low <= high for low, high in pairwise(part))
    every = list(levels_of(columns))
    lost_at = data.draw(st.sampled_from(every))
    k = data.draw(st.sampled_from([1, 2, 6, 30]))
    least = {levels: bound(score, levels) for levels in every}
    for levels in every:
        whole = node(columns, levels, lambda sizes: sizes >= k)
        textbook = metric.textbook(records(columns, whole), levels, columns)
        assert score.score(whole) == pytest.approx(textbook, abs=1e-9)
        for kept in (whole.kept, whole.kept | True, data.draw(st.lists(st.booleans(), min_size=len(whole.kept)))):
            mask = np.resize(np.array(kept, dtype=np.bool_), len(whole.kept))
            assert score.score(replace(whole, kept=mask)) >= least[levels]
    above = node(columns, lost_at, lambda sizes: sizes >= k)
    penalty = score.penalty(above, ~above.kept)
    for levels in every:
        if all(low <= high for low, high in zip(levels, lost_at, strict=True)):
            assert score.score(node(columns, levels, lambda sizes: sizes >= k)) >= least[levels] + penalty - 1e-12


def test_bounds_and_penalties_say_something(tmp_path: Path) -> None:
    """All are in Graz, which is a quarter of the towns: three quarters of the answer are lacking at the top."""
    columns = laid({"age": AGES, "town": TOWNS}, [("23", "Graz")] * 8)
    score = written(tmp_path / "queries.csv", ["town"], ["Graz"]).prepare(columns)
    assert [bound(score, (0, level)) for level in range(3)] == [0.0, pytest.approx(0.5), pytest.approx(0.75)]
    seen = node(columns, (1, 0))
    assert score.penalty(seen, seen.kept) == pytest.approx(1.0)
    assert score.penalty(node(columns, (0, 1)), seen.kept) == 0.0


# Searches, and jobs.

SEARCHES = [
    "annealing",
    "best_first",
    "bottom_up",
    "datafly",
    "genetic",
    "incognito",
    "layered",
    "optimal",
    "samarati",
    "scored",
]


@pytest.mark.parametrize("search", SEARCHES)
def test_searches_that_take_a_metric_take_queries(tmp_path: Path, search: str) -> None:
    file = tmp_path / "queries.csv"
    written(file, ["age", "town"], ["30-34", ""], ["", "Graz"], ["25", "Styria"])
    table = pa.table({"age": [age for age, _ in TEN], "town": [town for _, town in TEN]})
    columns = {
        "age": {"role": "quasi", "hierarchy": "intervals:widths=10/20,domain=20/59"},
        "town": {"role": "quasi", "hierarchy": str(TOWN_FILE)},
    }
    job = {"columns": columns, "models": ["k_anonymity:k=2"], "suppress": 3, "metric": f"queries:workload={file}"}
    best = incrowd.anonymize(table, {**job, "search": "exhaustive"}).figures.scores["queries"]
    found = incrowd.anonymize(table, {**job, "search": search})
    if found.figures.search.guarantee == "optimal":
        assert found.figures.scores["queries"] == pytest.approx(best)
    elif search not in ("annealing", "genetic", "layered"):
        assert found.figures.scores["queries"] >= best - 1e-12


def test_the_workload_is_found_beside_the_job(tmp_path: Path) -> None:
    written(tmp_path / "own.csv", ["age"], ["30-34"])
    columns = {"age": {"role": "quasi", "hierarchy": "intervals:widths=10,domain=20/59"}}
    plain = {"columns": columns, "models": ["k_anonymity:k=2"], "metric": {"queries": {"workload": "own.csv"}}}
    job = Job.from_dict(plain, tmp_path)
    assert job.to_dict()["metric"] == {"queries": {"workload": "own.csv"}}
    table = pa.table({"age": [age for age, _ in TEN]})
    assert incrowd.anonymize(table, job).figures.scores["queries"] == pytest.approx(0.25)
    with pytest.raises(IncrowdError, match=r"own\.csv: not a table of queries"):
        incrowd.anonymize(table, plain)


def test_a_path_in_one_text() -> None:
    made = METRICS.member("queries:workload=a/b/007.csv,size=5")
    assert made == Queries("a/b/007.csv", 5)
    assert METRICS.spell(made) == "queries:workload=a/b/007.csv,size=5"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "not a table of queries"),
        ([["age", "age"], ["1", "2"]], "not a table of queries"),
        ([["age", "town"], ["1"]], "not a table of queries"),
        ([["age", "income"], ["23", "9"]], "column 'income' is not a quasi-identifier; query age, town"),
        ([["town"], ["Graz"], ["Atlantis"]], "1 of the 2 distinct cells of column 'town' are neither"),
    ],
)
def test_files_that_are_no_queries(tmp_path: Path, rows: list[list[str]], message: str) -> None:
    with pytest.raises(SourceError, match=message) as refused:
        written(tmp_path / "queries.csv", *rows).prepare(ten())
    assert "Atlantis" not in str(refused.value)


@pytest.mark.parametrize("options", [{"workload": ""}, {"workload": ["a"]}, {"size": 0}, {"size": True}])
def test_options_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="of queries is"):
        Queries(**options)
