"""A release in any format as rows of text, read without the package; and one of its cells changed."""

import csv
import gzip
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.parquet as pq

Row = dict[str, str | None]
Rows = list[Row]


def texts(rows: Iterable[Mapping[str, Any]]) -> Rows:
    """Every cell as text; None is a missing one."""
    return [{name: None if _is_missing(cell) else str(cell) for name, cell in row.items()} for row in rows]


def _is_missing(cell: Any) -> bool:
    """Nothing, or what pandas has in its place."""
    return cell is None or type(cell).__name__ == "NAType" or cell == "" or cell != cell


def _csv(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return texts(csv.DictReader(file))


def _tsv(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return texts(csv.DictReader(file, delimiter="\t"))


def _gzip(path: Path) -> Rows:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return texts(csv.DictReader(file))


def _parquet(path: Path) -> Rows:
    return texts(pq.read_table(path).to_pylist())


def _json_lines(path: Path) -> Rows:
    return texts(map(json.loads, path.read_text("utf-8").splitlines()))


def _json(path: Path) -> Rows:
    text = path.read_text("utf-8")
    return texts(json.loads(text)) if text.startswith("[") else _json_lines(path)


def _xml(path: Path) -> Rows:
    return texts({cell.tag: cell.text for cell in record} for record in ElementTree.parse(path).getroot())


def _excel(path: Path) -> Rows:
    from openpyxl import load_workbook

    with closing(load_workbook(path, read_only=True)) as workbook:
        header, *rows = [list(row) for row in workbook.worksheets[0].iter_rows(values_only=True)]
    return texts(dict(zip(map(str, header), row, strict=True)) for row in rows)


READERS: dict[str, Callable[[Path], Rows]] = {
    "csv": _csv,
    "tsv": _tsv,
    "csv.gz": _gzip,
    "parquet": _parquet,
    "jsonl": _json_lines,
    "json": _json,
    "xml": _xml,
    "xlsx": _excel,
}


def read_file(path: Path) -> Rows:
    """A file by its ending."""
    return READERS[path.name.partition(".")[2]](path)


def in_sqlite(path: Path, query: str) -> Rows:
    """What SQLite answers."""
    with closing(sqlite3.connect(path)) as connection:
        return _answer(connection.execute(query))


def in_duckdb(path: Path, query: str) -> Rows:
    """What DuckDB answers."""
    import duckdb

    with duckdb.connect(str(path)) as connection:
        return _answer(connection.execute(query))


def in_postgres(url: str, query: str) -> Rows:
    """What PostgreSQL answers."""
    import psycopg

    with psycopg.connect(url) as connection:
        return _answer(connection.execute(query))


def _answer(cursor: Any) -> Rows:
    names = [column[0] for column in cursor.description]
    return texts(dict(zip(names, row, strict=True)) for row in cursor.fetchall())


def tamper(path: Path, name: str, cell: str) -> None:
    """Change the first record's cell of a column of text."""
    kind = path.name.partition(".")[2]
    first = read_file(path)[0][name]
    assert first is not None
    assert first != cell
    if kind == "parquet":
        table = pq.read_table(path)
        column = [cell, *table[name].to_pylist()[1:]]
        pq.write_table(table.set_column(table.column_names.index(name), name, pa.array(column, pa.string())), path)
    elif kind == "xlsx":
        from openpyxl import load_workbook

        workbook = load_workbook(path)
        sheet = workbook.worksheets[0]
        sheet.cell(2, [each.value for each in sheet[1]].index(name) + 1).value = cell
        workbook.save(path)
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress(_replaced(gzip.decompress(path.read_bytes()), first, cell)))
    else:
        path.write_bytes(_replaced(path.read_bytes(), first, cell))


def _replaced(content: bytes, first: str, cell: str) -> bytes:
    """The first record's cell, which no header holds."""
    before, there, behind = content.partition(first.encode())
    assert there
    return before + cell.encode() + behind


def picked(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Rows:
    """Some columns as text."""
    return texts([{name: row[name] for name in columns} for row in rows])
