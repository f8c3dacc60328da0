"""Whether a first line is a header or a record, and files that have no header or no delimiters."""

import csv
import io
from pathlib import Path

import pyarrow as pa
import pytest

from formats.reading import SECRET, cells, refusal
from incrowd.engines.source import chosen_columns
from incrowd.errors import SourceError, UsageError
from incrowd.formats import ReadOptions, read, write
from incrowd.formats._header import is_header

HOSPITAL = Path(__file__).parents[2] / "examples" / "hospital.csv"


def lines(text: str) -> list[list[str]]:
    """The cells of a delimited text, without blank lines."""
    return [row for row in csv.reader(io.StringIO(text)) if row]


def judged(text: str) -> bool | None:
    """Whether the first line of a delimited text is a header, not a record; None where it may be either."""
    first, *records = lines(text)
    return is_header(first, records)


RECORDS = {
    "the example": "\n".join(HOSPITAL.read_text(encoding="utf-8").splitlines()[1:200]),
    "numbers": "34,1010\n35,1020\n",
    "one column of numbers": "34\n35\n36\n",
    "dates": "Ann,1980-01-02\nBob,1981-03-04\n",
    "dates of other spellings": "Ann,2.1.1980\nBob,14.3.1981\n",
    "unique names beside a number": "Ann,34\nBob,35\nCid,36\n",
    "unique names beside a category": "Ann,f\nBob,m\nCid,f\nDot,m\nEve,f\n",
    "categories alone": "f,Graz\nm,Wien\nf,Graz\nm,Wien\nf,Wien\n",
    "a constant column": "AT,f\nAT,m\nAT,f\nAT,m\n",
    "codes": "P00017,x\nP00018,y\nP00019,z\n",
    "addresses": "ann@example.org,x\nbob@example.org,y\n",
    "numbered records": "1,Ann\n2,Bob\n3,Cid\n4,Dot\n",
    "years of birth and of death": "Ann,1961,2019\nBob,1950,2001\nCid,1971,2020\n",
    "a missing cell": "Ann,,34\nBob,x,35\nCid,y,36\n",
    "an odd cell among numbers": "unknown,34,f\n70,35,m\n80,36,f\n90,37,f\n",
    "a rare category": "34,astronaut,f\n35,nurse,m\n36,nurse,f\n37,nurse,m\n38,nurse,f\n",
    "answers to a survey": "1,5,3,4\n2,5,1,1\n5,4,1,2\n",
    "a single record": "Ann,1980-01-02\n",
}
"""First lines that are records."""

HEADERS = {
    "the example": "\n".join(HOSPITAL.read_text(encoding="utf-8").splitlines()[:200]),
    "words above numbers": "age,income\n34,1010\n35,1020\n",
    "words above words": "name,town\nAnn,Graz\nBob,Wien\n",
    "years in a wide table": "country,2019,2020,2021\nAT,1900,2000,2100\nDE,2018,2019,2020\nFR,1,2,3\n",
    "two years": "country,2019,2020\nAT,19,20\nDE,17,33\n",
    "years with gaps, downwards": "country,2020,2010,1990\nAT,2500,1000,9\nDE,1,3000,5\n",
    "one year": "country,2019\nAT,5000\nDE,100\n",
    "age groups": "country,0-4,5-9\nAT,5,6\nDE,7,8\n",
    "numbers of columns": "0,1,2\n5,6,7\n0,1,2\n",
    "the number of a column": "0\n5\n0\n",
    "lower ends of age groups": "country,0,5,10,15\nAT,3,4,5,6\nDE,10,1,2,5\n",
    "days in a wide table": "country,2020-01-01,2020-01-02\nAT,5,6\nDE,7,8\n",
    "questions": "q1,q2,q3\n1,2,3\n4,5,1\n",
    "questions with codes": "q1,q2,q3\na1,a2,a3\na2,a1,a2\na1,a3,a1\n",
    "choices of a survey": "id,flu,asthma\n7,flu,\n8,,asthma\n9,flu,asthma\n10,,\n",
    "a word that occurs by chance": "name,comment\nAnn,comment\nBob,late\nCid,ill\n",
    "a category that occurs by chance": "age,type\n34,type\n35,other\n36,type\n37,other\n",
    "a header only": "name,2019,2020\n",
    "an unnamed column": ",age\n1,34\n2,35\n",
    "missing above numbers": "NA,age\n1,34\n2,35\n",
    "genes": "id,rs1234,rs1235\n1,AA,AG\n2,AG,GG\n3,AA,AG\n4,AG,GG\n",
    "wide counts": "ward,100,200\nA,beds,beds\nB,beds,free\nC,free,beds\n",
}
"""First lines that are headers."""


