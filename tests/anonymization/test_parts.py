"""Whole runs of searches that part values: files and frames, the order of values, labels, and what is refused."""

from collections import Counter
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pytest

import incrowd
from anonymization.hospital import PATIENTS, ROLES, in_arrow, in_folder
from anonymization.runs import class_sizes, job, read_csv, refused, rows_of, verified, write_csv
from anonymization.test_families import MODELS
from incrowd.errors import Infeasible, JobError, UsageError
from incrowd.families import members
from incrowd.searches import PartsSearch

SEARCHES: dict[str, Any] = {
    "k_optimize": "k_optimize",
    "k_optimize with a label": {"k_optimize": {"label": "ward"}},
    "set_partitioning": "set_partitioning",
}
HOLES = [{**person, "sex": None if at % 9 == 0 else person["sex"]} for at, person in enumerate(PATIENTS)]


def test_every_search_that_parts_values_is_tried() -> None:
    every = {name: module.SEARCH for name, module in members("searches", "SEARCH").items()}
    parting = {name for name in every if issubclass(every[name], PartsSearch)}
    assert {name.partition(" ")[0] for name in SEARCHES} == parting


@pytest.mark.parametrize("nulls", ["extended", "basic"])
@pytest.mark.parametrize("search", SEARCHES)
def test_a_file(search: str, nulls: str, tmp_path: Path) -> None:
    described = job(
        ROLES, {"k_anonymity": {"k": 3}}, suppress=10, search=SEARCHES[search], nulls=nulls,
        output=str(tmp_path / "release.csv"),
    )  # fmt: skip
    made = verified(incrowd.anonymize(str(in_folder(tmp_path, HOLES)), described))
    rows = read_csv(tmp_path / "release.csv")
    sizes = Counter(tuple(row[name] for name in ("age", "zip", "sex")) for row in rows)
    assert min(sizes.values()) == made.manifest.smallest >= 3
    assert len(sizes) == made.manifest.classes
    assert made.manifest.set_aside == (7 if nulls == "basic" else 0)
    judged = 60 - made.manifest.set_aside
    gone = judged - len(rows)
    assert gone == made.manifest.suppressed <= 10
    scores = made.figures.scores
    assert scores["discernibility"] == sum(size * size for size in sizes.values()) + judged * gone
    assert ("classification" in scores) == ("label" in search)
    assert "  parts" in str(made)
    assert "recodings counted" in str(made)


@pytest.mark.parametrize("search", ["k_optimize", "set_partitioning"])
@pytest.mark.parametrize("name", MODELS)
def test_every_model(name: str, search: str) -> None:
    columns = {**ROLES, "visits": {"role": "sensitive"}} if name == "ordered" else dict(ROLES)
    if name == "hierarchical":
        tree = {"short": ["flu", "cold"], "long": ["gout", "cancer"]}
        columns["disease"] = {"role": "sensitive", "hierarchy": {"tree": {"groups": tree}}}
    made = incrowd.anonymize(in_arrow(), job(columns, *MODELS[name], suppress=0.2, search=search))
    assert made.verdict.holds
    assert made.figures.search.optimal == (search == "k_optimize")
    assert len(made.frame) >= 48


def test_classification_is_what_measure_says(tmp_path: Path) -> None:
    described = job(ROLES, search="k_optimize:label=ward", output=str(tmp_path / "release.csv"))
    source = str(in_folder(tmp_path))
    made = verified(incrowd.anonymize(source, described))
    found = incrowd.measure(source, [made.output], label="ward").to_dict()
    [release] = found["releases"]
    told = {each: release["readings"][each]["value"] for each in ("classification", "discernibility", "loss")}
    for name, value in told.items():
        assert made.figures.scores[name] == pytest.approx(value), name
    usual = incrowd.anonymize(in_arrow(), job(ROLES, search="optimal")).frame
    wrong = 60 - sum(max(Counter(each).values()) for each in _wards(usual).values())
    assert made.figures.scores["classification"] <= wrong / 60


