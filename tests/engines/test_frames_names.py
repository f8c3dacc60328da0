"""A column may have any name that its engine allows."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from engines.same_rows import ENGINES, IN_MEMORY, Column, arrow_table, by_hand, counted
from incrowd.engines.frames import FrameSource
from incrowd.errors import SourceError
from incrowd.watch import Watch

Build = Callable[[str, pa.Table], Any]

NAMES = (
    "with space",
    " padded ",
    'double"quote',
    "single'quote",
    "back`tick",
    "dot.ted",
    "back\\slash",
    "semi;colon",
    "per%cent",
    "%s",
    "bra[0]ckets",
    "(round)",
    "{curly}",
    "^.*$",
    "-- comment",
    "?",
    "$1",
    "été",
    "日本",
    "😀",
    "n",
    "nn",
    "c0",
    "c1",
    "count",
    "len",
    "literal",
    "group",
    "select",
    "null",
    "index",
    "0",
    "x" * 60,
)
COLUMNS = {name: Column(pa.int64(), [at, at + 1, at, at + 2]) for at, name in enumerate(NAMES)}


@pytest.mark.parametrize("engine", ENGINES)
def test_names_of_all_sorts_in_one_table(build: Build, engine: str) -> None:
    frame = build(engine, arrow_table(COLUMNS))
    assert FrameSource(frame).columns == NAMES
    assert counted(frame, NAMES) == by_hand(COLUMNS, NAMES)


@pytest.mark.parametrize("engine", ENGINES)
def test_each_name_finds_its_own_column(build: Build, engine: str) -> None:
    frame = build(engine, arrow_table(COLUMNS))
    names = ["dot.ted", "n", "^.*$", "c1", "c0", "group", 'double"quote']
    assert counted(frame, names) == by_hand(COLUMNS, names)


def test_a_name_with_a_dot_is_no_path_in_spark(spark_session: Any) -> None:
    frame = spark_session.sql("SELECT named_struct('b', 1) AS a, 2 AS `a.b`")
    assert counted(frame, ["a.b"]) == {(2,): 1}


STAR = {"*": Column(pa.int64(), [1, 1]), "town": Column(pa.int64(), [3, 4])}


@pytest.mark.parametrize("engine", [engine for engine in ENGINES if engine != "duckdb"])
def test_a_column_called_star(build: Build, engine: str) -> None:
    assert counted(build(engine, arrow_table(STAR)), ["*"]) == {(1,): 2}


def test_duckdb_refuses_a_column_called_star(build: Build) -> None:
    source = FrameSource(build("duckdb", arrow_table(STAR)))
    with pytest.raises(SourceError, match=r"^the frame: duckdb reads a column named '\*' as all columns; rename it$"):
        source.count(["*"], Watch())
    assert source.count(["town"], Watch()).combinations == 2


TWINS = {
    "Town": Column(pa.int64(), [1, 1, 2]),
    "town": Column(pa.int64(), [3, 4, 4]),
    "age": Column(pa.int64(), [5] * 3),
}
BY_CASE_ALONE = (
    "the columns 'Town', 'town' differ only in case, which not every SQL engine distinguishes; rename all but one"
)


@pytest.mark.parametrize("engine", IN_MEMORY)
def test_case_matters_in_memory(build: Build, engine: str) -> None:
    assert counted(build(engine, arrow_table(TWINS)), ["Town", "town"]) == by_hand(TWINS, ["Town", "town"])


def duckdb_twins(request: pytest.FixtureRequest) -> Any:
    """DuckDB renames such columns when it stores them, but a query may still give them."""
    return request.getfixturevalue("duckdb_connection").sql('SELECT 1 AS "Town", 2 AS town, 5 AS age')


def spark_twins(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue("spark")(arrow_table(TWINS))


def postgres_twins(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue("ibis_postgres")(arrow_table(TWINS))


@pytest.mark.parametrize("twins", [duckdb_twins, postgres_twins, spark_twins])
def test_sql_engines_refuse_names_that_differ_in_case_alone(
    request: pytest.FixtureRequest, twins: Callable[[pytest.FixtureRequest], Any]
) -> None:
    source = FrameSource(twins(request))
    for columns in (["Town"], ["age", "town"]):
        with pytest.raises(SourceError, match=BY_CASE_ALONE):
            source.count(columns, Watch())
    assert sum(source.count(["age"], Watch()).counts) in (1, 3)


@pytest.mark.parametrize("engine", ["duckdb", "ibis_duckdb"])
def test_duckdb_renames_such_columns_when_it_stores_them(build: Build, engine: str) -> None:
    frame = build(engine, arrow_table(TWINS))
    assert FrameSource(frame).columns == ("Town", "town_1", "age")
    assert sorted(counted(frame, ["Town", "town_1"]).items()) == sorted(by_hand(TWINS, ["Town", "town"]).items())


def test_labels_of_pandas_that_are_no_text() -> None:
    import pandas as pd

    for labels in ([0, 1], ["a", 1.5], [("a", "b"), ("a", "c")], ["a", None], [1, 1]):
        frame = pd.DataFrame([["secret", "secret"]])
        frame.columns = pd.Index(labels, dtype=object, tupleize_cols=False)
        with pytest.raises(
            SourceError, match=r"^the frame: . of its 2 column labels are not text .* use text as the name"
        ):
            FrameSource(frame)


def test_levels_of_labels() -> None:
    import pandas as pd

    frame = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")]))
    with pytest.raises(SourceError, match="2 of its 2 column labels are not text \\(one is of type tuple\\)"):
        FrameSource(frame)


def repeated_in_pandas(request: pytest.FixtureRequest) -> Any:
    import pandas as pd

    return pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"])


def repeated_in_pyarrow(request: pytest.FixtureRequest) -> Any:
    return pa.Table.from_arrays([pa.array([1])] * 3, names=["a", "b", "a"])


def repeated_in_duckdb(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue("duckdb_connection").sql("SELECT 1 AS a, 2 AS b, 3 AS a")


def repeated_in_spark(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue("spark_session").sql("SELECT 1 AS a, 2 AS b, 3 AS a")


@pytest.mark.parametrize("repeated", [repeated_in_pandas, repeated_in_pyarrow, repeated_in_duckdb, repeated_in_spark])
def test_a_name_twice(request: pytest.FixtureRequest, repeated: Callable[[pytest.FixtureRequest], Any]) -> None:
    with pytest.raises(SourceError, match=r"^the frame: the column name at position 3 is a duplicate"):
        FrameSource(repeated(request))


def test_no_columns_and_blank_names() -> None:
    import pandas as pd

    with pytest.raises(SourceError, match="it has no columns"):
        FrameSource(pd.DataFrame())
    with pytest.raises(SourceError, match="names no column at position 2"):
        FrameSource(pa.table({"a": [1], " ": [2]}))
