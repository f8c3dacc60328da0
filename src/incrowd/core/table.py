"""Dictionary-encoded columns: a value is a small number, and missing is always the number 0."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.kernels import ValueNumbering
from incrowd.errors import SourceError

Codes = NDArray[np.int32]

MISSING = 0
"""The code of a missing cell, in every column."""

_NESTED = "convert it to text, or split it into columns"

_SAMPLE = 4096
"""How many cells tell whether those of a chunk are mostly different."""


class Encoder:
    """Numbers one column's values 1, 2, 3, ... in order of first appearance, over any number of batches.

    Missing cells, NaN and the texts that stand for missing are 0. Values are compared as the values they are;
    where batches disagree on the type (a number here, a text there), all of them are compared as text.
    """

    def __init__(self, name: str, missing: Collection[str] = ()) -> None:
        self.name = name
        self._missing = frozenset(missing)
        self._numbering = ValueNumbering()
        self._pieces: list[pa.Array] = []
        self._type: pa.DataType | None = None

    def __len__(self) -> int:
        """Return how many codes there are, missing included."""
        return len(self._numbering) + 1

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
            if _mostly_different(chunk):
                # A dictionary of the chunk would be as long as the chunk, and each value numbered twice.
                codes = self._codes(chunk)
                return codes, np.arange(len(self), dtype=np.int32)
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
        starts, text = _as_bytes(values)
        numbers, fresh = self._numbering.add(starts, text, _there(values) & ~self._named_missing(values))
        if len(fresh):
            self._pieces.append(values if len(fresh) == len(values) else values.take(positions(fresh)))
        codes: Codes = numbers + np.int32(1)
        return codes

    def _named_missing(self, values: pa.Array) -> NDArray[np.bool_]:
        """Return which values have a text form that stands for missing."""
        if not self._missing:
            return np.zeros(len(values), dtype=np.bool_)
        if _is_text(values.type) or pa.types.is_integer(values.type):
            texts = text_array(sorted(self._missing))
            return _bits(pc.is_in(values.cast(pa.string()), value_set=texts), 1)
        plain = values.cast(pa.string()) if pa.types.is_temporal(values.type) else values
        return np.array([bool(self._missing & _text_forms(value)) for value in plain.to_pylist()], dtype=np.bool_)

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
        self._numbering = ValueNumbering()
        self._numbering.add(*_as_bytes(text), _there(text))
        if len(self._numbering) != len(text):
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


def in_floats(values: pa.DoubleArray) -> NDArray[np.float64]:
    """Return Arrow's numbers without nulls as NumPy's; to_numpy would import pandas on the way."""
    buffer = values.buffers()[1]
    if buffer is None or not len(values):
        return np.empty(0, dtype=np.float64)
    return np.frombuffer(buffer, np.float64)[values.offset : values.offset + len(values)]


def or_missing(indices: pa.Array, missing: int) -> Codes:
    """Return Arrow's integers as NumPy's, with a number in place of nulls; fill_null would import pandas on the way."""
    if indices.null_count == len(indices):
        return np.full(len(indices), missing, dtype=np.int32)
    codes = in_numpy(indices)
    if not indices.null_count:
        return codes
    return np.where(_there(indices), codes, np.int32(missing))


def _there(values: pa.Array) -> NDArray[np.bool_]:
    """Return which values are not null; np.asarray of is_valid would import pandas on the way."""
    if values.null_count == len(values):
        return np.zeros(len(values), dtype=np.bool_)
    return _bits(values, 0) if values.null_count else np.ones(len(values), dtype=np.bool_)


def _bits(values: pa.Array, buffer: int) -> NDArray[np.bool_]:
    """Return the bits that a buffer of an array has for its values."""
    if not len(values):
        return np.zeros(0, dtype=np.bool_)
    bits = np.unpackbits(np.frombuffer(values.buffers()[buffer], dtype=np.uint8), bitorder="little")
    return bits[values.offset : values.offset + len(values)].astype(np.bool_)


def positions(rows: Sequence[int] | NDArray[np.int64]) -> pa.Array:
    """Return row numbers as an Arrow array; pa.array would import pandas to see if it was given a series."""
    numbers = np.array(rows, dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers)])


def places(codes: Codes) -> pa.Array:
    """Return the positions of the values of codes, null for missing; pa.array would import pandas to check for a
    series."""
    there = np.packbits(codes != MISSING, bitorder="little")
    return pa.Array.from_buffers(pa.int32(), len(codes), [pa.py_buffer(there), pa.py_buffer(codes - np.int32(1))])


def booleans(mask: NDArray[np.bool_]) -> pa.Array:
    """Return NumPy booleans as an Arrow array; pa.array would import pandas to see if it was given a series."""
    bits = np.packbits(mask, bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(mask), [None, pa.py_buffer(bits)])


def text_array(texts: Sequence[str | None]) -> pa.StringArray:
    """Return texts as an Arrow array, None as a missing one; pa.array would import pandas to see if it was given a
    series."""
    encoded = [b"" if text is None else text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
    there = np.packbits(np.array([text is not None for text in texts], dtype=np.bool_), bitorder="little")
    return pa.StringArray.from_buffers(
        len(texts), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)), pa.py_buffer(there)
    )


def _mostly_different(chunk: pa.Array) -> bool:
    """Return whether the first of many texts or whole numbers are mostly different from each other."""
    if len(chunk) <= _SAMPLE or not (_is_text(chunk.type) or pa.types.is_integer(chunk.type)):
        return False
    return 2 * len(pc.dictionary_encode(chunk.slice(0, _SAMPLE)).dictionary) > _SAMPLE


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
    return place[local], values.take(positions(used))


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


def _as_bytes(values: pa.Array) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return where each value begins in a string of bytes, and that string; two values of a type are equal exactly when
    their bytes are."""
    kind = values.type
    if isinstance(values, pa.ExtensionArray):
        return _as_bytes(values.storage)
    if pa.types.is_null(kind):
        return np.zeros(len(values) + 1, dtype=np.int64), np.empty(0, dtype=np.uint8)
    if pa.types.is_string(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        # Bytes that are no text cannot be published.
        values.validate(full=True)
        return _strings(values, np.dtype(np.int64 if pa.types.is_large_binary(kind) else np.int32))
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        # Days beyond Python's calendar are refused here, before anything tries to show them.
        values.to_pylist()
    if pa.types.is_boolean(kind):
        return _as_bytes(values.cast(pa.uint8()))
    return _equally_long(values)


def _strings(values: pa.Array, offset: "np.dtype[np.integer]") -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    _, offsets, text = values.buffers()
    if not len(values) or offsets is None:
        return np.zeros(len(values) + 1, dtype=np.int64), np.empty(0, dtype=np.uint8)
    starts = np.frombuffer(offsets, offset, count=len(values) + 1, offset=values.offset * offset.itemsize)
    return starts.astype(np.int64), np.frombuffer(text or b"", dtype=np.uint8)


def _equally_long(values: pa.Array) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Numbers, dates and times, decimals, and bytes of one length; a type without a length has no bytes either."""
    width = values.type.bit_width // 8
    starts = np.arange(len(values) + 1, dtype=np.int64) * width
    raw = np.frombuffer(values.buffers()[1] or b"", dtype=np.uint8)
    raw = raw[values.offset * width : (values.offset + len(values)) * width]
    if pa.types.is_floating(values.type):
        # 0 and -0 are equal, and adding 0 makes them the same.
        raw = (raw.view(f"f{width}") + 0).view(np.uint8)
    return starts, raw


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
