"""Databases: SQLite and DuckDB in a file, PostgreSQL on a server of the tests' own."""

import csv
import gc
import re
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote_plus

import duckdb
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import sql

from formats.reading import SECRET, classes, one_line, refusal
from incrowd.errors import SourceError
from incrowd.formats import ReadOptions, connections, database, duckdb_file, read
from incrowd.formats.connections import translate_errors
from incrowd.verification import _databases as verification_databases
from incrowd.verification._databases import open_table
from incrowd.watch import Watch

# Ibis 12 asks pandas 3 for an option that pandas will drop (ibis/formats/pandas.py).
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")

COLUMNS = ("name", "city", "age")
PEOPLE: list[tuple[str | None, str | None, int | None]] = [
    ("Zoë", "Köln", 39), ("Zoë", "Köln", 39), ("名前", "Łódź", 7), (None, "Köln", 39), ("a'b", 'q"t', 2**62 + 1),
    ("a'b", 'q"t', 2**62 + 2), (None, None, None), ("x,y", "two\nlines", -1), ("007", "7", 7), ("7", "007", 7),
]  # fmt: skip

Row = tuple[str | None, ...]


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """An SQLite file with a table of people, and others."""
    with closing(sqlite3.connect(tmp_path / "data base.db")) as connection:
        connection.execute("CREATE TABLE people (name TEXT, city VARCHAR(20), age INTEGER)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", PEOPLE)
        connection.execute('CREATE TABLE "odd name" (a TEXT)')
        connection.execute("CREATE TABLE mixed (number INTEGER, day DATE, untyped, bytes BLOB)")
        days = ("2020-01-02", "someday")
        rows = [(5, days[0], "q", b"\xff"), (SECRET, days[1], 5, b"\xff"), (2**60 + 1, None, None, None)]
        connection.executemany("INSERT INTO mixed VALUES (?, ?, ?, ?)", [*rows, (2**60 + 2, None, 0.5, b"\xfe")])
        connection.commit()
    return f"sqlite:///{tmp_path / 'data base.db'}"


@pytest.fixture
def duckdb_url(tmp_path: Path) -> str:
    """A DuckDB file with a table of people."""
    with duckdb.connect(str(tmp_path / "data.duckdb")) as connection:
        connection.execute("CREATE TABLE people (name TEXT, city TEXT, age BIGINT)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", PEOPLE)
    return f"duckdb:///{tmp_path / 'data.duckdb'}"


@pytest.fixture
def people_url(postgres_url: str) -> Iterator[str]:
    """A PostgreSQL database with a table of people, and one in a schema of its own."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE TYPE color AS ENUM ('red', 'blue')")
        connection.execute("CREATE TABLE people (name TEXT, city VARCHAR(20), age BIGINT)")
        connection.execute("CREATE SCHEMA clinic")
        connection.execute(
            "CREATE TABLE clinic.visits (id UUID, tint color, day DATE, price NUMERIC(6, 2), tags TEXT[])"
        )
        connection.execute(
            "INSERT INTO clinic.visits VALUES (gen_random_uuid(), 'red', '2020-01-02', 1.5, '{a}'),"
            " (NULL, 'red', '2020-01-02', 1.50, NULL), (NULL, NULL, NULL, NULL, NULL)"
        )
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO people VALUES (%s, %s, %s)", PEOPLE)
    yield postgres_url
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP TABLE people")
        connection.execute("DROP SCHEMA clinic CASCADE")
        connection.execute("DROP TYPE color")


@pytest.fixture(params=["sqlite_url", "duckdb_url", "people_url"])
def url(request: pytest.FixtureRequest) -> str:
    """Each of the databases."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture
def people_csv(tmp_path: Path) -> Path:
    """The same people in a text file."""
    path = tmp_path / "people.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([COLUMNS, *PEOPLE])
    return path


# The same answers from everywhere.


