"""Every engine publishes what plain Python publishes, and gives back a frame of its own kind."""

from collections.abc import Callable
from typing import Any

import narwhals as nw
import pyarrow as pa
import pytest

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
from engines.same_rows import ENGINES, IN_MEMORY, KINDS, Column, Columns, arrow_table, held_by
from engines.test_frames_names import NAMES
from incrowd.engines.frames import FrameSource
from incrowd.engines.publish import publish
from incrowd.errors import SourceError, UsageError
from incrowd.watch import Watch

Build = Callable[[str, pa.Table], Any]

# PySpark 4.3 warns of pandas 3 wherever Arrow goes to a worker.
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

LAZY = ("polars_lazy", "duckdb", "ibis_duckdb", "ibis_sqlite", "ibis_postgres", "spark")
FEW: Columns = numbered(
    {
        "town": Column(pa.string(), ["Graz", "Graz", None, "Wien", "Graz", None, "", "", "日本", "?"]),
        "age": Column(pa.int64(), [40, 40, 41, 41, 40, 41, 40, 2**53 + 1, 2**53, -9]),
        "sick": Column(pa.bool_(), [True, True, None, None, True, None, True, False, False, False]),
        "weight": Column(pa.float64(), [1.5, 1.5, None, 2.0, 1.5, float("nan"), 0.0, -0.0, 0.0, 0.3]),
    }
)
QUASI = ["town", "age", "weight"]


def same_types(engine: str, given: Any, frame: Any, names: list[str]) -> bool:
    """Whether the columns have the types that they had; narwhals' types do not tell a pandas category's from it."""
    if engine.startswith("pandas"):
        return bool((given[names].dtypes == frame[names].dtypes).all())
    before, after = nw.from_native(given).collect_schema(), nw.from_native(frame).collect_schema()
    return [before[name] for name in names] == [after[name] for name in names]


# Spark takes seconds for each; there the next test must do.
@pytest.mark.parametrize(("engine", "kind"), [(engine, kind) for engine in ENGINES[:-1] for kind in held_by(engine)])
def test_one_quasi_identifier_of_each_kind(build: Build, engine: str, kind: str) -> None:
    columns = numbered({kind: KINDS[kind]})
    frame = build(engine, arrow_table(columns))
    source = FrameSource(frame)
    recoding = recoding_for(source, [kind])
    published = published_as(source, recoding, [kind])
    expected = row_by_row(columns, recoding)
    check_frame(frame, published, expected)
    check_batches(columns, published, expected)
    assert published.schema.field(kind).type in (pa.string(), pa.large_string(), pa.string_view())


@pytest.mark.core
@pytest.mark.parametrize("engine", ENGINES)
def test_all_kinds_together_some_published_as_they_are(build: Build, engine: str) -> None:
    columns = numbered(held_by(engine))
    names = list(held_by(engine))
    frame = build(engine, arrow_table(columns))
    source = FrameSource(frame)
    recoding = recoding_for(source, names, unchanged=names[::2])
    published = published_as(source, recoding, names[::-1])
    assert list(cells_of(published.frame())) == [ROW, *names[::-1]]
    check_frame(frame, published, row_by_row(columns, recoding))
    assert same_types(engine, frame, published.frame(), [ROW, *names[::2]])


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_of_each_kind_pass_through(build: Build, engine: str) -> None:
    columns = numbered({**held_by(engine), "half": Column(pa.int8(), [0, 1] * 5 + [0])})
    names = list(held_by(engine))
    frame = build(engine, arrow_table(columns))
    source = FrameSource(frame)
    recoding = recoding_for(source, ["half"], share=1.0)
    published = published_as(source, recoding, names)
    expected = row_by_row(columns, recoding)
    assert len(expected) == 11
    check_frame(frame, published, expected)
    assert same_types(engine, frame, published.frame(), [ROW, *names])
    # SQLite keeps neither whether a cell was a date nor a decimal's places; what it gives is what its frame gives.
    if engine != "ibis_sqlite":
        check_batches(columns, published, expected)


