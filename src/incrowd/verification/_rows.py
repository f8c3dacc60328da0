"""Reading a release afresh: the columns of a file or table, and its cells as text, a batch at a time.

Nothing here is shared with the formats that write releases. None is a missing cell.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.errors import SourceError

_ROWS = 1 << 16
"""Records a batch."""


_ONE_TEXT = frozenset({str, int, type(None)})
"""Types of which two equal values are written alike."""


class Cells(NamedTuple):
    """The cells of one column in one batch: that of record i is texts[codes[i]]."""

    codes: NDArray[np.int64]
    texts: list[str | None]


Batches = Iterator[list[Cells]]


class Rows(NamedTuple):
    """A table that can be read."""

    columns: tuple[str, ...]
    batches: Callable[[Sequence[str]], Batches]
    """The cells of some of its columns, at least one."""
    sha256: Callable[[], str | None] = lambda: None
    """The hash of the file whose cells were just read to the last one; None where it is not known."""


def text(value: object) -> str | None:
    """Return a cell as text; whole numbers look the same whatever type they are kept in."""
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)


def cells_of_values(values: Iterable[object]) -> Cells:
    """Return the cells of Python values, one per record."""
    values = list(values)
    if set(map(type, values)) <= _ONE_TEXT:
        # Equal ones have the same text, so that each different one becomes text once.
        distinct = dict.fromkeys(values)
        place = dict(zip(distinct, range(len(distinct)), strict=True))
        codes_of_all = np.fromiter(map(place.__getitem__, values), dtype=np.int64, count=len(values))
        return Cells(codes_of_all, [text(value) for value in distinct])
    code_of: dict[str | None, int] = {}
    codes = [code_of.setdefault(text(value), len(code_of)) for value in values]
    return Cells(np.array(codes, dtype=np.int64), list(code_of))


def cells_of_arrow(column: pa.Array) -> Cells:
    """Return the cells of an Arrow column; only distinct values become Python objects."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    texts = [*(text(value) for value in _values(column.dictionary)), None]
    codes = numbers_of(column.indices, len(texts) - 1)
    # A dictionary may list what no record has, and what is not there is not judged.
    used = np.bincount(codes, minlength=len(texts)) > 0
    if used[:-1].all():
        return Cells(codes, texts)
    places = np.cumsum(used) - 1
    return Cells(places[codes], [of for of, there in zip(texts, used.tolist(), strict=True) if there])


def _values(column: pa.Array) -> list[Any]:
    """Return Python values; Arrow's text for dates and times outside Python's range."""
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        return list(column.cast(pa.string()).to_pylist())


def batches_of_rows(rows: Iterable[Sequence[Any]]) -> Batches:
    """Yield records of equal length in batches."""
    remaining = iter(rows)
    while chunk := list(islice(remaining, _ROWS)):
        yield [cells_of_values(column) for column in zip(*chunk, strict=True)]


def distinct_names(location: object, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of columns; raise if a name occurs twice."""
    found = tuple(names)
    if len(set(found)) < len(found):
        raise SourceError.of(location, "two columns have the same name", "write the file again")
    return found


def open_rows(location: str, expected: Sequence[str], kind: str | None = None, table: str | None = None) -> Rows:
    """Return the rows at a path or URL; `expected` names the expected columns, `kind` the format if known."""
    if "://" in location:
        from incrowd.verification import _databases, _other_formats

        scheme = location.partition("://")[0].lower()
        other = None if _databases.knows(scheme) else _other_formats.of_scheme(scheme)
        if other is not None:
            return _other_formats.open_rows(other, location, f"{scheme}://", table)
        return _databases.open_table(location, table)
    path = Path(location)
    kind = kind or _kind(path)
    if kind == _DELIMITED:
        from incrowd.verification import _delimited

        return _delimited.open_rows(path, expected)
    from incrowd.verification import _files

    if kind in _files.READERS:
        return _files.READERS[kind](path, expected, table)
    from incrowd.verification import _other_formats

    if not _other_formats.has_reader(kind):
        known = [_DELIMITED, *_files.READERS]
        raise SourceError.of(path, f"unknown format {kind!r}", f"known: {', '.join(known)}")
    return _other_formats.open_rows(kind, location, path, table)


def reads_files(kind: str) -> bool:
    """Return whether releases in files of a format can be verified."""
    from incrowd.verification import _files, _other_formats

    return kind == _DELIMITED or kind in _files.READERS or _other_formats.has_reader(kind)


def reads_url(scheme: str) -> bool:
    """Return whether releases in a database can be verified, by how its URL begins."""
    from incrowd.verification import _databases, _other_formats

    return _databases.knows(scheme) or _other_formats.of_scheme(scheme) is not None


_DELIMITED = "delimited"
_SUFFIXES = {
    "parquet": (".parquet", ".pq"),
    "json_lines": (".jsonl", ".ndjson", ".json"),
    "xml_rows": (".xml",),
    "excel": (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
    _DELIMITED: (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz"),
}
"""The formats that are read with code of our own; others bring a reader."""


def _kind(path: Path) -> str:
    """Return the format, by the end of the name; text with delimiters if it tells none."""
    own = next((kind for kind, ends in _SUFFIXES.items() if path.name.lower().endswith(ends)), None)
    if own is not None:
        return own
    from incrowd.verification import _other_formats

    return _other_formats.of_suffix(path) or _DELIMITED


def numbers_of(indices: pa.Array, of_missing: int) -> NDArray[np.int64]:
    """Return Arrow integers read from their memory, because Arrow's own ways would import pandas."""
    validity, buffer = indices.buffers()
    if buffer is None or not len(indices):
        return np.full(len(indices), of_missing, dtype=np.int64)
    within = slice(indices.offset, indices.offset + len(indices))
    numbers = np.frombuffer(buffer, np.dtype(str(indices.type)))[within].astype(np.int64)
    if indices.null_count:
        present = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little")[within]
        numbers[present == 0] = of_missing
    return numbers
