"""Numbers and dates as people write them, and codes for missing in one column: read alike by every engine, format and
verification."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from engines.publishing import cells_of
from engines.same_rows import ENGINES
from incrowd.engines.frames import FrameSource
from incrowd.errors import IncrowdError, UsageError

pytestmark = [pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS]

ROWS = 48
TABLE = pa.table(
    {
        "age": [(30, 31, 99, 33)[at % 4] for at in range(ROWS)],
        "town": [("03/04/2021", "3.4.2021", "2021-04-03", "05/04/2021")[at % 4] for at in range(ROWS)],
        "ill": [("1,5", "1,50", "1.000", "1000", "k.A.", "-9")[at % 6] for at in range(ROWS)],
    }
)


def described(**more: Any) -> dict[str, Any]:
    """A job over the table."""
    return {
        "columns": {
            "age": {"role": "quasi", "missing": 99},
            "town": {"role": "quasi", "normalize": "day_first"},
            "ill": {"role": "sensitive", "normalize": "decimal_comma", "missing": ["k.A.", -9]},
        },
        "models": ["k_anonymity:k=3", "distinct_l:l=2,column=ill"],
        **more,
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_read_where_the_rows_are_here_and_refused_elsewhere(build: Callable[[str, pa.Table], Any], engine: str) -> None:
    given = build(engine, TABLE)
    if FrameSource(given).is_lazy:
        with pytest.raises(UsageError, match="collect it into pandas, Polars or PyArrow first"):
            incrowd.anonymize(given, described())
        return
    made = incrowd.anonymize(given, described())
    cells = cells_of(made.frame)
    assert type(made.frame) is type(given)
    shown = [str(age).removesuffix(".0") for age in cells["age"]]
    assert {*shown} - {"None", "nan", "<NA>"} == {"30", "31", "33"}
    assert len(shown) == ROWS
    assert {str(day).removesuffix(" 00:00:00") for day in cells["town"]} == {"2021-04-03", "2021-04-05"}
    ills = {str(ill).removesuffix(".0") for ill in cells["ill"]}
    assert ills - {"None", "nan", "<NA>"} == {"1.5", "1000"}
    assert made.verdict.holds


@pytest.mark.parametrize("kind", ["csv", "parquet", "sqlite"])
def test_files_and_databases(tmp_path: Path, kind: str) -> None:
    rows, location = polars.DataFrame(TABLE), str(tmp_path / f"people.{kind}")
    if kind == "sqlite":
        _sqlite_of(rows, location)
        data = {"source": f"sqlite:///{location}", "table": "people"}
    else:
        (rows.write_csv if kind == "csv" else rows.write_parquet)(location)
        data = {"source": location}
    output = tmp_path / "out.csv"
    made = incrowd.anonymize(job=described(data=data, output=str(output)))
    found = polars.read_csv(output, infer_schema=False)
    assert (set(found["age"]), set(found["ill"])) == ({"30", "31", "33", None}, {"1.5", "1000", None})
    assert made.manifest.normalized["age"] == ("missing=99",)
    assert incrowd.verify(output).holds
    assert incrowd.verify(output, record=made.record_file).holds
    # A measure reads the original as the release was read: nothing is lost.
    if kind != "sqlite":
        [release] = incrowd.measure(location, output, metrics=["loss"]).to_dict()["releases"]
        assert release["readings"]["loss"]["value"] == 0


def _sqlite_of(rows: polars.DataFrame, location: str) -> None:
    import sqlite3

    with sqlite3.connect(location) as connection:
        connection.execute("CREATE TABLE people (age INTEGER, town TEXT, ill TEXT)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", rows.rows())


@pytest.mark.parametrize(
    ("column", "cell", "forged"), [("age", "30", "99"), ("town", "2021-04-05", "5.4.2021"), ("ill", "1.5", "1,5")]
)
def test_a_release_with_a_cell_that_was_not_read_fails(tmp_path: Path, column: str, cell: str, forged: str) -> None:
    output = tmp_path / "out.csv"
    incrowd.anonymize(TABLE, described(output=str(output)))
    text = polars.read_csv(output, infer_schema=False)
    text.with_columns(polars.col(column).replace(cell, forged)).write_csv(output)
    [check] = [check for check in incrowd.verify(output).checks if check.name == "spelling"]
    assert not check.holds


def test_the_population_and_new_data_are_read_alike(tmp_path: Path) -> None:
    for name in ("people", "all"):
        polars.DataFrame(TABLE).write_csv(tmp_path / f"{name}.csv")
    job = described(models=["k_map:k=3"], population=str(tmp_path / "all.csv"), output=str(tmp_path / "out.csv"))
    made = incrowd.anonymize(str(tmp_path / "people.csv"), job)
    assert incrowd.verify(tmp_path / "out.csv", record=made.record_file, population=tmp_path / "all.csv").holds
    later = incrowd.apply(made.record_file, str(tmp_path / "people.csv"), output=str(tmp_path / "later.csv"))
    assert (tmp_path / "later.csv").read_bytes() == (tmp_path / "out.csv").read_bytes()
    assert later.manifest.normalized == made.manifest.normalized


def test_days_of_a_workbook_become_dates() -> None:
    table = pa.table({"day": [44289 + at % 3 for at in range(30)], "x": ["a"] * 30})
    job = {
        "columns": {"day": {"role": "quasi", "normalize": "excel_date"}, "x": {"role": "keep"}},
        "models": ["k_anonymity:k=3"],
    }
    made = incrowd.anonymize(table, job)
    assert {str(day) for day in cells_of(made.frame)["day"]} == {"2021-04-03", "2021-04-04", "2021-04-05"}
    assert made.verdict.holds


def test_notations_that_contradict_each_other_are_refused() -> None:
    job = described()
    job["columns"]["town"]["normalize"] = ["day_first", "month_first"]
    with pytest.raises(IncrowdError, match="contradict each other"):
        incrowd.anonymize(TABLE, job)


WRITTEN = pa.table(
    {
        "age": [30 + at % 3 for at in range(ROWS)],
        "pay": [("1.234,50", "7,25", "1000", None)[at % 4] for at in range(ROWS)],
        "count": [("1.000", "12")[at % 2] for at in range(ROWS)],
        "day": [("03/04/2021", "3.4.2021", "5 May 2021")[at % 3] for at in range(ROWS)],
        "odd": [("1,5", "unknown")[at % 2] for at in range(ROWS)],
        "long": [("0,1", "12345678901234567890,5")[at % 2] for at in range(ROWS)],
    }
)
READ = {
    "age": {"role": "quasi"},
    **{name: {"role": "sensitive", "normalize": "decimal_comma"} for name in ("pay", "count", "odd", "long")},
    "day": {"role": "quasi", "normalize": "day_first"},
}
TYPES = {
    "pay": pa.float64(),
    "count": pa.int64(),
    "day": pa.date32(),
    # Where some cells are no numbers, or a float would be another number, texts stay.
    "odd": pa.string(),
    "long": pa.string(),
}


@pytest.mark.parametrize("engine", ["pyarrow", "polars_eager", "pandas_nullable", "pandas_pyarrow", "pandas_numpy"])
def test_what_is_read_as_numbers_and_dates_is_published_as_such_in_frames(
    build: Callable[[str, pa.Table], Any], engine: str
) -> None:
    made = incrowd.anonymize(build(engine, WRITTEN), {"columns": READ, "models": ["k_anonymity:k=3"]})
    assert made.verdict.holds
    _check_types(_arrow(made.frame))


def _arrow(frame: Any) -> pa.Table:
    if isinstance(frame, pa.Table):
        return frame
    if isinstance(frame, polars.DataFrame):
        return frame.to_arrow()
    return pa.Table.from_pandas(frame, preserve_index=False)


def _check_types(found: pa.Table) -> None:
    kinds = {name: found.schema.field(name).type for name in TYPES}
    texts = (pa.string(), pa.large_string(), pa.string_view())
    assert {name: pa.string() if kind in texts else kind for name, kind in kinds.items()} == TYPES
    assert set(found["pay"].to_pylist()) == {1234.5, 7.25, 1000, None}
    assert set(found["count"].to_pylist()) == {1000, 12}
    assert {str(day) for day in found["day"].to_pylist()} == {"2021-04-03", "2021-05-05"}
    assert set(found["odd"].to_pylist()) == {"1.5", "unknown"}
    assert set(found["long"].to_pylist()) == {"0.1", "12345678901234567890.5"}


def test_and_in_files_with_types(tmp_path: Path) -> None:
    import pyarrow.parquet

    file, output = tmp_path / "people.parquet", tmp_path / "out.parquet"
    pyarrow.parquet.write_table(WRITTEN, file)
    job = {"data": str(file), "output": str(output), "columns": READ, "models": ["k_anonymity:k=3"]}
    made = incrowd.anonymize(job=job)
    assert made.verdict.holds
    _check_types(pyarrow.parquet.read_table(output))
    assert incrowd.verify(output, record=made.record_file).holds
    [release] = incrowd.measure(str(file), str(output), metrics=["loss"]).to_dict()["releases"]
    assert release["readings"]["loss"]["value"] == 0
    # A file of texts stays one of texts; the values are the same.
    csv = tmp_path / "people.csv"
    polars.DataFrame(WRITTEN).write_csv(csv)
    incrowd.anonymize(job={**job, "data": str(csv), "output": str(tmp_path / "out.csv")})
    assert set(polars.read_csv(tmp_path / "out.csv", infer_schema=False)["pay"]) == {"1234.5", "7.25", "1000", None}


def test_a_code_for_missing_is_the_number_however_a_job_writes_it() -> None:
    table = pa.table({"age": [30 + at % 3 for at in range(ROWS)], "x": [(1.5, -9.0)[at % 2] for at in range(ROWS)]})
    for code in ("-9", "-9.0", -9):
        columns = {"age": {"role": "quasi"}, "x": {"role": "sensitive", "missing": code}}
        made = incrowd.anonymize(table, {"columns": columns, "models": ["k_anonymity:k=3"]})
        assert set(made.frame["x"].to_pylist()) == {1.5, None}
        assert made.verdict.holds