@pytest.mark.parametrize("engine", ENGINES)
def test_duplicates_missing_cells_and_columns_that_are_not_published(build: Build, engine: str) -> None:
    frame = build(engine, arrow_table(FEW))
    source = FrameSource(frame)
    recoding = recoding_for(source, QUASI)
    published = published_as(source, recoding, ["sick", "town"])
    expected = row_by_row(FEW, recoding)
    assert 0 < len(expected) < 10
    check_frame(frame, published, expected)
    check_batches(FEW, published, expected)
    assert list(cells_of(published.frame())) == published.schema.names == [ROW, "sick", "town"]


@pytest.mark.parametrize("engine", ENGINES)
def test_texts_and_numbers_that_stand_for_missing(build: Build, engine: str) -> None:
    frame = build(engine, arrow_table(FEW))
    missing = ["?", "", "-9"]
    source = FrameSource(frame, missing=missing)
    recoding = recoding_for(source, ["town", "age"], share=1.0)
    expected = row_by_row(FEW, recoding, missing)
    published = published_as(source, recoding, QUASI)
    check_frame(frame, published, expected, missing)
    check_batches(FEW, published, expected, missing)
    # They are missing as well where cells are published as they are: two ways to be missing would be two values.
    as_it_is = recoding_for(source, ["town"], unchanged=["town"], share=1.0)
    expected = row_by_row(FEW, as_it_is, missing)
    published = published_as(source, as_it_is, ["town", "age", "sick"])
    check_frame(frame, published, expected, missing)
    check_batches(FEW, published, expected, missing)


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_is_kept(build: Build, engine: str) -> None:
    frame = build(engine, arrow_table(FEW))
    source = FrameSource(frame)
    published = published_as(source, recoding_for(source, QUASI, share=0.0), ["town", "sick", "age"])
    assert cells_of(published.frame()) == {ROW: [], "town": [], "sick": [], "age": []}
    assert list(published.batches()) == []
    assert published.schema.names == [ROW, "town", "sick", "age"]
    assert published.records == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_no_rows(build: Build, engine: str) -> None:
    none = {name: Column(column.kind, []) for name, column in FEW.items()}
    frame = build(engine, arrow_table(none))
    source = FrameSource(frame)
    published = published_as(source, recoding_for(source, QUASI), ["town", "sick"])
    assert cells_of(published.frame()) == {ROW: [], "town": [], "sick": []}
    assert list(published.batches()) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_more_quasi_identifiers_than_fit_into_one_key(build: Build, engine: str) -> None:
    wide = numbered(
        {f"column {at}": Column(pa.int64(), [(row * (at + 1)) % (3 + at) for row in range(40)]) for at in range(24)}
    )
    names = list(wide)[1:]
    frame = build(engine, arrow_table(wide))
    source = FrameSource(frame)
    recoding = recoding_for(source, names, unchanged=names[::3])
    check_frame(frame, published_as(source, recoding, names), row_by_row(wide, recoding))


@pytest.mark.parametrize("engine", ENGINES)
def test_names_of_all_sorts(build: Build, engine: str) -> None:
    columns = numbered({name: Column(pa.int64(), [at, at + 1, at, at + 2]) for at, name in enumerate(NAMES)})
    frame = build(engine, arrow_table(columns))
    source = FrameSource(frame)
    recoding = recoding_for(source, NAMES[::2], unchanged=NAMES[::4])
    published = published_as(source, recoding, NAMES)
    expected = row_by_row(columns, recoding)
    check_frame(frame, published, expected)
    check_batches(columns, published, expected)


@pytest.mark.parametrize("engine", [*IN_MEMORY, "duckdb"])
def test_rows_keep_their_order(build: Build, engine: str) -> None:
    columns = numbered({"town": Column(pa.string(), [str(at * 7919 % 97) for at in range(5000)])})
    frame = build(engine, arrow_table(columns))
    source = FrameSource(frame)
    published = published_as(source, recoding_for(source, ["town"]), ["town"])
    rows = cells_of(published.frame())[ROW]
    assert (rows == sorted(rows)) or engine == "duckdb"
    assert 1000 < len(rows) < 5000


