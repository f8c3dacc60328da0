"""Verification reads, with code of its own, what the formats write."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from incrowd.core.hierarchy import text_forms
from incrowd.formats import WriteOptions, write
from incrowd.verification._rows import open_rows
from incrowd.verification._spelling import respelled
from incrowd.verification._tally import tally

FILES = ["out.csv", "out.tsv", "out.csv.gz", "out.jsonl", "out.json", "out.parquet", "out.xml", "out.xlsx"]
KINDS = {
    "delimited": ("out.csv", "out.tsv", "out.csv.gz"),
    "json_lines": ("out.jsonl", "out.json"),
    "parquet": ("out.parquet",),
    "xml_rows": ("out.xml",),
    "excel": ("out.xlsx",),
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}

# No control characters, which XML and workbooks refuse, and nothing but blanks, which some readers take for nothing.
TEXTS = st.text(st.sampled_from("aB0 ,;|'\"\\<>&\nä名_x*-=@\N{GRINNING FACE}"), min_size=1, max_size=4)
COLUMNS: dict[str, tuple[st.SearchStrategy[Any], pa.DataType]] = {
    "text, with comma": (TEXTS, pa.string()),
    "whole": (st.integers(-(2**60), 2**60), pa.int64()),
    "number": (st.sampled_from([0.0, 1.0, -2.5, 0.1, 1e20, 1e-7, 123456789.125]), pa.float64()),
    "single": (st.sampled_from([0.0, 1.0, -2.5, 0.1, 1e20, 16777216.0]), pa.float32()),
    "truth": (st.booleans(), pa.bool_()),
    "day": (st.sampled_from([date(1999, 12, 31), date(2020, 2, 29)]), pa.date32()),
    "moment": (st.sampled_from([datetime(2020, 2, 29), datetime(2020, 2, 29, 13, 5, 6)]), pa.timestamp("us")),
    "hour": (st.sampled_from([time(0, 0), time(13, 5, 6)]), pa.time64("us")),
    "price": (st.sampled_from([Decimal("1.50"), Decimal("0.05"), Decimal("-3.00")]), pa.decimal128(9, 2)),
}


@st.composite
def written_tables(draw: st.DrawFn) -> pa.Table:
    """Some records of every kind of column, cells missing here and there."""
    records = draw(st.integers(1, 8))
    columns = {
        name: pa.array(draw(st.lists(st.none() | cells, min_size=records, max_size=records)), kind)
        for name, (cells, kind) in COLUMNS.items()
    }
    # Workbooks end where the last cell with content is.
    return pa.table({**columns, "id": pa.array(range(records), pa.int32())})


def expected(table: pa.Table) -> "Counter[tuple[str | None, ...]]":
    """The records as a private record spells them."""
    rows = zip(*table.to_pydict().values(), strict=True)
    return Counter(tuple(None if cell is None else text_forms(cell)[0] for cell in row) for row in rows)


def found(written: pa.Table, location: object, **given_parts: Any) -> "Counter[tuple[str | None, ...]]":
    """The records as verification reads them."""
    names: Sequence[str] = written.column_names
    rows = open_rows(str(location), names, **given_parts)
    assert list(rows.columns) == names
    known = {
        name: {text_forms(cell)[0] for cell in written.column(name).to_pylist() if cell is not None} for name in names
    }
    return respelled(tally(rows, names), known).counter(names)


PROPERTY = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("name", FILES)
@PROPERTY
@given(table=written_tables())
def test_files(tmp_path: Path, name: str, table: pa.Table) -> None:
    path = tmp_path / name
    write(table.to_batches(), table.schema, path, WriteOptions(replace=True))
    assert found(table, path, kind=KIND_OF[name]) == expected(table)


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
@PROPERTY
@given(table=written_tables())
def test_database_files(tmp_path: Path, scheme: str, table: pa.Table) -> None:
    url = f"{scheme}:///{tmp_path / scheme}.db"
    write(table.to_batches(), table.schema, url, WriteOptions(table="released", replace=True))
    assert found(table, url, table="released") == expected(table)


@settings(PROPERTY, max_examples=10)
@given(table=written_tables())
def test_postgresql(postgres_url: str, table: pa.Table) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA IF NOT EXISTS written")
    write(table.to_batches(), table.schema, postgres_url, WriteOptions(table="written.released", replace=True))
    assert found(table, postgres_url, table="written.released") == expected(table)


@pytest.mark.parametrize("name", [name for name in FILES if name != "out.xlsx"])
def test_the_empty_text_is_not_missing(tmp_path: Path, name: str) -> None:
    """An outsider can tell them apart in the file, so verification must."""
    table = pa.table({"a": ["", None, "x"], "b": ["1", "2", "3"]})
    write(table.to_batches(), table.schema, tmp_path / name)
    assert found(table, tmp_path / name) == {("", "1"): 1, (None, "2"): 1, ("x", "3"): 1}


@pytest.mark.parametrize("name", FILES[:-1])
def test_one_column(tmp_path: Path, name: str) -> None:
    table = pa.table({"a": ["x", None, "x", None]})
    write(table.to_batches(), table.schema, tmp_path / name)
    assert found(table, tmp_path / name) == {("x",): 2, (None,): 2}


@pytest.mark.parametrize("name", [*FILES, "out.db"])
def test_no_records(tmp_path: Path, name: str) -> None:
    table = pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.int64())})
    database = name.endswith("db")
    location = f"sqlite:///{tmp_path / name}" if database else tmp_path / name
    write([], table.schema, location, WriteOptions(table="t" if database else None))
    assert found(table, location, table="t" if database else None) == {}


@pytest.mark.parametrize("name", ["tag with blank", "1st", "ä:b", "<&>"])
@pytest.mark.parametrize("file", FILES)
def test_names_of_columns(tmp_path: Path, name: str, file: str) -> None:
    table = pa.table({name: ["x"], "other": ["y"]})
    write(table.to_batches(), table.schema, tmp_path / file)
    assert found(table, tmp_path / file) == {("x", "y"): 1}


def test_a_name_that_looks_as_if_it_were_coded(tmp_path: Path) -> None:
    table = pa.table({"a_x0041_b": ["x"], "_x": ["y"], "_x0000G_": ["z"]})
    write(table.to_batches(), table.schema, tmp_path / "out.xml")
    assert found(table, tmp_path / "out.xml") == {("x", "y", "z"): 1}


def test_schemas_of_duckdb(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "out.db")) as connection:
        connection.execute("CREATE SCHEMA clinic")
    table = pa.table({"a": ["x"]})
    for name in ("clinic.released", "plain.name"):
        write(table.to_batches(), table.schema, f"duckdb:///{tmp_path / 'out.db'}", WriteOptions(table=name))
        assert found(table, f"duckdb:///{tmp_path / 'out.db'}", table=name) == {("x",): 1}
