"""Types that only some engines have: categories, objects, wide integers, and others that Arrow or narwhals lacks."""

import traceback
import uuid
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from engines.same_rows import counted
from incrowd.engines.frames import FrameSource
from incrowd.errors import SourceError
from incrowd.watch import Watch

MIXED = [1, "1", 2.5, True, None, 10**30, 1.0, float("nan")]
MIXED_AS_TEXT = {("1",): 2, ("2.5",): 1, ("True",): 1, (str(10**30),): 1, ("1.0",): 1, (None,): 2}


def objects(cells: list[Any]) -> Any:
    """A pandas column of Python objects."""
    import pandas as pd

    return pd.DataFrame({"x": pd.Series(cells, dtype=object)})


def of_pandas(cells: Any, dtype: str | None = None) -> Any:
    """A pandas column of a type of pandas."""
    import pandas as pd

    return pd.DataFrame({"x": pd.Series(cells, dtype=dtype)})


def test_mixed_objects_are_compared_as_text() -> None:
    import polars as pl

    assert counted(objects(MIXED), ["x"]) == MIXED_AS_TEXT
    # Polars keeps NaN among objects as the value that it is.
    assert counted(pl.DataFrame({"x": pl.Series(MIXED[:-1], dtype=pl.Object)}), ["x"]) == {**MIXED_AS_TEXT, (None,): 1}


@pytest.mark.parametrize(
    ("cells", "texts"),
    [
        ([1, 2.5, 1], {("1",): 2, ("2.5",): 1}),
        (["a", b"a"], {("a",): 1, ("b'a'",): 1}),
        ([1, Decimal(1)], {("1",): 2}),
        ([date(2020, 1, 1), datetime(2020, 1, 1, 5)], {("2020-01-01",): 1, ("2020-01-01 05:00:00",): 1}),
    ],
)
def test_types_that_arrow_would_join_are_mixed_all_the_same(cells: list[Any], texts: dict[Any, int]) -> None:
    assert counted(objects(cells), ["x"]) == texts


def test_every_kind_of_missing_object() -> None:
    import pandas as pd

    assert counted(objects([None, float("nan"), pd.NA, pd.NaT, "a", 1]), ["x"]) == {(None,): 4, ("a",): 1, ("1",): 1}


def test_an_object_of_another_type_after_many_texts() -> None:
    assert counted(objects(["a"] * 200 + [1, None]), ["x"]) == {("a",): 200, ("1",): 1, (None,): 1}


def test_texts_that_stand_for_missing_among_mixed_objects() -> None:
    assert counted(objects([-9, "?", "-9", 1.5]), ["x"], missing=["?", "-9"]) == {(None,): 3, ("1.5",): 1}


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        ([True, False, None, True], {(True,): 2, (False,): 1, (None,): 1}),
        ([date(2020, 1, 1), None, date(9999, 12, 31)], {(date(2020, 1, 1),): 1, (date(9999, 12, 31),): 1, (None,): 1}),
        ([Decimal("1.5"), Decimal("1.50"), None], {(Decimal("1.5"),): 2, (None,): 1}),
        ([2**53, 2**53 + 1, None], {(2**53,): 1, (2**53 + 1,): 1, (None,): 1}),
        ([b"a", b"\xff", None], {(b"a",): 1, (b"\xff",): 1, (None,): 1}),
        ([None, None], {(None,): 2}),
        ([], {}),
    ],
)
def test_objects_of_one_plain_type_stay_what_they_are(cells: list[Any], values: dict[Any, int]) -> None:
    assert counted(objects(cells), ["x"]) == values


@pytest.mark.parametrize(
    ("cells", "texts"),
    [
        ([10**30, -(10**30)], [str(10**30), str(-(10**30))]),
        ([Decimal("1e60"), Decimal("1e-60")], ["1E+60", "1E-60"]),
        ([uuid.UUID(int=1)], [str(uuid.UUID(int=1))]),
        ([1 + 2j], ["(1+2j)"]),
        ([time(1), time(1, tzinfo=UTC)], ["01:00:00", "01:00:00+00:00"]),
        ([datetime(2020, 1, 1), date(2020, 1, 1)], ["2020-01-01 00:00:00", "2020-01-01"]),
    ],
)
def test_objects_that_arrow_would_change_are_compared_as_text(cells: list[Any], texts: list[str]) -> None:
    assert counted(objects(cells), ["x"]) == {(text,): 1 for text in texts}


