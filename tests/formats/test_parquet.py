"""Parquet files."""

import datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from formats.reading import SECRET, cells, classes, refusal
from incrowd.formats import read
from incrowd.watch import Watch


def written(folder: Path, columns: dict[str, object], **options: object) -> Path:
    """A Parquet file with these columns."""
    path = folder / "data.parquet"
    pq.write_table(pa.table(columns), path, **options)
    return path


def test_values_keep_their_types(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {
        "text": ["007", "7", None],
        "whole": [2**62 + 1, 2**62 + 2, None],
        "number": [0.5, 1.0, None],
        "day": [datetime.date(2020, 1, 2), datetime.date(2020, 1, 3), None],
        "price": [Decimal("1.50"), Decimal("2.25"), None],
        "flag": [True, False, None],
    }
    assert cells(written(tmp_path, columns)) == columns


def test_columns_come_in_the_order_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": ["x"], "b": [1], "c": ["z"]})
    assert list(cells(path, columns=["c", "a"]).items()) == [("c", ["z"]), ("a", ["x"])]


def test_names_with_dots(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": [{"b": 1}], "a.b": ["x"], "c.d": ["y"], "c": ["z"]})
    assert cells(path, columns=["c.d", "c"]) == {"c.d": ["y"], "c": ["z"]}
    # Parquet calls the field within the record by the same name.
    assert cells(path, columns=["a.b"]) == {"a.b": ["x"]}


def test_texts_arrive_as_codes(tmp_path: Path) -> None:
    columns = {"a": pa.array(["x", "y"]), "b": pa.array(["x", "y"], pa.large_string()), "c": [1, 2]}
    batches = read(written(tmp_path, columns)).batches(["a", "b", "c"])  # type: ignore[attr-defined]
    assert [pa.types.is_dictionary(kind) for kind in next(batches).schema.types] == [True, True, False]


def test_texts_that_do_not_repeat_arrive_as_they_are(tmp_path: Path) -> None:
    texts = {
        "few": [f"a text of some length {number % 5}" for number in range(1 << 13)],
        "own": [f"a text of some length {number}" for number in range(1 << 13)],
    }
    path = written(tmp_path, texts, row_group_size=4000)
    for batch in read(path).batches(["few", "own"]):  # type: ignore[attr-defined]
        assert [pa.types.is_dictionary(kind) for kind in batch.schema.types] == [True, False]
    assert cells(path, columns=["few", "own"]) == texts


def test_many_batches_and_row_groups(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": ["x", "y", None, "x"] * 200_000, "b": [1, 2, 3, 1] * 200_000}, row_group_size=70_000)
    assert classes(read(path)) == {("x", "1"): 400_000, ("y", "2"): 200_000, (None, "3"): 200_000}


def test_missing_texts(tmp_path: Path) -> None:
    assert cells(written(tmp_path, {"a": ["?", "x"]}), missing=("?",)) == {"a": [None, "x"]}


def test_no_records(tmp_path: Path) -> None:
    source = read(written(tmp_path, {"a": pa.array([], pa.string())}))
    assert source.table(["a"], Watch()).rows == 0


def test_nested_column_is_refused_when_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": [[SECRET]], "b": [{"c": SECRET}], "d": ["x"]})
    assert cells(path, columns=["d"]) == {"d": ["x"]}
    assert "column 'a'" in refusal(path, columns=["d", "a"])
    assert "column 'b'" in refusal(path, columns=["b"])


def test_repeated_names(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array(["x"]), pa.array([SECRET])], ["a", "a"]), path)
    assert "the column name at position 2 is a duplicate" in refusal(path)


def test_not_parquet(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    path.write_text(f"a,b\n{SECRET},2\n")
    assert "not a Parquet file" in refusal(path)


def test_cut_off(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": [SECRET] * 1000})
    path.write_bytes(path.read_bytes()[:-10])
    assert "incomplete" in refusal(path)


def test_damaged_pages(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": [f"{SECRET}{number}" for number in range(1000)]}, compression="zstd")
    content = bytearray(path.read_bytes())
    content[4:400] = bytes(396)
    path.write_bytes(content)
    assert "damaged" in refusal(path)


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = written(tmp_path, {"QQQQ": ["a", "b"]}, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"QQQQ", b"\xff\xfe\xff\xfe"))
    assert "incomplete or unreadable" in refusal(path)
