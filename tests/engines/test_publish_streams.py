"""Files, and several sources as one: batch by batch, in order, with one schema for all batches."""

import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow.parquet import write_table

from engines.publishing import LABELS, ROW, check_batches, numbered, published_as, recoding_for, recoding_of, row_by_row
from engines.same_rows import Column, Columns, arrow_table, plain
from engines.test_frames_properties import tables
from incrowd.engines.frames import FrameSource
from incrowd.engines.publish import Lookup, publish, spread
from incrowd.engines.streams import StreamSource
from incrowd.engines.union import union
from incrowd.errors import SourceError, UsageError
from incrowd.formats import ReadOptions, read, write
from incrowd.watch import Progress, Stopped, Watch

CSV = 'row number,town,"a;b",note\n0,Graz,007,\n1,Wien,1e5, x \n2,,?,"two\nlines"\n3,Graz,007,"say ""hi"""\n4,"",NA,é\n'
AS_COLUMNS: Columns = {
    ROW: Column(pa.string(), list("01234")),
    "town": Column(pa.string(), ["Graz", "Wien", None, "Graz", None]),
    "a;b": Column(pa.string(), ["007", "1e5", "?", "007", "NA"]),
    "note": Column(pa.string(), [None, " x ", "two\nlines", 'say "hi"', "é"]),
}


def stream(table: pa.Table, rows: int = 3, **options: Any) -> StreamSource:
    """A table that arrives in batches of some rows."""

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        yield from table.select(list(columns)).to_batches(rows)

    return StreamSource("the stream", tuple(table.column_names), batches, **options)


def released(source: Any, columns: Sequence[str], unchanged: Sequence[str] = ()) -> pa.Table:
    """What is published when nothing is left out."""
    recoding = recoding_for(source, [columns[0]], unchanged=unchanged, share=1.0)
    published = publish(source, recoding, columns, Watch())
    return pa.Table.from_batches(published.batches(), published.schema)


# Files.