def test_moments_among_objects_keep_their_zone_and_their_nanoseconds() -> None:
    import pandas as pd

    naive = datetime(2020, 1, 1)
    assert len(counted(objects([naive, naive.replace(tzinfo=UTC)]), ["x"])) == 2
    assert len(counted(objects([pd.Timestamp(1), pd.Timestamp(2)]), ["x"])) == 2


@pytest.mark.parametrize("ordered", [False, True])
def test_categories_of_pandas_are_the_values_that_they_stand_for(ordered: bool) -> None:
    import pandas as pd

    def category(cells: list[Any], categories: list[Any]) -> Any:
        return of_pandas(pd.Categorical(cells, categories=categories, ordered=ordered))

    assert counted(category(["é", "", None, "é"], ["é", "", "never"]), ["x"]) == {("é",): 2, ("",): 1, (None,): 1}
    assert counted(category([3, 1, None, 3], [1, 2, 3]), ["x"]) == {(3,): 2, (1,): 1, (None,): 1}
    assert counted(category([1, "1", None], [1, "1"]), ["x"]) == {("1",): 2, (None,): 1}


def test_categories_that_never_occur_are_no_values(duckdb_connection: Any) -> None:
    import pandas as pd
    import polars as pl

    polars = pl.DataFrame({"x": pl.Series(["a"], dtype=pl.Enum(["never", "a"]))})
    frames = [
        of_pandas(pd.Categorical(["a"], categories=["never", "a"])),
        polars,
        polars.lazy(),
        pa.table({"x": pa.DictionaryArray.from_arrays(pa.array([1]), pa.array(["never", "a"]))}),
        duckdb_connection.sql("SELECT 'a'::ENUM ('never', 'a') AS x"),
    ]
    for frame in frames:
        assert FrameSource(frame).count(["x"], Watch()).values[0].to_pylist() == ["a"]


def test_bins_of_pandas() -> None:
    import pandas as pd

    bins = pd.cut(pd.Series([1, 5, 2, float("nan")]), [0, 3, 6])
    assert counted(of_pandas(bins), ["x"]) == {("(0.0, 3.0]",): 2, ("(3.0, 6.0]",): 1, (None,): 1}


@pytest.mark.parametrize(
    ("dtype", "cells", "texts"),
    [
        ("period[Y]", ["2020", "2021", None, "2020"], {("2020",): 2, ("2021",): 1, (None,): 1}),
        ("complex128", [1j, 1j], {("1j",): 2}),
        ("Sparse[int64]", [0, 0, 1], {("0",): 2, ("1",): 1}),
    ],
)
def test_types_of_pandas_that_arrow_lacks(dtype: str, cells: list[Any], texts: dict[Any, int]) -> None:
    assert counted(of_pandas(cells, dtype), ["x"]) == texts


def test_moments_and_spans_of_pandas() -> None:
    import pandas as pd

    moments = pd.Series(pd.array([1, 2, None, 1], dtype="datetime64[ns]"))
    assert counted(of_pandas(moments), ["x"]) == {(1,): 2, (2,): 1, (None,): 1}
    zoned = pd.Series(pd.to_datetime(["2020-07-01 02:00", None])).dt.tz_localize("Europe/Vienna")
    assert counted(of_pandas(zoned), ["x"]) == {(1_593_561_600 * 10**9,): 1, (None,): 1}
    spans = pd.Series(pd.to_timedelta(["1s", None, "1s"]))
    assert counted(of_pandas(spans), ["x"]) == {(timedelta(seconds=1),): 2, (None,): 1}


@pytest.mark.parametrize("lazy", [False, True])
def test_types_of_polars(lazy: bool) -> None:
    import polars as pl

    columns = {
        "enum": (pl.Enum(["a", "é", "never"]), ["é", None, "é"], {("é",): 2, (None,): 1}),
        "category": (pl.Categorical, ["é", None, "é"], {("é",): 2, (None,): 1}),
        "wide": (pl.Int128, [2**100, None, -(2**100)], {(str(2**100),): 1, (str(-(2**100)),): 1, (None,): 1}),
        "null": (pl.Null, [None] * 3, {(None,): 3}),
        "half": (pl.Float16, [1.5, float("nan"), None], {(1.5,): 1, (None,): 2}),
        "span": (pl.Duration("us"), [timedelta(1), None, timedelta(1)], {(timedelta(1),): 2, (None,): 1}),
    }
    frame = pl.DataFrame({name: pl.Series(cells, dtype=kind) for name, (kind, cells, _) in columns.items()})
    for name, (_, _, expected) in columns.items():
        assert counted(frame.lazy() if lazy else frame, [name]) == expected


