"""Delimited text, in all the shapes that spreadsheets and databases write it."""

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.reading import SECRET, cells, classes, refusal
from incrowd.formats import ReadOptions, read
from incrowd.formats._text import _BLOCK
from incrowd.watch import Watch


def written(folder: Path, content: str | bytes, name: str = "data.csv") -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# Cells are the texts they are.


def test_no_type_is_guessed(tmp_path: Path) -> None:
    path = written(tmp_path, "code,day,flag\n007,2020-01-01,true\n7,01.01.2020,1\n7.0,, TRUE \n")
    assert cells(path) == {
        "code": ["007", "7", "7.0"],
        "day": ["2020-01-01", "01.01.2020", None],
        "flag": ["true", "1", " TRUE "],
    }


def test_empty_and_quoted_empty_cells_are_missing(tmp_path: Path) -> None:
    assert cells(written(tmp_path, 'a,b\n,""\n" ",x\n')) == {"a": [None, " "], "b": [None, "x"]}


def test_named_texts_are_missing(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\n?,NA\nx,?\n")
    assert cells(path, missing=("?", "NA")) == {"a": [None, "x"], "b": [None, None]}


def test_columns_come_in_the_order_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,c\n1,2,3\n")
    assert list(cells(path, columns=["c", "a"]).items()) == [("c", ["3"]), ("a", ["1"])]


def test_a_source_can_be_read_again(tmp_path: Path) -> None:
    source = read(written(tmp_path, "a\nx\ny\n"))
    assert source.count(["a"], Watch()).records == source.count(["a"], Watch()).records == 2


# Line ends, quotes, header.


@pytest.mark.parametrize(
    "content",
    ["a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4\r", "a,b\n1,2\n3,4", "\n\na,b\n1,2\n\n3,4\n\n\n",
     '"a","b"\n"1","2"\n"3","4"\n'],
    ids=["lf", "crlf", "cr", "no last end", "blank lines", "quoted"],
)  # fmt: skip
def test_line_ends(tmp_path: Path, content: str) -> None:
    assert cells(written(tmp_path, content)) == {"a": ["1", "3"], "b": ["2", "4"]}


def test_quoted_newlines_delimiters_and_quotes(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,"two\nlines"\n"1\n2","x,""y"""\n3,4" pipe\n')
    assert cells(path) == {"a": ["1\n2", "3"], "two\nlines": ['x,"y"', '4" pipe']}


def test_quoted_newlines_in_a_file_of_many_blocks(tmp_path: Path) -> None:
    # Nearly every line ends within a cell, so a block does too.
    cell = "1\n" * 50
    path = written(tmp_path, "a,b\n" + f'"{cell}",x\n' * 100_000)
    assert classes(read(path)) == {(cell, "x"): 100_000}


@pytest.mark.parametrize("content", ["a,b", "a,b\n", "a,b\r\n\r\n\r\n"])
def test_no_records(tmp_path: Path, content: str) -> None:
    source = read(written(tmp_path, content))
    assert source.columns == ("a", "b")
    assert source.table(["a"], Watch()).rows == source.count(["a", "b"], Watch()).records == 0


def test_header_names_may_be_anything(tmp_path: Path) -> None:
    assert read(written(tmp_path, "Größe,名前, with space ,1\n")).columns == ("Größe", "名前", " with space ", "1")


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (",a,b", ("column_1", "a", "b")),
        ("a,b,a", ("a", "b", "a (2)")),
        ("a,a (2),a", ("a", "a (2)", "a (3)")),
        ("a,,b", ("a", "column_2", "b")),
        (",,column_1", ("column_1 (2)", "column_2", "column_1")),
        ('"",a, ', ("column_1", "a", "column_3")),
    ],
)
def test_a_header_without_a_name_for_each_column_is_completed(
    tmp_path: Path, header: str, names: tuple[str, ...]
) -> None:
    path = written(tmp_path, f"{header}\n1,2,3\n4,5,6\n")
    assert read(path).columns == names
    assert cells(path) == dict(zip(names, (["1", "4"], ["2", "5"], ["3", "6"]), strict=True))


@pytest.mark.parametrize(("line", "words"), [("yes,no,yes", "position 3 is a duplicate"), ("yes,,no", "position 2")])
def test_a_first_line_that_may_be_a_record_is_not_completed(tmp_path: Path, line: str, words: str) -> None:
    assert words in refusal(written(tmp_path, f"{line}\nperhaps,never,{SECRET}\n"))


# Delimiters.


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    rows = [["a", "b"], ["1,5", "x;y"], ["2|3", "x\ty"]]
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    assert cells(written(tmp_path, text.getvalue())) == {"a": ["1,5", "2|3"], "b": ["x;y", "x\ty"]}