@pytest.mark.parametrize("text", RECORDS.values(), ids=RECORDS)
def test_records_are_recognized(text: str) -> None:
    assert judged(text) is False


@pytest.mark.parametrize("text", HEADERS.values(), ids=HEADERS)
def test_headers_are_not_suspected(text: str) -> None:
    assert judged(text) is not False


REAL = [
    "birth.dt,accept.dt,tx.date,fu.date,fustat,surgery,age,futime,wait.time,transplant,mismatch,hla.a2,mscore,reject",
    "rownames,state,sex,diag,death,status,T.categ,age",
    "subject_id,fake_first_name,fake_last_name,gender,pan_day,test_id,clinic_name,result,demo_group,age",
    "idno,health,gndr,brncntr,yrbrn,eduyrs,uempla,stfhlth,trstprl",
]
"""Headers of real tables about people, from the R packages survival, MASS, medicaldata and stevedata."""


@pytest.mark.parametrize("header", REAL)
@pytest.mark.parametrize("cell", ["1", "2019", "1980-01-02", "f", "M", "x1001"])
def test_real_headers_are_not_suspected_above_any_kind_of_cell(header: str, cell: str) -> None:
    names = header.split(",")
    assert is_header(names, [[cell] * len(names)] * 20)


@pytest.mark.parametrize("name", ["words above numbers", "the example", "missing above numbers", "questions"])
def test_ordinary_headers_are_beyond_doubt(name: str) -> None:
    assert judged(HEADERS[name])


DOUBTFUL = [[SECRET, "Gasse"], ["Bob", "Weg"], ["Cid", "Platz"], ["Dot", "Ring"]]
"""A first line that may be a header: nothing sets it apart from the records below."""


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx"])
def test_a_first_line_that_may_be_a_record_is_not_quoted(tmp_path: Path, suffix: str) -> None:
    path = suffixed(tmp_path, DOUBTFUL, suffix)
    wanted = f"{SECRET}x"
    for options in ({}, {"spreadsheet_safe": True}) if suffix != ".xlsx" else ({},):
        source = read(path, options=ReadOptions(**options))  # type: ignore[arg-type]
        assert source.columns == (SECRET, "Gasse")
        with pytest.raises(UsageError, match=r"no column .*the 2 names .* incrowd inspect.*--header") as caught:
            chosen_columns([wanted], source.columns, "quasi")
        assert SECRET not in str(caught.value).replace(wanted, "")
    # Whoever names one of them takes the line for a header.
    with pytest.raises(UsageError, match=f"the columns are '{SECRET}', 'Gasse'; did you mean 'Gasse'"):
        chosen_columns([SECRET, "Gase"], source.columns, "quasi")
    confirmed = read(path, options=ReadOptions(header=True))
    with pytest.raises(UsageError, match=f"the columns are '{SECRET}', 'Gasse'; did you mean '{SECRET}'"):
        chosen_columns([wanted], confirmed.columns, "quasi")