def _wards(table: pa.Table) -> dict[tuple[Any, ...], list[str]]:
    found: dict[tuple[Any, ...], list[str]] = {}
    for row in table.to_pylist():
        found.setdefault((row["age"], row["zip"], row["sex"]), []).append(row["ward"])
    return found


ORDERED = [
    # Numbers by their size, not as texts.
    ("number", {}, ["9", "10", "10", "11", "100"], {"9-10", "11-100"}),
    ("day", {}, ["2024-01-31", "2024-02-01", "2023-05-05", "2023-05-05"], {"2023-05-05", "2024-01-31 to 2024-02-01"}),
    (
        "size",
        {"scale": ["small", "middle", "large"]},
        ["small", "middle", "large", "large"],
        {"small..middle", "large"},
    ),
    # The leaves of a tree in its order, others by name.
    ("place", {"hierarchy": {"tree": {"groups": {"w": ["z"], "v": ["a", "y"]}}}}, ["z", "a", "y", "y"], None),
    ("name", {}, ["ß", "京", "a", "b"], {"{a, b}", "{ß, 京}"}),
    ("number", {"form": "set"}, ["9", "10", "10", "11", "100"], {"{9, 10}", "{11, 100}"}),
    # Missing cells are a value of their own, before all others.
    ("number", {}, [None, None, "2", "1"], {None, "1-2"}),
    ("number", {}, [None, "1", "2", "3"], {"*", "2-3"}),
    ("name", {}, [None, "b", "c", "d"], {"*", "{c, d}"}),
]


@pytest.mark.parametrize(("name", "settings", "cells", "labels"), ORDERED)
def test_the_order_of_values(
    name: str, settings: dict[str, Any], cells: list[str | None], labels: set[str | None] | None
) -> None:
    table = pa.table({name: pa.array(cells, pa.string())})
    made = incrowd.anonymize(table, job({name: {"role": "quasi", **settings}}, search="k_optimize"))
    published = {row[name] for row in rows_of(made)}
    if labels is None:
        # By the hierarchy z stands beside a or y, whichever group comes first; y is twice and stays alone.
        assert "y" in published
        assert len(published) == 2
    else:
        assert published == labels
    assert min(class_sizes(made).values()) >= 2


def test_a_value_that_looks_like_a_part_is_told_apart() -> None:
    table = pa.table({"a": ["x", "y", "{x, y}", "{x, y}"]})
    made = incrowd.anonymize(table, job({"a": {"role": "quasi"}}, search="set_partitioning"))
    assert {row["a"] for row in rows_of(made)} == {"{x, y}", '{"{x, y}"}'}


def test_a_column_that_is_safe_keeps_its_type() -> None:
    table = pa.table({"a": [1, 1, 2, 2], "b": ["x", "x", None, None]})
    made = incrowd.anonymize(table, job({"a": {"role": "quasi"}, "b": {"role": "quasi"}}, search="k_optimize"))
    assert made.frame == table
    assert made.levels == {"a": 0, "b": 0}


def test_no_record_at_all(tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text("a,b\n")
    described = job({"a": {"role": "quasi"}, "b": {"role": "quasi"}}, output=str(tmp_path / "release.csv"))
    for search in ("k_optimize", "set_partitioning"):
        made = incrowd.anonymize(
            str(tmp_path / "none.csv"),
            {**described, "search": search, "output": {"to": described["output"], "replace": True}},
        )
        assert made.manifest.data.records == 0
        assert made.verdict.holds


def test_an_equal_job_gives_an_equal_release() -> None:
    for search in SEARCHES.values():
        described = job(ROLES, {"k_anonymity": {"k": 3}}, suppress=6, search=search)
        one, other = (incrowd.anonymize(polars.DataFrame(rows), described) for rows in (PATIENTS, PATIENTS[::-1]))
        assert one.frame.equals(other.frame)
        assert one.figures.scores == other.figures.scores


REFUSED = [
    ({"search": "k_optimize", "metric": "loss"}, "metric: k_optimize minimizes discernibility"),
    ({"search": "k_optimize:label=ward", "metric": "discernibility"}, "minimizes the cost of classification"),
    ({"search": "set_partitioning", "metric": "entropy"}, "set_partitioning minimizes loss or discernibility"),
    (
        {"search": "k_optimize:label=age"},
        "its label is column 'age', which is quasi; give it the role sensitive or keep",
    ),
    ({"search": "k_optimize:label=wart"}, "which the job does not mention; did you mean 'ward'?"),
]


@pytest.mark.parametrize(("settings", "words"), REFUSED)
def test_jobs_that_make_no_sense(settings: dict[str, Any], words: str) -> None:
    assert words in refused(JobError, lambda: incrowd.anonymize(in_arrow(), job(ROLES, **settings)))


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ({"limit": 1}, "the search partitions values and does not use levels"),
        ({"form": "mean"}, "the search publishes a part as range or set"),
    ],
)
def test_columns_that_make_no_sense(column: dict[str, Any], words: str) -> None:
    columns = {**ROLES, "age": {"role": "quasi", **column}}
    assert words in refused(JobError, lambda: incrowd.anonymize(in_arrow(), job(columns, search="k_optimize")))


