"""Columns that are published as they are keep their types, from database to database and from frame to frame."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

import incrowd

pytestmark = pytest.mark.filterwarnings("ignore:.*infer_string:DeprecationWarning")

POSTGRES = {
    "n": ("numeric", "1.123456789012345"),
    "p": ("numeric(10,2)", "1.50"),
    "j": ("jsonb", '{"a": [1, 2], "b": 1}'),
    "o": ("json", '{"b":1}'),
    "u": ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
    "t": ("time without time zone", "10:11:12.5"),
    "z": ("time with time zone", "10:11:12+02"),
    "i": ("interval", "1 day 02:00:00"),
    "a": ("inet", "10.0.0.1"),
    "v": ("character varying(5)", "ab"),
    "b": ("bit(3)", "101"),
}


def job(source: str, to: str, columns: Any) -> dict[str, Any]:
    roles = {"g": {"role": "quasi", "limit": 0}, "j": {"role": "sensitive"}}
    return {
        "data": {"source": source, "table": "people"},
        "columns": {**{name: {"role": "keep"} for name in columns}, **roles},
        "models": ["k_anonymity:k=3"],
        "output": {"to": to, "table": "release", "replace": True},
    }


@pytest.fixture
def people(postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A connection to a server with a table of every type."""
    import psycopg

    # Manifests of a server's tables go into the present folder.
    monkeypatch.chdir(tmp_path)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        declared = ", ".join(f"{name} {kind}" for name, (kind, _) in POSTGRES.items())
        connection.execute(f"CREATE TABLE people (g int, {declared})")
        cells = ", ".join(f"'{cell}'" for _, cell in POSTGRES.values())
        connection.execute(f"INSERT INTO people SELECT n % 2, {cells} FROM generate_series(1, 6) AS n")
        connection.execute("UPDATE people SET n = 2, j = '[]' WHERE ctid IN (SELECT ctid FROM people LIMIT 2)")
        yield connection
        connection.execute("DROP TABLE people; DROP TABLE IF EXISTS release")


def kinds(connection: Any, query: str) -> dict[str, str]:
    """The types of what a query gives."""
    found = connection.execute(f"SELECT * FROM ({query}) AS given LIMIT 0").pgresult
    return {
        found.fname(at).decode(): connection.execute(
            "SELECT format_type(%s, %s)", [found.ftype(at), found.fmod(at)]
        ).fetchone()[0]
        for at in range(found.nfields)
    }


def test_postgres_to_postgres(people: Any, postgres_url: str) -> None:
    made = incrowd.anonymize(None, job(postgres_url, postgres_url, POSTGRES))
    assert made.verdict.holds
    assert incrowd.verify(postgres_url, record=made.record_file, table="release").holds
    found = kinds(people, "SELECT * FROM release")
    assert {name: found[name] for name in POSTGRES} == {name: kind for name, (kind, _) in POSTGRES.items()}
    # Numbers without a declared scale get that of the longest.
    cells = ", ".join(f"{name}::text" for name in POSTGRES if name != "n")
    tables = ("people", "release")
    rows = [people.execute(f"SELECT {cells} FROM {table} ORDER BY j::text, g").fetchall() for table in tables]
    assert rows[0] == rows[1]
    sums = [people.execute(f"SELECT sum(n) FROM {table}").fetchone() for table in tables]
    assert sums[0] == sums[1]


def test_postgres_to_duckdb(people: Any, postgres_url: str, tmp_path: Path) -> None:
    import duckdb

    incrowd.anonymize(None, job(postgres_url, f"duckdb:///{tmp_path}/release.duckdb", POSTGRES))
    with duckdb.connect(tmp_path / "release.duckdb") as connection:
        found = dict(zip((table := connection.table("release")).columns, map(str, table.types), strict=True))
    assert (found["u"], found["j"], found["t"], found["n"]) == ("UUID", "JSON", "TIME", "DECIMAL(16,15)")


def test_a_frame_of_postgres(people: Any, postgres_url: str) -> None:
    import ibis

    connection = ibis.connect(postgres_url)
    described = job("a frame", "nowhere", POSTGRES)
    del described["data"], described["output"]
    made = incrowd.anonymize(connection.table("people"), described)
    own = "SELECT relname FROM pg_class WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r'"
    [(name,)] = connection.con.execute(own).fetchall()
    found = set(kinds(connection.con, f"SELECT * FROM {name}").values())
    assert {kind for kind, _ in POSTGRES.values()} <= found
    assert made.verdict.holds
    connection.disconnect()


def test_duckdb_to_duckdb(tmp_path: Path) -> None:
    import duckdb

    declared = {"j": "JSON", "u": "UUID", "t": "TIME", "h": "HUGEINT", "d": "DECIMAL(30,15)", "b": "UTINYINT"}
    cells = """'{"a": 1}', '123e4567-e89b-12d3-a456-426614174000', '10:11:12.5', 12345678901234567890123, 1.5, 7"""
    with duckdb.connect(tmp_path / "people.duckdb") as connection:
        columns = ", ".join(f"{name} {kind}" for name, kind in declared.items())
        connection.execute(f"CREATE TABLE people (g BIGINT, {columns})")
        connection.execute(f"INSERT INTO people SELECT 1, {cells} FROM range(6)")
    incrowd.anonymize(None, job(f"duckdb:///{tmp_path}/people.duckdb", f"duckdb:///{tmp_path}/out.duckdb", declared))
    with duckdb.connect(tmp_path / "out.duckdb") as connection:
        table = connection.table("release")
        found = dict(zip(table.columns, map(str, table.types), strict=True))
    assert found == {"g": "BIGINT", **declared}


def test_sqlite_to_sqlite(tmp_path: Path) -> None:
    declared = {"j": "TEXT", "n": "INTEGER", "r": "REAL", "d": "DECIMAL(10,2)", "v": "VARCHAR(20)"}
    people = sqlite3.connect(tmp_path / "people.db")
    people.execute(f"CREATE TABLE people (g INTEGER, {', '.join(f'{n} {kind}' for n, kind in declared.items())})")
    people.executemany("INSERT INTO people VALUES (1, 'x', ?, 0.5, 1.25, '01')", [(at,) for at in range(6)])
    people.commit()
    incrowd.anonymize(None, job(f"sqlite:///{tmp_path}/people.db", f"sqlite:///{tmp_path}/out.db", declared))
    release = sqlite3.connect(tmp_path / "out.db")
    found = {name: kind for _, name, kind, *_ in release.execute("PRAGMA table_info(release)")}
    assert found == {"g": "INTEGER", **declared}
    assert release.execute("SELECT n, r, d, v FROM release ORDER BY n").fetchone() == (0, 0.5, 1.25, "01")
