"""The records of an original table beside what is published of them, and the pages that show them."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import incrowd
from incrowd.errors import UsageError
from incrowd.reports import pairs
from incrowd.reports.pair_columns import Asked, Cells, cells_of, page, save
from strategies import Row, rows_of

QUASI = ("a", "b")


def written(rows: list[Row], folder: Path) -> Path:
    """Write rows as a file of text."""
    path = folder / "people.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["a", "b", "c", "d"])
        writer.writerows([["" if row[name] is None else row[name] for name in "abcd"] for row in rows])
    return path


def released(path: Path, **more: Any) -> Any:
    """Return a release of the file."""
    job = {
        "data": str(path),
        "output": str(path.with_name("release.csv")),
        "columns": {"a": "quasi", "b": "quasi", "c": "sensitive", "d": "keep"},
        "models": [{"k_anonymity": {"k": 2}}],
        "suppress": 0.5,
        **more,
    }
    return incrowd.anonymize(job=job)


@pytest.mark.parametrize("search", ["optimal", "mondrian", "k_members", "fewest_cells"])
@given(rows=rows_of("abcd", most=20).filter(lambda rows: len(rows) > 3))
def test_each_record_stands_beside_what_is_published_of_it(
    rows: list[Row], search: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = written(rows, tmp_path_factory.mktemp("pairs"))
    made = released(path, search=search)
    found = incrowd.records(made, rows=1000)
    listed = found.to_dict()["rows"]
    assert Counter(tuple(row["original"][name] for name in "abcd") for row in listed) == Counter(
        tuple(row[name] for name in "abcd") for row in rows
    )
    published = [row for row in listed if row["class"] is not None]
    cells = [tuple(row["published"][name] for name in "abcd") for row in published]
    # The same records as in the file, however they are ordered there.
    assert Counter(cells) == Counter(tuple(row[name] for name in "abcd") for row in texts(made.to_rows()))
    sizes = Counter(each[:2] for each in cells)
    assert [row["class"] for row in published] == sorted(sizes[each[:2]] for each in cells)
    assert all(row["class"] == sizes[each[:2]] for row, each in zip(published, cells, strict=True))
    assert all(row["published"][name] == row["original"][name] for row in published for name in "cd")
    assert all(set(row["published"].values()) == {None} for row in listed if row["class"] is None)
    assert found.suppressed == made.manifest.suppressed == len(listed) - len(published)
    before = Counter(tuple(row[name] for name in QUASI) for row in rows)
    assert all(row["class_before"] == before[tuple(row["original"][name] for name in QUASI)] for row in listed)


def texts(rows: list[dict[str, Any]]) -> list[dict[str, str | None]]:
    """Return rows of texts."""
    return [{name: None if cell is None else str(cell) for name, cell in row.items()} for row in rows]


def test_a_missing_value_without_detail_is_in_the_class_of_all_others(tmp_path: Path) -> None:
    """On the top level a missing cell has the label of all others: it is not left out."""
    rows: list[Row] = [{"a": "x", "b": None if at % 2 else f"v{at}", "c": "s", "d": None} for at in range(8)]
    made = released(written(rows, tmp_path), suppress=0, search="optimal")
    assert made.levels == {"a": 0, "b": 1}
    found = incrowd.records(made).to_dict()["rows"]
    assert {row["class"] for row in found} == {8}
    assert {row["published"]["b"] for row in found} == {"*"}


def test_people_are_counted_where_the_job_names_the_person(tmp_path: Path) -> None:
    rows: list[Row] = [{"a": "x", "b": "y", "c": "s", "d": f"p{at // 3}"} for at in range(9)]
    columns = {"a": "quasi", "b": "quasi", "c": "sensitive", "d": "person"}
    found = incrowd.records(released(written(rows, tmp_path), columns=columns))
    assert found.unit == "people"
    assert {(row["class_before"], row["class"]) for row in found.to_dict()["rows"]} == {(3, 3)}
    assert "d" not in found.published


def test_the_riskiest_are_shown_if_not_all_are(tmp_path: Path) -> None:
    sizes = {"v0": 1, "v1": 2, "v2": 3, "v3": 30}
    rows: list[Row] = [
        {"a": value, "b": "y", "c": "s", "d": None} for value, size in sizes.items() for _ in range(size)
    ]
    as_it_is = {name: {"role": "quasi", "limit": 0} for name in QUASI}
    columns = {**as_it_is, "c": "sensitive", "d": "keep"}
    made = released(written(rows, tmp_path), suppress=0.1, search="optimal", columns=columns)
    found = incrowd.records(made, rows=4)
    assert (found.records, found.shown, found.suppressed) == (36, 4, 1)
    assert found.after.tolist() == [2, 2, 3, 0]
    assert found.first(2).after.tolist() == [2, 2]


def test_of_a_large_table_columns_that_matter_less_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs, "_CELLS", 18)
    rows: list[Row] = [{"a": "x", "b": "y", "c": "s", "d": "z"} for _ in range(6)]
    columns = {"a": "quasi", "b": "quasi", "c": "sensitive", "d": "drop"}
    found = incrowd.records(released(written(rows, tmp_path), columns=columns))
    assert (list(found.original), found.not_listed) == (["a", "b", "c"], ("d",))


def test_what_is_not_known_is_refused(tmp_path: Path) -> None:
    rows: list[Row] = [{"a": "x", "b": "y", "c": "s", "d": None} for _ in range(6)]
    path = written(rows, tmp_path)
    made = released(path)
    (tmp_path / "other").mkdir()
    other = written([*rows, *rows], tmp_path / "other")
    with pytest.raises(UsageError, match="do not fit"):
        incrowd.records(made, str(other))
    Path(made.record_file).unlink()
    with pytest.raises(UsageError, match="private record"):
        incrowd.records(made.output)


def test_no_cell_is_shown_in_a_notebook(tmp_path: Path) -> None:
    rows: list[Row] = [{"a": "secret", "b": "y", "c": "s", "d": None} for _ in range(6)]
    found = incrowd.records(released(written(rows, tmp_path)))
    assert "secret" in str(found)
    assert "secret" not in found._repr_html_()
    assert "secret" not in repr(found)
    assert list(found.to_pandas().columns)[:4] == ["class_before", "class", "risk", "a"]


@given(values=st.lists(st.none() | st.integers(-20, 20).map(str) | st.sampled_from(["x", "Y"]), min_size=1))
def test_ranks_are_in_the_order_of_values(values: list[str | None]) -> None:
    different = sorted({value for value in values if value is not None}, reverse=True)
    codes = np.array([0 if value is None else different.index(value) + 1 for value in values], dtype=np.int32)
    found = cells_of(codes, pa.array(different, pa.string()))
    assert found.texts() == values
    numbers = [float(value) for value in found.values if value.lstrip("-").isdecimal()]
    if len(numbers) == len(found.values):
        assert numbers == sorted(numbers)
    else:
        assert list(found.values) == sorted(found.values)


SAVED = {
    "o0": Cells(np.array([1, 0, -1, 2], dtype=np.int32), ("9", "10", "Graz")),
    "p0": Cells(np.array([0, 0, 0, -1], dtype=np.int32), ("*",)),
}
SIZES = {"after": np.array([2, 3, 3, 0])}


@pytest.mark.parametrize(
    ("asked", "cells"),
    [
        (Asked(0, 10), ["10", "9", None, "Graz"]),
        (Asked(1, 3), ["9", None]),
        (Asked(0, 10, (("o0", False),)), [None, "9", "10", "Graz"]),
        (Asked(0, 10, (("o0", True),)), ["Graz", "10", "9", None]),
        (Asked(0, 10, (("after", True), ("o0", False))), [None, "9", "10", "Graz"]),
        (Asked(0, 10, (), {"o0": "gR"}), ["Graz"]),
        (Asked(0, 10, (), {"o0": ""}), [None]),
        (Asked(0, 10, (), {"o0": ".*"}), []),
        (Asked(0, 10, (), {"p0": "*"}, {"after": (3, 9)}), ["9", None]),
    ],
)
def test_pages(tmp_path: Path, asked: Asked, cells: list[str | None]) -> None:
    save(SAVED, SIZES, tmp_path / "records.arrow")
    found = page(tmp_path / "records.arrow", asked)
    assert [row["o0"] for row in found["rows"]] == cells
    assert json.dumps(found)
    if asked.start == 0:
        assert found["total"] == len(cells)


def test_a_long_cell_is_cut(tmp_path: Path) -> None:
    long = Cells(np.array([0], dtype=np.int32), ("x" * 10_000,))
    save({"o0": long}, {"after": np.array([2])}, tmp_path / "records.arrow")
    assert len(page(tmp_path / "records.arrow", Asked(0, 1))["rows"][0]["o0"]) < 300


@pytest.mark.parametrize(
    ("more", "cells"),
    [
        ({}, None),
        ({"nulls": "maybe", "search": "optimal"}, "missing values"),
        ({"search": "local_suppression:wiped=anything"}, "suppressed cells"),
    ],
)
def test_where_cells_match_anything_the_sizes_of_classes_say_what_they_count(
    tmp_path: Path, more: dict[str, Any], cells: str | None
) -> None:
    rows: list[Row] = [{"a": "x", "b": f"v{at // 4}", "c": "s", "d": None} for at in range(13)]
    found = incrowd.records(released(written(rows, tmp_path), **more))
    said = f"{cells} match anything"
    assert (found.note is None) if cells is None else (said in (found.note or ""))
    assert all((said in str(shown)) == (cells is not None) for shown in (found, found.to_dict(), found.look()))
