"""Dictionary-encoded columns: a value is a small number, and missing is always the number 0."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.errors import SourceError

Codes = NDArray[np.int32]

MISSING = 0
"""The code of a missing cell, in every column."""

_NESTED = "convert it to text, or split it into columns"


class Encoder:
    """Numbers one column's values 1, 2, 3, ... in order of first appearance, over any number of batches.

    Missing cells, NaN and the texts that stand for missing are 0. Values are compared as the values they are;
    where batches disagree on the type (a number here, a text there), all of them are compared as text.
    """

    def __init__(self, name: str, missing: Collection[str] = ()) -> None:
        self.name = name
        self._missing = frozenset(missing)
        self._code_of: dict[object, int] = {}
        self._pieces: list[pa.Array] = []
        self._type: pa.DataType | None = None

    def __len__(self) -> int:
        """Return how many codes there are, missing included."""
        return len(self._code_of) + 1

    @property
    def values(self) -> pa.Array:
        """The value of each code but 0: code c stands for values[c - 1]."""
        if not self._pieces:
            return pa.nulls(0)
        if len(self._pieces) > 1:
            self._pieces = [pa.concat_arrays(self._pieces)]
        return self._pieces[0]

    def encode(self, chunk: pa.Array) -> tuple[Codes, Codes]:
        """Return the chunk's local codes, and the code of each local code: the cell in row i has code
        lookup[local[i]]."""
        try:
            given = isinstance(chunk.type, pa.DictionaryType)
            local, values = _used(chunk) if given else _parts(_dictionary(self.name, chunk))
            lookup = np.append(self._codes(values), np.int32(MISSING))
        except (pa.ArrowException, TypeError, ValueError):
            raise SourceError.of(
                f"column {self.name!r}", f"values of type {chunk.type} cannot be compared", "convert it to text first"
            ) from None
        return local, lookup

    def _codes(self, values: pa.Array) -> Codes:
        """Return the code of each value, new values numbered."""
        values = self._of_one_type(_nan_missing(values))
        codes = np.empty(len(values), dtype=np.int32)
        missing = self._named_missing(values)
        fresh = []
        for at, key in enumerate(_hashable(values)):
            if key is None or (missing and missing[at]):
                codes[at] = MISSING
                continue
            code = self._code_of.get(key)
            if code is None:
                code = self._code_of[key] = len(self._code_of) + 1
                fresh.append(at)
            codes[at] = code
        if fresh:
            self._pieces.append(values.take(_positions(fresh)))
        return codes

    def _named_missing(self, values: pa.Array) -> list[bool]:
        """Return which values have a text form that stands for missing; nothing if no text does."""
        if not self._missing:
            return []
        plain = values.cast(pa.string()) if pa.types.is_temporal(values.type) else values
        return [bool(self._missing & _text_forms(value)) for value in plain.to_pylist()]

    def _of_one_type(self, values: pa.Array) -> pa.Array:
        if _is_text(values.type):
            # One kind of text, so that batches of different kinds can be joined.
            values = values.cast(pa.string())
        if pa.types.is_null(values.type) or values.type == self._type:
            return values
        if self._type is None or not self._pieces:
            self._type = values.type
            return values
        if _is_text(self._type):
            return _as_text(self.name, values)
        if _is_text(values.type):
            self._to_text()
            return values
        same = _unchanged(values, self._type)
        if same is None:
            self._to_text()
            return _as_text(self.name, values)
        return same

    def _to_text(self) -> None:
        """Compare everything seen so far as text from now on; codes stay as they are."""
        text = _as_text(self.name, self.values)
        self._pieces = [text]
        self._type = pa.string()
        self._code_of = {value: at + 1 for at, value in enumerate(text.to_pylist())}
        if len(self._code_of) != len(text):
            raise SourceError.of(
                f"column {self.name!r}",
                "its values are of several types, and two of them have the same text form",
                "give the column one type in the source",
            )


def _text_forms(value: object) -> set[str]:
    if isinstance(value, float) and value.is_integer():
        # pandas turns a column of integers into floats as soon as one of them is missing: -9 is then -9.0.
        return {str(value), str(int(value))}
    return {str(value)}


def in_numpy(indices: pa.Array) -> Codes:
    """Return Arrow's integers without nulls as NumPy's; np.asarray would import pandas on the way."""
    buffer = indices.buffers()[1]
    if len(indices) == 0 or buffer is None:
        return np.empty(0, dtype=np.int32)
    kind = np.dtype(str(indices.type))
    raw = np.frombuffer(buffer, kind, count=len(indices), offset=indices.offset * kind.itemsize)
    return raw.astype(np.int32, copy=False)


def or_missing(indices: pa.Array, missing: int) -> Codes:
    """Return Arrow's integers as NumPy's, with a number in place of nulls; fill_null would import pandas on the way."""
    if indices.null_count == len(indices):
        return np.full(len(indices), missing, dtype=np.int32)
    codes = in_numpy(indices)
    if not indices.null_count:
        return codes
    bits = np.unpackbits(np.frombuffer(indices.buffers()[0], dtype=np.uint8), bitorder="little")
    valid = bits[indices.offset : indices.offset + len(indices)].astype(bool)
    return np.where(valid, codes, np.int32(missing))


def _positions(rows: Sequence[int] | NDArray[np.int64]) -> pa.Array:
    """Return row numbers as an Arrow array; pa.array would import pandas to see if it was given a series."""
    numbers = np.array(rows, dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers)])


def text_array(texts: Sequence[str | None]) -> pa.StringArray:
    """Return texts as an Arrow array, None as a missing one; pa.array would import pandas to see if it was given a
    series."""
    encoded = [b"" if text is None else text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
    there = np.packbits(np.array([text is not None for text in texts], dtype=np.bool_), bitorder="little")
    return pa.StringArray.from_buffers(
        len(texts), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)), pa.py_buffer(there)
    )


def _dictionary(name: str, chunk: pa.Array) -> pa.DictionaryArray:
    if pa.types.is_nested(chunk.type):
        raise SourceError.of(f"column {name!r}", "nested values are not supported", _NESTED)
    if pa.types.is_null(chunk.type):
        return pa.DictionaryArray.from_arrays(pa.nulls(len(chunk), pa.int32()), pa.nulls(0, pa.string()))
    return pc.dictionary_encode(chunk)


def _parts(chunk: pa.DictionaryArray) -> tuple[Codes, pa.Array]:
    """Return where each cell's value is among the values; behind them all if it is missing."""
    return or_missing(chunk.indices, len(chunk.dictionary)), chunk.dictionary


