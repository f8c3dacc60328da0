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


def text(value: object) -> str | None:
    """A cell as text; whole numbers look the same whatever type they are kept in."""
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)


def cells_of_values(values: Iterable[object]) -> Cells:
    """Python's values, one a record."""
    code_of: dict[str | None, int] = {}
    codes = [code_of.setdefault(text(value), len(code_of)) for value in values]
    return Cells(np.array(codes, dtype=np.int64), list(code_of))


def cells_of_arrow(column: pa.Array) -> Cells:
    """An Arrow column; only its distinct values become Python objects."""
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    texts = [text(value) for value in _values(coded.dictionary)]
    return Cells(_numbers(coded.indices, len(texts)), [*texts, None])


def _values(column: pa.Array) -> list[Any]:
    """Python's own values; Arrow's text for dates and times that Python cannot hold."""
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        return list(column.cast(pa.string()).to_pylist())


def batches_of_rows(rows: Iterable[Sequence[Any]]) -> Batches:
    """Records of equal length, gathered into batches."""
    remaining = iter(rows)
    while chunk := list(islice(remaining, _ROWS)):
        yield [cells_of_values(column) for column in zip(*chunk, strict=True)]


def distinct_names(location: object, names: Iterable[str]) -> tuple[str, ...]:
    """The names of columns, each of which may come once."""
    found = tuple(names)
    if len(set(found)) < len(found):
        raise SourceError.of(location, "two of its columns have the same name", "write it anew")
    return found


def open_rows(location: str, expected: Sequence[str], kind: str | None = None, table: str | None = None) -> Rows:
    """What is at a path or a URL; `expected` names columns that should be there, `kind` the format where known."""
    if "://" in location:
        from incrowd.verification import _databases

        return _databases.open_table(location, table)
    path = Path(location)
    kind = kind or _kind(path)
    if kind == "delimited":
        from incrowd.verification import _delimited

        return _delimited.open_rows(path, expected)
    from incrowd.verification import _files

    if kind not in _files.READERS:
        known = ["delimited", *_files.READERS]
        raise SourceError.of(path, f"files of kind {kind!r} are not known", f"known are {', '.join(known)}")
    return _files.READERS[kind](path, expected, table)


def _kind(path: Path) -> str:
    """The format, by the end of the name."""
    suffixes = {
        "parquet": (".parquet", ".pq"),
        "json_lines": (".jsonl", ".ndjson", ".json"),
        "xml_rows": (".xml",),
        "excel": (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
    }
    return next((kind for kind, ends in suffixes.items() if path.name.lower().endswith(ends)), "delimited")


def _numbers(indices: pa.Array, of_missing: int) -> NDArray[np.int64]:
    """Arrow's integers; read from their memory, because Arrow's own ways would import pandas."""
    validity, buffer = indices.buffers()
    if buffer is None or not len(indices):
        return np.full(len(indices), of_missing, dtype=np.int64)
    within = slice(indices.offset, indices.offset + len(indices))
    numbers = np.frombuffer(buffer, np.dtype(str(indices.type)))[within].astype(np.int64)
    if indices.null_count:
        present = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little")[within]
        numbers[present == 0] = of_missing
    return numbers
