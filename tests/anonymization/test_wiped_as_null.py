"""Suppressed cells as missing values: a number column keeps its type, and the release says what it is."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import incrowd
from anonymization.runs import job, quasi, read_csv, write_csv
from incrowd.cli.app import app
from incrowd.errors import JobError
from incrowd.verification import verify_frame

SEARCHES = ["fewest_cells", "greedy_cover", "forest", "layered"]
LARGE = 2**60 + 1
"""A number that no float holds."""
PEOPLE: dict[str, list[Any]] = {
    "number": [LARGE, LARGE, LARGE, LARGE, 31, 31, 31, 31, 40, 30],
    "town": list("uuuuvvvvvw"),
    "day": [date(2020, 1, day) for day in (1, 1, 1, 1, 2, 2, 2, 2, 2, 4)],
    "disease": ["flu"] * 10,
}
COLUMNS = {**quasi("number", "town", "day"), "disease": {"role": "sensitive"}}
ENGINES: dict[str, tuple[Callable[[], Any], Callable[[Any], pa.Table]]] = {
    "pandas": (lambda: pd.DataFrame(PEOPLE), pa.Table.from_pandas),
    "polars": (lambda: pl.DataFrame(PEOPLE), lambda frame: frame.to_arrow()),
    "pyarrow": (lambda: pa.table(PEOPLE), lambda frame: frame),
    "duckdb": (lambda: duckdb.from_arrow(pa.table(PEOPLE)), lambda frame: frame.to_arrow_table()),
}


@pytest.mark.parametrize(
    ("engine", "search"),
    [*((engine, "local_suppression") for engine in ENGINES), *(("polars", search) for search in SEARCHES)],
)
def test_a_number_column_keeps_its_type(engine: str, search: str) -> None:
    given, in_arrow = ENGINES[engine]
    made = incrowd.anonymize(given(), job(COLUMNS, search=search))
    shown = in_arrow(made.frame)
    assert shown.schema.field("number").type == pa.int64()
    assert shown.schema.field("day").type == pa.date32()
    numbers, towns = shown["number"].to_pylist(), shown["town"].to_pylist()
    assert set(numbers) == {LARGE, 31, None}
    assert set(towns) == {"u", "v", "*"}
    assert made.manifest.smallest == min(Counter(zip(numbers, towns, shown["day"].to_pylist(), strict=True)).values())
    for record in (None, made.record):
        assert verify_frame(made.frame, made.manifest, record).holds
    assert any(promise.startswith("A missing value of number is") for promise in made.manifest.promises)


@pytest.mark.parametrize(
    ("output", "wiped", "number", "town"),
    [
        ("out.parquet", {}, None, "*"),
        ("out.parquet", {"wiped": "label"}, "*", "*"),
        ("out.parquet", {"wiped": None}, None, None),
        ("out.csv", {}, "*", "*"),
        ("out.csv", {"wiped": "null"}, None, None),
        ("out.jsonl", {}, None, "*"),
        ("out.xlsx", {}, None, "*"),
        ("out.xml", {}, "*", "*"),
        ("out.xml", {"wiped": "null"}, None, None),
        ("sqlite:///{}/out.db", {}, None, "*"),
        ("duckdb:///{}/out.duckdb", {}, None, "*"),
    ],
)
def test_every_format_verifies(
    output: str, wiped: dict[str, Any], number: str | None, town: str | None, tmp_path: Path
) -> None:
    source, record, table = tmp_path / "people.parquet", tmp_path / "record.json", "t" if "//" in output else None
    pq.write_table(pa.table(PEOPLE), source)
    to = output.format(tmp_path) if table else str(tmp_path / output)
    described = job(COLUMNS, search="local_suppression", output={"to": to, "table": table, "record": str(record)})
    made = incrowd.anonymize(str(source), {**described, **wiped})
    assert incrowd.verify(to, table=table).holds
    assert incrowd.verify(to, record=record, table=table).holds
    assert made.record.combinations is not None
    hidden = [set(labels) & {None, "*"} for labels in made.record.combinations.labels]
    assert hidden[:2] == [{number}, {town}]
    if output.endswith("parquet"):
        assert pq.read_table(to).schema.field("number").type == (pa.string() if number else pa.int64())


def test_it_is_consistent_with_whom_the_label_is() -> None:
    """Verification finds the same originals behind missing values as behind the label."""
    people = pl.DataFrame({"age": [2, 1, 3, 1, 7, 7, 7, 7, 2, 1], "town": list("vuvvwuwvvw")})
    described = job(quasi("age", "town"), {"consistent_k": {"k": 2, "notion": "k_k"}}, search="consistent")
    null, label = (incrowd.anonymize(people, {**described, **wiped}) for wiped in ({}, {"wiped": "label"}))
    assert (null.frame["age"].dtype, label.frame["age"].dtype) == (pl.Int64, pl.String)
    assert (null.manifest.classes, null.manifest.smallest) == (label.manifest.classes, label.manifest.smallest)
    assert null.manifest.smallest < 2


def test_a_missing_value_is_never_joined_with_a_suppressed_cell() -> None:
    """The column keeps the label, so missing values and suppressed cells stay two values."""
    people = pl.DataFrame({"age": [None, None, 30, 31, 40, 40], "town": list("uuuuvv")})
    for wiped in ({}, {"wiped": "null"}):
        made = incrowd.anonymize(people, {**job(quasi("age", "town"), search="local_suppression"), **wiped})
        assert Counter(made.frame["age"].to_list()) == {None: 2, "*": 2, "40": 2}
        assert made.manifest.classes == 3
        assert not any("missing value of age" in promise for promise in made.manifest.promises)


def test_a_manifest_does_not_say_which_missing_values_are_suppressed() -> None:
    """Equal releases of one job have equal manifests."""
    described = job(quasi("age", "town"), search="local_suppression")
    suppressed, missing = (
        incrowd.anonymize(pl.DataFrame({"age": [30, 30, *ages], "town": list("uuvv")}), described)
        for ages in ([31, 32], [None, None])
    )
    assert suppressed.frame.equals(missing.frame)
    assert suppressed.manifest == missing.manifest


def test_a_missing_value_that_nobody_suppressed_fails_verification() -> None:
    """Only where the private record says so does a missing value stand for a label."""
    made = incrowd.anonymize(pa.table(PEOPLE), job(COLUMNS, search="local_suppression"))
    unsaid = tuple(replace(column, null_label=None) for column in made.record.quasi)
    verdict = verify_frame(made.frame, made.manifest, replace(made.record, quasi=unsaid))
    assert [check.name for check in verdict.checks if not check.holds] == ["covers"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"nulls": "basic"}, "null needs nulls: extended"),
        ({"search": "local_suppression:wiped=anything"}, "null cannot be combined with wiped=anything"),
    ],
)
def test_null_is_refused_where_it_means_something_else(settings: dict[str, Any], words: str) -> None:
    described = {**job(COLUMNS, search="local_suppression"), **settings}
    assert incrowd.Job.from_dict({**described, "wiped": "label"}).to_dict()["wiped"] == "label"
    with pytest.raises(JobError, match=words):
        incrowd.anonymize(pa.table(PEOPLE), {**described, "wiped": "null"})
    shown = incrowd.anonymize(pa.table(PEOPLE), described).frame
    assert "*" in shown["number"].to_pylist()


def test_an_empty_text_is_not_joined_with_a_suppressed_cell(tmp_path: Path) -> None:
    people = pa.table({"a": ["", "", "x", "y", "z", "z"], "b": list("uuuuvv")})
    described = job(quasi("a", "b"), search="local_suppression", wiped="null")
    made = incrowd.anonymize(people, {**described, "output": str(tmp_path / "out.csv")})
    assert {"*", None} <= {row["a"] for row in read_csv(tmp_path / "out.csv")}
    assert made.manifest.classes == 3


def test_the_command_takes_it(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "people.csv", [{"a": a, "b": b} for a, b in ("uu", "uu", "vu", "wu")])
    out = tmp_path / "out.csv"
    command = ["anonymize", str(source), "-q", "a", "-q", "b", "-m", "k_anonymity:k=2", "--search", "local_suppression"]
    done = CliRunner().invoke(app, [*command, "--wiped", "null", "-o", str(out)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert Counter(row["a"] for row in read_csv(out)) == {"u": 2, None: 2}