@pytest.mark.parametrize(
    "cells",
    [
        pa.array(["a", None, "a"], pa.large_string()),
        pa.array(["a", None, "a"], pa.string_view()),
        pa.array(["a", None, "a"]).dictionary_encode(),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["a", None, "a"])),
        pa.array([1, None, 1]).dictionary_encode(),
        pa.array([b"a", None, b"a"], pa.large_binary()),
        pa.array([b"a", None, b"a"], pa.binary(1)),
        pa.array([date(2020, 1, 1), None, date(2020, 1, 1)], pa.date64()),
        pa.array([Decimal("1.5"), None, Decimal("1.5")], pa.decimal256(50, 3)),
        pa.array([time(1), None, time(1)], pa.time32("s")),
        pa.array([timedelta(1), None, timedelta(1)], pa.duration("s")),
        pa.array([1.5, None, 1.5], pa.float32()).cast(pa.float16()),
    ],
    ids=lambda cells: str(cells.type),
)
@pytest.mark.parametrize("in_pandas", [False, True])
def test_types_of_arrow(cells: pa.Array, in_pandas: bool) -> None:
    import pandas as pd

    table = pa.table({"x": cells})
    frame = table.to_pandas(types_mapper=pd.ArrowDtype) if in_pandas else table
    assert counted(frame, ["x"]) == {(cells.to_pylist()[0],): 2, (None,): 1}


def test_identifiers_of_arrow() -> None:
    cells = pa.array([uuid.UUID(int=1).bytes, None], pa.uuid())
    assert counted(pa.table({"x": cells}), ["x"]) == {(str(uuid.UUID(int=1)),): 1, (None,): 1}


DUCKDB_TYPES = {
    "HUGEINT": [str(2**127 - 1), str(-(2**127) + 1)],
    "UHUGEINT": [str(2**128 - 1), "1"],
    "UUID": [str(uuid.UUID(int=1)), str(uuid.UUID(int=2))],
    "ENUM ('é', 'b')": ["é", "b"],
    "BIT": ["0101", "101"],
    "BIGNUM": [str(10**50), "1"],
    "JSON": ['{"a":1}', '{"a": 1}'],
    "TIME": ["01:02:03", "01:02:03.000001"],
    "TIMETZ": ["01:02:03+01", "01:02:03+02"],
}


@pytest.mark.parametrize("kind", DUCKDB_TYPES)
def test_types_of_duckdb_that_others_lack_are_compared_as_text(duckdb_connection: Any, kind: str) -> None:
    texts = DUCKDB_TYPES[kind]
    duckdb_connection.execute(f"CREATE TABLE t (x {kind})")
    duckdb_connection.executemany("INSERT INTO t VALUES (?)", [[text] for text in [*texts, texts[0], None]])
    assert counted(duckdb_connection.table("t"), ["x"]) == {(texts[0],): 2, (texts[1],): 1, (None,): 1}


@pytest.mark.parametrize(
    ("kind", "later", "distance"),
    [
        ("TIMESTAMP_S", "2020-01-01 00:00:01", 10**9),
        ("TIMESTAMP_MS", "2020-01-01 00:00:00.001", 10**6),
        ("TIMESTAMP", "2020-01-01 00:00:00.000001", 10**3),
        ("TIMESTAMP_NS", "2020-01-01 00:00:00.000000001", 1),
        ("TIMESTAMPTZ", "2020-01-01 09:00:00.000001", 10**3),
    ],
)
def test_moments_of_duckdb(duckdb_connection: Any, kind: str, later: str, distance: int) -> None:
    start = 1_577_836_800 * 10**9
    # The zone of the session shifts what is written and what is shown, but not which moments are equal.
    written = "2020-01-01 09:00:00" if kind == "TIMESTAMPTZ" else "2020-01-01 00:00:00"
    duckdb_connection.execute("SET TimeZone = 'Asia/Tokyo'")
    duckdb_connection.execute(f"CREATE TABLE t (x {kind})")
    duckdb_connection.execute(f"INSERT INTO t VALUES ('{written}'), ('{later}'), ('{written}'), (NULL)")
    assert counted(duckdb_connection.table("t"), ["x"]) == {(start,): 2, (start + distance,): 1, (None,): 1}


