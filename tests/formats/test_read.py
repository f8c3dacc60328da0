"""What `read` makes of paths, URLs, frames and sources, one or several."""

import gzip
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook

from formats.reading import SECRET, cells, classes, refusal
from incrowd.engines.frames import FrameSource
from incrowd.engines.streams import StreamSource
from incrowd.engines.union import UnionSource
from incrowd.formats import ReadOptions, read
from incrowd.watch import Watch

TABLE = {"a": ["1", "2", None], "b": ["x", "ö", "x"]}
CONTENT = "a,b\n1,x\n2,ö\n,x\n"


def written(folder: Path, content: str | bytes = CONTENT, name: str = "data.csv") -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def as_parquet(folder: Path, name: str = "data.parquet") -> Path:
    """The table as a Parquet file."""
    pq.write_table(pa.table(TABLE), folder / name)
    return folder / name


def as_workbook(folder: Path, name: str = "data.xlsx") -> Path:
    """The table as an Excel workbook."""
    book = Workbook()
    for row in (TABLE.keys(), *zip(*TABLE.values(), strict=True)):
        book.worksheets[0].append(list(row))
    book.save(folder / name)
    return folder / name


# One source.


def test_every_suffix_has_its_format(tmp_path: Path) -> None:
    paths = [
        written(tmp_path),
        written(tmp_path, CONTENT.replace(",", "\t"), "data.tsv"),
        written(tmp_path, CONTENT.replace(",", ";"), "DATA.TXT"),
        written(tmp_path, gzip.compress(CONTENT.encode()), "data.csv.gz"),
        as_parquet(tmp_path),
        as_workbook(tmp_path),
        written(tmp_path, '{"a":"1","b":"x"}\n{"a":"2","b":"ö"}\n{"b":"x"}\n', "data.jsonl"),
        written(tmp_path, "<t><r a='1' b='x'/><r a='2' b='ö'/><r b='x'/></t>", "data.xml"),
    ]
    for path in paths:
        assert cells(path) == cells(str(path)) == TABLE


def test_content_tells_where_the_suffix_does_not(tmp_path: Path) -> None:
    for path in (
        written(tmp_path, name="data"),
        written(tmp_path, CONTENT.encode("utf-16"), "data.dat"),
        as_parquet(tmp_path, "data.download"),
        as_workbook(tmp_path, "data.xlsx").rename(tmp_path / "data.tmp"),
    ):
        assert cells(path) == TABLE


@pytest.mark.parametrize("frame", [pd.DataFrame(TABLE), pl.DataFrame(TABLE), pa.table(TABLE)])
def test_frames(frame: object) -> None:
    assert isinstance(read(frame), FrameSource)
    assert cells(frame) == TABLE
    assert cells(frame, missing=("x",)) == {"a": TABLE["a"], "b": [None, "ö", None]}


def test_a_frame_with_columns_named_as_our_verbs() -> None:
    table = {"count": [1], "table": [2], "name": [3], "columns": [4]}
    assert cells(pd.DataFrame(table)) == table


def test_a_source_is_itself(tmp_path: Path) -> None:
    source = read(written(tmp_path))
    assert read(source) is source


# Several sources.


def test_files_after_one_another_are_one_stream(tmp_path: Path) -> None:
    other = written(tmp_path, "b;a\nx;1\n;3\n", "other.csv")
    source = read(written(tmp_path), as_parquet(tmp_path), other)
    assert isinstance(source, StreamSource)
    assert source.columns == ("a", "b")
    assert cells(source) == {"a": [*TABLE["a"], *TABLE["a"], "1", "3"], "b": [*TABLE["b"], *TABLE["b"], "x", None]}
    assert classes(source) == {("1", "x"): 3, ("2", "ö"): 2, (None, "x"): 2, ("3", None): 1}


def test_files_and_frames_together(tmp_path: Path) -> None:
    frame = pd.DataFrame({"b": ["x", "?"], "a": ["1", "4"]})
    source = read(frame, written(tmp_path), options=ReadOptions(missing=("?",)))
    assert isinstance(source, UnionSource)
    assert source.columns == ("b", "a")
    assert cells(source) == {"b": ["x", None, *TABLE["b"]], "a": ["1", "4", *TABLE["a"]]}
    assert classes(source) == {("x", "1"): 2, (None, "4"): 1, ("ö", "2"): 1, ("x", None): 1}
    assert classes(source, ["a"]) == {("1",): 2, ("4",): 1, ("2",): 1, (None,): 1}


def test_types_that_differ_between_sources_are_compared_as_text(tmp_path: Path) -> None:
    numbers = pl.DataFrame({"a": [1, 3]})
    for source in (read(numbers, written(tmp_path, "a\n1\n01\n")), read(written(tmp_path, "a\n1\n01\n"), numbers)):
        assert classes(source) == {("1",): 2, ("01",): 1, ("3",): 1}
        assert source.table(["a"], Watch()).rows == 4


