"""Encoding numbers values without changing them, over any number of batches and any type of column."""

from collections.abc import Sequence
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.table import MISSING, Column, Encoder, Table
from incrowd.errors import SourceError
from strategies import splits

DAY = 24 * 60 * 60

NUMBERS = {
    pa.int8(): st.integers(-128, 127),
    pa.int32(): st.integers(-(2**31), 2**31 - 1),
    pa.int64(): st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3),
    pa.uint64(): st.integers(0, 2**64 - 1),
    pa.float32(): st.floats(width=32, allow_nan=False),
    pa.float64(): st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 0.1, 1.0]),
    pa.bool_(): st.booleans(),
    pa.decimal128(9, 3): st.decimals(-999999, 999999, places=3),
    pa.decimal256(40, 2): st.decimals(-999999, 999999, places=2),
}
TEXTS = {
    pa.string(): st.text(max_size=3),
    pa.large_string(): st.text(max_size=3),
    pa.string_view(): st.text(max_size=3),
    pa.binary(): st.binary(max_size=3),
    pa.binary(2): st.binary(min_size=2, max_size=2),
}
# Made from whole numbers, because Python's own objects have no nanoseconds.
TIMES = {
    pa.date32(): (pa.int32(), st.integers(-700_000, 700_000)),
    pa.date64(): (pa.int64(), st.integers(-700_000, 700_000).map(lambda day: day * DAY * 1000)),
    pa.time32("s"): (pa.int32(), st.integers(0, DAY - 1)),
    pa.time64("ns"): (pa.int64(), st.integers(0, DAY * 10**9 - 1)),
    pa.timestamp("s"): (pa.int64(), st.integers(-(10**9), 10**9)),
    pa.timestamp("us"): (pa.int64(), st.integers(-(10**15), 10**15)),
    pa.timestamp("ns"): (pa.int64(), st.integers(-(2**63) + 1, 2**63 - 1) | st.integers(0, 3)),
    pa.timestamp("ns", "Europe/Vienna"): (pa.int64(), st.integers(0, 3) | st.integers(0, 2**60)),
    pa.duration("ns"): (pa.int64(), st.integers(-(2**62), 2**62) | st.integers(0, 3)),
}


def columns_of(values: SearchStrategy[object], kind: pa.DataType) -> SearchStrategy[pa.Array]:
    """A column of few of the values, some of them missing."""
    few = st.lists(values, min_size=1, max_size=5).flatmap(
        lambda found: st.lists(st.none() | st.sampled_from(found), max_size=20)
    )
    return few.map(lambda cells: pa.array(cells, kind))


COLUMNS = {kind: columns_of(values, kind) for kind, values in {**NUMBERS, **TEXTS}.items()} | {
    kind: columns_of(values, stored).map(lambda column, kind=kind: column.cast(kind))
    for kind, (stored, values) in TIMES.items()
}
every_type = pytest.mark.parametrize("kind", COLUMNS, ids=str)


def encoded(chunks: Sequence[pa.Array], missing: Sequence[str] = ()) -> Column:
    """The one column of a table of these chunks."""
    table = Table.from_batches(["x"], [pa.record_batch([chunk], names=["x"]) for chunk in chunks], missing)
    assert table.rows == sum(map(len, chunks))
    return table.columns[0]


@every_type
@settings(max_examples=30)
@given(data=st.data())
def test_decoding_gives_back_what_was_encoded(kind: pa.DataType, data: st.DataObject) -> None:
    column = data.draw(COLUMNS[kind])
    chunks = [column[part] for part in data.draw(splits(len(column)))]
    found = encoded(chunks)
    assert found.decode().cast(column.type).equals(column)
    assert len(found.values.drop_null().unique()) == len(found.values) == found.cardinality - 1


@every_type
@settings(max_examples=30)
@given(data=st.data())
def test_codes_are_numbered_in_order_of_appearance(kind: pa.DataType, data: st.DataObject) -> None:
    column = data.draw(COLUMNS[kind])
    codes = encoded([column]).codes
    assert ((codes == MISSING) == np.asarray(column.is_null())).all()
    present = [code for code in codes.tolist() if code != MISSING]
    assert list(dict.fromkeys(present)) == list(range(1, len(set(present)) + 1))


@pytest.mark.parametrize(
    "kind", [pa.timestamp("ns"), pa.timestamp("ns", "UTC"), pa.time64("ns"), pa.duration("ns")], ids=str
)
def test_nanoseconds_are_told_apart(kind: pa.DataType) -> None:
    assert encoded([pa.array([1, 2, 1, 1001], pa.int64()).cast(kind)]).codes.tolist() == [1, 2, 1, 3]


