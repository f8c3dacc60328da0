"""Level tables: one row a value, `value;level 1;level 2;...`, without a header; an empty first cell is for missing."""

import csv
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, Row, text_forms
from incrowd.errors import SourceError, UsageError
from incrowd.files.whole import PUBLIC, write_text
from incrowd.hierarchies._files import text_of
from incrowd.hierarchies._numbers import with_spans
from incrowd.hierarchies._rungs import titled

FILE_SUFFIXES = (".csv", ".tsv", ".txt")

DELIMITER = ";"
_OTHERS = ("\t", ",", "|")


def build(
    values: pa.Array, *, name: str = "unnamed", path: str | Path | None = None, rows: Sequence[Any] | None = None
) -> Hierarchy:
    """Build the hierarchy of a table of levels: a file in UTF-8 at `path`, or its `rows`.

    The delimiter of a file is detected if it is not a semicolon. A row is a value and its label on each level; one
    whose value is null is for missing cells.
    """
    check(name=name, path=path, rows=rows)
    if path is not None:
        return with_spans(Hierarchy.from_rows(_rows(Path(path), name), name=str(path)))
    texts = [tuple(None if cell is None else text_forms(cell)[0] for cell in row) for row in rows or ()]
    return with_spans(Hierarchy.from_rows(texts, name=titled(name)))


def check(*, name: str = "unnamed", path: str | Path | None = None, rows: Sequence[Any] | None = None) -> None:
    """Refuse a description that does not name one file or list rows."""
    if (path is None) == (rows is None):
        wrong = "no path is given" if path is None else "both a path and rows are given"
        raise UsageError.invalid("levels", wrong, "name the file with the table of levels, or give its rows")
    if rows is not None and (isinstance(rows, str) or not all(isinstance(row, list | tuple) for row in rows)):
        raise UsageError.invalid(titled(name), "a row is not a list", "write rows as [[Graz, Austria, Europe], ...]")


def save(hierarchy: Hierarchy, path: str | Path, replace: bool = False) -> None:
    """Write a hierarchy as a level table, which gives the same one when it is read; the file is whole or not there."""
    if "" in hierarchy.values:
        raise UsageError.invalid(
            str(path),
            "one value is an empty text, and an empty cell is a missing value",
            "declare '' as a missing-value marker",
        )
    rows: list[Row] = [*hierarchy.rows, *([hierarchy.missing_row] if hierarchy.lists_missing else [])]
    text = "".join(DELIMITER.join(_quoted(cell or "") for cell in row) + "\n" for row in rows)
    write_text(Path(path), text, PUBLIC, replace)


def _quoted(cell: str) -> str:
    # A byte order mark would be taken for the file's own.
    plain = not set(cell) & set(f'{DELIMITER}"\r\n\ufeff')
    return cell if plain else '"' + cell.replace('"', '""') + '"'


def _rows(path: Path, name: str) -> list[Row]:
    text = text_of(path, name)
    tables = (_parsed(text, delimiter) for delimiter in (DELIMITER, *_OTHERS))
    # Each row has a value and a label; where no delimiter achieves that, the faults are those of the usual one.
    even = (rows for rows in tables if rows and len(rows[0]) > 1 and len({len(row) for row in rows}) == 1)
    found = next(even, None) or _parsed(text, DELIMITER)
    if found is None:
        raise SourceError.of(path, "its quotation marks cannot be parsed", "double those within a quoted cell")
    return [(row[0] or None, *row[1:]) for row in found]


def _parsed(text: str, delimiter: str) -> list[list[str]] | None:
    try:
        return [row for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True) if row]
    except csv.Error:
        return None