def test_labels_of_a_pandas_index_are_not_published() -> None:
    import pandas as pd

    index = pd.MultiIndex.from_tuples([("b", 1), ("a", 2), ("b", 1), ("c", 0)], names=["x", "y"])
    given = pd.DataFrame({"town": ["Graz", "Wien", "Graz", "Linz"], ROW: range(4)}, index=index)
    source = FrameSource(given)
    recoding = recoding_for(source, ["town"])
    frame = published_as(source, recoding, ["town"]).frame()
    expected = list(row_by_row({"town": Column(pa.string(), given["town"].tolist())}, recoding))
    assert 0 < len(expected) < 4
    assert frame.index.tolist() == list(range(len(expected)))
    assert frame.index.name is None
    assert frame[ROW].tolist() == expected
    # What was given is what it was.
    assert given["town"].tolist() == ["Graz", "Wien", "Graz", "Linz"]


@pytest.mark.parametrize("engine", LAZY)
def test_a_lazy_frame_stays_lazy(build: Build, engine: str) -> None:
    frame = build(engine, arrow_table(FEW))
    source = FrameSource(frame)
    published = published_as(source, recoding_for(source, QUASI), ["sick", "town"])
    assert isinstance(nw.from_native(published.frame()), nw.LazyFrame)
    again = FrameSource(published.frame())
    assert again.count(["town"], Watch()).records == published.records


# What cannot be published.


@pytest.mark.parametrize("engine", ENGINES)
def test_records_that_were_not_counted(build: Build, engine: str) -> None:
    fewer = {name: Column(column.kind, column.cells[:7]) for name, column in FEW.items()}
    recoding = recoding_for(FrameSource(build(engine, arrow_table(fewer))), ["town", "age"], share=1.0)
    source = FrameSource(build(engine, arrow_table(FEW)))
    with pytest.raises(SourceError) as refused:
        publish(source, recoding, ["town"], Watch())
    assert str(refused.value) == (
        "the frame: 3 records have a combination of quasi-identifiers that was not counted; "
        "the data changed during the run; rerun while nothing writes to it"
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_more_records_of_a_combination_than_were_counted(build: Build, engine: str) -> None:
    recoding = recoding_for(FrameSource(build(engine, arrow_table(FEW))), ["town"], share=1.0)
    twice = {name: Column(column.kind, [*column.cells, *column.cells[:2]]) for name, column in FEW.items()}
    source = FrameSource(build(engine, arrow_table(twice)))
    with pytest.raises(SourceError, match=r"^the frame: 10 records were expected for the release, 12 were found; "):
        publish(source, recoding, ["town"], Watch())


def test_columns_that_do_not_exist() -> None:
    source = FrameSource(arrow_table(FEW))
    recoding = recoding_for(source, ["town"])
    with pytest.raises(UsageError, match="no column 'twon'"):
        publish(source, recoding, ["twon"], Watch())
    with pytest.raises(UsageError, match="named more than once: 'age'"):
        publish(source, recoding, ["age", "age"], Watch())
    with pytest.raises(UsageError, match="no column 'town'"):
        publish(FrameSource(pa.table({"age": [1]})), recoding, ["age"], Watch())


@pytest.mark.parametrize("engine", ["pandas_objects", "polars_lazy", "duckdb"])
def test_lists_pass_through_in_a_frame_but_not_in_batches(build: Build, engine: str) -> None:
    table = pa.table({ROW: [0, 1], "town": ["a", "b"], "list": [[1], [2, 3]]})
    frame = build(engine, table)
    source = FrameSource(frame)
    published = published_as(source, recoding_for(source, ["town"], share=1.0), ["list", "town"])
    assert list(map(list, cells_of(published.frame())["list"])) == [[1], [2, 3]]
    with pytest.raises(SourceError, match="column 'list': nested values are not supported"):
        list(published.batches())


def test_an_engine_without_a_join_of_ours() -> None:
    class Unknown:
        value = "dask"

    from incrowd.engines.joins import joined

    class Rows:
        implementation = Unknown

    with pytest.raises(SourceError, match=r"^here: publishing is not supported in dask; collect it into pandas, "):
        joined("here", Rows, pa.table({}), [], 0)  # type: ignore[arg-type]
