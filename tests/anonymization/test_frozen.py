"""What is given is what was verified: it stays when its source changes, and carries nothing but its cells."""

import io
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from anonymization.runs import Job, refused
from anonymization.test_engines import rows_of
from incrowd.anonymization import run as running
from incrowd.anonymization import searching
from incrowd.errors import NotVerified

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

SECRET = "a secret of some length"
"""A cell of the one record that is suppressed, in every column of texts."""

PEOPLE = pa.table(
    {
        "age": [31, 31, 31, 42, 42, 42, 99],
        "sex": ["m", "m", "m", "f", "f", "f", SECRET],
        "disease": ["flu", "gout", "flu", "flu", "a disease of some length", "flu", SECRET],
        "note": ["a note of some length", "b", "c", "d", "e", "f", SECRET],
    }
)


def described(**settings: Any) -> Job:
    """A job that suppresses the last record, and publishes the others as they are."""
    columns = {
        "age": {"role": "quasi", "limit": 0},
        "sex": {"role": "quasi", "limit": 0},
        "disease": {"role": "sensitive"},
        "note": {"role": "keep"},
    }
    return {"columns": columns, "models": [{"k_anonymity": {"k": 3}}], "suppress": 1, **settings}


@dataclass(frozen=True)
class Live:
    """A lazy frame, and what changes the table that it is about."""

    frame: Any
    change: Callable[[], object]
    tables: Callable[[], set[str]] = set
    """What its database has; the tables of Ibis go when Python forgets them."""


UPDATE = "UPDATE people SET age = 18, sex = 'm', disease = 'flu'"


def in_duckdb(connection: Any, frame: Callable[[], Any]) -> Live:
    connection.register("given", PEOPLE)
    connection.execute("CREATE TABLE people AS FROM given")
    listing = "SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal"
    return Live(
        frame(),
        lambda: connection.execute(UPDATE),
        lambda: {name for (name,) in connection.execute(listing).fetchall() if "memtable" not in name},
    )


def duckdb(request: pytest.FixtureRequest) -> Iterator[Live]:
    import duckdb

    with duckdb.connect() as connection:
        yield in_duckdb(connection, lambda: connection.table("people"))


def ibis_duckdb(request: pytest.FixtureRequest) -> Iterator[Live]:
    import ibis

    connection = ibis.duckdb.connect()
    yield in_duckdb(connection.con, lambda: connection.table("people"))
    connection.disconnect()


def ibis_sqlite(request: pytest.FixtureRequest) -> Iterator[Live]:
    import ibis

    connection = ibis.sqlite.connect()
    PEOPLE.to_pandas().to_sql("people", connection.con, index=False)
    listing = "SELECT name FROM sqlite_master UNION ALL SELECT name FROM sqlite_temp_master"
    yield Live(
        connection.table("people"),
        lambda: connection.con.execute(UPDATE),
        lambda: {name for (name,) in connection.con.execute(listing) if "memtable" not in name},
    )
    connection.disconnect()


def ibis_postgres(request: pytest.FixtureRequest) -> Iterator[Live]:
    import ibis

    connection = ibis.connect(request.getfixturevalue("postgres_url"))
    with connection.con.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE people (age int, sex text, disease text, note text)")
        cursor.executemany(
            "INSERT INTO people VALUES (%s, %s, %s, %s)", [tuple(row.values()) for row in PEOPLE.to_pylist()]
        )
    listing = "SELECT relname FROM pg_class WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r'"
    yield Live(
        connection.table("people"),
        lambda: connection.con.execute(UPDATE),
        lambda: {name for (name,) in connection.con.execute(listing).fetchall()},
    )
    connection.disconnect()


def in_file(folder: Path, read: Callable[[str], Any]) -> Live:
    path = folder / "people.parquet"
    pq.write_table(PEOPLE, path)
    changed = PEOPLE.slice(0, 2)

    def change() -> None:
        path.unlink()
        pq.write_table(changed, path)

    return Live(read(str(path)), change)