def test_missing_texts_of_each_source_count(tmp_path: Path) -> None:
    with_mark = read(written(tmp_path, "a\n?\n"), options=ReadOptions(missing=("?",)))
    source = read(with_mark, written(tmp_path, "a\n?\n", "other.csv"))
    assert cells(source) == {"a": [None, "?"]}
    assert classes(source) == {(None,): 1, ("?",): 1}


def test_sources_with_other_columns(tmp_path: Path) -> None:
    other = written(tmp_path, f"b,c,d\n1,2,{SECRET}\n", "other.csv")
    message = refusal(written(tmp_path), other)
    assert message.startswith(f"{other}: its columns differ from those of {tmp_path / 'data.csv'}")
    assert "lacks 'a' and also has 'c', 'd'" in message
    assert "it lacks 'b';" in refusal(written(tmp_path), written(tmp_path, "a\n1\n", "other.csv"))


# What cannot be read.


def test_nothing() -> None:
    assert "no source was given" in refusal()


def test_missing_file(tmp_path: Path) -> None:
    assert f"{tmp_path / 'none.csv'}: there is no such file" in refusal(tmp_path / "none.csv")


def test_directory(tmp_path: Path) -> None:
    assert "it is a directory" in refusal(tmp_path)


def test_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    assert "only once" in refusal(tmp_path / "pipe.csv")


@contextmanager
def unprivileged() -> Iterator[Path]:
    """A folder that everybody can enter, and no privileges inside the block, which would open every file."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    was = os.geteuid()
    try:
        yield folder
    finally:
        os.seteuid(was)
        shutil.rmtree(folder)


def test_file_that_may_not_be_read() -> None:
    with unprivileged() as folder:
        path = written(folder)
        path.chmod(0)
        if os.geteuid() == 0:
            os.seteuid(65534)
        assert "you have no permission to read it" in refusal(path)


@pytest.mark.parametrize("content", [b"", b"\n \n\n"[:1] * 3, b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_empty_file(tmp_path: Path, content: bytes) -> None:
    assert "it is empty" in refusal(written(tmp_path, content))


def test_unknown_content(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, b"\x7fELF\x02\x01\x00" + SECRET.encode(), "data.bin"))
    assert ".csv" in message
    assert ".parquet" in message


def test_binary_file_that_claims_to_be_text(tmp_path: Path) -> None:
    assert "NUL" in refusal(as_parquet(tmp_path).rename(tmp_path / "data.csv"))


def test_database_files_want_their_url(tmp_path: Path) -> None:
    path = tmp_path / "data.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE people (a)")
    connection.close()
    assert f"read sqlite:///{path} and name a table" in refusal(path)
    path = tmp_path / "data.duckdb"
    duckdb.connect(str(path)).close()
    assert f"read duckdb:///{path} and name a table" in refusal(path)


def test_unknown_url() -> None:
    message = refusal("gopher://user:Geheim@host/data")
    assert message.startswith("gopher://: not a supported kind of URL; supported: ")
    assert "postgresql://" in message


@pytest.mark.parametrize("given", [5, None, object(), b"data.csv"])
def test_neither_path_nor_frame(given: object) -> None:
    assert type(given).__qualname__ in refusal(given)


def test_options_that_do_not_apply(tmp_path: Path) -> None:
    message = "'delimiter' for {}: a Parquet file takes 'missing'; omit what does not apply"
    assert refusal(as_parquet(tmp_path), delimiter=";") == message.format(tmp_path / "data.parquet")
    assert "'encoding', 'query'" in refusal(as_workbook(tmp_path), encoding="utf-8", query="SELECT 1", table="people")
    assert "'table' for" in refusal(written(tmp_path), table="people")
    assert "'query' for" in refusal(written(tmp_path), query="SELECT 1")
    assert "'encoding' for" in refusal(written(tmp_path, '{"a":1}', "data.json"), encoding="utf-8")
    assert "'encoding' for" in refusal(written(tmp_path, '<t><r a="1"/></t>', "data.xml"), encoding="utf-8")
    assert "'delimiter' for sqlite" in refusal("sqlite:///data.db", delimiter=",")
    assert "'table' for a frame" in refusal(pd.DataFrame(TABLE), table="people")
    assert "takes none" in refusal(read(written(tmp_path)), missing=("?",))


def test_reading_text_loads_only_what_it_needs(tmp_path: Path) -> None:
    program = (
        "import sys; from incrowd.formats import read; from incrowd.watch import Watch\n"
        f"read({str(written(tmp_path))!r}).count(['a'], Watch())\n"
        "print([name for name in sys.argv[1:] if name in sys.modules])"
    )
    heavy = ["polars", "ibis", "duckdb", "sqlglot", "python_calamine", "defusedxml", "pyspark", "sqlite3"]
    done = subprocess.run([sys.executable, "-c", program, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
