"""Records parsed into Python values, collected into columns of one type each.

A file is parsed once and held in memory as dictionary codes, a few bytes per cell: its columns and their types are
known only at its end.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import chain, islice

import pyarrow as pa

from incrowd.engines.source import Source
from incrowd.engines.streams import StreamSource
from incrowd.errors import SourceError
from incrowd.formats.options import ReadOptions

Row = Mapping[str, object]

_ROWS = 1 << 16
"""Records per batch."""

_NESTED = pa.list_(pa.null())
"""The type of a column with nested values, refused when the column is used."""

_SINGLE = (str, bool, int, float, bytes, date, datetime, time, timedelta)


def source_of_rows(
    location: str, rows: Iterable[Row], options: ReadOptions, columns: tuple[str, ...] | None = None
) -> Source:
    """Return a source of the rows; a key that a row lacks is missing. The columns default to all keys that occur."""
    names = dict.fromkeys(columns or ())
    gathered: list[dict[str, pa.Array]] = []
    lengths: list[int] = []
    remaining = iter(rows)
    while chunk := list(islice(remaining, _ROWS)):
        if columns is None:
            names.update(dict.fromkeys(chain.from_iterable(chunk)))
        gathered.append({name: _encoded(location, name, [row.get(name) for row in chunk]) for name in names})
        lengths.append(len(chunk))
    held = {
        name: _of_one_type([part.get(name, pa.nulls(n)) for part, n in zip(gathered, lengths, strict=True)])
        for name in names
    }

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for parts in zip(*(held[name] for name in columns), strict=True):
            yield pa.RecordBatch.from_arrays(list(parts), list(columns))

    return StreamSource(location, tuple(names) if columns is None else columns, batches, options.missing)


def text_form(value: object) -> str:
    """Return a value as text, to compare it with text: a whole number without a fraction."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _encoded(location: str, name: str, cells: list[object]) -> pa.Array:
    """Return the cells as dictionary codes of their values if of one kind, else of their text."""
    kinds = {type(cell) for cell in cells} - {type(None)}
    if not kinds:
        return pa.nulls(len(cells))
    if not kinds.issubset(_SINGLE):
        return pa.nulls(len(cells), _NESTED)
    try:
        return _array(cells, kinds).dictionary_encode()
    except UnicodeEncodeError:
        raise SourceError.of(
            location, f"column {name!r} contains text that is not valid Unicode", "correct the file"
        ) from None


def _array(cells: list[object], kinds: set[type]) -> pa.Array:
    if len(kinds) == 1 or kinds == {int, float}:
        try:
            # Refuses whole numbers that 64 bits, or a float among floats, cannot hold exactly.
            return pa.array(cells)
        except (pa.ArrowInvalid, OverflowError):
            pass
    return pa.array([None if cell is None else text_form(cell) for cell in cells], pa.string())


def _of_one_type(parts: list[pa.Array]) -> list[pa.Array]:
    kinds = {part.type.value_type if pa.types.is_dictionary(part.type) else part.type for part in parts} - {pa.null()}
    if len(kinds) < 2:
        return parts
    if _NESTED in kinds:
        return [pa.nulls(len(part), _NESTED) for part in parts]
    if kinds == {pa.int64(), pa.float64()}:
        try:
            return [_with_values(part, _as_float) for part in parts]
        except pa.ArrowInvalid:
            pass
    return [_with_values(part, _as_text) for part in parts]


def _with_values(part: pa.Array, change: Callable[[pa.Array], pa.Array]) -> pa.Array:
    """Return the same codes with other values."""
    if pa.types.is_null(part.type):
        return part
    return pa.DictionaryArray.from_arrays(part.indices, change(part.dictionary))


def _as_float(values: pa.Array) -> pa.Array:
    return values.cast(pa.float64())


def _as_text(values: pa.Array) -> pa.Array:
    return pa.array([text_form(value) for value in values.to_pylist()], pa.string())