@pytest.mark.parametrize("columns", [COLUMNS, ("age",), ("city", "name")])
def test_the_same_classes_as_in_a_file(url: str, people_csv: Path, columns: tuple[str, ...]) -> None:
    source = read(url, options=ReadOptions(table="people"))
    assert source.columns == COLUMNS
    assert classes(source, columns) == classes(read(people_csv), columns)


def test_query(url: str, people_csv: Path) -> None:
    query = "SELECT age, name AS \"Nämé\" FROM people WHERE city = 'Köln' OR city IS NULL -- all of them;\n"
    source = read(url, options=ReadOptions(query=query))
    assert source.columns == ("age", "Nämé")
    assert classes(source) == {("39", "Zoë"): 2, ("39", None): 1, (None, None): 1}


def test_query_that_ends_with_a_semicolon(url: str) -> None:
    assert classes(read(url, options=ReadOptions(query="SELECT city FROM people WHERE age = 39;\n"))) == {("Köln",): 3}


def test_missing_texts(url: str) -> None:
    source = read(url, options=ReadOptions(table="people", missing=("Köln", "39")))
    assert classes(source, ["city", "age"])[(None, None)] == 4


def test_database_and_file_together(url: str, people_csv: Path) -> None:
    union = read(read(url, options=ReadOptions(table="people")), people_csv)
    assert classes(union) == {key: 2 * count for key, count in classes(read(people_csv)).items()}


def test_rows_without_an_order_have_no_numbers(url: str) -> None:
    assert "no row order" in refusal(url, table="people")


NAMES = st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(NAMES.filter(lambda name: name != ""), st.none() | st.integers(-5, 5)), min_size=1))
def test_any_rows_in_postgresql(postgres_url: str, tmp_path: Path, rows: list[tuple[str | None, int | None]]) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS random_rows")
        connection.execute("CREATE TABLE random_rows (name TEXT, age INTEGER)")
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO random_rows VALUES (%s, %s)", rows)
    found = classes(read(postgres_url, options=ReadOptions(table="random_rows")))
    expected: dict[Row, int] = {}
    for name, age in rows:
        key = (name, None if age is None else str(age))
        expected[key] = expected.get(key, 0) + 1
    assert found == expected


# What is special to one.


def test_sqlite_columns_hold_anything(sqlite_url: str) -> None:
    source = read(sqlite_url, options=ReadOptions(table="mixed"))
    assert classes(source, ["number"]) == {("5",): 1, (SECRET,): 1, (str(2**60 + 1),): 1, (str(2**60 + 2),): 1}
    assert classes(source, ["day"]) == {("2020-01-02",): 1, ("someday",): 1, (None,): 2}
    assert classes(source, ["untyped"]) == {("q",): 1, ("5",): 1, ("0.5",): 1, (None,): 1}
    assert classes(source, ["bytes"]) == {("b'\\xff'",): 2, ("b'\\xfe'",): 1, (None,): 1}


