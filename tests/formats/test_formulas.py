"""Cells that a spreadsheet would run: flagged in a release, harmless when asked for, and verified all the same."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import incrowd
from incrowd.errors import UsageError
from incrowd.formats.formulas import escape_cell, is_formula, restore_cell
from incrowd.verification import _spreadsheet_escape

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "\rx", '=HYPERLINK("http://x")']
ALIKE = st.text(alphabet="'=+-@\t\r1.,eE%ab", max_size=8)


@pytest.mark.parametrize("cell", FORMULAS)
def test_formulas_are_found(cell: str) -> None:
    assert is_formula(cell)
    assert not escape_cell(cell).startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize("cell", ["-5", "+3.2", "-1e-5", "-12%", "1-2", "", "a=b", "[-5, 5)", "'quoted'", "-1,000.5"])
def test_numbers_and_texts_are_none(cell: str) -> None:
    assert escape_cell(cell) == cell


@given(ALIKE | st.text(max_size=8))
def test_what_is_made_harmless_can_be_told_again(cell: str) -> None:
    assert restore_cell(escape_cell(cell)) == cell == _spreadsheet_escape._restored(escape_cell(cell))
    assert _spreadsheet_escape.written(cell) == escape_cell(cell)


@given(ALIKE, ALIKE)
def test_no_two_cells_become_equal(one: str, other: str) -> None:
    assert (escape_cell(one) == escape_cell(other)) == (one == other)


def table(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["=job", "age", "note", "disease"])
        for at in range(40):
            writer.writerow([["=x", "'=x"][at % 2], 20 + at % 2, ["=cmd()", "-5"][at % 2], ["@a", "b", "c"][at % 3]])
    return path


def job(tmp_path: Path, **output: object) -> dict[str, object]:
    columns = {
        "=job": {"role": "quasi"},
        "age": {"role": "quasi"},
        "note": {"role": "keep"},
        "disease": {"role": "sensitive"},
    }
    return {
        "data": str(table(tmp_path)),
        "columns": columns,
        "models": [{"k_anonymity": {"k": 5}}, {"distinct_l": {"l": 2, "column": "disease"}}],
        "output": {"to": str(tmp_path / "release.csv"), **output},
    }


def test_formulas_in_a_release_are_flagged(tmp_path: Path) -> None:
    made = incrowd.anonymize(job=job(tmp_path))
    assert [warning for warning in made.verdict.warnings if "formulas" in warning and "'note'" in warning]
    assert "=cmd()" in (tmp_path / "release.csv").read_text()


@pytest.mark.parametrize("search", ["optimal", "mondrian", "anatomy"])
def test_a_harmless_release_holds(tmp_path: Path, search: str) -> None:
    asked = {**job(tmp_path, spreadsheet_safe=True), "search": search}
    if search == "anatomy":
        asked["models"] = [{"frequency_l": {"l": 2, "column": "disease"}}]
    made = incrowd.anonymize(job=asked)
    assert not [warning for warning in made.verdict.warnings if "formulas" in warning]
    for path in tmp_path.glob("release*.csv"):
        with path.open(newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r"))]
        assert "-5" in cells or "sensitive" in path.name
    manifest, record = tmp_path / "release.csv.manifest.json", tmp_path / "release.csv.record.json"
    assert json.loads(manifest.read_text())["data"]["spreadsheet_safe"] is True
    assert incrowd.verify(tmp_path / "release.csv").word == "verified"
    assert incrowd.verify(tmp_path / "release.csv", record=record).word == "verified"
    if search != "anatomy":
        found = incrowd.measure(tmp_path / "people.csv", tmp_path / "release.csv", metrics=["loss"])
        assert found.to_dict()["releases"][0]["records"] == made.manifest.data.records
    assert "=x" in str(incrowd.report(tmp_path / "release.csv").to_dict()) or search == "anatomy"


def test_next_months_release_may_be_harmless_too(tmp_path: Path) -> None:
    incrowd.anonymize(job=job(tmp_path))
    made = incrowd.apply(
        tmp_path / "release.csv.record.json", tmp_path / "people.csv", str(tmp_path / "next.csv"), spreadsheet_safe=True
    )
    assert made.verdict.word == "verified"
    assert "'=cmd()" in (tmp_path / "next.csv").read_text()


def test_only_text_files_need_it(tmp_path: Path) -> None:
    asked = job(tmp_path, spreadsheet_safe=True)
    with pytest.raises(UsageError, match="spreadsheet_safe"):
        incrowd.anonymize(job={**asked, "output": {"to": str(tmp_path / "x.parquet"), "spreadsheet_safe": True}})


def test_xml_escapes_what_data_hold(tmp_path: Path) -> None:
    from defusedxml.ElementTree import parse

    path = tmp_path / "people.csv"
    path.write_text("a,b\n" + "<script>alert(1)</script> & ]]>,x\n" * 5)
    asked = {
        "data": str(path),
        "columns": {"a": {"role": "quasi"}, "b": {"role": "keep"}},
        "models": [{"k_anonymity": {"k": 5}}],
        "output": str(tmp_path / "release.xml"),
    }
    assert incrowd.anonymize(job=asked).verdict.word == "verified"
    assert "<script>" not in (tmp_path / "release.xml").read_text()
    assert {row.find("a").text for row in parse(tmp_path / "release.xml").getroot()} == {
        "<script>alert(1)</script> & ]]>"
    }