def test_no_delimiter_is_one_column(tmp_path: Path) -> None:
    assert cells(written(tmp_path, "name\nDoe, John\nRoe, Jane\n")) == {"name": ["Doe, John", "Roe, Jane"]}
    assert cells(written(tmp_path, "income, gross\n1\n2\n")) == {"income, gross": ["1", "2"]}


def test_delimiter_that_few_records_have_is_none(tmp_path: Path) -> None:
    assert read(written(tmp_path, "a;b,c\n1;2\n3;4\n5;6,7\n")).columns == ("a", "b,c")


def test_delimiter_with_most_cells_is_it(tmp_path: Path) -> None:
    assert read(written(tmp_path, "a,b,c;d\n1,2,3;4\n")).columns == ("a", "b", "c;d")
    assert read(written(tmp_path, "a,b;c;d\n1,2;3;4\n")).columns == ("a,b", "c", "d")


def test_given_delimiter(tmp_path: Path) -> None:
    assert cells(written(tmp_path, "a:b,c\n1:2\n"), delimiter=":") == {"a": ["1"], "b,c": ["2"]}


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n", "§"])
def test_impossible_delimiter(tmp_path: Path, delimiter: str) -> None:
    assert "one ASCII character" in refusal(written(tmp_path, "a\n1\n"), delimiter=delimiter)


# Encodings.


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "utf-16-be-bom", "cp1252"])
def test_encoding_is_found(tmp_path: Path, encoding: str) -> None:
    text = 'Größe;Stadt\n"5 €";Köln\n;\n'
    marked = encoding.endswith("-bom")
    content = ("\ufeff" + text if marked else text).encode(encoding.removesuffix("-bom"))
    assert cells(written(tmp_path, content)) == {"Größe": ["5 €", None], "Stadt": ["Köln", None]}


def test_first_byte_that_is_not_utf_8_may_come_late(tmp_path: Path) -> None:
    rows = b"K\xc3\xb6ln\n" * (_BLOCK // 4)
    found = cells(written(tmp_path, b"city\n" + rows + b"K\xf6ln\n"))["city"]
    # Never two encodings in one file: the early cells are read as the late one demands.
    assert set(found) == {"KÃ¶ln", "Köln"}
    assert found[-1] == "Köln"


def test_a_last_character_that_is_cut_off_is_not_utf_8(tmp_path: Path) -> None:
    assert cells(written(tmp_path, b"a\nK\xc3")) == {"a": ["KÃ"]}


def test_characters_on_the_edge_of_a_block(tmp_path: Path) -> None:
    for shift in range(4):
        content = "a\n" + "x" * (_BLOCK - 5 + shift) + "名ö\n"
        assert cells(written(tmp_path, content))["a"][0].endswith("x名ö")


def test_given_encoding(tmp_path: Path) -> None:
    path = written(tmp_path, "Ä\nŁ\n".encode("iso-8859-2"))
    assert cells(path, encoding="iso-8859-2") == {"Ä": ["Ł"]}
    assert cells(written(tmp_path, "\ufeffa\n1\n"), encoding="UTF-8") == {"a": ["1"]}
    assert cells(written(tmp_path, 'a,b\n"1,\n",2\n'.encode("cp500")), encoding="cp500") == {"a": ["1,\n"], "b": ["2"]}


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "utf-16"])
def test_given_encoding_that_does_not_fit(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, f"a\n{SECRET}\nKöln\n".encode("cp1252"))
    assert f"not {encoding}" in refusal(path, encoding=encoding)


def test_bytes_of_no_encoding_that_is_looked_for(tmp_path: Path) -> None:
    assert "not utf-8 or cp1252" in refusal(written(tmp_path, f"a\n{SECRET}\n".encode() + b"\x81\x8d\n"))


@pytest.mark.parametrize("encoding", ["klingon", "hex"])
def test_unknown_encoding(tmp_path: Path, encoding: str) -> None:
    assert f"{encoding!r}: not a known text encoding" in refusal(written(tmp_path, "a\n"), encoding=encoding)


def test_binary_file(tmp_path: Path) -> None:
    assert "NUL" in refusal(written(tmp_path, b"a,b\n\x00\x01\x02," + SECRET.encode()))
    assert "NUL" in refusal(written(tmp_path, "a,b\n".encode("utf-16-le")))


# Packed files.