@given(cells=st.lists(st.none() | st.sampled_from([float("nan"), 1.5, 2.5]), max_size=10))
def test_not_a_number_is_missing(cells: list[float | None]) -> None:
    expected = [None if cell is None or cell != cell else cell for cell in cells]
    assert encoded([pa.array(cells, pa.float64())]).decode().to_pylist() == expected


MIXED = [pa.int32(), pa.int64(), pa.float64(), pa.string(), pa.large_string(), pa.string_view(), pa.null()]


@st.composite
def mixed_chunks(draw: st.DrawFn) -> list[pa.Array]:
    """Chunks of small whole numbers whose type changes on the way."""
    chunks = []
    for kind in draw(st.lists(st.sampled_from(MIXED), min_size=1, max_size=5)):
        cells = draw(st.lists(st.none() | st.integers(0, 4), max_size=6))
        numbers = pa.nulls(len(cells)) if pa.types.is_null(kind) else pa.array(cells, pa.int64())
        chunks.append(numbers.cast(kind))
    return chunks


@given(chunks=mixed_chunks(), as_dictionary=st.booleans())
def test_chunks_of_different_types_are_compared_by_value_or_text(chunks: list[pa.Array], as_dictionary: bool) -> None:
    texts = [cell for chunk in chunks for cell in chunk.cast(pa.string()).to_pylist()]
    if as_dictionary:
        chunks = [chunk if pa.types.is_null(chunk.type) else chunk.dictionary_encode() for chunk in chunks]
    table = Table.from_batches(["x"], [pa.record_batch([chunk], names=["x"]) for chunk in chunks])
    assert table.decode().column("x").cast(pa.string()).to_pylist() == texts
    assert len(table.columns[0].values) == len(set(texts) - {None})


@pytest.mark.parametrize("first", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("second", [pa.string(), pa.large_string(), pa.string_view()])
def test_kinds_of_text_mix(first: pa.DataType, second: pa.DataType) -> None:
    found = encoded([pa.array(["a", "b"], first), pa.array(["b", "c"], second)])
    assert found.decode().to_pylist() == ["a", "b", "b", "c"]
    assert found.codes.tolist() == [1, 2, 2, 3]


NARROWING = {
    "true and whole numbers": ([True], pa.bool_(), [1, 2, 3], pa.int64(), 4),
    "single and double precision": ([0.5], pa.float32(), [0.1, 0.1 + 1e-12], pa.float64(), 3),
    "dates and times of day": ([0], pa.date32(), [0, 5000], pa.timestamp("s"), 3),
    "small and large numbers": ([1], pa.int8(), [1, 300], pa.int64(), 2),
}


@pytest.mark.parametrize(("first", "kind", "second", "wider", "distinct"), NARROWING.values(), ids=NARROWING)
def test_a_narrower_type_before_does_not_merge_values(
    first: list[object], kind: pa.DataType, second: list[object], wider: pa.DataType, distinct: int
) -> None:
    found = encoded([pa.array(first, kind), pa.array(second, wider)])
    assert len(set(found.codes.tolist())) == distinct


@pytest.mark.parametrize("first", [pa.array(["a"]), pa.array([True]), pa.array([1])], ids=lambda first: str(first.type))
def test_not_a_number_stays_missing_when_types_change(first: pa.Array) -> None:
    assert encoded([first, pa.array([float("nan"), 2.5])]).codes.tolist() == [1, MISSING, 2]


INDEX_TYPES = [pa.int8(), pa.uint8(), pa.int16(), pa.int32(), pa.int64(), pa.uint32()]


@st.composite
def dictionaries(draw: st.DrawFn) -> pa.DictionaryArray:
    """A dictionary column: nulls among its values, values twice, values that no cell has, missing cells."""
    values = draw(st.lists(st.none() | st.sampled_from(["x", "y", "z"]), min_size=1, max_size=6))
    indices = draw(st.lists(st.none() | st.integers(0, len(values) - 1), max_size=20))
    kind = draw(st.sampled_from(INDEX_TYPES))
    return pa.DictionaryArray.from_arrays(pa.array(indices, kind), pa.array(values, pa.string()))


@given(chunks=st.lists(dictionaries(), min_size=1, max_size=3))
def test_dictionary_columns(chunks: list[pa.DictionaryArray]) -> None:
    expected = [cell for chunk in chunks for cell in chunk.dictionary_decode().to_pylist()]
    found = encoded(chunks)
    assert found.decode().to_pylist() == expected
    assert len(set(found.codes.tolist()) - {MISSING}) == len(set(expected) - {None})


@pytest.mark.parametrize(("kind", "number"), [(pa.int8(), 128), (pa.uint8(), 256), (pa.int16(), 1 << 15)])
def test_a_dictionary_as_large_as_its_indices_allow(kind: pa.DataType, number: int) -> None:
    indices = pa.array([number - 1, None, 0], kind)
    chunk = pa.DictionaryArray.from_arrays(indices, pa.array([str(value) for value in range(number)]))
    assert encoded([chunk]).decode().to_pylist() == [str(number - 1), None, "0"]


@given(chunks=st.lists(st.lists(st.sampled_from(["?", "NA", "", " ?", "x"]), max_size=8), min_size=1, max_size=3))
def test_texts_that_stand_for_missing(chunks: list[list[str]]) -> None:
    found = encoded([pa.array(chunk, pa.string()) for chunk in chunks], missing=["?", "NA"])
    assert found.decode().to_pylist() == [None if cell in ("?", "NA") else cell for chunk in chunks for cell in chunk]


def test_numbers_that_stand_for_missing() -> None:
    assert encoded([pa.array([1, -9, 3])], missing=["-9"]).decode().to_pylist() == [1, None, 3]


def test_missing_texts_before_numbers_do_not_turn_them_into_text() -> None:
    found = encoded([pa.array(["?", "?"]), pa.array([1, 2])], missing=["?"])
    assert found.decode().to_pylist() == [None, None, 1, 2]


@given(
    cells=st.lists(st.sampled_from([None, "", "a", "b", "NA", "7", "07", "ü"]), min_size=6, max_size=30),
    kind=st.sampled_from([pa.string(), pa.large_string(), pa.int64()]),
    begin=st.integers(0, 3),
    missing=st.sampled_from([(), ("NA", "7")]),
)
def test_columns_of_mostly_different_values(
    cells: list[str | None], kind: pa.DataType, begin: int, missing: tuple[str, ...]
) -> None:
    """Without a dictionary of the chunk the codes are the same."""
    if pa.types.is_integer(kind):
        cells = [cell if cell is None else str(len(cell) + ord((cell or "z")[0])) for cell in cells]
    whole = pa.array(cells, pa.string()).cast(kind)
    one, other = Encoder("a", missing), Encoder("a", missing)
    for chunk in (whole.slice(begin), whole, pa.array(["a", None])):
        with patch("incrowd.core.table._mostly_different", lambda chunk: True):
            local, lookup = one.encode(chunk)
        expected, of = other.encode(chunk)
        assert lookup[local].tolist() == of[expected].tolist()
        assert one.values.equals(other.values)


@pytest.mark.parametrize("repeated", [1, 2, 3])
def test_many_values_in_several_chunks(repeated: int) -> None:
    texts = [f"P{number // repeated}" for number in range(9000)]
    table = Table.from_batches(["a"], [pa.record_batch({"a": texts[:5000]}), pa.record_batch({"a": texts[4000:]})])
    assert table.columns[0].decode().to_pylist() == texts[:5000] + texts[4000:]
    assert table.columns[0].values.to_pylist() == list(dict.fromkeys(texts))


def test_text_that_is_none_is_refused() -> None:
    wrong = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(np.array([0, 1], np.int32)), pa.py_buffer(b"\xff")]
    )
    with pytest.raises(SourceError, match="cannot be compared"):
        Encoder("a").encode(wrong)


