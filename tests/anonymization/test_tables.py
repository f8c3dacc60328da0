"""Tables of databases: a release is verified before it gets its name, and what was there is lost to nothing else."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest

import incrowd
from anonymization.hospital import in_folder, tight_job
from anonymization.runs import files, refused
from formats.writing import own_database
from incrowd.anonymization import writing
from incrowd.errors import NotVerified, SourceError, UsageError
from incrowd.formats import duckdb_file

# Ibis 12 asks pandas 3 for an option that pandas will drop (ibis/formats/pandas.py).
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")

OLD = [("what was there",)]


@pytest.fixture
def source(tmp_path: Path) -> str:
    """The patients."""
    (tmp_path / "in").mkdir()
    return str(in_folder(tmp_path / "in"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where manifests go."""
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    return tmp_path / "out"


@pytest.fixture
def server_url(postgres_url: str) -> Iterator[str]:
    with own_database(postgres_url) as url:
        yield url


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def url(request: pytest.FixtureRequest, folder: Path) -> str:
    """Each of the databases."""
    if request.param == "postgres":
        return str(request.getfixturevalue("server_url"))
    return f"{request.param}:///{folder / 'release.db'}"


def ask(url: str, query: str) -> list[tuple[Any, ...]]:
    """The answer of a database."""
    if url.startswith("postgres"):
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(query)
            return cursor.fetchall() if cursor.description else []
    connect: Callable[[str], Any] = sqlite3.connect if url.startswith("sqlite") else duckdb.connect
    with closing(connect(url.partition(":///")[2])) as connection:
        found = connection.execute(query).fetchall()
        if url.startswith("sqlite"):
            connection.commit()
        return list(found)


def tables(url: str) -> set[str]:
    """The tables that a database has."""
    if url.startswith("sqlite"):
        return {name for (name,) in ask(url, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    query = "SELECT table_name FROM information_schema.tables WHERE table_schema IN ('main', 'public')"
    return {name for (name,) in ask(url, query)}


def store_old(url: str, table: str = "released") -> None:
    ask(url, f"CREATE TABLE {table} AS SELECT 'what was there' AS old")


@pytest.fixture
def spoilt(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Somebody changes the table between its writing and its verification; the names under which it was found."""
    honest, seen = writing.verify, []

    def verify(location: Any, manifest: Any, record: Any, population: Any, table: str | None, *more: Any) -> Any:
        if table is not None:
            seen.append(table)
            quoted = ".".join(f'"{name}"' for name in table.split("."))
            ask(str(location), f"UPDATE {quoted} SET zip = 'somewhere' WHERE visits = '1'")
        return honest(location, manifest, record, population, table, *more)

    monkeypatch.setattr(writing, "verify", verify)
    return seen


@pytest.mark.parametrize("replacing", [True, False])
def test_a_table_that_does_not_verify_is_dropped_and_what_was_there_stays(
    source: str, folder: Path, url: str, replacing: bool, spoilt: list[str]
) -> None:
    if replacing:
        store_old(url)
    before = files(folder)
    output = {"to": url, "table": "released", "replace": replacing}
    words = refused(NotVerified, lambda: incrowd.anonymize(source, tight_job(output=output)))
    assert "the release failed verification and was discarded (" in words
    assert len(spoilt) == 1
    assert tables(url) == ({"released"} if replacing else set())
    if replacing:
        assert ask(url, "SELECT * FROM released") == OLD
    assert files(folder) - before <= {"release.db"}


def test_a_table_in_a_schema(source: str, folder: Path, server_url: str, spoilt: list[str]) -> None:
    ask(server_url, "CREATE SCHEMA results")
    store_old(server_url, "results.released")
    output = {"to": server_url, "table": "results.released", "replace": True}
    refused(NotVerified, lambda: incrowd.anonymize(source, tight_job(output=output)))
    assert spoilt[0].startswith("results.incrowd_")
    assert ask(server_url, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'results'") == [
        ("released",)
    ]
    assert ask(server_url, "SELECT * FROM results.released") == OLD


def test_what_cannot_be_dropped_is_named(
    source: str, folder: Path, spoilt: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def drop(location: str, table: str) -> None:
        raise SourceError.of(location, "it cannot be written", "check the disk")

    monkeypatch.setattr(duckdb_file, "drop", drop)
    output = {"to": f"duckdb:///{folder / 'release.db'}", "table": "released"}
    words = refused(NotVerified, lambda: incrowd.anonymize(source, tight_job(output=output)))
    assert words.endswith(f"the incomplete table {spoilt[0]!r} remains: drop it")


@pytest.mark.parametrize("old", [True, False])
def test_a_table_gets_its_name_once_it_is_verified(source: str, folder: Path, url: str, old: bool) -> None:
    if old:
        store_old(url)
        ask(url, "CREATE TABLE other AS SELECT 1 AS one")
    output = {"to": url, "table": "released", "replace": True}
    made = incrowd.anonymize(source, tight_job(output=output))
    assert tables(url) == ({"released", "other"} if old else {"released"})
    assert len(ask(url, "SELECT * FROM released")) == made.manifest.data.records
    assert incrowd.verify(url, made.manifest_file, made.record_file, table="released").holds


def test_a_view_of_the_table_that_is_replaced(source: str, folder: Path) -> None:
    url = f"sqlite:///{folder / 'release.db'}"
    store_old(url)
    ask(url, "CREATE VIEW seen AS SELECT * FROM released")
    made = incrowd.anonymize(source, tight_job(output={"to": url, "table": "released", "replace": True}))
    assert len(ask(url, "SELECT * FROM seen")) == made.manifest.data.records


def test_a_table_that_appears_meanwhile_stays(source: str, folder: Path, url: str) -> None:
    honest = writing.verify

    def verify(location: Any, *more: Any) -> Any:
        verdict = honest(location, *more)
        if "://" in str(location):
            store_old(url)
        return verdict

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "verify", verify)
        output = {"to": url, "table": "released"}
        words = refused(UsageError, lambda: incrowd.anonymize(source, tight_job(output=output)))
    assert (
        words == "writing to table 'released': it already exists; choose another name, or set replace to overwrite it"
    )
    assert tables(url) == {"released"}
    assert ask(url, "SELECT * FROM released") == OLD
    assert files(folder) <= {"release.db"}


def test_a_table_that_exists_is_refused_before_anything_is_read(folder: Path, url: str) -> None:
    store_old(url)
    before = files(folder)
    # There is no such file, which only those notice who read it.
    described = tight_job(data="gone.csv", output={"to": url, "table": "released"})
    words = refused(UsageError, lambda: incrowd.anonymize(None, described))
    assert (
        words == "writing to table 'released': it already exists; choose another name, or set replace to overwrite it"
    )
    described = tight_job(data="gone.csv", output={"to": url, "table": "another"})
    assert "there is no such file" in refused(SourceError, lambda: incrowd.anonymize(None, described))
    assert files(folder) == before
    assert ask(url, "SELECT * FROM released") == OLD