def polars_lazy(request: pytest.FixtureRequest) -> Iterator[Live]:
    yield in_file(request.getfixturevalue("tmp_path"), pl.scan_parquet)


def spark(request: pytest.FixtureRequest) -> Iterator[Live]:
    session = request.getfixturevalue("spark_session")
    yield in_file(request.getfixturevalue("tmp_path"), lambda path: session.read.parquet(path))


ENGINES = {each.__name__: each for each in (duckdb, ibis_duckdb, ibis_sqlite, ibis_postgres, polars_lazy, spark)}


@pytest.fixture(params=ENGINES)
def live(request: pytest.FixtureRequest) -> Iterator[Live]:
    yield from ENGINES[request.param](request)


@pytest.mark.parametrize("order", ["sorted", "source"])
def test_a_release_does_not_change_with_its_source(live: Live, order: str) -> None:
    made = incrowd.anonymize(live.frame, described(order=order))
    assert type(made.frame) is type(live.frame)
    before = rows_of(made.frame)
    assert len(before) == 6
    live.change()
    assert rows_of(made.frame) == before


@pytest.mark.core
def test_a_frame_and_its_file_are_the_same(live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although the source changes between the two."""
    through = running.placed

    def late(*given: Any) -> Any:
        live.change()
        return through(*given)

    monkeypatch.setattr(running, "placed", late)
    made = incrowd.anonymize(live.frame, described(output=str(tmp_path / "release.parquet")))
    assert rows_of(made.frame) == rows_of(pq.read_table(tmp_path / "release.parquet"))


def test_nothing_stays_of_what_is_not_given(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    before = live.tables()
    monkeypatch.setattr(searching, "kept_combinations", lambda lattice, _: lattice.combinations.counts > 0)
    refused(NotVerified, lambda: incrowd.anonymize(live.frame, described()))
    assert live.tables() == before


# What a frame carries beside its cells.

KINDS = ("sex", "disease", "note")


def pandas_categories() -> Any:
    return PEOPLE.to_pandas().astype(dict.fromkeys(KINDS, "category"))


def pandas_ordered() -> Any:
    values = sorted({text for name in KINDS for text in PEOPLE[name].to_pylist()})
    return PEOPLE.to_pandas().astype(dict.fromkeys(KINDS, pd.CategoricalDtype(values, ordered=True)))


def pandas_dictionaries() -> Any:
    kind = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    return PEOPLE.to_pandas().astype(dict.fromkeys(KINDS, kind))


def pandas_notes() -> Any:
    frame = PEOPLE.to_pandas().set_index("note", drop=False).rename_axis(columns=SECRET)
    frame.attrs = {"of": SECRET}
    return frame


def arrow_dictionaries() -> Any:
    columns = {name: PEOPLE[name].dictionary_encode() for name in KINDS}
    return pa.table({"age": PEOPLE["age"], **columns})


def arrow_notes() -> Any:
    noted = [field.with_metadata({"of": SECRET}) for field in PEOPLE.schema]
    return PEOPLE.cast(pa.schema(noted, metadata={"of": SECRET}))


def polars_texts() -> Any:
    return pl.from_arrow(PEOPLE)


def polars_enums() -> Any:
    values = sorted({text for name in KINDS for text in PEOPLE[name].to_pylist()})
    return polars_texts().cast(dict.fromkeys(KINDS, pl.Enum(values)))


def polars_categories() -> Any:
    return polars_texts().cast(dict.fromkeys(KINDS, pl.Categorical))


IN_MEMORY = (pandas_categories, pandas_ordered, pandas_dictionaries, pandas_notes, arrow_dictionaries, arrow_notes)
POLARS = (polars_texts, polars_enums, polars_categories)


@pytest.mark.parametrize("order", ["sorted", "source"])
@pytest.mark.parametrize("build", [*IN_MEMORY, *POLARS], ids=lambda build: build.__name__)
def test_a_frame_in_memory_has_nothing_of_a_suppressed_record(build: Callable[[], Any], order: str) -> None:
    given = build()
    made = incrowd.anonymize(given, described(order=order))
    assert made.manifest.suppressed == 1
    assert_no_secret(made.frame)
    assert kinds(made.frame) == kinds(given)


@pytest.mark.parametrize("build", POLARS, ids=lambda build: build.__name__)
def test_nor_has_a_lazy_one(build: Callable[[], Any]) -> None:
    given = build()
    frame = incrowd.anonymize(given.lazy(), described()).frame.collect()
    assert_no_secret(frame)
    assert kinds(frame) == kinds(given)


def kinds(frame: Any) -> list[str]:
    """The types of the columns, without the values that they list."""
    return [
        str(kind).partition("(")[0] for kind in (frame.schema.types if isinstance(frame, pa.Table) else frame.dtypes)
    ]


def assert_no_secret(frame: Any) -> None:
    assert SECRET.encode() not in pickle.dumps(frame)
    assert SECRET.encode() not in written(frame)


def written(frame: Any) -> bytes:
    """The files that an engine writes of its frame."""
    file, other = io.BytesIO(), io.BytesIO()
    if isinstance(frame, pl.DataFrame):
        frame.write_parquet(file, compression="uncompressed")
        frame.write_ipc(other)
    elif isinstance(frame, pd.DataFrame):
        frame.to_parquet(file, compression="none")
    else:
        pq.write_table(frame, file, compression="none")
        with pa.ipc.new_file(other, frame.schema) as stream:
            stream.write_table(frame)
    return file.getvalue() + other.getvalue()


LISTED = ", ".join(f"'{text}'" for text in sorted({text for name in KINDS for text in PEOPLE[name].to_pylist()}))


@pytest.mark.parametrize("through_ibis", [False, True])
def test_types_of_duckdb_list_no_value_of_a_suppressed_record(through_ibis: bool) -> None:
    import duckdb
    import ibis

    with duckdb.connect() as connection:
        connection.register("given", PEOPLE)
        casts = ", ".join(f"{name}::ENUM({LISTED}) AS {name}" for name in KINDS)
        connection.execute(f"CREATE TABLE people AS SELECT age, {casts} FROM given")
        backend = ibis.duckdb.from_connection(connection) if through_ibis else None
        made = incrowd.anonymize((backend or connection).table("people"), described())
        relation = made.frame if backend is None else connection.sql(backend.compile(made.frame))
        assert SECRET not in str(relation.types)
        assert [kind.id for kind in relation.types] == ["bigint", "enum", "enum", "enum"]
        kinds = connection.execute("SELECT data_type FROM duckdb_columns() WHERE table_name != 'people'").fetchall()
        assert SECRET not in str(kinds)


def test_types_of_postgres_list_no_value_of_a_suppressed_record(postgres_url: str) -> None:
    import ibis

    connection = ibis.connect(postgres_url)
    with connection.con.cursor() as cursor:
        cursor.execute(f"CREATE TYPE kinds AS ENUM ({LISTED})")
        cursor.execute("CREATE TEMPORARY TABLE people (age int, sex text, disease text, note kinds)")
        rows = [tuple(row.values()) for row in PEOPLE.to_pylist()]
        cursor.executemany("INSERT INTO people VALUES (%s, %s, %s, %s)", rows)
    made = incrowd.anonymize(connection.table("people"), described())
    with connection.con.cursor() as cursor:
        cursor.execute(f"SELECT pg_typeof(note)::text FROM ({connection.compile(made.frame)}) AS release LIMIT 1")
        assert cursor.fetchall() == [("text",)]
        cursor.execute("DROP TABLE people; DROP TYPE kinds")
    connection.disconnect()


def test_notes_on_columns_of_spark_are_not_published(spark_session: Any) -> None:
    given = spark_session.createDataFrame(PEOPLE).withMetadata("note", {"values": [SECRET]})
    made = incrowd.anonymize(given, described())
    assert SECRET not in made.frame.schema.json()
