"""What cannot be counted is refused in one line that says why, and quotes no record."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pyarrow as pa
import pytest

from engines.same_rows import ENGINES, IN_MEMORY, Column, arrow_table, counted
from incrowd.engines.frames import FrameSource
from incrowd.errors import SourceError
from incrowd.watch import Stopped, Watch

Build = Callable[[str, pa.Table], Any]

NOT_SINGLE = r"^column 'x': nested values are not supported; convert it to text, or split it into columns$"

NESTED = {
    "list": pa.array([["secret"], None]),
    "array": pa.array([[1, 2], None], pa.list_(pa.int64(), 2)),
    "record": pa.array([{"a": "secret"}, None]),
    "map": pa.array([[("secret", 1)], None], pa.map_(pa.string(), pa.int64())),
}


@pytest.mark.core
@pytest.mark.parametrize("nested", NESTED)
@pytest.mark.parametrize("engine", [engine for engine in ENGINES if engine not in ("ibis_sqlite", "ibis_postgres")])
def test_nested_cells_are_refused_when_asked_for(build: Build, engine: str, nested: str) -> None:
    source = FrameSource(build(engine, pa.table({"x": NESTED[nested], "town": ["Graz", "Graz"]})))
    with pytest.raises(SourceError, match=NOT_SINGLE):
        source.count(["town", "x"], Watch())
    assert source.count(["town"], Watch()).counts.tolist() == [2]


def test_nested_cells_of_postgres(postgres_url: str) -> None:
    import ibis

    connection = ibis.connect(postgres_url)
    try:
        connection.con.execute("CREATE TEMPORARY TABLE nested AS SELECT ARRAY[1, 2] AS x, 1 AS town")
        connection.con.commit()
        source = FrameSource(connection.table("nested"))
        with pytest.raises(SourceError, match=NOT_SINGLE):
            source.count(["x"], Watch())
        assert source.count(["town"], Watch()).counts.tolist() == [1]
    finally:
        connection.disconnect()


@pytest.mark.parametrize("cell", [["secret"], ("secret",), {"a": "secret"}, {"secret"}])
def test_nested_objects(cell: Any) -> None:
    import pandas as pd

    for cells in ([cell, None], [cell, "secret"]):
        with pytest.raises(SourceError, match=NOT_SINGLE):
            FrameSource(pd.DataFrame({"x": pd.Series(cells, dtype=object)})).count(["x"], Watch())


def test_objects_of_a_lazy_frame() -> None:
    import polars as pl

    frame = pl.DataFrame({"x": pl.Series([1, "1"], dtype=pl.Object), "town": ["Graz", "Graz"]}).lazy()
    with pytest.raises(SourceError, match=r"^column 'x': .* Python objects .*; collect the frame first$"):
        FrameSource(frame).count(["x"], Watch())
    assert counted(frame, ["town"]) == {("Graz",): 2}


COULD_NOT_READ = r"^visits: {} could not read the columns 'x' \(\w+\); check that the table is still readable, and "


def test_days_beyond_the_calendar(duckdb_connection: Any) -> None:
    source = FrameSource(duckdb_connection.sql("SELECT DATE '20000-01-01' AS x, 1 AS town"), name="visits")
    with pytest.raises(SourceError, match=COULD_NOT_READ.format("duckdb")):
        source.count(["x"], Watch())
    assert source.count(["town"], Watch()).counts.tolist() == [1]


def test_spans_of_months_in_spark(spark_session: Any) -> None:
    source = FrameSource(spark_session.sql("SELECT INTERVAL 1 MONTH AS x, 1 AS town"), name="visits")
    with pytest.raises(SourceError, match=COULD_NOT_READ.format("pyspark")):
        source.count(["x"], Watch())
    assert source.count(["town"], Watch()).counts.tolist() == [1]


def test_spans_of_months_through_ibis(ibis_duckdb: Callable[[pa.Table], Any]) -> None:
    connection = ibis_duckdb(pa.table({"a": [1]})).get_backend()
    connection.con.execute("CREATE TABLE spans AS SELECT INTERVAL 1 MONTH AS x, 1 AS town")
    source = FrameSource(connection.table("spans"), name="visits")
    with pytest.raises(SourceError, match=COULD_NOT_READ.format("ibis")):
        source.count(["x"], Watch())
    assert source.count(["town"], Watch()).counts.tolist() == [1]


def test_a_connection_that_is_closed(duckdb_connection: Any) -> None:
    source = FrameSource(duckdb_connection.sql("SELECT 1 AS x"), name="visits")
    duckdb_connection.close()
    with pytest.raises(SourceError, match=COULD_NOT_READ.format("duckdb")):
        source.count(["x"], Watch())


@pytest.mark.skipif(version("duckdb").startswith("1."), reason="before 2.0 a new query ends the one under way")
def test_a_connection_that_is_busy(duckdb_connection: Any) -> None:
    source = FrameSource(duckdb_connection.sql("SELECT 1 AS x"), name="visits")
    duckdb_connection.execute("SELECT * FROM range(1000000)").fetchone()
    with pytest.raises(SourceError, match=COULD_NOT_READ.format("duckdb")):
        source.count(["x"], Watch())
    duckdb_connection.fetchall()
    assert source.count(["x"], Watch()).counts.tolist() == [1]


def test_text_that_is_no_unicode() -> None:
    import pandas as pd

    with pytest.raises(
        SourceError, match=r"^the frame: pandas could not read the columns 'x' \(UnicodeEncodeError\); "
    ):
        FrameSource(pd.DataFrame({"x": pd.Series(["\ud800"], dtype=object)})).count(["x"], Watch())


ACCEPTED = "give a pandas, Polars or PyArrow table, a DuckDB relation, an Ibis table or a PySpark DataFrame"


@pytest.mark.parametrize(
    "stranger",
    [
        [{"a": "secret"}],
        {"a": ["secret"]},
        "secret",
        None,
        pa.record_batch({"a": ["secret"]}),
        pa.chunked_array([["secret"]]),
    ],
    ids=lambda stranger: type(stranger).__name__,
)
def test_what_is_no_table(stranger: Any) -> None:
    kind = f"{type(stranger).__module__}.{type(stranger).__name__}"
    with pytest.raises(SourceError, match=f"^visits: {kind} is not a supported table type; {ACCEPTED}$"):
        FrameSource(stranger, name="visits")


def test_what_is_near_a_table(ibis_duckdb: Callable[[pa.Table], Any]) -> None:
    import duckdb
    import pandas as pd
    import polars as pl

    table = ibis_duckdb(pa.table({"a": ["secret"]}))
    with duckdb.connect() as connection:
        for near in (pd.Series(["secret"]), pl.Series(["secret"]), connection, table.get_backend(), table.a):
            with pytest.raises(SourceError, match=rf"^the frame: \S+ is not a supported table type; {ACCEPTED}$"):
                FrameSource(near)


@pytest.mark.parametrize("engine", [*IN_MEMORY, "duckdb"])
def test_the_watch_stops_the_counting(build: Build, engine: str) -> None:
    watch = Watch()
    watch.cancel()
    source = FrameSource(build(engine, arrow_table({"x": Column(pa.int64(), [1, 2])})))
    with pytest.raises(Stopped):
        source.count(["x"], watch)