POSTGRES_TYPES = {
    "UUID": [str(uuid.UUID(int=1)), str(uuid.UUID(int=2))],
    "JSON": ['{"a":1}', '{"a": 1}'],
    "INET": ["10.0.0.1/32", "10.0.0.2/32"],
    "BIT(3)": ["101", "100"],
    "TIMETZ": ["01:02:03+01", "01:02:03+02"],
}


@pytest.mark.parametrize("kind", POSTGRES_TYPES)
def test_types_of_postgres_that_others_lack_are_compared_as_text(postgres_url: str, kind: str) -> None:
    import ibis

    texts = POSTGRES_TYPES[kind]
    connection = ibis.connect(postgres_url)
    try:
        connection.con.execute(f"CREATE TEMPORARY TABLE kinds (x {kind})")
        connection.con.cursor().executemany(
            "INSERT INTO kinds VALUES (%s)", [[text] for text in [*texts, texts[0], None]]
        )
        connection.con.commit()
        assert counted(connection.table("kinds"), ["x"]) == {(texts[0],): 2, (texts[1],): 1, (None,): 1}
    finally:
        connection.disconnect()


def test_sqlite_columns_without_a_declared_type(ibis_sqlite: Callable[[pa.Table], Any]) -> None:
    connection = ibis_sqlite(pa.table({"a": [1]})).get_backend()
    connection.con.execute("CREATE TABLE untyped (x)")
    connection.con.executemany("INSERT INTO untyped VALUES (?)", [["a"], ["a"], ["é"], [None]])
    assert counted(connection.table("untyped"), ["x"]) == {("a",): 2, ("é",): 1, (None,): 1}


@pytest.mark.parametrize("kind", ["", "REAL", "FLOAT", "JSON", "ANYTHING"])
def test_floats_of_sqlite_keep_all_their_digits(ibis_sqlite: Callable[[pa.Table], Any], kind: str) -> None:
    connection = ibis_sqlite(pa.table({"a": [1]})).get_backend()
    connection.con.execute(f'CREATE TABLE "floats {kind}" (x {kind})')
    connection.con.executemany(f'INSERT INTO "floats {kind}" VALUES (?)', [[0.3], [0.1 + 0.2], [0.3]])
    found = counted(connection.table(f"floats {kind}"), ["x"])
    assert {str(cell): count for (cell,), count in found.items()} == {"0.3": 2, "0.30000000000000004": 1}


def test_a_sqlite_column_that_breaks_its_declared_type(ibis_sqlite: Callable[[pa.Table], Any]) -> None:
    connection = ibis_sqlite(pa.table({"a": [1]})).get_backend()
    connection.con.execute("CREATE TABLE broken (x BIGINT)")
    connection.con.executemany("INSERT INTO broken VALUES (?)", [[1], ["secret"], [None]])
    with pytest.raises(SourceError, match=r"^the frame: ibis could not read the columns 'x' \(\w+\); ") as refused:
        FrameSource(connection.table("broken")).count(["x"], Watch())
    assert "secret" not in "".join(traceback.format_exception(refused.value))


@pytest.mark.core
@pytest.mark.parametrize(
    ("expression", "cell"),
    [
        ("CAST('a' AS CHAR(3))", "a"),
        ("CAST('a' AS VARCHAR(3))", "a"),
        ("CAST(NULL AS VOID)", None),
        ("INTERVAL 1 DAY", "INTERVAL '1' DAY"),
        ("CAST('NaN' AS DOUBLE)", None),
        ("-0.0D", 0.0),
    ],
)
def test_types_of_spark(spark_session: Any, expression: str, cell: Any) -> None:
    frame = spark_session.sql(f"SELECT {expression} AS x UNION ALL SELECT {expression}")
    assert counted(frame, ["x"]) == {(cell,): 2}
