"""A mean is a number, and a median is what its column holds, wherever columns have types."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import load_workbook

import incrowd

PEOPLE = pa.table(
    {
        "age": [20, 21, 23, 40, 41, 45],
        "pay": [1.5, 2.5, 3.0, -1.0, 0.5, 2.0],
        "sick": ["a", "b", "a", "b", "a", "b"],
    }
)


def job(**settings: Any) -> dict[str, Any]:
    columns = {
        "age": {"role": "quasi", "form": "median"},
        "pay": {"role": "quasi", "form": "mean"},
        "sick": {"role": "sensitive"},
    }
    return {"columns": columns, "models": ["k_anonymity:k=3"], "search": "microaggregation", **settings}


AGES, PAY = [21, 41], [0.5, 2.333333333]

GIVEN = {"arrow": PEOPLE, "pandas": PEOPLE.to_pandas(), "polars": pl.from_arrow(PEOPLE)}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_frames(given: Any) -> None:
    made = incrowd.anonymize(given, job())
    frame = made.frame if isinstance(made.frame, pa.Table) else pa.table(made.frame.to_dict(**_AS_LISTS[type(given)]))
    assert (frame["age"].type, frame["pay"].type) == (pa.int64(), pa.float64())
    assert sorted(set(frame["age"].to_pylist())) == AGES
    assert sorted(set(frame["pay"].to_pylist())) == PAY


_AS_LISTS: dict[type, dict[str, Any]] = {
    pa.Table: {},
    pd.DataFrame: {"orient": "list"},
    pl.DataFrame: {"as_series": False},
}


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "xlsx", "db", "csv"])
def test_outputs(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"release.{ending}"
    to = {"to": f"sqlite:///{path}", "table": "release"} if ending == "db" else {"to": str(path)}
    made = incrowd.anonymize(PEOPLE, job(output=to))
    table = "release" if ending == "db" else None
    assert incrowd.verify(to["to"], record=made.record_file, table=table).holds
    if ending == "csv":
        assert path.read_text().splitlines()[1] == "21,2.333333333,a"
    else:
        found = {"parquet": in_parquet, "jsonl": in_json, "xlsx": in_excel, "db": in_sqlite}[ending](path)
        assert {(type(age), type(pay)) for age, pay in found} <= {(int, float), (int, int)}
        assert {float(pay) for _, pay in found} == set(PAY)


def in_parquet(path: Path) -> list[tuple[Any, Any]]:
    return [(row["age"], row["pay"]) for row in pq.read_table(path).to_pylist()]


def in_json(path: Path) -> list[tuple[Any, Any]]:
    return [(row["age"], row["pay"]) for row in map(json.loads, path.read_text().splitlines())]


def in_excel(path: Path) -> list[tuple[Any, Any]]:
    return [(age.value, pay.value) for age, pay, _ in list(load_workbook(path).active.rows)[1:]]


def in_sqlite(path: Path) -> list[tuple[Any, Any]]:
    return sqlite3.connect(path).execute("SELECT age, pay FROM release").fetchall()


MIXED = pa.table(
    {
        "age": [20, 21, None, 40, 41, 45],
        "pay": [1.5, None, 3.0, -1.0, 0.5, 2.0],
        "sick": ["a", "b", "a", "b", "a", "b"],
    }
)


@pytest.mark.parametrize("ending", [None, "parquet", "csv"])
def test_a_group_that_mixes_missing_and_other_cells_lacks_its_mean(ending: str | None, tmp_path: Path) -> None:
    """A missing value where columns have types, a label where they have none; verification reads both."""
    path = tmp_path / f"release.{ending}"
    made = incrowd.anonymize(MIXED, job(**({} if ending is None else {"output": {"to": str(path)}})))
    assert made.verdict.holds
    if ending is not None:
        assert incrowd.verify(path).holds
        assert incrowd.verify(path, record=made.record_file).holds
    shown = made.frame if ending is None else pq.read_table(path) if ending == "parquet" else None
    if shown is None:
        assert "*" in path.read_text()
        return
    assert (shown["age"].type, shown["pay"].type) == (pa.int64(), pa.float64())
    assert set(shown["pay"].to_pylist()) == {None, 1.833333333}
    assert any(promise.startswith("A missing value of age") for promise in made.manifest.promises)
    label = incrowd.anonymize(MIXED, job(wiped="label"))
    assert set(label.frame["pay"].to_pylist()) == {"*", "1.833333333"}
    readings = [measured(each.frame) for each in (made, label)]
    # Classes are added up in another order.
    assert readings[0] == pytest.approx(readings[1])


def measured(release: pa.Table) -> dict[str, float | None]:
    """Return what every metric says of a release."""
    (found,) = incrowd.measure(MIXED, {"r": release}, columns=["age", "pay"]).to_dict()["releases"]
    return {name: reading["value"] for name, reading in found["readings"].items()}


def test_groups_without_any_value_keep_the_label_apart() -> None:
    people = pa.table({"age": [None, None, None, 40, 41, None], "pay": [1.0] * 6, "sick": ["a"] * 6})
    made = incrowd.anonymize(people, job())
    assert made.verdict.holds
    assert set(made.frame["age"].to_pylist()) == {None, "*"}
