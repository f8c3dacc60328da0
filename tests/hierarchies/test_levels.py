"""Level tables: reading, saving, and that saving and reading is no change."""

import os
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import HierarchyError, IncrowdError, SourceError, UsageError
from incrowd.hierarchies.levels import build, save

NOTHING = pa.nulls(0)


def read(folder: Path, text: str) -> Hierarchy:
    """The hierarchy that a text holds."""
    path = folder / "table.csv"
    path.write_bytes(text.encode("utf-8"))
    return build(NOTHING, path=path)


@pytest.mark.parametrize(
    "text",
    [
        "UK;Europe;*\nUSA;America;*\n",
        "UK;Europe;*\r\nUSA;America;*",
        "\ufeffUK;Europe;*\n\nUSA;America;*\n\n",
        '"UK";"Europe";*\n"USA";America;*\n',
        "UK,Europe,*\nUSA,America,*\n",
        "UK\tEurope\t*\nUSA\tAmerica\t*\n",
        "UK|Europe|*\nUSA|America|*\n",
    ],
    ids=["usual", "windows", "marked", "quoted", "comma", "tab", "bar"],
)
def test_forms(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text).rows == [("UK", "Europe", "*"), ("USA", "America", "*")]


def test_the_delimiter_is_the_one_that_fits_every_row(tmp_path: Path) -> None:
    assert read(tmp_path, "a,b;x,y;*\nc;z;*\n").values == ("a,b", "c")
    assert read(tmp_path, "a;b,x,*\nc,z,*\n").values == ("a;b", "c")
    assert read(tmp_path, 'a,"x,y",*\nc,z;w,*\n').labels[1] == ("x,y", "z;w")


def test_an_empty_first_cell_is_for_missing(tmp_path: Path) -> None:
    hierarchy = read(tmp_path, "a;x;*\n;unknown;*\nb;x;*\n")
    assert hierarchy.lists_missing
    assert hierarchy.labels[1][hierarchy.missing[1]] == "unknown"
    assert hierarchy.values == ("a", "b")


def test_cells_stay_as_they_are(tmp_path: Path) -> None:
    assert read(tmp_path, "007; x ;*\n7;NA;*\n").rows == [("007", " x ", "*"), ("7", "NA", "*")]


