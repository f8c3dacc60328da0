"""JSON lines and JSON arrays."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.reading import SECRET, cells, classes, refusal
from incrowd.formats import _rows, read
from incrowd.watch import Watch


def written(folder: Path, content: str | bytes, name: str = "data.jsonl") -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ('{"a": 1, "b": "x"}\n{"a": null}\n{"b": "y", "c": true}\n', "data.jsonl"),
        ('\n\n{"a": 1, "b": "x"}\r\n{}\r\n\r\n{"b": "y", "c": true}', "data.ndjson"),
        ('{"a": 1, "b": "x"}\n{}\n{"b": "y", "c": true}\n', "data.json"),
        ('[{"a": 1, "b": "x"}, {},\n {"b": "y",\n "c": true}]\n', "data.json"),
        ('\ufeff [\n{"a": 1, "b": "x"}\n,{}\n,{"b": "y", "c": true}\n]', "data.jsonl"),
    ],
    ids=["lines", "blank lines", "lines as json", "array", "array with mark"],
)
def test_shapes(tmp_path: Path, content: str, name: str) -> None:
    assert cells(written(tmp_path, content, name)) == {
        "a": [1, None, None],
        "b": ["x", None, "y"],
        "c": [None, None, True],
    }


def test_texts_are_no_dates_and_no_numbers(tmp_path: Path) -> None:
    path = written(tmp_path, '{"a": "2020-01-01", "b": "007"}\n{"a": "2020-01-01T00:00:00", "b": "7"}\n')
    assert cells(path) == {"a": ["2020-01-01", "2020-01-01T00:00:00"], "b": ["007", "7"]}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, "1", "01"], ["1", "1", "01"]),
        ([1, 2.5], [1.0, 2.5]),
        ([True, 1, "true"], ["true", "1", "true"]),
        ([True, 1], ["true", "1"]),
        ([1.0, "1"], ["1", "1"]),
        ([2**64 + 1, 2**64 + 2, 1], [str(2**64 + 1), str(2**64 + 2), "1"]),
        ([2**53 + 1, 0.5], [str(2**53 + 1), "0.5"]),
        ([0.1, None, "x"], ["0.1", None, "x"]),
    ],
)
@pytest.mark.parametrize("rows_a_batch", [1, 2, 1000])
def test_mixed_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, values: list[object], expected: list[object], rows_a_batch: int
) -> None:
    # Whether the types meet within a batch or only between batches must not show.
    monkeypatch.setattr(_rows, "_ROWS", rows_a_batch)
    path = written(tmp_path, "".join(json.dumps({"a": value}) + "\n" for value in values))
    assert cells(path) == {"a": expected}


@pytest.mark.parametrize("rows_a_batch", [1, 1000])
def test_late_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_a_batch: int) -> None:
    monkeypatch.setattr(_rows, "_ROWS", rows_a_batch)
    path = written(tmp_path, '{"a": "x"}\n{"b": 1}\n{"a": "y", "b": 2, "c": null}\n')
    assert cells(path) == {"a": ["x", None, "y"], "b": [None, 1, 2], "c": [None, None, None]}


@pytest.mark.parametrize("rows_a_batch", [1, 1000])
@pytest.mark.parametrize("nested", [[SECRET], {"x": SECRET}])
def test_nested_column_is_refused_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_a_batch: int, nested: object
) -> None:
    monkeypatch.setattr(_rows, "_ROWS", rows_a_batch)
    path = written(tmp_path, "".join(json.dumps({"a": value, "b": 1}) + "\n" for value in ("x", nested, 5, None)))
    assert cells(path, columns=["b"]) == {"b": [1, 1, 1, 1]}
    assert "column 'a': nested values are not supported" in refusal(path, columns=["b", "a"])


def test_missing_texts_and_not_a_number(tmp_path: Path) -> None:
    path = written(tmp_path, '{"a": "?", "b": NaN}\n{"a": "x", "b": 1.5}\n')
    assert cells(path, missing=("?",)) == {"a": [None, "x"], "b": [None, 1.5]}


def test_many_records(tmp_path: Path) -> None:
    path = written(tmp_path, '{"a": "x", "b": 1}\n{"a": "ö"}\n' * 100_000)
    assert classes(read(path)) == {("x", "1"): 100_000, ("ö", None): 100_000}
    assert read(path).table(["b"], Watch()).rows == 200_000


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f'{{"a": 1}}\n\n{{"a": "{SECRET}\n', "line 3 is not valid JSON"),
        (f'\n{{"a": "{SECRET}"}} x\n', "line 2 is not valid JSON"),
        (f'{{"a": "{SECRET}"}}\n["{SECRET}"]\n', "line 2 is not an object"),
        (f'{{"a": "{SECRET}"}}\n5\n', "line 2 is not an object"),
        (f'[{{"a": 1}},\n{{"a": {SECRET}}}]', "line 2 is not valid JSON"),
        (f'[{{"a": 1}},\n"{SECRET}"]', "line 2 is not an object"),
        (f'[{{"a": 1}}\n\n{{"a": "{SECRET}"}}]', "line 3 is not valid JSON"),
        (f'[{{"a": 1}}]\n{{"a": "{SECRET}"}}', "line 1 is not valid JSON"),
        (f'[{{"a": "{SECRET}"}},\n', "line 2 is not valid JSON"),
        (f'{{\n"a": "{SECRET}"\n}}', "line 1 is not valid JSON"),
        ('{"a": ' + "1" * 5000 + "}", "line 1 is not valid JSON"),
        ('{"a": ' + "[" * 200_000 + "}", "line 1 is not valid JSON"),
        (f'{{"a": "{SECRET} \\ud800"}}', "column 'a' contains text that is not valid Unicode"),
        (f'{{"a": "{SECRET} Köln"}}'.encode("cp1252"), "not encoded in UTF-8"),
        ("  \n \n", "no columns"),
        ("[]", "no columns"),
        ("{}\n{}\n", "no columns"),
        (f'{{"": "{SECRET}"}}', "position 1"),
    ],
)
def test_refused(tmp_path_factory: pytest.TempPathFactory, content: str | bytes, words: str) -> None:
    # Not in tmp_path, which is named for the test and so for the content.
    assert words in refusal(written(tmp_path_factory.mktemp("refused"), content))


SINGLE = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3)
)


@given(rows=st.lists(st.dictionaries(st.sampled_from("abc"), SINGLE), min_size=1), array=st.booleans())
def test_any_records_are_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]], array: bool
) -> None:
    text = json.dumps(rows) if array else "".join(json.dumps(row) + "\n" for row in rows)
    path = written(tmp_path_factory.mktemp("json"), text)
    if not any(rows):
        return
    found = cells(path)
    for name, column in found.items():
        given_cells = [row.get(name) for row in rows]
        assert [cell is None for cell in column] == [cell is None for cell in given_cells]
        # Cells are equal where they were: as values of one type, or by their text.
        for first, one in zip(given_cells, column, strict=True):
            for second, other in zip(given_cells, column, strict=True):
                if type(first) is type(second):
                    assert (first == second) == (one == other)
