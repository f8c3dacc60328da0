"""What is read from each kind of file and database, cell by cell."""

import json
import socket
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import duckdb
import numpy as np
import openpyxl
import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from incrowd.errors import SourceError
from incrowd.verification import _databases, _rows, _tally
from incrowd.verification._rows import open_rows
from incrowd.verification._spelling import respelled
from incrowd.verification._tally import tally
from verification.releases import csv_text

COLUMNS = ("name", "city", "age")
PEOPLE: list[tuple[str | None, str | None, int | None]] = [
    ("Zoë", "Köln", 39), ("Zoë", "Köln", 39), ("名前", "Łódź", 7), (None, "Köln", 39), ("a'b", 'q"t', 2**52 + 1),
    ("x,y", "two\nlines", -1), ("007", "7", 7), ("7", "007", None), (" a ", "NULL", 0),
]  # fmt: skip
TEXTS = Counter((name, city, None if age is None else str(age)) for name, city, age in PEOPLE)


def read(location: object, columns: Sequence[str] = COLUMNS, **given_parts: Any) -> "Counter[tuple[str | None, ...]]":
    """How often each record occurs, by the code under test."""
    rows = open_rows(str(location), columns, **given_parts)
    assert set(columns) <= set(rows.columns)
    return tally(rows, columns).counter(columns)


def write_json(path: Path) -> None:
    lines = [json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in PEOPLE]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_json_array(path: Path) -> None:
    rows = [{name: cell for name, cell in zip(COLUMNS, row, strict=True) if cell is not None} for row in PEOPLE]
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")


def write_parquet(path: Path) -> None:
    columns = list(zip(*PEOPLE, strict=True))
    names = pa.array(columns[0]).dictionary_encode()
    pq.write_table(pa.table({"name": names, "city": columns[1], "age": columns[2]}), path, row_group_size=2)


def write_xml(path: Path) -> None:
    def record(row: tuple[object, ...]) -> str:
        name, *cells = [(key, str(cell)) for key, cell in zip(COLUMNS, row, strict=True) if cell is not None]
        within = "".join(f"<{key}>{escape(cell)}</{key}>" for key, cell in cells)
        return f"<row {name[0]}={quoteattr(name[1])}>{within}</row>"

    path.write_text(f"<rows>{''.join(map(record, PEOPLE))}</rows>", encoding="utf-8")


def write_excel(path: Path) -> None:
    book = openpyxl.Workbook()
    book.create_sheet("people")
    for row in (COLUMNS, *PEOPLE):
        book["people"].append(row)
    book.save(path)


def write_csv(path: Path) -> None:
    rows = [{**dict(zip(COLUMNS, row, strict=True)), "age": None if row[2] is None else str(row[2])} for row in PEOPLE]
    path.write_text(csv_text(rows, COLUMNS), encoding="utf-8")


FILES: dict[str, Callable[[Path], None]] = {
    "people.csv": write_csv,
    "people.jsonl": write_json,
    "people.json": write_json_array,
    "people.parquet": write_parquet,
    "people.xml": write_xml,
    "people.xlsx": write_excel,
}


@pytest.mark.parametrize("name", FILES)
def test_the_same_cells_from_every_file(tmp_path: Path, name: str) -> None:
    FILES[name](tmp_path / name)
    table = "people" if name.endswith("xlsx") else None
    assert read(tmp_path / name, table=table) == TEXTS
    some = Counter({cell: n for (_, cell, _), n in TEXTS.items()})
    assert read(tmp_path / name, ["city"], table=table).total() == len(PEOPLE)
    assert set(read(tmp_path / name, ["city"], table=table)) == {(cell,) for cell in some}


def test_sqlite(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "my data.db")) as connection:
        connection.execute("CREATE TABLE people (name TEXT, city TEXT, age INTEGER)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", PEOPLE)
        connection.commit()
    assert read(f"sqlite:///{tmp_path / 'my data.db'}", table="people") == TEXTS


def test_duckdb(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "data.duckdb")) as connection:
        connection.execute("CREATE TABLE people (name TEXT, city TEXT, age BIGINT)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", PEOPLE)
    assert read(f"duckdb:///{tmp_path / 'data.duckdb'}", table="people") == TEXTS


