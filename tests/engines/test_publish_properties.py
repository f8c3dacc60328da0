"""Random tables and particular databases: the join in an engine finds the very rows that were counted."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings

from effort import effort
from engines.publishing import (
    ROW,
    cells_of,
    check_batches,
    check_frame,
    numbered,
    published_as,
    recoding_for,
    row_by_row,
)
from engines.same_rows import IN_PROCESS, Column, Columns, arrow_table
from engines.test_frames_properties import tables
from incrowd.engines import collations
from incrowd.engines.frames import FrameSource
from incrowd.engines.publish import publish
from incrowd.errors import SourceError
from incrowd.watch import Watch

Build = Callable[[str, pa.Table], Any]


@pytest.mark.parametrize("engine", [*IN_PROCESS, "ibis_postgres"])
def test_random_tables(build: Build, engine: str) -> None:
    @settings(max_examples=effort(8, 25))
    @given(tables(engine))
    def check(columns: Columns) -> None:
        if engine == "ibis_postgres" and any("\0" in str(cell) for c in columns.values() for cell in c.cells):
            # PostgreSQL's texts have no NUL.
            return
        names = list(columns)
        columns = numbered(columns)
        frame = build(engine, arrow_table(columns))
        source = FrameSource(frame)
        recoding = recoding_for(source, names, unchanged=names[1::2])
        published = published_as(source, recoding, names)
        expected = row_by_row(columns, recoding)
        check_frame(frame, published, expected)
        if engine != "ibis_sqlite":
            check_batches(columns, published, expected)

    check()


@pytest.mark.parametrize("engine", ["polars_lazy", "duckdb", "ibis_duckdb", "ibis_sqlite", "ibis_postgres", "spark"])
def test_many_combinations(build: Build, engine: str) -> None:
    rows = 20_000
    columns = numbered(
        {
            "town": Column(pa.string(), [None if at % 101 == 0 else f"town {at % 997}" for at in range(rows)]),
            "age": Column(pa.int64(), [None if at % 103 == 0 else at // 2 for at in range(rows)]),
        }
    )
    frame = build(engine, arrow_table(columns))
    source = FrameSource(frame)
    recoding = recoding_for(source, ["town", "age"], unchanged=["age"])
    assert recoding.combinations.combinations > 19_000
    check_frame(frame, published_as(source, recoding, ["age", "town"]), row_by_row(columns, recoding))


def test_nothing_stays_in_duckdb(duckdb_connection: Any) -> None:
    duckdb_connection.execute("CREATE TABLE people AS SELECT 1 AS age")
    source = FrameSource(duckdb_connection.table("people"))
    publish(source, recoding_for(source, ["age"]), ["age"], Watch())
    left = duckdb_connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    assert left == []
    assert duckdb_connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("people",)]


# Back ends of Ibis that nobody has tried: one more look, and no silent loss.


@pytest.fixture
def other(ibis_duckdb: Callable[[pa.Table], Any], monkeypatch: pytest.MonkeyPatch) -> Callable[[pa.Table], Any]:
    """A back end of another name, which is DuckDB nonetheless."""

    def build(table: pa.Table) -> Any:
        from sqlglot.dialects import DuckDB

        frame = ibis_duckdb(table)
        # Ibis looks the dialect up by the name.
        type("Other", (DuckDB,), {})
        monkeypatch.setattr(type(frame.get_backend()), "name", "other")
        monkeypatch.setitem(collations._IBIS, "other", collations._in_digits("hex"))
        return frame

    return build


FEW: Columns = numbered(
    {
        "town": Column(pa.string(), ["Graz", "Graz", None, "Wien", "", "-", "=", None]),
        "age": Column(pa.int64(), [40, 41, None, 40, 2**53, 2**53 + 1, 3, 5]),
        "share": Column(pa.float64(), [0.3, 0.1 + 0.2, None, float("nan"), 0.0, -0.0, 1e300, 5e-324]),
    }
)


def test_another_back_end(other: Callable[[pa.Table], Any]) -> None:
    frame = other(arrow_table(FEW))
    source = FrameSource(frame)
    names = ["town", "age", "share"]
    recoding = recoding_for(source, names, share=0.8)
    check_frame(frame, published_as(source, recoding, names), row_by_row(FEW, recoding))


def test_another_back_end_that_loses_records(other: Callable[[pa.Table], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.engines import joins

    source = FrameSource(other(arrow_table(FEW)))
    recoding = recoding_for(source, ["town"], share=1.0)
    send, join = joins._JOINS["ibis"]
    lossy = (lambda rows, table, *others: send(rows, table.slice(1), *others), join)
    monkeypatch.setitem(joins._JOINS, "ibis", lossy)
    with pytest.raises(
        SourceError, match=r"joining by quasi-identifiers in its database found \d of 8 records; read it"
    ):
        publish(source, recoding, [ROW, "town"], Watch())


def test_texts_that_do_not_tell_values_apart(ibis_sqlite: Callable[[pa.Table], Any]) -> None:
    connection = ibis_sqlite(pa.table({"a": [1]})).get_backend()
    # Two moments that Ibis reads as one, of which the texts differ, are one combination.
    connection.con.execute("CREATE TABLE moments (n INTEGER, x TIMESTAMP)")
    rows = [(0, "2020-01-01 00:00:00"), (1, "2020-01-01T00:00:00"), (2, "2020-01-02 00:00:00")]
    connection.con.executemany("INSERT INTO moments VALUES (?, ?)", rows)
    source = FrameSource(connection.table("moments"))
    recoding = recoding_for(source, ["x"], share=1.0)
    assert sorted(recoding.combinations.counts.tolist()) == [1, 2]
    found = cells_of(publish(source, recoding, ["n", "x"], Watch()).frame())
    assert sorted(found["n"]) == [0, 1, 2]