def test_a_part_of_names_is_no_range() -> None:
    for search, words in (("k_optimize", "not all values are numbers"), ("set_partitioning", "a part as set;")):
        columns = {**ROLES, "sex": {"role": "quasi", "form": "range"}}
        assert words in refused(JobError, lambda: incrowd.anonymize(in_arrow(), job(columns, search=search)))  # noqa: B023


def test_the_metric_may_be_named() -> None:
    named, usual = (
        incrowd.anonymize(in_arrow(), job(ROLES, search="k_optimize", **more))
        for more in ({"metric": "discernibility"}, {})
    )
    assert named.frame.equals(usual.frame)


def test_wildcards_and_populations_are_refused() -> None:
    wild = job(ROLES, search="k_optimize", nulls="maybe")
    assert "set-partitioning with nulls: maybe" in refused(UsageError, lambda: incrowd.anonymize(in_arrow(), wild))


def test_too_few_records() -> None:
    described = job(ROLES, {"k_anonymity": {"k": 61}}, search="k_optimize")
    words = refused(Infeasible, lambda: incrowd.anonymize(in_arrow(), described))
    assert words.startswith("k_optimize found no release within the limits (0 records may be suppressed, 60 must")


def test_parts_follow_the_order_of_a_flat_hierarchy() -> None:
    """The leaves as the hierarchy lists them, not by their texts."""
    listed = ["small", "large", "medium", "huge"]
    table = pa.table({"size": sorted(2 * listed)})
    columns = {"size": {"role": "quasi", "hierarchy": {"tree": {"groups": listed}}}}
    made = incrowd.anonymize(table, job(columns, {"k_anonymity": {"k": 4}}, search="k_optimize"))
    assert set(made.frame["size"].to_pylist()) == {"{small, large}", "{medium, huge}"}


@pytest.mark.parametrize("search", ["k_optimize", "set_partitioning"])
def test_a_part_names_only_values_of_published_records(search: str, tmp_path: Path) -> None:
    """New data with a value that only a suppressed or set-aside record had publish what covers it."""
    rows = [{"a": a, "b": "x"} for a in "1133777"] + [{"a": "2", "b": "y"}, {"a": "99999", "b": None}]
    described = job(
        {"a": {"role": "quasi", "form": "set"}, "b": {"role": "quasi"}},
        {"k_anonymity": {"k": 3}},
        suppress=1,
        search=search,
        nulls="basic",
        output=str(tmp_path / "release.csv"),
    )
    made = verified(incrowd.anonymize(pa.Table.from_pylist(rows), described))
    assert (made.manifest.suppressed, made.manifest.set_aside) == (1, 1)
    assert {row["a"] for row in read_csv(tmp_path / "release.csv")} == {"{1, 3}", "7"}
    new = write_csv(tmp_path / "new.csv", [{"a": a, "b": "x"} for a in ("1", "99999") for _ in range(3)])
    verified(incrowd.apply(made.record_file or "", str(new), str(tmp_path / "second.csv")))
    assert {row["a"] for row in read_csv(tmp_path / "second.csv")} == {"{1, 3}", "*"}
