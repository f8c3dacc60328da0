"""What is written can be read again, and is either whole or not there."""

import csv
import gzip
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import effort
from formats.reading import SECRET, cells
from formats.writing import KINDS, files, refused, written
from incrowd.errors import UsageError
from incrowd.files import whole
from incrowd.formats import WriteOptions, Written, write
from incrowd.watch import Stopped, Watch

ALL = ("t.csv", "t.tsv", "t.csv.gz", "t.txt", "t.parquet", "t.jsonl", "t.json", "t.xml", "t.xlsx")
TEXT = pa.table({"town": ["Graz", None, "Wien"], "note": [SECRET, "b", None]})


def text_of(table: pa.Table, **changed: list[object]) -> dict[str, list[object]]:
    """What a text file holds of a table; an empty text is missing there."""
    columns = {name: [None if cell == "" else cell for cell in table[name].to_pylist()] for name in table.column_names}
    as_text = {name: [None if cell is None else str(cell) for cell in column] for name, column in columns.items()}
    return as_text | changed


# The same cells again.

WHOLE: list[object] = ["1", "-1", "9007199254740993", None, "9223372036854775807", "0"]
FLOAT: list[object] = ["0.30000000000000004", None, None, "-0.5", "1e+300", "5e-324"]
NARROW: list[object] = ["0.5", None, "0.1", "1", "-2", "3.25"]
TRUTH: list[object] = ["true", "false", None, "true", "true", "false"]
DAY: list[object] = ["2020-02-29", None, "0001-01-01", "9999-12-31", "1900-01-01", "1970-01-01"]
MOMENT: list[object] = [
    *("2020-02-29 01:02:03.000000", None, "0001-01-01 00:00:00.000000", "2020-01-01 00:00:00.000001"),
    *("1969-12-31 23:59:59.999999", "2020-01-01 00:00:00.000000"),
]
PRICE: list[object] = ["1.50", None, "-0.01", "0.00", "1000000.00", "9.99"]


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.csv.gz", "t.TXT", "t.xml"])
def test_text(tmp_path: Path, name: str) -> None:
    assert written(KINDS, tmp_path / name).records == 6
    assert cells(tmp_path / name) == {
        "text": ["a,b", 'q"t', None, None, " two\nlines ", "日本"],
        "whole": WHOLE,
        "float": FLOAT,
        "narrow": NARROW,
        "truth": TRUTH,
        "day": DAY,
        "moment": MOMENT,
        "price": PRICE,
    }


@pytest.mark.parametrize("name", ["t.jsonl", "t.ndjson", "t.json"])
def test_json(tmp_path: Path, name: str) -> None:
    written(KINDS, tmp_path / name)
    same = KINDS.select(["text", "whole", "truth"]).to_pydict()
    floats: dict[str, list[object]] = {
        "float": [0.1 + 0.2, None, None, -0.5, 1e300, 5e-324],
        "narrow": [0.5, None, 0.1, 1.0, -2.0, 3.25],
        "price": [1.5, None, -0.01, 0.0, 1e6, 9.99],
    }
    assert cells(tmp_path / name) == {**same, **floats, "day": DAY, "moment": MOMENT}
    content = (tmp_path / name).read_text("utf-8")
    rows = json.loads(content) if name == "t.json" else list(map(json.loads, content.splitlines()))
    assert [row["text"] for row in rows] == KINDS["text"].to_pylist()
    assert [list(row) for row in rows] == [KINDS.column_names] * 6


def test_parquet(tmp_path: Path) -> None:
    from pyarrow.parquet import read_table

    written(KINDS, tmp_path / "t.parquet")
    found = read_table(tmp_path / "t.parquet")
    assert found.schema == KINDS.schema
    assert str(found.to_pydict()) == str(KINDS.to_pydict())