def test_relative_and_absolute_paths(sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert sqlite_url.startswith("sqlite:////")
    monkeypatch.chdir(tmp_path)
    assert read("sqlite:///data base.db", options=ReadOptions(table="people")).columns == COLUMNS
    assert read("sqlite:///data base.db", options=ReadOptions(table="main.people")).columns == COLUMNS
    assert read("sqlite:///data base.db", options=ReadOptions(table="odd name")).columns == ("a",)


def test_postgresql_types_and_schemas(people_url: str) -> None:
    for options in (ReadOptions(table="clinic.visits"), ReadOptions(query="SELECT * FROM clinic.visits")):
        source = read(people_url, options=options)
        assert classes(source, ["tint", "day"]) == {("red", "2020-01-02"): 2, (None, None): 1}
        assert sorted(classes(source, ["price"]).values()) == [1, 2]
        assert sorted(classes(source, ["id"]).values()) == [1, 2]
        with pytest.raises(SourceError, match="column 'tags': nested values are not supported"):
            source.count(["tags"], Watch())


# Nothing is written.


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_missing_file_is_not_made(tmp_path: Path, scheme: str) -> None:
    assert "there is no file" in refusal(f"{scheme}:///{tmp_path / 'none.db'}", table="people")
    assert list(tmp_path.iterdir()) == []
    assert "there is no file" in refusal(f"{scheme}://", table="people")


WRITING = [
    "DROP TABLE people",
    "DELETE FROM people",
    "INSERT INTO people VALUES ('x', 'y', 1)",
    "CREATE TABLE t (a INT)",
    "SELECT 1 AS a; DROP TABLE people",
    "SELECT 1) x; COMMIT; BEGIN READ WRITE; DELETE FROM people; COMMIT; SELECT * FROM (SELECT 1 AS a",
    "SELECT * INTO copied FROM people",
    "ATTACH 'other.db' AS other",
    "VACUUM INTO 'other.db'",
    "COPY people TO 'other.csv'",
    "SELECT 'open",
]


@pytest.mark.parametrize("statement", WRITING)
def test_statements_that_write_are_refused(url: str, statement: str) -> None:
    before = classes(read(url, options=ReadOptions(table="people")))
    assert re.search(r"it must be a single SELECT statement|\(Parser Error", refusal(url, query=statement))
    assert classes(read(url, options=ReadOptions(table="people"))) == before


def test_the_server_takes_one_statement_however_it_is_parsed(people_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "refuse_unless_select", lambda *asked: None)
    query = "SELECT 1) x; COMMIT; BEGIN READ WRITE; DELETE FROM people; COMMIT; SELECT * FROM (SELECT 1 AS a"
    assert "cannot insert multiple commands" in refusal(people_url, query=query)
    assert read(people_url, options=ReadOptions(table="people")).count(["age"], Watch()).records == len(PEOPLE)


def test_a_query_cannot_make_the_session_write(people_url: str) -> None:
    with psycopg.connect(people_url, autocommit=True) as connection:
        connection.execute("CREATE FUNCTION clinic.forget() RETURNS INT LANGUAGE sql AS 'DELETE FROM people; SELECT 1'")
    source = read(
        people_url, options=ReadOptions(query="SELECT set_config('default_transaction_read_only', 'off', false) AS a")
    )
    assert source.count(["a"], Watch()).records == 1
    writing = source._frame.to_native().get_backend()  # type: ignore[attr-defined]
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        writing.sql("SELECT clinic.forget() AS n", schema={"n": "int"}).to_pyarrow()


def test_a_database_file_attaches_no_other(sqlite_url: str, tmp_path: Path) -> None:
    connection = database._connected(sqlite_url)
    try:
        with pytest.raises(sqlite3.OperationalError, match="too many attached"):
            connection.con.execute(f"ATTACH '{tmp_path / 'other.db'}' AS other")
    finally:
        connection.disconnect()


REACHING = {
    "a file": "SELECT * FROM read_csv('{folder}/people.csv')",
    "an address": "SELECT * FROM 'http://127.0.0.1:9/people.parquet'",
    "a store": "SELECT * FROM read_parquet('s3://127.0.0.1/people.parquet')",
    "an extension": "SELECT * FROM sqlite_scan('{folder}/data base.db', 'people')",
}


@pytest.mark.parametrize("query", REACHING.values(), ids=REACHING)
def test_a_duckdb_file_is_read_alone(tmp_path: Path, people_csv: Path, duckdb_url: str, query: str) -> None:
    query = query.format(folder=tmp_path)
    assert "the query reads other files or addresses" in refusal(duckdb_url, query=query)
    if "read_csv" in query:
        with duckdb.connect(str(tmp_path / "data.duckdb")) as connection:
            connection.execute(f"CREATE VIEW elsewhere AS {query}")
        assert "table 'elsewhere' reads other files or addresses" in refusal(duckdb_url, table="elsewhere")
        with pytest.raises(SourceError, match="the table reads other files or addresses") as caught:
            open_table(duckdb_url, "elsewhere")
        one_line(caught.value)


def test_verification_opens_a_file_as_reading_does() -> None:
    assert duckdb_file._SEALED == verification_databases._SEALED


def test_a_query_that_writes_on_the_way_is_refused(people_url: str) -> None:
    query = "WITH gone AS (DELETE FROM people RETURNING *) SELECT * FROM gone"
    assert "it must be a single SELECT statement" in refusal(people_url, query=query)
    source = read(people_url, options=ReadOptions(table="people"))
    assert source.count(["age"], Watch()).records == len(PEOPLE)


def test_a_query_with_an_effect_is_refused(people_url: str) -> None:
    with psycopg.connect(people_url, autocommit=True) as connection:
        connection.execute("CREATE SEQUENCE clinic.number")
        source = read(people_url, options=ReadOptions(query="SELECT nextval('clinic.number') AS n FROM people"))
        with pytest.raises(SourceError, match="could not read"):
            source.count(["n"], Watch())
        assert connection.execute("SELECT is_called FROM clinic.number").fetchone() == (False,)


def test_connections_can_only_read(sqlite_url: str, people_url: str) -> None:
    for url in (sqlite_url, people_url):
        connection = database._connected(url)
        try:
            with pytest.raises(Exception, match=r"read-?only"):
                connection.raw_sql("DELETE FROM people")
        finally:
            connection.disconnect()


def test_those_who_may_only_read_can_query(people_url: str) -> None:
    with psycopg.connect(people_url, autocommit=True) as connection:
        connection.execute("REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC")
        connection.execute(sql.SQL("CREATE ROLE reader LOGIN PASSWORD {}").format(sql.Literal("reader")))
        connection.execute("GRANT SELECT ON people TO reader")
    try:
        reader = "postgresql://reader:reader@" + people_url.rpartition("@")[2]
        for options in (ReadOptions(query="SELECT age FROM people"), ReadOptions(table="people")):
            assert read(reader, options=options).count(["age"], Watch()).records == len(PEOPLE)
    finally:
        with psycopg.connect(people_url, autocommit=True) as connection:
            connection.execute("DROP OWNED BY reader")
            connection.execute("DROP ROLE reader")


def test_connection_ends_with_the_source(people_url: str) -> None:
    gc.collect()
    with psycopg.connect(people_url, autocommit=True) as connection:

        def others() -> set[int]:
            asked = connection.execute("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'")
            return {pid for (pid,) in asked}

        # Of other tests some are kept open, and some take a moment to end.
        before = others()
        source = read(people_url, options=ReadOptions(table="people"))
        source.count(COLUMNS, Watch())
        [own] = others() - before
        del source
        gc.collect()
        assert eventually(lambda: own not in others())


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether something comes true soon: a server ends a connection some time after its client."""
    for _ in range(6000):
        if holds():
            return True
        time.sleep(0.05)
    return False


# Refusals.


def test_no_table_named(url: str) -> None:
    message = refusal(url)
    assert "'people'" in message
    assert "name one as table, or give a query" in message


def test_unknown_table(url: str) -> None:
    for name in ("nobody", "nowhere.people", "clinic.nobody"):
        message = refusal(url, table=name)
        assert f"it has no table {name!r}" in message
        assert "'people'" in message


def test_table_and_query(url: str) -> None:
    assert "table and query: " in refusal(url, table="people", query="SELECT 1 AS a")


@pytest.mark.parametrize(
    "query",
    [
        "SELEC 1",
        "SELECT * FROM nobody",
        "SELECT nothing FROM people",
        f"SELECT CAST('{SECRET}' AS INTEGER) / 'x' FROM",
        "",
    ],
    ids=range(5),
)
def test_wrong_query(url: str, query: str) -> None:
    assert re.search(
        "the database rejected the request|it must be a single SELECT statement", refusal(url, query=query)
    )


def test_columns_without_names_of_their_own(people_url: str) -> None:
    assert "the column name at position 2 is a duplicate" in refusal(people_url, query="SELECT 1 AS a, 2 AS a")


def test_failure_while_counting_tells_no_cell(people_url: str) -> None:
    with psycopg.connect(people_url, autocommit=True) as connection:
        connection.execute("INSERT INTO people (name) VALUES (%s)", [SECRET])
    source = read(people_url, options=ReadOptions(query="SELECT name::integer AS number FROM people"))
    with pytest.raises(SourceError, match="could not read") as caught:
        source.count(["number"], Watch())
    one_line(caught.value)


def test_not_a_database(tmp_path: Path) -> None:
    (tmp_path / "data.db").write_text(f"a,b\n{SECRET},2\n" * 100)
    for scheme in ("sqlite", "duckdb"):
        message = refusal(f"{scheme}:///{tmp_path / 'data.db'}", table="people")
        assert message.startswith(f"{scheme}:///")


def test_refused_connections_keep_the_password(postgres_url: str) -> None:
    place = postgres_url.rpartition("@")[2]
    wrong = [
        f"postgresql://incrowd:{SECRET}@{place}",
        f"postgresql://incrowd:{SECRET}@127.0.0.1:1/postgres",
        f"postgresql://incrowd:{SECRET}@127.0.0.1:none/postgres",
        f"postgresql://incrowd@{place}?password={SECRET}",
        f"postgresql://incrowd:{SECRET}@{place}?unknown={SECRET}",
        f"postgresql://incrowd:{SECRET}/{SECRET}@{place}",
        f"postgresql://incrowd:{SECRET}@[::1/postgres",
    ]
    for url in wrong:
        message = refusal(url, table="people")
        assert message.startswith("postgresql://incrowd@")
        assert "cannot connect" in message
    assert "does not exist" in refusal(postgres_url.replace("/postgres", "/nowhere"), table="people")


@pytest.mark.parametrize("url", [f"mysql://u:{SECRET}@h/d", "mysql://u:Ge%68eim@h/d", f"mysql://u@h/d?key={SECRET}"])
def test_a_driver_that_tells_a_secret(url: str) -> None:
    with pytest.raises(SourceError) as caught, translate_errors(url, "cannot connect", "check it"):
        raise ValueError(f"cannot log in with {SECRET} and Ge%68eim")
    assert "Ge%68eim" not in one_line(caught.value)


@pytest.mark.parametrize("more", ["", "?connect_timeout=2"])
def test_a_server_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, more: str) -> None:
    monkeypatch.setattr(connections, "_SECONDS", 100 if more else 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        message = refusal(f"postgresql://u:{SECRET}@127.0.0.1:{silent.getsockname()[1]}/d{more}", table="people")
    assert "cannot connect (connection timeout expired)" in message


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://u:p@h/d", {"connect_timeout": 10}),
        ("postgresql://u:p@h/d?connect_timeout=3", {"connect_timeout": 3}),
        ("mysql://u:p@h/d", {"connect_timeout": 10}),
        ("mysql://u:p@h/d?charset=utf8", {"connect_timeout": 10}),
        ("mysql://u:p@h/d?connect_timeout=3", {"connect_timeout": 3}),
        ("mssql://u:p@h/d", {"timeout": 10}),
        ("trino://u:p@h/d", {}),
    ],
)
def test_drivers_are_told_how_long_to_wait(monkeypatch: pytest.MonkeyPatch, url: str, told: dict[str, int]) -> None:
    def connect(location: str, **options: object) -> None:
        assert (location, options) == (url, told)
        raise ValueError

    monkeypatch.setattr("ibis.connect", connect)
    assert "cannot connect (ValueError)" in refusal(url, table="people")


def test_source_is_named_without_its_password(people_url: str) -> None:
    source = read(people_url, options=ReadOptions(table="people"))
    assert source.name.startswith("postgresql://incrowd@127.0.0.1:")
    password = people_url.partition("@")[0].rpartition(":")[2]
    assert password not in source.name
    assert unquote_plus(password) not in source.name


def test_driver_is_absent() -> None:
    assert "pip install 'ibis-framework[mysql]'" in refusal(f"mysql://user:{SECRET}@127.0.0.1/people", table="people")


def test_library_is_absent(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ibis", None)
    assert "pip install 'incrowd[sql]'" in refusal(sqlite_url, table="people")
