"""Tables of databases: whole, or as they were."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import effort
from engines.publishing import recoding_for
from formats.reading import SECRET, classes
from formats.writing import KINDS, own_database, refused, written
from incrowd.engines.publish import publish
from incrowd.formats import ReadOptions, WriteOptions, read, write
from incrowd.watch import Stopped, Watch

# Ibis 12 asks pandas 3 for an option that pandas will drop (ibis/formats/pandas.py).
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")

TEXT = pa.table(
    {"town": ["Graz", None, "Wien", "", "a\\.", "\\."], "note": [SECRET, "b", None, "x,y", 'q"t', "two\nlines"]}
)
ROWS = list(zip(*TEXT.to_pydict().values(), strict=True))


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'data base.db'}"


@pytest.fixture
def duckdb_url(tmp_path: Path) -> str:
    return f"duckdb:///{tmp_path / 'data.duckdb'}"


@pytest.fixture
def server_url(postgres_url: str) -> Iterator[str]:
    with own_database(postgres_url) as url:
        yield url


@pytest.fixture(params=["sqlite_url", "duckdb_url", "server_url"])
def url(request: pytest.FixtureRequest) -> str:
    """Each of the databases."""
    return str(request.getfixturevalue(request.param))


def ask(url: str, query: str) -> list[tuple[Any, ...]]:
    """The answer of a database to a query."""
    if url.startswith("postgres"):
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(query)
            return cursor.fetchall() if cursor.description else []
    path = url.partition("://")[2].removeprefix("/")
    connect: Callable[[str], Any] = sqlite3.connect if url.startswith("sqlite") else duckdb.connect
    with closing(connect(path)) as connection:
        found = connection.execute(query).fetchall()
        if url.startswith("sqlite"):
            connection.commit()
        return list(found)


def tables(url: str) -> set[str]:
    """The tables that a database has."""
    if url.startswith("sqlite"):
        return {name for (name,) in ask(url, "SELECT name FROM sqlite_master")}
    schema = "public" if url.startswith("postgres") else "main"
    return {
        name
        for (name,) in ask(url, f"SELECT table_name FROM information_schema.tables WHERE table_schema = '{schema}'")
    }


def test_a_new_table(url: str) -> None:
    done = written(TEXT, url, table="people", batch=2)
    assert done.records == 6
    assert ask(url, "SELECT * FROM people") == ROWS
    assert tables(url) == {"people"}
    assert "wörd" not in done.location
    found = classes(read(url, options=ReadOptions(table="people")), ["town"])
    assert found == {("Graz",): 1, (None,): 1, ("Wien",): 1, ("",): 1, ("a\\.",): 1, ("\\.",): 1}


def test_cells_keep_their_types(url: str) -> None:
    written(KINDS, url, table="kinds")
    found = dict(zip(KINDS.column_names, zip(*ask(url, "SELECT * FROM kinds"), strict=True), strict=True))
    texts = url.startswith("sqlite")
    for name, column in KINDS.to_pydict().items():
        # NaN is missing, but DuckDB has it.
        wanted = [None if cell is None or cell != cell else cell for cell in column]
        if texts and name in ("day", "moment", "price"):
            wanted = KINDS[name].cast(pa.string()).to_pylist()
        if url.startswith("postgres") and name == "narrow":
            # As psycopg reads them: the shortest number that is the same in 32 bits.
            wanted = [None if cell is None else float(cell) for cell in KINDS[name].cast(pa.string()).to_pylist()]
        assert [None if cell is None or cell != cell else cell for cell in found[name]] == wanted, name


MORE = pa.table(
    {
        "bytes": [b"\xff\0", None, b""],
        "large": pa.array([2**64 - 1, None, 0], pa.uint64()),
        "small": pa.array([255, None, 0], pa.uint8()),
        "zone": pa.array([0, None, 1_600_000_000_000_001], pa.timestamp("us", "Europe/Vienna")),
        "fine": pa.array([1000, None, 2000], pa.timestamp("ns")),
        "time": pa.array([3_600_000_000, None, 1], pa.time64("us")),
        "none": pa.array([None] * 3, pa.string()),
        "%s 'odd\" name": ["a", None, "%s"],
    }
)


def test_other_types_and_names(url: str) -> None:
    written(MORE, url, table="mo're \"%s")
    query = 'SELECT bytes, large, small, none, "%s \'odd"" name" FROM "mo\'re ""%s" WHERE small = 255'
    ((bytes_, large, small, none, odd),) = ask(url, query)
    assert (bytes_, int(large), small, none, odd) == (b"\xff\0", 2**64 - 1, 255, None, "a")
    moments = classes(read(url, options=ReadOptions(table="mo're \"%s")), ["zone", "fine", "time"])
    assert sorted(moments.values()) == [1, 1, 1]


def test_nanoseconds_are_not_cut(server_url: str) -> None:
    table = pa.table({"fine": pa.array([1], pa.timestamp("ns"))})
    assert "column 'fine': it has nanoseconds, which PostgreSQL cannot store" in refused(table, server_url, table="t")
    assert tables(server_url) == set()


def test_an_existing_table_stays_unless_it_may_be_replaced(url: str) -> None:
    written(TEXT, url, table="people")
    other = pa.table({"age": [1, 2]})
    assert refused(other, url, table="people") == (
        "writing to table 'people': it already exists; choose another name, or set replace to overwrite it"
    )
    assert ask(url, "SELECT * FROM people") == ROWS
    written(other, url, table="people", replace=True)
    assert ask(url, "SELECT * FROM people") == [(1,), (2,)]
    assert tables(url) == {"people"}


@pytest.mark.parametrize(
    "fault", [Stopped("time"), RuntimeError(SECRET), KeyboardInterrupt()], ids=lambda f: type(f).__name__
)
def test_a_failure_leaves_what_was_there(url: str, fault: BaseException, tmp_path: Path) -> None:
    def failing() -> Iterator[pa.RecordBatch]:
        yield from TEXT.to_batches(2)
        raise fault

    def attempt() -> str:
        kind = Exception if isinstance(fault, RuntimeError) else type(fault)
        with pytest.raises(kind) as caught:
            write(failing(), TEXT.schema, url, WriteOptions(table="people", replace=True))
        return str(caught.value)

    attempt()
    if url.startswith("sqlite"):
        assert list(tmp_path.iterdir()) == []
    else:
        assert tables(url) == set()
    written(TEXT, url, table="people")
    assert SECRET not in attempt()
    assert ask(url, "SELECT * FROM people") == ROWS
    assert tables(url) == {"people"}


def test_no_records(url: str) -> None:
    assert written(TEXT.slice(0, 0), url, table="people").records == 0
    assert ask(url, "SELECT town, note FROM people") == []


def test_one_column_with_missing_cells(url: str) -> None:
    written(pa.table({"a": ["x", None, "", "\\.", None]}), url, table="people")
    assert ask(url, "SELECT * FROM people") == [("x",), (None,), ("",), ("\\.",), (None,)]


@pytest.mark.parametrize("name", ["server_url", "duckdb_url"])
def test_a_table_in_a_schema(request: pytest.FixtureRequest, name: str) -> None:
    url = request.getfixturevalue(name)
    ask(url, "CREATE SCHEMA clinic")
    written(TEXT, url, table="clinic.people")
    assert ask(url, "SELECT * FROM clinic.people") == ROWS
    assert "it already exists" in refused(TEXT, url, table="clinic.people")
    written(TEXT, url, table="clinic.people", replace=True)
    written(TEXT, url, table="no.people")
    assert ask(url, 'SELECT * FROM "no.people"') == ROWS


def test_no_table_named(url: str) -> None:
    assert refused(TEXT, url).endswith("a database has many tables; name one as table")


def test_names_that_postgres_would_cut(server_url: str) -> None:
    assert "it truncates names longer than 63 bytes" in refused(TEXT, server_url, table="é" * 32)
    assert "it truncates names longer than 63 bytes" in refused(pa.table({"a" * 64: [1]}), server_url, table="t")


def test_other_databases_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from incrowd.formats import database

    other = SimpleNamespace(name="mysql", disconnect=lambda: None)
    monkeypatch.setattr(database, "_connected", lambda url: other)
    assert refused(TEXT, "mysql://me:secret@host/db", table="t") == (
        "mysql://me@host/db: writing tables in mysql is not supported; write a file and load it there, or write to "
        "SQLite, DuckDB or PostgreSQL"
    )


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    for scheme in ("sqlite", "duckdb"):
        message = refused(TEXT, f"{scheme}:///{tmp_path}/no/t.db", table="t")
        assert message.startswith(f"{scheme}:///{tmp_path}/no/t.db: ")
    (tmp_path / "t.db").write_text("no database" * 100)
    for scheme in ("sqlite", "duckdb"):
        assert refused(TEXT, f"{scheme}:///{tmp_path}/t.db", table="t").startswith(f"{scheme}:///{tmp_path}/t.db: ")
    assert (tmp_path / "t.db").read_text() == "no database" * 100


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6)


def test_any_texts(url: str) -> None:
    @settings(max_examples=effort(12, 25), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.lists(st.tuples(st.none() | TEXTS, st.none() | TEXTS), min_size=1, max_size=8))
    def check(rows: list[tuple[str | None, str | None]]) -> None:
        first, second = zip(*rows, strict=True)
        table = pa.table({"n": range(len(rows)), "a": pa.array(first, pa.string()), "b": pa.array(second, pa.string())})
        written(table, url, table="texts", replace=True, batch=3)
        assert ask(url, "SELECT a, b FROM texts ORDER BY n") == rows

    check()


# From a database, by a join within it, to a database.


def fill(url: str) -> None:
    people = pa.table(
        {"n": range(1000), "town": [str(n % 7) for n in range(1000)], "age": [n % 50 for n in range(1000)]}
    )
    written(people, url, table="people")


@pytest.mark.parametrize("target", ["csv", "sqlite_url", "server_url", "duckdb_url"])
def test_from_a_database_to_anywhere(request: pytest.FixtureRequest, url: str, target: str, tmp_path: Path) -> None:
    fill(url)
    source = read(url, options=ReadOptions(table="people"))
    recoding = recoding_for(source, ["town", "age"], unchanged=["age"])
    published = publish(source, recoding, ["n", "age", "town"], Watch())
    place = str(tmp_path / "t.csv") if target == "csv" else str(request.getfixturevalue(target))
    options = WriteOptions() if target == "csv" else WriteOptions(table="released")
    if place == url and target == "duckdb_url":
        # DuckDB does not read and write a file at the same time.
        with pytest.raises(Exception, match="check path, permissions and locks"):
            write(published.batches(), published.schema, place, options)
        return
    done = write(published.batches(), published.schema, place, options)
    assert done.records == published.records
    again = read(place, options=ReadOptions(table=options.table))
    assert again.columns == ("n", "age", "town")
    assert again.count(again.columns, Watch()).records == published.records
    kept = recoding.combinations.counts[recoding.kept].sum()
    assert done.records == kept


@pytest.mark.parametrize("name", ["sqlite_url", "server_url"])
def test_a_table_is_replaced_by_what_is_published_of_it(request: pytest.FixtureRequest, name: str) -> None:
    url = request.getfixturevalue(name)
    fill(url)
    source = read(url, options=ReadOptions(table="people"))
    published = publish(source, recoding_for(source, ["town"]), ["n", "town"], Watch())
    done = write(published.batches(), published.schema, url, WriteOptions(table="people", replace=True))
    assert ask(url, "SELECT count(*) FROM people") == [(done.records,)]
    assert 0 < done.records < 1000