def test_spans_of_numbers(tmp_path: Path) -> None:
    hierarchy = read(tmp_path, "1;low;*\n5;low;*\n-2.5;low;*\n9;high;*\n;none;*\n")
    assert hierarchy.spans is not None
    assert hierarchy.spans[1:] == (((-2.5, 5), (9, 9), (0, 0)), ((-2.5, 9),))
    assert read(tmp_path, "1;*\nx;*\n").spans is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it has no value"),
        ("a\nb\n", "no level above them"),
        ("a;x;*\nb;*\n", "row 2 must have 3 non-empty cells"),
        ("a;;*\n", "row 1 must have 3 non-empty cells"),
        ("a;x;*;\n", "row 1 must have 4 non-empty cells"),
        ("a;x\nb;y\n", "the last level has 2 labels"),
        ("value;level 1;level 2\na;x;*\n", "the last level has 2 labels"),
        ('"a;x;*\nsecret;y;*\n', "quotation marks cannot be parsed"),
        ('"a"b;x;*\n', "quotation marks cannot be parsed"),
    ],
)
def test_texts_that_hold_no_hierarchy(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(IncrowdError, match=words) as error:
        read(tmp_path, text)
    assert "secret" not in str(error.value)
    assert str(tmp_path / "table.csv") in str(error.value)


def test_two_parents(tmp_path: Path) -> None:
    with pytest.raises(HierarchyError) as error:
        read(tmp_path, "a;x;*\nb;x;*\na;y;*\n")
    assert error.value.offending == ("a",)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes("ä;*".encode("latin-1"))
    with pytest.raises(SourceError, match="not in UTF-8"):
        build(NOTHING, path=tmp_path / "latin.csv")
    with pytest.raises(SourceError, match="no such file with the hierarchy of column 'age'"):
        build(NOTHING, name="age", path=tmp_path / "nowhere.csv")
    with pytest.raises(SourceError, match="cannot be read"):
        build(NOTHING, path=tmp_path)
    with pytest.raises(UsageError, match="no path is given"):
        build(NOTHING)


# Saving.

HARD = [
    "a",
    "ä€\N{OLD ITALIC LETTER A}",
    'say "no"',
    "semi;colon",
    "a,b",
    "tab\tbed",
    "two\nlines",
    "a\r\nb",
    "\r",
    " blank ",
    "\ufeff",
    "'",
    "=1+1",
]


def same(one: Hierarchy, other: Hierarchy) -> bool:
    """Whether two hierarchies are equal in all that a table holds."""
    codes = [[list(level) for level in each.codes] for each in (one, other)]
    return codes[0] == codes[1] and (one.values, one.labels, one.missing) == (other.values, other.labels, other.missing)


def test_saved_text(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    save(Hierarchy.from_rows([("a;b", 'x"y', "*"), (None, "none", "*"), ("ä", "z", "*")]), path)
    assert path.read_bytes().decode("utf-8") == '"a;b";"x""y";*\nä;z;*\n;none;*\n'
    assert os.listdir(tmp_path) == ["t.csv"]


@pytest.mark.parametrize("first", HARD)
def test_hard_cells(tmp_path: Path, first: str) -> None:
    values = dict.fromkeys([first, *HARD])
    hierarchy = Hierarchy.from_rows([(value, f"{value}!", first) for value in values])
    save(hierarchy, tmp_path / "t.csv")
    assert same(build(NOTHING, path=tmp_path / "t.csv"), hierarchy)


cells = st.text(min_size=1) | st.sampled_from(HARD)


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    """Any values and labels, with a row for missing or without."""
    values = draw(st.lists(cells, min_size=1, max_size=8, unique=True))
    groups = draw(st.lists(cells, min_size=1, max_size=4))
    top = draw(cells)
    rows: list[tuple[str | None, ...]] = [(value, draw(st.sampled_from(groups)), top) for value in values]
    missing = [(None, draw(cells), top)] if draw(st.booleans()) else []
    return Hierarchy.from_rows([*rows, *missing])


@given(hierarchies())
def test_saving_and_reading_is_no_change(tmp_path_factory: pytest.TempPathFactory, hierarchy: Hierarchy) -> None:
    path = tmp_path_factory.mktemp("levels") / "t.csv"
    save(hierarchy, path)
    assert same(build(NOTHING, path=path), hierarchy)


def test_an_empty_value_cannot_be_told_from_missing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="an empty cell is a missing value"):
        save(Hierarchy.from_rows([("", "*"), ("a", "*")]), tmp_path / "t.csv")
    assert os.listdir(tmp_path) == []


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_text("old", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(SourceError, match="cannot be written \\(No space left on device\\)"):
        save(Hierarchy.from_rows([("a", "*")]), path, replace=True)
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["t.csv"]


def test_a_folder_cannot_be_written_as_a_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="it is not a file"):
        save(Hierarchy.from_rows([("a", "*")]), tmp_path)
    with pytest.raises(SourceError, match="cannot be written"):
        save(Hierarchy.from_rows([("a", "*")]), tmp_path / "nowhere" / "t.csv")


def test_rows_in_the_job_are_the_table_of_a_file(tmp_path: Path) -> None:
    rows = [["1", "low", "*"], ["2", "low", "*"], [30, "high", "*"], [None, "none", "*"]]
    path = tmp_path / "levels.csv"
    path.write_text("1;low;*\n2;low;*\n30;high;*\n;none;*\n")
    values = pa.array([1, 2, 30])
    written, saved = build(values, rows=rows), build(values, path=path)
    assert (written.rows, written.missing_row) == (saved.rows, saved.missing_row)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no path is given"),
        ({"path": "a.csv", "rows": []}, "both a path and rows"),
        ({"rows": ["a;b"]}, "a row is not a list"),
        ({"rows": "a;b"}, "a row is not a list"),
    ],
)
def test_rows_that_are_none(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        build(pa.array(["a"]), **options)  # type: ignore[arg-type]