def test_gzip(tmp_path: Path) -> None:
    # The second file consists of two members, as `cat` and parallel packers write them.
    for content in (gzip.compress(b"a,b\n1,2\n3,4\n"), gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n")):
        assert cells(written(tmp_path, content, "data.csv.gz")) == {"a": ["1", "3"], "b": ["2", "4"]}


def test_gzip_without_saying_so(tmp_path: Path) -> None:
    assert cells(written(tmp_path, gzip.compress(b"a\n1\n"), "data.csv")) == {"a": ["1"]}


def test_damaged_gzip(tmp_path: Path) -> None:
    packed = gzip.compress(f"a\n{SECRET}\n".encode() * 1000)
    assert "damaged" in refusal(written(tmp_path, packed[:-20], "data.csv.gz"))
    assert "damaged" in refusal(written(tmp_path, packed[:20] + b"\xff" * 30 + packed[50:], "data.csv.gz"))


# Records that do not fit.


@pytest.mark.parametrize(
    ("record", "cells_in_it"), [(f"1,2,{SECRET}", 3), (SECRET, 1), (f'"{SECRET}\n",2,3', 3)], ids=["long", "short", "q"]
)
@pytest.mark.parametrize("before", [0, 7, 500_000])
def test_ragged_record(tmp_path: Path, record: str, cells_in_it: int, before: int) -> None:
    path = written(tmp_path, "\n" + "a,b\n" + '"1\n1",2\n' * 2 + "1,2\n" * before + record + "\n5,6\n")
    line = 2 + 4 + before + 1
    assert f"the record at line {line} has {cells_in_it} cells, the header has 2" in refusal(path)


def test_ragged_record_in_another_encoding(tmp_path: Path) -> None:
    path = written(tmp_path, f"ä;b\n1;2\n1;{SECRET};3\n".encode("utf-16"))
    assert "the record at line 3 has 3 cells" in refusal(path)


@pytest.mark.parametrize("after", [0, 10, 2_000_000])
def test_unclosed_quote(tmp_path: Path, after: int) -> None:
    # The cell may not swallow the records after it, however few they are.
    path = written(tmp_path, f'a,b\n1,2\n3,"{SECRET}\n' + "5,6\n" * after)
    assert "the record at line 3" in refusal(path)
    # In the header it would make a name of all that follows.
    assert "the record at line 1" in refusal(written(tmp_path, f'"a,b\n1,{SECRET}\n' + "5,6\n" * after))


def test_a_lone_quote_within_a_cell_is_part_of_it(tmp_path: Path) -> None:
    assert cells(written(tmp_path, 'a,b\n5" pipe,2\n')) == {"a": ['5" pipe'], "b": ["2"]}


def test_file_that_goes_away(tmp_path: Path) -> None:
    path = written(tmp_path, "a\n1\n")
    source = read(path)
    path.unlink()
    assert "no longer be read" in refusal(source)


# Round trip.

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), max_size=8)
AWKWARD = st.text(st.sampled_from("ab0 ,;\t|\"\r\n'äß€名"), max_size=6)
CODES = st.from_regex(r"\A0{0,3}[0-9]{1,2}\Z")


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    """A header and records."""
    names = st.lists((TEXT | AWKWARD).filter(str.strip), min_size=1, max_size=4, unique=True)
    header = draw(names)
    row = st.lists(TEXT | AWKWARD | CODES, min_size=len(header), max_size=len(header))
    return [header, *draw(st.lists(row, max_size=12))]


@given(
    table=tables(),
    delimiter=st.sampled_from([",", ";", "\t", "|", ":"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    packed=st.booleans(),
)
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    table: list[list[str]],
    delimiter: str,
    encoding: str,
    quoting: int,
    packed: bool,
) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, quoting=quoting).writerows(table)
    content = text.getvalue().encode(encoding, errors="replace")
    table = list(csv.reader(io.StringIO(content.decode(encoding), newline=""), delimiter=delimiter))
    if len(set(table[0])) < len(table[0]) or not all(map(str.strip, table[0])):
        return  # the encoding has made two names one
    path = written(tmp_path_factory.mktemp("round"), gzip.compress(content) if packed else content)
    found = cells(path, delimiter=delimiter, encoding=encoding, header=True)
    header, *rows = table
    assert found == {name: [row[at] or None for row in rows] for at, name in enumerate(header)}


@given(
    rows=st.lists(st.lists(CODES | st.sampled_from(["Köln", "a b", ""]), min_size=3, max_size=3), min_size=1),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_round_trip_without_a_word(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], delimiter: str, encoding: str
) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([["a", "b", "ü"], *rows])
    path = written(tmp_path_factory.mktemp("round"), text.getvalue().encode(encoding))
    assert cells(path) == {name: [row[at] or None for row in rows] for at, name in enumerate(["a", "b", "ü"])}


def test_count_agrees_with_table(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\n" + "1,x\n2,\n1,x\n,?\n" * 100_000)
    source = read(path, options=ReadOptions(missing=("?",)))
    assert classes(source) == {("1", "x"): 200_000, ("2", None): 100_000, (None, None): 100_000}
    assert source.table(["b"], Watch()).rows == 400_000