def test_cells_of_a_csv_file_are_what_they_were(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV, encoding="utf-8")
    source = read(tmp_path / "t.csv", options=ReadOptions(missing=("?",)))
    recoding = recoding_for(source, ["town", "a;b"], unchanged=["a;b"], share=1.0)
    published = publish(source, recoding, ["note", "a;b", "town", ROW], Watch())
    assert published.schema == pa.schema([(name, pa.string()) for name in ("note", "a;b", "town", ROW)])
    write(published.batches(), published.schema, tmp_path / "u.csv")
    with (tmp_path / "u.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == ["note", "a;b", "town", ROW]
    labels = row_by_row(AS_COLUMNS, recoding, ["?"])
    assert rows == [
        [note or "", number.replace("?", ""), labels[at]["town"] or "", str(at)]
        for at, (note, number) in enumerate(zip(AS_COLUMNS["note"].cells, AS_COLUMNS["a;b"].cells, strict=True))
    ]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl", "xlsx", "xml"])
def test_every_format_is_published_in_order(tmp_path: Path, suffix: str) -> None:
    columns = {
        "town": Column(pa.string(), [str(at * 7919 % 97) for at in range(3000)]),
        "visits": Column(pa.int64(), [at % 11 or None for at in range(3000)]),
    }
    table = arrow_table(numbered(columns))
    write(table.to_batches(), table.schema, tmp_path / f"t.{suffix}")
    source = read(tmp_path / f"t.{suffix}")
    recoding = recoding_for(source, ["town"])
    published = publish(source, recoding, [ROW, "visits", "town"], Watch())
    batches = list(published.batches())
    assert all(batch.schema == published.schema for batch in batches)
    found = pa.Table.from_batches(batches, published.schema)
    expected = row_by_row(columns, recoding)
    assert [int(row) for row in found[ROW].to_pylist()] == list(expected)
    assert 1000 < len(expected) == published.records < 3000
    assert found["town"].to_pylist() == [labels["town"] for labels in expected.values()]
    visits = [None if cell is None else int(cell) for cell in found["visits"].to_pylist()]
    assert visits == [columns["visits"].cells[row] for row in expected]
    # Once more from the first record.
    assert sum(batch.num_rows for batch in published.batches()) == published.records


def test_types_of_a_parquet_file_stay(tmp_path: Path) -> None:
    kinds = pa.schema(
        {
            "town": pa.string(),
            "n": pa.int16(),
            "share": pa.float32(),
            "list": pa.list_(pa.int64()),
            "tint": pa.dictionary(pa.int8(), pa.string()),
            "none": pa.null(),
        }
    )
    rows = {"town": ["a", "b"], "n": [1, None], "share": [0.5, None], "list": [[1], None], "tint": ["x", None]}
    write_table(pa.table({**rows, "none": [None, None]}, schema=kinds), tmp_path / "t.parquet")
    found = released(read(tmp_path / "t.parquet"), kinds.names, unchanged=["town"])
    assert found.to_pydict() == {**rows, "none": [None, None]}
    # Codes become what they stand for, and a column without values is text.
    assert found.schema.types == [*kinds.types[:4], pa.string(), pa.string()]


# Several as one.


def test_streams_of_different_types() -> None:
    first = stream(pa.table({"town": ["a", "b"], "age": [1, None], "n": pa.array([1, 2], pa.int8())}))
    second = stream(pa.table({"n": pa.array([3], pa.int32()), "age": ["x"], "town": ["a"]}))
    found = released(union([first, second]), ["town", "age", "n"], unchanged=["town"])
    assert found.to_pydict() == {"town": ["a", "b", "a"], "age": ["1", None, "x"], "n": [1, 2, 3]}
    assert found.schema.types == [pa.string(), pa.string(), pa.int64()]


def test_files_of_different_formats(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("town,n\na,007\n")
    write_table(pa.table({"n": [8], "town": ["b"]}), tmp_path / "u.parquet")
    found = released(read(tmp_path / "t.csv", tmp_path / "u.parquet"), ["town", "n"], unchanged=["town"])
    assert found.to_pydict() == {"town": ["a", "b"], "n": ["007", "8"]}


def test_a_number_here_and_a_text_there_are_looked_up_as_they_were_counted() -> None:
    first, second = stream(pa.table({"age": [1, 2, None]})), stream(pa.table({"age": ["2", "x"]}))
    source = union([first, second])
    recoding = recoding_for(source, ["age"], share=1.0)
    number_of = {value: at for at, value in enumerate(recoding.combinations.values[0].to_pylist())}
    (column,) = recoding.columns
    assert column is not None
    codes = dict(zip(recoding.combinations.codes[0].tolist(), column.codes.tolist(), strict=True))
    wanted = [LABELS[codes[0 if age is None else number_of[age] + 1]] for age in ("1", "2", None, "2", "x")]
    assert released(source, ["age"]).to_pydict() == {"age": wanted}


@pytest.mark.parametrize("engine", ["pandas_objects", "polars_lazy", "duckdb", "ibis_sqlite"])
def test_a_file_and_a_frame(build: Callable[[str, pa.Table], Any], engine: str, tmp_path: Path) -> None:
    columns = numbered(
        {
            "town": Column(pa.string(), ["a", "b", None, "a", "?", "c"]),
            "age": Column(pa.int64(), [1, 2, 3, None, 2, 1]),
        }
    )
    whole = arrow_table(columns)
    write_table(whole.slice(0, 3), tmp_path / "t.parquet")
    frame = FrameSource(build(engine, whole.slice(3)), missing=["?"])
    source = union([read(tmp_path / "t.parquet", options=ReadOptions(missing=("?",))), frame])
    recoding = recoding_for(source, ["town", "age"])
    published = published_as(source, recoding, ["age", "town"])
    expected = row_by_row(columns, recoding, ["?"])
    check_batches(columns, published, expected)
    assert published.records == len(expected)
    with pytest.raises(UsageError, match="its source is not a frame"):
        published.frame()


# Sources that change, and runs that end.


def test_records_that_were_not_counted() -> None:
    table = pa.table({"town": ["a", "b", "a", "c", None]})
    recoding = recoding_for(stream(table.slice(0, 2)), ["town"], share=1.0)
    published = publish(stream(table, rows=4), recoding, ["town"], Watch())
    with pytest.raises(SourceError) as refused:
        list(published.batches())
    assert str(refused.value) == (
        "the stream: 1 record has a combination of quasi-identifiers that was not counted; "
        "the data changed during the run; rerun while nothing writes to it"
    )


@pytest.mark.parametrize("rows", [3, 5])
def test_fewer_or_more_records_than_were_counted(rows: int) -> None:
    table = pa.table({"town": ["a"] * 6})
    recoding = recoding_for(stream(table.slice(0, 4)), ["town"], share=1.0)
    published = publish(stream(table.slice(0, rows)), recoding, ["town"], Watch())
    assert published.records == 4
    with pytest.raises(
        SourceError, match=f"4 records were expected for the release, {rows} were found; the data changed"
    ):
        list(published.batches())


def test_records_that_are_left_out_may_change() -> None:
    recoding = recoding_for(stream(pa.table({"town": ["a", "a"]})), ["town"], share=0.0)
    assert list(publish(stream(pa.table({"town": ["a"]})), recoding, ["town"], Watch()).batches()) == []


def test_progress_and_its_end() -> None:
    seen: list[Progress] = []
    source = stream(pa.table({"town": ["a", "b"] * 50}), rows=10)
    recoding = recoding_for(source, ["town"], share=1.0)
    watch = Watch(progress=seen.append)
    batches = publish(source, recoding, ["town"], watch).batches()
    next(batches)
    watch.cancel()
    with pytest.raises(Stopped):
        list(batches)
    assert seen[0].words == "0 of 100 records published"


def test_memory_does_not_grow_with_records() -> None:
    """Batches are made when they are asked for, and nothing of them is kept."""
    taken = 0

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        nonlocal taken
        for _ in range(100):
            taken += 1
            yield pa.record_batch({"town": ["a", "b"] * 500}).select(list(columns))

    source = StreamSource("the stream", ("town",), batches, kinds={"town": pa.string()})
    recoding = recoding_for(source, ["town"])
    taken = 0
    published = publish(source, recoding, ["town"], Watch())
    assert published.schema.names == ["town"]
    assert taken == 0
    found = published.batches()
    next(found)
    next(found)
    assert taken == 2


# Any table.


@settings(max_examples=60)
@given(tables("pyarrow"), st.integers(1, 5), st.sets(st.sampled_from(["", "NA", "a"])))
def test_random_tables(columns: Columns, rows: int, missing: set[str]) -> None:
    names = list(columns)
    columns = numbered(columns)
    source = stream(arrow_table(columns), rows)
    recoding = recoding_for(source, names, unchanged=names[1::2])
    check_batches(columns, published_as(source, recoding, names), row_by_row(columns, recoding))
    texts = [name for name in names if columns[name].kind == pa.string()]
    if texts:
        marked = stream(arrow_table(columns), rows, missing=missing)
        recoding = recoding_for(marked, texts)
        published = published_as(marked, recoding, texts)
        check_batches(columns, published, row_by_row(columns, recoding, list(missing)), list(missing))


@settings(max_examples=60)
@given(tables("pyarrow"), tables("pyarrow"))
def test_a_lookup_finds_what_was_counted_and_nothing_else(columns: Columns, others: Columns) -> None:
    names = [name for name in columns if name in others and columns[name].kind == others[name].kind]
    if not names:
        return
    frequencies = stream(arrow_table(columns)).count(names, Watch())
    lookup = Lookup(frequencies)
    counted = [tuple(cell if cell == cell else None for cell in row) for row in rows_of(columns, names)]
    for batch in arrow_table(others).select(names).to_batches():
        at = lookup.find(batch.columns)
        for row, number in zip(rows_of_batch(batch), at.tolist(), strict=True):
            assert (number < frequencies.combinations) == (row in counted)
            if row in counted:
                values = [[None, *plain(column)] for column in frequencies.values]
                assert row == tuple(values[c][code] for c, code in enumerate(frequencies.codes[:, number]))


def rows_of(columns: Columns, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """The rows, as Python has them."""
    return list(zip(*(columns[name].cells for name in names), strict=True))


def rows_of_batch(batch: pa.RecordBatch) -> list[tuple[Any, ...]]:
    """The rows of a batch, NaN missing."""
    cells = [plain(c.dictionary_decode() if pa.types.is_dictionary(c.type) else c) for c in batch.columns]
    return [tuple(cell if cell == cell else None for cell in row) for row in zip(*cells, strict=True)]


def test_a_map_of_many_combinations() -> None:
    rows = 200_000
    numbers = np.arange(rows)
    table = pa.table({"a": pa.array(numbers % 1009), "b": pa.array(numbers // 3), "c": pa.array(numbers % 7)})
    source = stream(table, rows=50_000)
    frequencies = source.count(["a", "b", "c"], Watch())
    assert frequencies.combinations == rows
    recoding = recoding_of(frequencies, unchanged=["c"])
    published = publish(source, recoding, ["a", "c"], Watch())
    assert sum(batch.num_rows for batch in published.batches()) == published.records == int(recoding.kept.sum())


@given(st.integers(0, 3000))
def test_combinations_are_looked_up_in_an_order_that_is_spread_evenly(number: int) -> None:
    order = spread(number)
    assert sorted(order.tolist()) == list(range(number))
    for beginning in {number // 7, number // 3, number}:
        # No gap is more than a few times the mean.
        gaps = np.diff(np.sort(order[:beginning]), prepend=0, append=number)
        assert beginning == 0 or gaps.max() <= 4 * (number / beginning + 1)
