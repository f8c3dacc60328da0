"""Workbooks."""

import datetime
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from formats.reading import SECRET, cells, classes, refusal
from incrowd.formats import read
from incrowd.watch import Watch


def written(folder: Path, *sheets: tuple[str, list[list[Any]]]) -> Path:
    """An Excel workbook with these sheets."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    path = folder / "data.xlsx"
    book.save(path)
    return path


DAY = datetime.date(2020, 1, 2)


def test_types(tmp_path: Path) -> None:
    rows = [
        ["text", "whole", "number", "day", "flag"],
        ["007", 7, 0.5, DAY, True],
        [None, None, None, None, None],
        ["", 8, 1, datetime.date(2021, 1, 1), False],
        ["x", None, 2, None, None],
    ]
    assert cells(written(tmp_path, ("people", rows))) == {
        "text": ["007", None, "x"],
        "whole": [7, 8, None],
        "number": [0.5, 1.0, 2.0],
        "day": [DAY, datetime.date(2021, 1, 1), None],
        "flag": [True, False, None],
    }


def test_mixed_columns_are_text(tmp_path: Path) -> None:
    rows = [["a", "b", "c"], [7, DAY, True], ["7", "soon", 1], [7.5, datetime.datetime(2020, 1, 2, 10, 30), "no"]]
    assert cells(written(tmp_path, ("people", rows))) == {
        "a": ["7", "7", "7.5"],
        "b": ["2020-01-02", "soon", "2020-01-02 10:30:00"],
        "c": ["true", "1", "no"],
    }


def test_header_is_the_first_row_with_content(tmp_path: Path) -> None:
    rows = [[], [], [None, "a", None, 2020], [], [None, "x", None, 1], [None, None, None, None]]
    assert cells(written(tmp_path, ("people", rows))) == {"a": ["x"], "2020": [1]}


def test_sheets(tmp_path: Path) -> None:
    path = written(tmp_path, ("one", [["a"], ["x"]]), ("Zwölf", [["b"], ["y"]]))
    assert cells(path) == {"a": ["x"]}
    assert cells(path, table="Zwölf") == {"b": ["y"]}
    assert "no sheet 'two'; its sheets are 'one', 'Zwölf'" in refusal(path, table="two")


def test_missing_texts(tmp_path: Path) -> None:
    assert cells(written(tmp_path, ("one", [["a"], ["?"], ["x"]])), missing=("?",)) == {"a": [None, "x"]}


def test_count(tmp_path: Path) -> None:
    path = written(tmp_path, ("one", [["a", "b"], *[["x", 1], ["ö", None], ["x", 1]] * 1000]))
    assert classes(read(path)) == {("x", "1"): 2000, ("ö", None): 1000}


def test_no_records(tmp_path: Path) -> None:
    source = read(written(tmp_path, ("one", [["a", "b"]])))
    assert source.columns == ("a", "b")
    assert source.count(["a"], Watch()).records == source.table(["a"], Watch()).rows == 0


def test_open_document(tmp_path: Path) -> None:
    path = tmp_path / "data.ods"
    names = " ".join(f'xmlns:{p}="urn:oasis:names:tc:opendocument:xmlns:{p}:1.0"' for p in ("office", "table", "text"))
    texts = ["a", "ä"]
    header = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{t}</text:p></table:table-cell>' for t in texts
    )
    number = '<table:table-cell office:value-type="float" office:value="7"/>'
    word = '<table:table-cell office:value-type="string"><text:p>Köln</text:p></table:table-cell>'
    content = (
        f"<office:document-content {names}><office:body><office:spreadsheet><table:table table:name='t'>"
        f"<table:table-row>{header}</table:table-row><table:table-row>{number}{word}</table:table-row>"
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    assert cells(path) == {"a": [7], "ä": ["Köln"]}
    without_suffix = path.rename(tmp_path / "data")
    assert cells(without_suffix) == {"a": [7], "ä": ["Köln"]}
    # The library does not come back from a table whose end is another's.
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content.replace("</table:table></office:sp", "</table:ble:table-cell op"))
    assert "damaged or encrypted" in refusal(path)


@pytest.mark.parametrize(
    ("header", "names"),
    [(["a", "a"], ("a", "a (2)")), (["a", None], ("a", "column_2")), ([None, "a"], ("column_1", "a"))],
)
def test_a_header_without_a_name_for_each_column_is_completed(
    tmp_path: Path, header: list[str | None], names: tuple[str, ...]
) -> None:
    assert read(written(tmp_path, ("one", [header, [1, 2], [3, 4]]))).columns == names


def test_empty_sheet(tmp_path: Path) -> None:
    assert "the sheet is empty" in refusal(written(tmp_path, ("one", []), ("two", [["a"]])))


@pytest.mark.parametrize("suffix", [".xlsx", ".xls", ".ods"])
def test_not_a_workbook(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"data{suffix}"
    path.write_text(f"a,b\n{SECRET},2\n")
    assert "not a workbook" in refusal(path)


def test_damaged(tmp_path: Path) -> None:
    path = written(tmp_path, ("one", [["a"], *[[SECRET]] * 1000]))
    path.write_bytes(path.read_bytes()[:-100])
    assert "not a workbook" in refusal(path)


def test_library_is_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, ("one", [["a"], [SECRET]]))
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    assert "pip install 'incrowd[excel]'" in refusal(path)


def rewritten(path: Path, part: str, change: Callable[[bytes], bytes | None]) -> Path:
    """A workbook one part of which is changed, or gone."""
    with zipfile.ZipFile(path) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            new = change(content) if name == part else content
            if new is not None:
                archive.writestr(name, new)
    return path


SHEET = "xl/worksheets/sheet1.xml"
_FAR = b'<row r="1048576"><c r="%s"><v>1</v></c></row></sheetData>'


@pytest.mark.parametrize(
    ("part", "change", "words"),
    [
        (SHEET, lambda _: None, "damaged"),
        (SHEET, lambda content: content[: len(content) // 2], "damaged"),
        ("xl/workbook.xml", lambda _: None, "damaged"),
        (SHEET, lambda content: content.replace(b"</sheetData>", _FAR % b"XFD1048576"), "spans more than"),
        (
            SHEET,
            lambda content: content.replace(
                b"<sheetData>", b'<sheetData><row r="1"><c r="XFD1"><v>1</v></c></row>'
            ).replace(b"</sheetData>", _FAR % b"A1048576"),
            "spans more than",
        ),
    ],
)
def test_damaged_workbooks(tmp_path: Path, part: str, change: Callable[[bytes], bytes | None], words: str) -> None:
    path = rewritten(written(tmp_path, ("one", [["a", "b"], [1, SECRET]])), part, change)
    assert words in refusal(path)