def test_excel(tmp_path: Path) -> None:
    from python_calamine import CalamineWorkbook

    written(KINDS, tmp_path / "t.xlsx", table="People 1")
    workbook = CalamineWorkbook.from_path(tmp_path / "t.xlsx")
    assert workbook.sheet_names == ["People 1"]
    header, *rows = workbook.get_sheet_by_index(0).to_python()
    assert header == KINDS.column_names
    columns = zip(header, zip(*rows, strict=True), strict=True)
    found = {name: [None if cell == "" else cell for cell in column] for name, column in columns}
    assert found["text"] == ["a,b", 'q"t', None, None, " two\nlines ", "日本"]
    assert found["whole"] == [1, -1, "9007199254740993", None, "9223372036854775807", 0]
    assert found["float"] == [0.1 + 0.2, None, None, -0.5, 1e300, 5e-324]
    assert found["truth"] == KINDS["truth"].to_pylist()
    assert found["day"] == [date(2020, 2, 29), None, "0001-01-01", date(9999, 12, 31), "1900-01-01", date(1970, 1, 1)]
    assert [str(moment) for moment in found["moment"]] == [
        *("2020-02-29 01:02:03", "None", "0001-01-01 00:00:00.000000", "2020-01-01 00:00:00.000001"),
        *("1969-12-31 23:59:59.999999", "2020-01-01"),
    ]
    assert found["price"] == [1.5, None, -0.01, 0, 1e6, 9.99]


def test_a_text_of_a_workbook_is_no_formula_no_error_and_no_number(tmp_path: Path) -> None:
    texts = ["=1+1", "#N/A", "#note", "007", "1e5", "@x", "+1", "-1", "'q", "TRUE", "2020-01-01", "="]
    written(pa.table({"=header": texts, "n": range(12)}), tmp_path / "t.xlsx")
    assert cells(tmp_path / "t.xlsx") == {"=header": texts, "n": list(range(12))}


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6)
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6).filter(
    lambda name: name.strip()
)


@st.composite
def tables(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> pa.Table:
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    rows = draw(st.integers(1, 6))
    column = st.lists(st.none() | texts, min_size=rows, max_size=rows)
    return pa.table({name: pa.array(draw(column), pa.string()) for name in names})


@pytest.mark.parametrize(
    ("suffix", "options"),
    [("csv", {}), ("tsv", {}), ("csv.gz", {}), ("csv", {"delimiter": "|"}), ("csv", {"encoding": "utf-16"})],
)
def test_any_texts_in_delimited_files(tmp_path: Path, suffix: str, options: dict[str, Any]) -> None:
    @settings(max_examples=effort(20, 60))
    @given(tables(TEXTS | st.sampled_from([",", ";", "\t", "|", '"', "\x1f", "\r", "\n", "\r\n", '""', ",,", "\\."])))
    def check(table: pa.Table) -> None:
        written(table, tmp_path / f"t.{suffix}", replace=True, **options)
        # Named, because a delimiter cannot be found among names that hold others.
        delimiter = options.get("delimiter", "\t" if suffix == "tsv" else ",")
        assert cells(tmp_path / f"t.{suffix}", delimiter=delimiter) == text_of(table)

    check()


@pytest.mark.parametrize("suffix", ["jsonl", "json", "parquet"])
def test_any_texts_in_formats_that_know_empty_ones(tmp_path: Path, suffix: str) -> None:
    @settings(max_examples=effort(20, 60))
    @given(tables(st.text(max_size=6)))
    def check(table: pa.Table) -> None:
        written(table, tmp_path / f"t.{suffix}", replace=True)
        assert cells(tmp_path / f"t.{suffix}") == table.to_pydict()

    check()


IN_XML = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t\n\r",
                               exclude_characters="\ufffe\uffff"), max_size=6)  # fmt: skip


def test_any_texts_and_names_in_xml(tmp_path: Path) -> None:
    @settings(max_examples=effort(20, 100))
    @given(tables(IN_XML))
    def check(table: pa.Table) -> None:
        written(table, tmp_path / "t.xml", replace=True)
        # Space alone is what stands between elements.
        wanted = {
            name: [cell if cell and not cell.isspace() else None for cell in column]
            for name, column in table.to_pydict().items()
        }
        assert cells(tmp_path / "t.xml") == wanted

    check()


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("age", "age"),
        ("zip code", "zip_x0020_code"),
        ("1st", "_x0031_st"),
        ("-", "_x002D_"),
        ("a:b", "a_x003A_b"),
        ("_x0041_", "_x005F_x0041_"),
        ("größe", "größe"),
        ("\U000f0000", "_x0F0000_"),
        ("日本", "日本"),
    ],
)
def test_names_of_elements(tmp_path: Path, name: str, tag: str) -> None:
    written(pa.table({name: ["x"]}), tmp_path / "t.xml")
    assert f"<{tag}>x</{tag}>" in (tmp_path / "t.xml").read_text("utf-8")
    assert cells(tmp_path / "t.xml") == {name: ["x"]}