def test_postgresql(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS verified CASCADE")
        connection.execute("CREATE SCHEMA verified")
        for table in ("verified.people", '"verified.people"'):
            connection.execute(f"CREATE TABLE {table} (name TEXT, city TEXT, age BIGINT)")
            with connection.cursor() as cursor:
                cursor.executemany(f"INSERT INTO {table} VALUES (%s, %s, %s)", PEOPLE)
            assert read(postgres_url, table="verified.people") == TEXTS
        connection.execute('DROP TABLE "verified.people"')
        connection.execute("DROP SCHEMA verified CASCADE")


def test_a_server_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_databases, "_PATIENCE", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://u:p@127.0.0.1:{silent.getsockname()[1]}/d"
        with pytest.raises(SourceError, match=r"cannot be read \(ConnectionTimeout\)"):
            read(url, table="people")


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_databases_that_are_not_there(tmp_path: Path, scheme: str) -> None:
    with pytest.raises(SourceError, match="no such file"):
        read(f"{scheme}:///{tmp_path / 'none.db'}", table="people")
    assert list(tmp_path.iterdir()) == []


def test_tables_that_cannot_be_read(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "empty.db").close()
    with pytest.raises(SourceError, match=r"cannot be read \(OperationalError\)"):
        read(f"sqlite:///{tmp_path / 'empty.db'}", table="people")
    with pytest.raises(
        SourceError, match=r"a database has several tables; name the table of the release \(--table NAME\)"
    ):
        read(f"sqlite:///{tmp_path / 'empty.db'}")
    with pytest.raises(SourceError, match="cannot be verified in this database"):
        read("mysql://me:hidden@host/base?password=hidden", table="people")


def test_a_password_is_not_told() -> None:
    with pytest.raises(SourceError) as caught:
        read("postgresql://me:hidden@127.0.0.1:1/base?options=hidden", table="people")
    assert "hidden" not in str(caught.value)
    assert str(caught.value).startswith("postgresql://127.0.0.1:1/base: cannot be read")


# Values as text.


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None), (float("nan"), None), ("", ""), ("nan", "nan"), (True, "true"), (False, "false"), (7, "7"),
        (7.0, "7"), (7.5, "7.5"), (1e300, "1e+300"), (float("inf"), "inf"), (2**70, str(2**70)),
        (Decimal("1.50"), "1.50"), (date(2020, 1, 2), "2020-01-02"),
        (datetime(2020, 1, 2, 3), "2020-01-02 03:00:00"),
    ],
)  # fmt: skip
def test_text(value: object, text: str | None) -> None:
    assert _rows.text(value) == text


def test_arrow_columns_that_are_slices() -> None:
    column = pa.array(["a", None, "b", "a", None, "c"])
    for one in (column, column.dictionary_encode(), column.dictionary_encode(null_encoding="encode")):
        cells = _rows.cells_of_arrow(one.slice(1, 4))
        assert [cells.texts[code] for code in cells.codes] == [None, "b", "a", None]
    nothing = _rows.cells_of_arrow(pa.nulls(3))
    assert [nothing.texts[code] for code in nothing.codes] == [None] * 3
    assert len(_rows.cells_of_arrow(pa.nulls(0, pa.string())).codes) == 0


# Delimited text.


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "^"])
def test_delimiters(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "release.csv"
    path.write_text(f"a,b{delimiter}c\n1{delimiter}2\n".replace("a,b", '"a,b"'))
    assert read(path, ["a,b", "c"]) == {("1", "2"): 1}


def test_one_column(tmp_path: Path) -> None:
    path = tmp_path / "release.csv"
    path.write_text('a\nx\n\n""\nx\n')
    assert read(path, ["a"]) == {("x",): 2, (None,): 1}


@pytest.mark.parametrize("text", ["a,b\n1\n", 'a,b\n"1,2\n', "a,b\n\udcff,2\n", "a,b\n1,2,3\n"])
def test_damaged_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "release.csv"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(SourceError, match="not UTF-8 text whose lines all fit the header, or incomplete"):
        read(path, ["a", "b"])


def test_damaged_gzip(tmp_path: Path) -> None:
    path = tmp_path / "release.csv.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00")
    with pytest.raises(SourceError, match="or incomplete"):
        read(path, ["a"])


def test_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    path = tmp_path / "release.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b\r\n1,\r\n")
    assert read(path, ["a", "b"]) == {("1", None): 1}


def test_header_of_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "release.csv"
    path.write_text('"a\nb",c\n1,2\n')
    assert read(path, ["a\nb", "c"]) == {("1", "2"): 1}


def test_header_alone(tmp_path: Path) -> None:
    path = tmp_path / "release.csv"
    path.write_text("a,b\n")
    assert read(path, ["a", "b"]) == {}


