"""Collations: texts that an engine takes for equal are counted, joined and found missing by their bytes."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from engines.publishing import cells_of, recoding_for
from engines.same_rows import counted
from incrowd.engines import collations
from incrowd.engines.frames import FrameSource
from incrowd.engines.publish import publish
from incrowd.errors import SourceError
from incrowd.watch import Watch

# PySpark 4.3 warns of pandas 3 wherever Arrow goes to a worker.
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

TEXTS = ["Graz", "GRAZ", "graz", "graz ", "gráz", "gra\u0301z", "graz\u200b", "graz", "", " ", None]
"""Each but one is another text, whatever collation they have."""

DECLARED = {
    "duckdb": ["NOCASE", "NOACCENT", "NOCASE.NOACCENT", "NFC"],
    "ibis_duckdb": ["NOCASE.NOACCENT"],
    "ibis_sqlite": ["NOCASE", "RTRIM"],
    "ibis_postgres": ["citext", "nondeterministic"],
    "spark": ["UTF8_LCASE", "UNICODE_CI_AI"],
}

Build = Callable[[str, pa.Table], Any]


def in_duckdb(connection: Any, name: str, collation: str) -> None:
    connection.execute(f'CREATE TABLE "{name}" (n INTEGER, x VARCHAR COLLATE {collation})')
    connection.executemany(f'INSERT INTO "{name}" VALUES (?, ?)', [list(row) for row in enumerate(TEXTS)])


def in_postgres(connection: Any, name: str, collation: str) -> None:
    kind = "citext"
    if collation == "citext":
        connection.execute("CREATE EXTENSION IF NOT EXISTS citext")
    else:
        connection.execute(
            "CREATE COLLATION IF NOT EXISTS loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
        )
        kind = "TEXT COLLATE loose"
    connection.execute(f'DROP TABLE IF EXISTS "{name}"')
    connection.execute(f'CREATE TABLE "{name}" (n INTEGER, x {kind})')
    connection.cursor().executemany(f'INSERT INTO "{name}" VALUES (%s, %s)', list(enumerate(TEXTS)))
    connection.commit()


@pytest.fixture
def collated(build: Build, request: pytest.FixtureRequest) -> Callable[[str, str], Any]:
    """The texts in a column with a collation."""

    def frame(engine: str, collation: str) -> Any:
        name = f"collated {collation}"
        if engine == "spark":
            session = request.getfixturevalue("spark_session")
            plain = session.createDataFrame(pa.table({"n": range(len(TEXTS)), "x": TEXTS}))
            return plain.selectExpr("n", f"x COLLATE {collation} AS x")
        given = build(engine, pa.table({"given": [1]}))
        if engine == "duckdb":
            connection = request.getfixturevalue("duckdb_connection")
            in_duckdb(connection, name, collation)
            return connection.table(f'"{name}"')
        back_end = given.get_backend()
        if engine == "ibis_duckdb":
            in_duckdb(back_end.con, name, collation)
        elif engine == "ibis_postgres":
            in_postgres(back_end.con, name, collation)
        else:
            back_end.con.execute(f'CREATE TABLE "{name}" (n INTEGER, x TEXT COLLATE {collation})')
            back_end.con.executemany(f'INSERT INTO "{name}" VALUES (?, ?)', enumerate(TEXTS))
        return back_end.table(name)

    return frame


def check(frame: Any) -> None:
    """Counted, published as they are and under labels, and found missing, by their bytes."""
    by_bytes = {(text,): TEXTS.count(text) for text in TEXTS}
    assert counted(frame, ["x"]) == by_bytes
    source = FrameSource(frame, missing=["graz"])
    assert sorted(source.count(["x"], Watch()).counts.tolist()) == [1] * 8 + [3]
    for unchanged in ([], ["x"]):
        recoding = recoding_for(source, ["x"], unchanged, share=0.6)
        values = [None, *recoding.combinations.values[0].to_pylist()]
        kept = {values[code] for code in recoding.combinations.codes[0][recoding.kept]}
        published = publish(source, recoding, ["n", "x"], Watch())
        found = cells_of(published.frame())
        shown = [None if text == "graz" else text for text in TEXTS]
        assert sorted(found["n"]) == [n for n, text in enumerate(shown) if text in kept]
        if unchanged:
            assert found["x"] == [shown[n] for n in found["n"]]
        assert sum(batch.num_rows for batch in published.batches()) == len(found["n"])


@pytest.mark.parametrize(
    ("engine", "collation"), [(engine, collation) for engine in DECLARED for collation in DECLARED[engine]]
)
def test_texts_are_compared_by_their_bytes(collated: Callable[[str, str], Any], engine: str, collation: str) -> None:
    check(collated(engine, collation))


def test_a_collation_of_the_session(duckdb_connection: Any) -> None:
    duckdb_connection.execute("SET default_collation = 'nocase'")
    duckdb_connection.execute("CREATE TABLE t (n INTEGER, x VARCHAR)")
    duckdb_connection.executemany("INSERT INTO t VALUES (?, ?)", [list(row) for row in enumerate(TEXTS)])
    check(duckdb_connection.table("t"))


# Databases that no test can reach.

SQL = {
    "bigquery": "TO_HEX(CAST(`t0`.`x` AS BYTES))",
    "clickhouse": 'HEX("t0"."x")',
    "databricks": "HEX(`t0`.`x`)",
    "exasol": 'HASH_SHA256("t0"."x")',
    "impala": "HEX(`t0`.`x`)",
    "mssql": "LOWER(CONVERT(VARCHAR(MAX), HASHBYTES('SHA2_256', [t0].[x]), 2))",
    "mysql": "HEX(`t0`.`x`)",
    "oracle": 'RAWTOHEX("t0"."x")',
    "snowflake": 'HEX_ENCODE("t0"."x")',
    "trino": 'TO_HEX(TO_UTF8("t0"."x"))',
}


@pytest.mark.parametrize("back_end", SQL)
def test_what_other_databases_compare(back_end: str) -> None:
    import ibis

    table = ibis.table({"x": "string"}, name="t")
    query = ibis.to_sql(table.select(link=collations._IBIS[back_end](table.x)), dialect=back_end)
    assert SQL[back_end] in query


def test_every_database_that_is_read_has_a_form() -> None:
    from incrowd.formats import database

    names = {"postgresql": "postgres"}
    assert {names.get(scheme, scheme) for scheme in database.SCHEMES} <= set(collations._IBIS)


def test_a_database_without_such_a_form_is_refused(
    ibis_duckdb: Callable[[pa.Table], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = ibis_duckdb(pa.table({"x": ["a"], "n": [1]}))
    monkeypatch.setattr(type(frame.get_backend()), "name", "other")
    with pytest.raises(SourceError, match=r"^a table in other: .* read it into pandas, Polars or PyArrow first$"):
        FrameSource(frame).count(["x"], Watch())
    # Numbers have no collation.
    assert counted(frame, ["n"]) == {(1,): 1}