def _used(chunk: pa.DictionaryArray) -> tuple[Codes, pa.Array]:
    """Return the same without the values that no cell has: categories may be left from another table."""
    local, values = _parts(chunk)
    used = np.empty(0, dtype=np.int64)
    # The first rows have all of them more often than not.
    for rows in (local[:4096], local):
        used = np.flatnonzero(np.bincount(rows, minlength=len(values) + 1)[:-1])
        if len(used) == len(values):
            return local, values
    place = np.full(len(values) + 1, len(used), dtype=np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    return place[local], values.take(_positions(used))


def _nan_missing(values: pa.Array) -> pa.Array:
    """Return the values with NaN as missing, as needed before they are compared as text."""
    return pc.if_else(pc.is_nan(values), None, values) if pa.types.is_floating(values.type) else values


def _unchanged(values: pa.Array, kind: pa.DataType) -> pa.Array | None:
    """Return the values in another type of the same sort; None if that would change one, as when 2 becomes true."""
    if pa.types.is_temporal(values.type) != pa.types.is_temporal(kind):
        return None
    try:
        cast = values.cast(kind)
        return cast if cast.cast(values.type).equals(values) else None
    except pa.ArrowException:
        return None


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _as_text(name: str, values: pa.Array) -> pa.Array:
    try:
        return values.cast(pa.string())
    except pa.ArrowException:
        raise SourceError.of(
            f"column {name!r}",
            f"its values are of several types, and {values.type} has no text form",
            "give it one type",
        ) from None


def _hashable(values: pa.Array) -> Sequence[object]:
    """Return the values as Python objects that are equal exactly when the values are."""
    kind = values.type
    if (
        pa.types.is_timestamp(kind)
        or pa.types.is_time64(kind)
        or pa.types.is_duration(kind)
        or pa.types.is_date64(kind)
    ):
        # Python's own date and time objects lose nanoseconds.
        return list(values.cast(pa.int64()).to_pylist())
    return list(values.to_pylist())


@dataclass(frozen=True, eq=False, repr=False)
class Column(Brief):
    """One encoded column: the cell in row i is missing when codes[i] is 0, else values[codes[i] - 1]."""

    name: str
    codes: Codes
    values: pa.Array

    @property
    def cardinality(self) -> int:
        """How many codes there are, missing included."""
        return len(self.values) + 1

    def decode(self) -> pa.Array:
        """Return the cells as they were, missing ones null."""
        return self.values.take(pa.array(self.codes - 1, mask=self.codes == MISSING))


@dataclass(frozen=True, eq=False, repr=False)
class Table(Brief):
    """Encoded columns of equal length, in row order."""

    columns: tuple[Column, ...]
    rows: int

    @classmethod
    def from_batches(
        cls, names: Sequence[str], batches: Iterable[pa.RecordBatch], missing: Collection[str] = ()
    ) -> "Table":
        """Encode batches that all have the named columns."""
        encoders = [Encoder(name, missing) for name in names]
        parts: list[list[Codes]] = [[] for _ in names]
        rows = 0
        for batch in batches:
            rows += batch.num_rows
            for at, encoder in enumerate(encoders):
                local, lookup = encoder.encode(batch.column(at))
                parts[at].append(lookup[local])
        columns = tuple(
            Column(encoder.name, np.concatenate(codes) if codes else np.empty(0, dtype=np.int32), encoder.values)
            for encoder, codes in zip(encoders, parts, strict=True)
        )
        return cls(columns, rows)

    def decode(self) -> pa.Table:
        """Return the table as it was."""
        return pa.table({column.name: column.decode() for column in self.columns})