def test_two_columns_of_one_name(tmp_path: Path) -> None:
    path = tmp_path / "release.csv"
    path.write_text("a,a\n1,2\n")
    with pytest.raises(SourceError, match="two columns have the same name"):
        read(path, ["a"])


# Other files.

DAMAGED = {
    "release.parquet": b"PAR1",
    "release.jsonl": b'{"a": 1}\n{"a"',
    "other.jsonl": b"[1, 2]",
    "deep.jsonl": b"[" * 100_000,
    "latin.jsonl": b'{"a": "\xff"}',
    "release.xml": b"<rows><row a='1'/>",
    "entity.xml": b'<!DOCTYPE rows [<!ENTITY x "y">]><rows><row a="1"/></rows>',
    "release.xlsx": b"PK\x03\x04",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(DAMAGED[name])
    with pytest.raises(SourceError, match="get the file again"):
        read(path, ["a"])


def test_a_sheet_that_is_not_there(tmp_path: Path) -> None:
    write_excel(tmp_path / "people.xlsx")
    with pytest.raises(SourceError, match="not an Excel workbook with this sheet"):
        read(tmp_path / "people.xlsx", table="none")


def test_an_unknown_kind(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="unknown format 'clay'; known: delimited, parquet"):
        read(tmp_path / "release", kind="clay")


def test_names_of_cells_have_no_order(tmp_path: Path) -> None:
    """What names its cells may leave out the missing ones; what nobody expected comes last."""
    path = tmp_path / "release.jsonl"
    path.write_text('{"b": 1, "z": 2}\n{"a": 1}\n')
    assert open_rows(str(path), ["a", "b"]).columns == ("a", "b", "z")


# Counting.


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(*[st.sampled_from([None, "", "x", "y", "z"])] * 3), max_size=40),
    size=st.integers(1, 7),
    pending=st.integers(1, 9),
)
def test_batches_make_no_difference(
    monkeypatch: pytest.MonkeyPatch, rows: list[tuple[str | None, ...]], size: int, pending: int
) -> None:
    """Combinations in the order in which they first appear, with their counts, however the records arrive."""
    monkeypatch.setattr(_rows, "_ROWS", size)
    monkeypatch.setattr(_tally, "_PENDING", pending)
    table = _rows.Rows(("a", "b", "c"), lambda columns: _rows.batches_of_rows(rows))
    found = tally(table, ["a", "b", "c"])
    expected = Counter(rows)
    assert list(found.counter(["a", "b", "c"]).items()) == list(expected.items())
    assert found.records == len(rows)
    projected = Counter((c, a) for a, _, c in rows)
    assert list(found.counter(["c", "a"]).items()) == list(projected.items())
    assert found.counter([]) == Counter([()] * len(rows))


def test_more_combinations_than_a_number_can_hold() -> None:
    """With 70 columns of two values, the first ones would fall out of a number of 64 bits."""
    names = [f"c{at}" for at in range(70)]
    rows = [("x",) * 70, ("y",) * 70, ("y", *["x"] * 69), ("x",) * 70]
    table = _rows.Rows(tuple(names), lambda columns: _rows.batches_of_rows(rows))
    assert tally(table, names).counter(names) == Counter(rows)


def test_records_are_counted_without_columns() -> None:
    table = _rows.Rows(("a",), lambda columns: _rows.batches_of_rows([("x",), ("y",)]))
    assert tally(table, []).records == 2


# Spellings.


@pytest.mark.parametrize(
    ("texts", "known", "expected"),
    [
        (["1.0", "x", None], {"1", "x"}, ["1", "x", None]),
        (["1.0", "1.00"], {"1"}, ["1.0", "1.00"]),
        (["1.0"], {"1", "1.00"}, ["1.0"]),
        (["1", "1.0"], {"1", "1.000"}, ["1", "1.000"]),
        (["1", "0"], {"True", "False"}, ["True", "False"]),
        (["1", "true"], {"1.0", "True"}, ["1.0", "True"]),
        (["0.1"], {"0.10000000149011612"}, ["0.10000000149011612"]),
        (["13:05:06"], {"13:05:06.000000"}, ["13:05:06.000000"]),
        (["nan", "1e999999999", ""], {"NaN", "inf"}, ["nan", "1e999999999", ""]),
    ],
)
def test_one_value_in_two_spellings(texts: list[str | None], known: set[str], expected: list[str | None]) -> None:
    codes = np.arange(len(texts), dtype=np.int64)
    counted = _tally.Tally(("a",), (texts,), codes.reshape(1, -1), np.ones(len(texts), dtype=np.int64))
    assert respelled(counted, {"a": known}).texts == (expected,)