def test_lengths_of_an_encoder() -> None:
    encoder = Encoder("x")
    assert (len(encoder), len(encoder.values)) == (1, 0)
    local, lookup = encoder.encode(pa.array(["p", None, "q", "p"]))
    assert lookup[local].tolist() == [1, MISSING, 2, 1]
    assert (len(encoder), encoder.values.to_pylist()) == (3, ["p", "q"])


@pytest.mark.parametrize("cell", [["secret"], {"part": "secret"}])
def test_cells_that_are_not_single_values_are_refused(cell: object) -> None:
    with pytest.raises(SourceError, match="column 'x': nested values are not supported") as caught:
        encoded([pa.array([cell])])
    assert "secret" not in str(caught.value)


def test_a_type_without_text_form_is_refused_when_types_change() -> None:
    with pytest.raises(SourceError, match="column 'x': its values are of several types, and binary") as caught:
        encoded([pa.array(["a"]), pa.array([b"\xffsecret"])])
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_table_without_batches_is_empty() -> None:
    table = Table.from_batches(["x", "y"], [])
    assert table.rows == 0
    assert [(column.name, len(column.codes), column.cardinality) for column in table.columns] == [
        ("x", 0, 1),
        ("y", 0, 1),
    ]
    assert table.decode().num_rows == 0


def test_categories_that_no_cell_has_are_no_values() -> None:
    chunk = pa.DictionaryArray.from_arrays(pa.array([3, None, 1, 3]), pa.array(["a", "b", "c", "d"]))
    encoder = Encoder("x")
    local, lookup = encoder.encode(chunk)
    assert encoder.values.to_pylist() == ["b", "d"]
    assert lookup[local].tolist() == [2, 0, 1, 2]
