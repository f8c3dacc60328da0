"""Level tables: one row a value, `value;level 1;level 2;...`, without a header; an empty first cell is for missing."""

import csv
from io import StringIO
from pathlib import Path

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, Row
from incrowd.errors import SourceError, UsageError
from incrowd.files.whole import PUBLIC, write_text
from incrowd.hierarchies._files import text_of
from incrowd.hierarchies._numbers import with_spans

DELIMITER = ";"
_OTHERS = ("\t", ",", "|")


def build(values: pa.Array, *, name: str = "unnamed", path: str | Path | None = None) -> Hierarchy:
    """The ladder that a file in UTF-8 holds; its delimiter is found by looking where it is not a semicolon."""
    if path is None:
        raise UsageError.senseless("levels", "no path is given", "name the file that holds the table of levels")
    return with_spans(Hierarchy.from_rows(_rows(Path(path), name), name=str(path)))


def save(hierarchy: Hierarchy, path: str | Path, replace: bool = False) -> None:
    """Write a hierarchy as a level table, which gives the same one when it is read; the file is whole or not there."""
    if "" in hierarchy.values:
        raise UsageError.senseless(
            str(path), "one value is an empty text, and an empty cell stands for missing", "name '' as a missing text"
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
        raise SourceError.of(path, "its quotation marks cannot be understood", "double those within a quoted cell")
    return [(row[0] or None, *row[1:]) for row in found]


def _parsed(text: str, delimiter: str) -> list[list[str]] | None:
    try:
        return [row for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True) if row]
    except csv.Error:
        return None
