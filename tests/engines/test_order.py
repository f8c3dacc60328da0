"""Published records in the order of their cells, whatever the batches in which they arrive."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.same_rows import KINDS, plain
from engines.test_frames_properties import tables
from incrowd.engines.order import arranged, order_of
from incrowd.engines.publish import Published
from incrowd.errors import SourceError
from incrowd.watch import Watch
from strategies import splits

Row = tuple[Any, ...]


def published(parts: Sequence[pa.Table], schema: pa.Schema | None = None) -> Published:
    """Records that arrive in some batches."""

    def rows() -> Iterator[pa.RecordBatch]:
        for part in parts:
            yield from part.to_batches()

    return Published(lambda: parts[0].schema if schema is None else schema, rows)


def rows_of(table: pa.Table) -> list[Row]:
    """Row by row; NaN is a missing cell."""
    cells = [[None if cell != cell else cell for cell in plain(column)] for column in table.columns]
    return list(zip(*cells, strict=True))


def in_order(given: Published) -> list[Row]:
    """The rows after they were put in order; asked twice, because they may be read anew."""
    result = arranged(given, Watch())
    found = [rows_of(pa.Table.from_batches(result.batches(), result.schema)) for _ in range(2)]
    assert found[0] == found[1]
    return found[0]


def textbook(rows: Sequence[Row]) -> list[Row]:
    """Column after column, missing first."""
    return sorted(rows, key=lambda row: [(cell is not None, *(() if cell is None else (cell,))) for cell in row])


@settings(max_examples=60)
@given(tables("pyarrow"), st.data())
def test_any_table_in_any_batches(columns: dict[str, Any], data: st.DataObject) -> None:
    table = pa.table({name: column.arrow() for name, column in columns.items()})
    parts = [table.slice(part.start, part.stop - part.start) for part in data.draw(splits(table.num_rows))]
    assert in_order(published(parts)) == textbook(rows_of(table))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_cell(kind: str) -> None:
    table = pa.table({kind: KINDS[kind].arrow(), "row": list(range(11))})
    expected = textbook(rows_of(table))
    if kind not in ("nothing", "category"):
        assert in_order(published([table.slice(0, 4), table.slice(4)])) == expected
    assert rows_of(table.take(pa.array(order_of(table)))) == expected


@settings(max_examples=25)
@given(st.integers(1, 40), st.integers(0, 60), st.integers(2, 300), st.randoms(use_true_random=False))
def test_more_columns_than_fit_into_one_word(width: int, rows: int, distinct: int, luck: Any) -> None:
    """Forty columns of up to nine bits make six words."""
    cells = [[luck.randrange(distinct) or None for _ in range(rows)] for _ in range(width)]
    table = pa.table({f"c{at}": pa.array(of, pa.int64()) for at, of in enumerate(cells)})
    assert in_order(published([table])) == textbook(rows_of(table))
    assert rows_of(table.take(pa.array(order_of(table)))) == textbook(rows_of(table))


def test_as_many_texts_as_records() -> None:
    texts = [f"free text {at * 7919 % 200_003}" for at in range(200_003)]
    table = pa.table({"few": ["a", "b", None] * 66_667 + ["c", "d"], "note": texts})
    parts = [table.slice(start, 50_000) for start in range(0, table.num_rows, 50_000)]
    assert in_order(published(parts)) == textbook(rows_of(table))


def test_texts_are_compared_as_texts_and_numbers_as_numbers() -> None:
    numbers = pa.table({"n": [10, 9, -1]})
    assert in_order(published([numbers])) == [(-1,), (9,), (10,)]
    assert in_order(published([numbers.cast(pa.schema([("n", pa.string())]))])) == [("-1",), ("10",), ("9",)]
    # Published as text, because other batches have texts.
    mixed = [numbers, pa.table({"n": ["Z", None, "é"]})]
    assert in_order(published(mixed, mixed[1].schema)) == [(None,), ("-1",), ("10",), ("9",), ("Z",), ("é",)]


def test_dictionaries_that_differ_repeat_themselves_or_hold_missing() -> None:
    def coded(codes: Sequence[int | None], values: Sequence[str | None]) -> pa.Table:
        return pa.table({"c": pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(values))})

    parts = [coded([1, 0, None, 2], ["b", "a", "b"]), coded([0, 1], ["c", None]), coded([1, 0], ["c", None])]
    found = in_order(published(parts, pa.schema([("c", pa.string())])))
    assert found == [(None,)] * 3 + [("a",), ("b",), ("b",), ("c",), ("c",)]


def test_two_zeros_are_one_and_what_is_no_number_is_missing() -> None:
    table = pa.table({"x": pa.array([0.0, -0.0, float("nan"), None, -1.0])})
    result = arranged(published([table]), Watch())
    assert str(pa.Table.from_batches(result.batches())["x"].to_pylist()) == "[None, None, -1.0, 0.0, 0.0]"


@pytest.mark.parametrize("cells", [[[1], [2]], [{"a": 1}, {"a": 2}]])
def test_what_has_no_order_is_refused(cells: list[Any]) -> None:
    with pytest.raises(SourceError) as caught:
        in_order(published([pa.table({"x": cells})]))
    assert str(caught.value).startswith("column 'x': values of type ")
    assert "order: source" in str(caught.value)


def test_no_records() -> None:
    schema = pa.schema([("a", pa.string()), ("b", pa.decimal128(5, 2))])
    assert in_order(published([schema.empty_table()])) == in_order(published([], schema)) == []
    assert order_of(schema.empty_table()).tolist() == []
    assert in_order(published([pa.table({"b": [Decimal("1.5"), Decimal("-2.5")]})])) == [
        (Decimal("-2.5"),),
        (Decimal("1.5"),),
    ]