def test_fixed_widths_that_may_have_no_header(tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_text(f"{SECRET}Gasse\n{'Bob':{len(SECRET)}}Weg\n")
    source = read(path, options=ReadOptions(widths=(len(SECRET), 5)))
    with pytest.raises(UsageError, match="may be a record") as caught:
        chosen_columns(["age"], source.columns, "quasi")
    assert SECRET not in str(caught.value)


def test_sources_that_may_have_no_header_are_told_apart_without_their_names(tmp_path: Path) -> None:
    for name, text in (("first.csv", f"{SECRET},x\nBob,y\n"), ("second.csv", "Ann,x\nCid,z\n")):
        (tmp_path / name).write_text(text)
    with pytest.raises(SourceError, match=r"it has 1 of the 2 columns of .*, and 1 others") as caught:
        read(tmp_path / "first.csv", tmp_path / "second.csv")
    assert SECRET not in str(caught.value)
    assert "Ann" not in str(caught.value)


def suffixed(folder: Path, rows: list[list[str]], suffix: str) -> Path:
    """The rows as a file of a format with a header."""
    path = folder / f"table{suffix}"
    if suffix == ".xlsx":
        from openpyxl import Workbook

        book = Workbook()
        for row in rows:
            book.active.append([int(cell) if cell.isdecimal() else cell for cell in row])
        book.save(path)
    else:
        sign = "\t" if suffix == ".tsv" else ","
        path.write_text("".join(sign.join(row) + "\n" for row in rows))
    return path


ROWS = [[SECRET, "34", "f"], ["Bob", "35", "m"], ["Cid", "36", "f"], ["Dot", "37", "m"]]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx"])
def test_a_file_without_a_header(tmp_path: Path, suffix: str) -> None:
    path = suffixed(tmp_path, ROWS, suffix)
    with pytest.raises(SourceError, match=r"first line looks like a record.*--no-header.*--names") as caught:
        read(path)
    assert SECRET not in str(caught.value)
    ages = [34, 35, 36, 37] if suffix == ".xlsx" else ["34", "35", "36", "37"]
    assert cells(path, header=False)["column_2"] == ages
    assert cells(path, names=("name", "age", "sex"))["age"] == ages
    assert list(cells(path, header=True)) == [SECRET, "34", "f"]
    assert cells(path, header=True, names=("name", "age", "sex"))["age"] == ages[1:]
    with pytest.raises(UsageError, match=r"2 names for .*: it has 3 columns"):
        read(path, options=ReadOptions(names=("a", "b")))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_the_first_record(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text("\n34,f\n35,m\n", encoding=encoding)
    assert cells(path, header=False) == {"column_1": ["34", "35"], "column_2": ["f", "m"]}


def test_a_repeated_name_is_told_by_its_place(tmp_path: Path) -> None:
    """The header may be a record that was not recognized."""
    path = tmp_path / "table.csv"
    path.write_text(f"{SECRET},x,{SECRET}\n")
    with pytest.raises(SourceError, match="position 3") as caught:
        read(path)
    assert SECRET not in str(caught.value)


def test_fixed_widths(tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_text("Ann 34f\nBob  5m\n\nCid\n")
    assert cells(path, widths=(4, 2, 1), names=("name", "age", "sex")) == {
        "name": ["Ann", "Bob", "Cid"],
        "age": ["34", "5", None],
        "sex": ["f", "m", None],
    }
    with pytest.raises(SourceError, match="looks like a record"):
        read(path, options=ReadOptions(widths=(4, 2, 1)))
    with pytest.raises(SourceError, match="line 1 has 7 characters, the widths add up to 6") as caught:
        read(path, options=ReadOptions(widths=(4, 2), header=False))
    assert "Ann" not in str(caught.value)
    with pytest.raises(UsageError, match="give one of them"):
        read(path, options=ReadOptions(widths=(4, 2, 1), delimiter=","))
    path.write_text("nameage\nAnn  34\n")
    assert cells(path, widths=(4, 3)) == {"name": ["Ann"], "age": ["34"]}


def test_sources_without_a_common_column_are_told_without_their_names(tmp_path: Path) -> None:
    for name, text in (("first.csv", f"{SECRET},x\n"), ("second.csv", "name,sex\nAnn,f\n")):
        (tmp_path / name).write_text(text)
    with pytest.raises(SourceError, match="none of the 2 columns") as caught:
        read(tmp_path / "first.csv", tmp_path / "second.csv")
    assert SECRET not in str(caught.value)
    assert "sex" not in str(caught.value)


@pytest.mark.parametrize("name", ["\ud800.csv", "\0.csv"])
def test_names_that_no_file_can_have(name: str) -> None:
    assert "not a valid file name" in refusal(name)
    with pytest.raises(SourceError, match="not a valid file name"):
        write([], pa.schema([("a", pa.string())]), name)