def test_numbers_of_no_character_stay_in_a_name(tmp_path: Path) -> None:
    (tmp_path / "t.xml").write_text("<r><a><_xD800_>1</_xD800_><_xFFFFFF_>2</_xFFFFFF_></a></r>")
    assert cells(tmp_path / "t.xml") == {"_xD800_": ["1"], "_xFFFFFF_": ["2"]}


def test_any_texts_in_a_workbook(tmp_path: Path) -> None:
    texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t\n",
                                  exclude_characters="\ufffe\uffff"), max_size=6)  # fmt: skip

    @settings(max_examples=effort(20, 40))
    @given(tables(texts))
    def check(table: pa.Table) -> None:
        table = pa.table({"n": list(range(table.num_rows)), **{f"c{at}": c for at, c in enumerate(table.columns)}})
        written(table, tmp_path / "t.xlsx", replace=True)
        found = cells(tmp_path / "t.xlsx")
        wanted = {name: [None if cell == "" else cell for cell in c] for name, c in table.to_pydict().items()}
        assert found == wanted

    check()


# CSV as others read it.


def test_delimited_text_as_others_see_it(tmp_path: Path) -> None:
    table = pa.table({"a;b": ["x", None, "", 'say "hi"'], "n": [1, None, 3, 4]})
    written(table, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b'"a;b",n\nx,1\n,\n"",3\n"say ""hi""",4\n'
    written(table, tmp_path / "t.tsv.gz")
    assert gzip.decompress((tmp_path / "t.tsv.gz").read_bytes()).startswith(b'"a;b"\tn\nx\t1\n')
    written(table, tmp_path / "u.csv", delimiter=";", encoding="cp1252")
    with (tmp_path / "u.csv").open(newline="", encoding="cp1252") as file:
        assert list(csv.reader(file, delimiter=";"))[1:] == [["x", "1"], ["", ""], ["", "3"], ['say "hi"', "4"]]


def test_a_missing_cell_alone_on_its_line(tmp_path: Path) -> None:
    written(pa.table({"a": ["x", None, "y", None]}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == 'a\nx\n""\ny\n""\n'
    assert cells(tmp_path / "t.csv") == {"a": ["x", None, "y", None]}
    written(pa.table({"a": [float("nan"), 1.5]}), tmp_path / "u.csv")
    assert cells(tmp_path / "u.csv") == {"a": [None, "1.5"]}


# Nothing to publish.


@pytest.mark.parametrize("name", ["t.csv", "t.tsv.gz", "t.parquet", "t.xlsx"])
def test_no_records(tmp_path: Path, name: str) -> None:
    assert written(KINDS.slice(0, 0), tmp_path / name).records == 0
    assert cells(tmp_path / name) == {column: [] for column in KINDS.column_names}


def test_no_records_in_formats_that_name_columns_in_records_alone(tmp_path: Path) -> None:
    for name, content in (("t.jsonl", ""), ("t.json", "[\n]\n")):
        written(KINDS.slice(0, 0), tmp_path / name)
        assert (tmp_path / name).read_text() == content
    written(KINDS.slice(0, 0), tmp_path / "t.xml")
    assert (tmp_path / "t.xml").read_text().endswith('XMLSchema-instance">\n</records>\n')


# Whole or not there.


@pytest.fixture(params=["unnamed", "named"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With files that have no name yet, and where there are none."""
    if request.param == "named":
        monkeypatch.setattr(whole, "_unnamed", lambda *_: None)
    return str(request.param)


@pytest.mark.parametrize("name", ALL)
def test_one_file_with_the_usual_rights(tmp_path: Path, name: str, way: str) -> None:
    (tmp_path / "other").write_text("")
    made = written(TEXT, tmp_path / name)
    assert replace(made, sha256=None) == Written(
        str(tmp_path / name), written(TEXT, tmp_path / name, replace=True).kind, 3
    )
    assert made.sha256 in (None, sha256((tmp_path / name).read_bytes()).hexdigest())
    # A workbook is an archive, whose beginning is written once its end is known.
    assert (made.sha256 is None) == name.endswith(".xlsx")
    assert files(tmp_path) == {name, "other"}
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == stat.S_IMODE((tmp_path / "other").stat().st_mode)


def failing(fault: BaseException) -> Iterator[pa.RecordBatch]:
    yield from TEXT.to_batches()
    raise fault


@pytest.mark.parametrize("fault", [Stopped("time"), RuntimeError(), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("name", ALL)
def test_a_failure_leaves_what_was_there(tmp_path: Path, name: str, way: str, fault: BaseException) -> None:
    for before in (set(), {name}):
        with pytest.raises(type(fault)):
            write(failing(fault), TEXT.schema, tmp_path / name, WriteOptions(replace=True))
        assert files(tmp_path) == before
        if before:
            assert (tmp_path / name).read_text() == "old"
        (tmp_path / name).write_text("old")


def test_a_stopped_run(tmp_path: Path) -> None:
    watch = Watch()
    watch.cancel()
    with pytest.raises(Stopped):
        write(TEXT.to_batches(), TEXT.schema, tmp_path / "t.csv", WriteOptions(), watch)
    assert files(tmp_path) == set()


@pytest.mark.parametrize("name", ALL)
def test_equal_records_give_equal_bytes(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    written(KINDS, tmp_path / name)
    once = (tmp_path / name).read_bytes()
    later = time.time() + 1e6
    monkeypatch.setattr(time, "time", lambda: later)
    (tmp_path / "folder").mkdir()
    written(KINDS, tmp_path / "folder" / f"u{name}", batch=5)
    if name not in ("t.csv.gz",):
        assert (tmp_path / "folder" / f"u{name}").read_bytes() == once
    else:
        assert gzip.decompress((tmp_path / "folder" / f"u{name}").read_bytes()) == gzip.decompress(once)
        written(KINDS, tmp_path / "folder" / f"v{name}")
        assert (tmp_path / "folder" / f"v{name}").read_bytes() == once


def test_existing_files_stay(tmp_path: Path, way: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("old")
    assert refused(TEXT, path) == (
        f"writing to {path}: it already exists; choose another name, or set replace to overwrite it"
    )
    assert path.read_text() == "old"

    def meanwhile() -> Iterator[pa.RecordBatch]:
        (tmp_path / "u.csv").write_text("theirs")
        yield from TEXT.to_batches()

    assert "it already exists" in refused(TEXT, tmp_path / "u.csv", meanwhile())
    assert (tmp_path / "u.csv").read_text() == "theirs"
    assert files(tmp_path) == {"t.csv", "u.csv"}


def test_a_link_leads_to_the_file_that_is_replaced(tmp_path: Path, way: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "folder" / "real.csv")
    written(TEXT, tmp_path / "link.csv", replace=True)
    assert (tmp_path / "link.csv").is_symlink()
    assert cells(tmp_path / "folder" / "real.csv") == TEXT.to_pydict()


def test_places_that_cannot_be_written(tmp_path: Path, way: str) -> None:
    assert refused(TEXT, tmp_path / "no" / "t.csv") == (
        f"{tmp_path / 'no' / 't.csv'}: cannot be written (No such file or directory); "
        "check the folder, your permissions and the disk"
    )
    (tmp_path / "d.csv").mkdir()
    assert refused(TEXT, tmp_path / "d.csv", replace=True).endswith("it is not a file; name a file")
    os.mkfifo(tmp_path / "f.csv")
    assert refused(TEXT, tmp_path / "f.csv", replace=True).endswith("it is not a file; name a file")


# What is refused.


def test_formats_that_are_not_written(tmp_path: Path) -> None:
    for name in ("t", "t.doc", "t.xls", "t.ods", "csv"):
        message = refused(TEXT, tmp_path / name)
        assert "not a supported output format; supported: .csv, " in message
        assert ".xlsx" in message
    message = refused(TEXT, "ftp://host/t.csv")
    assert message.startswith("writing to ftp://: not a supported output format; supported: ")
    assert "sqlite://" in message
    assert files(tmp_path) == set()


@pytest.mark.parametrize(
    ("name", "options", "takes"),
    [
        ("t.csv", {"table": "x"}, "a text file takes 'delimiter', 'encoding', 'spreadsheet_safe', 'replace'"),
        ("t.parquet", {"delimiter": ";"}, "a Parquet file takes 'replace'"),
        ("t.jsonl", {"encoding": "utf-8"}, "a JSON file takes 'replace'"),
        ("t.xml", {"table": "x"}, "an XML file takes 'replace'"),
        ("t.xlsx", {"delimiter": ";"}, "a workbook takes 'table', 'replace'"),
        ("sqlite:///t.db", {"table": "x", "encoding": "utf-8"}, "a database takes 'table', 'replace'"),
        ("duckdb:///t.db", {"delimiter": ";"}, "a DuckDB file takes 'table', 'replace'"),
    ],
)
def test_options_that_do_not_apply(tmp_path: Path, name: str, options: dict[str, str], takes: str) -> None:
    location = name if "://" in name else tmp_path / name
    assert takes in refused(TEXT, location, **options)
    assert files(tmp_path) == set()


def test_cells_that_a_format_lacks(tmp_path: Path) -> None:
    def message(name: str, cells: pa.Array, **options: Any) -> str:
        found = refused(pa.table({"first": [SECRET] * len(cells), "c": cells}), tmp_path / name, **options)
        assert files(tmp_path) == set()
        return found

    assert "a cell contains a NUL character" in message("t.csv", pa.array(["a\0b"]))
    assert "characters that ascii cannot encode; use utf-8" in message("t.csv", pa.array(["é"]), encoding="ascii")
    assert "not a known text encoding" in message("t.csv", pa.array(["é"]), encoding="utf-9")
    assert "one ASCII character" in message("t.csv", pa.array(["é"]), delimiter="::")
    assert "column 'c': it contains bytes, which are not text" in message("t.csv", pa.array([b"\xff"]))
    assert "column 'c': it contains lists or records, which are not text" in message("t.jsonl", pa.array([[1]]))
    assert "column 'c' contains infinity, which JSON cannot hold" in message("t.json", pa.array([1.0, float("-inf")]))
    assert "column 'c' contains control characters, which XML cannot hold" in message("t.xml", pa.array(["a\x01"]))
    assert "column 'c' contains control characters, which XML cannot hold" in message("t.xml", pa.array(["a\uffff"]))
    assert "a text has control characters or more than 32,767" in message("t.xlsx", pa.array(["a\r"]))
    assert "a text has control characters or more than 32,767" in message("t.xlsx", pa.array(["a" * 32768]))
    assert "a sheet name must have 1 to 31 characters" in message("t.xlsx", pa.array(["a"]), table="a/b")
    assert "a sheet name must have 1 to 31 characters" in message("t.xlsx", pa.array(["a"]), table="a" * 32)


def test_more_records_than_a_sheet_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.formats import excel

    assert excel._MOST_RECORDS == 1_048_575
    monkeypatch.setattr(excel, "_MOST_RECORDS", 5)
    assert written(KINDS.slice(0, 5), tmp_path / "t.xlsx").records == 5
    assert refused(KINDS, tmp_path / "u.xlsx").endswith("a sheet holds at most 5 records; write CSV or Parquet")
    wide = pa.table({str(at): [1] for at in range(16385)})
    assert "a sheet has at most 16,384 columns" in refused(wide, tmp_path / "u.xlsx")
    assert files(tmp_path) == {"t.xlsx"}


def test_a_workbook_without_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    assert refused(TEXT, tmp_path / "t.xlsx").endswith(
        "writing it needs openpyxl, which is not installed; run: pip install 'incrowd[excel]'"
    )


def test_a_type_that_parquet_lacks(tmp_path: Path) -> None:
    table = pa.table({"a": pa.array([(1, 2, 3)], pa.month_day_nano_interval())})
    assert "Parquet has no type for a column" in refused(table, tmp_path / "t.parquet")


def test_options_are_frozen() -> None:
    with pytest.raises(AttributeError):
        WriteOptions().replace = True  # type: ignore[misc]
    with pytest.raises(UsageError):
        WriteOptions(table="x").only("t", "a thing", ())
