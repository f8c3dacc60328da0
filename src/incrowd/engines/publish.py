"""Pass 2: the records of a source as a recoding publishes them.

Every record is looked up among the counted combinations, under the same rules of equality. Its quasi-identifiers are
recoded, its other cells stay unchanged, and records of combinations that are not kept are suppressed.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import time
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.hierarchy import text_forms
from incrowd.core.kernels import Numbering
from incrowd.core.keys import Keys, Layout, chain
from incrowd.core.table import MISSING, Codes, Encoder, booleans, text_array
from incrowd.engines.parting import Shares, shares, surplus
from incrowd.engines.source import Source, chosen_columns
from incrowd.errors import SourceError, UsageError
from incrowd.recodings import PublishedColumn, RecodingMap
from incrowd.watch import Watch

Kinds = Mapping[str, pa.DataType]
"""The type of each column's cells."""

Weighted = tuple[pa.RecordBatch, Counts]
"""Rows, and of how many records each is."""

Declared = Mapping[str, tuple[str, str]]
"""For columns that are text here: the kind of database they come from, and their type there."""


@dataclass(frozen=True, eq=False)
class Published:
    """The records of a release, in the order of the source if it has one."""

    find_schema: Callable[[], pa.Schema]
    """Return the schema; this may read the records."""
    rows: Callable[[], Iterator[pa.RecordBatch]]
    """Return the records from the start, in batches with the columns of the schema, if not always of its types."""
    native: Callable[[], Any] | None = None
    """Return the records as a frame of the given kind; None if the source is not a frame."""
    arranged: Callable[[], Any] | None = None
    """Return the same frame with its records sorted by their cells."""
    records: int | None = None
    """Their number; None if unknown before reading."""
    discard: Callable[[], None] = lambda: None
    """Remove what the engine holds for the frame, if the release is discarded."""
    declared: Declared = field(default_factory=dict)
    """The original database types of published columns, for writing to a database."""
    from_counts: Callable[[FrequencySet | None], Weighted | None] = lambda wider: None
    """Return the same records from their counts, without reading them again; None if a published column was not counted
    together with the quasi-identifiers. `wider` are the same records counted by more columns."""
    in_order: bool = False
    """True if the records come sorted by their cells."""

    @cached_property
    def schema(self) -> pa.Schema:
        """Return the columns and their types, the same for all batches."""
        return self.find_schema()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the records batch by batch."""
        # Before the rows: an engine may not answer while it hands over rows.
        schema = self.schema
        for batch in self.rows():
            if batch.num_rows:
                arrays = [of_type(field, column) for field, column in zip(schema, batch.columns, strict=True)]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    def frame(self) -> Any:
        """Return the records as a frame of the given kind, the same one at each call even if the source changes.

        A lazy frame stays lazy, over records that its engine holds from then on; batches then come from there too.
        """
        return self._frame

    @cached_property
    def _frame(self) -> Any:
        if self.native is None:
            raise UsageError.invalid("a frame of the release", "its source is not a frame", "write it to a file")
        return self.native()


def publish(source: Source, recoding: RecodingMap, columns: Sequence[str], watch: Watch) -> Published:
    """Return the source's records as the recoding publishes them, with the given columns in the given order."""
    names = chosen_columns(columns, source.columns, "columns")
    chosen_columns(recoding.combinations.names, source.columns, "quasi")
    published = source.publish(recoding, names, watch)
    expected = recoding.records
    if published.records not in (None, expected):
        raise _changed(source.name, expected, published.records)

    def rows() -> Iterator[pa.RecordBatch]:
        seen = 0
        for batch in published.rows():
            watch.tick(f"{seen:,} of {expected:,} records published", seen / expected if expected else None)
            seen += batch.num_rows
            yield batch
        if seen != expected:
            raise _changed(source.name, expected, seen)

    return replace(published, find_schema=lambda: _with_text_for_null(published.schema), rows=rows, records=expected)


def _with_text_for_null(schema: pa.Schema) -> pa.Schema:
    """Return the schema with text for columns without values: few formats have a null type."""
    return pa.schema([(field.name, pa.string() if pa.types.is_null(field.type) else field.type) for field in schema])


class Lookup:
    """Find the numbers of combinations among those counted."""

    def __init__(self, combinations: FrequencySet, missing: Collection[str] = ()) -> None:
        self._encoders = [Encoder(name, missing) for name in combinations.names]
        known = [
            (codes, self._renumbered(encoder, values))
            for encoder, values, codes in zip(self._encoders, combinations.values, combinations.codes, strict=True)
        ]
        # One code more than there are values, for all that were not counted.
        self._uncounted = [len(encoder) for encoder in self._encoders]
        self._layout = Layout.for_cardinalities([code + 1 for code in self._uncounted])
        self._numberings = [Numbering() for _ in self._layout.words]
        self._number(known, combinations.combinations)

    @staticmethod
    def _renumbered(encoder: Encoder, values: pa.Array) -> Codes:
        """Return the encoder's code for each code of the counted values."""
        local, lookup = encoder.encode(values)
        return np.append(np.int32(MISSING), lookup[local])

    def find(self, columns: Sequence[pa.Array]) -> Codes:
        """Return the number of each row's combination; if it was not counted, a number beyond the counted ones."""
        cells = []
        for encoder, uncounted, column in zip(self._encoders, self._uncounted, columns, strict=True):
            local, lookup = encoder.encode(column)
            cells.append((local, np.minimum(lookup, np.int32(uncounted))))
        return self._number(cells, len(columns[0]))

    def _number(self, cells: Sequence[tuple[Codes, Codes]], rows: int) -> Codes:
        numbers = np.zeros(rows, dtype=np.int32)
        for at, numbering in enumerate(self._numberings):
            keys: Keys = self._layout.word(at, cells, rows)
            numbers = numbering.add(chain(numbers, keys) if at else keys)
        return numbers


class Parting:
    """Assign the records of each combination to its pieces in order, the first records to the first piece."""

    def __init__(self, combination: NDArray[np.int64], counts: Counts, order: NDArray[np.int64]) -> None:
        """Prepare the pieces; `order` holds the combination of each number."""
        self._ends = np.cumsum(counts)
        starts = np.append(0, self._ends)[np.searchsorted(combination, np.arange(len(order)))]
        self._next = starts[order].astype(np.int64)
        self._beyond = np.append(starts[1:], self._ends[-1] if len(self._ends) else 0)[order]

    def pieces(self, numbers: Codes) -> Codes:
        """Return the piece of each record; surplus records of a combination get a piece beyond all others."""
        order = np.argsort(numbers, kind="stable")
        ordered = numbers[order]
        first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(order) else order
        lengths = np.diff(np.append(first, len(order)))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order)) - np.repeat(first, lengths) + self._next[ordered]
        found = np.searchsorted(self._ends, place, side="right").astype(np.int32)
        found[place >= self._beyond[numbers]] = len(self._ends)
        self._next[ordered[first]] += lengths
        return found


class Publishing:
    """Recode records batch by batch."""

    def __init__(self, source: str, recoding: RecodingMap, missing: Collection[str] = ()) -> None:
        combinations = recoding.combinations
        # Combinations come in the order of the hash table that counted them. A table that grows while it is filled in
        # that very order is crowded at its beginning, and takes minutes for a million of them.
        order = spread(combinations.combinations)
        codes = np.ascontiguousarray(combinations.codes[:, order])
        shuffled = replace(combinations, codes=codes, counts=combinations.counts[order])
        self._source = source
        self._missing = frozenset(missing)
        self._quasi = combinations.names
        self._known = combinations.combinations
        self._recoding, self._order = recoding, order
        self._parting = None if recoding.pieces is None else Parting(*recoding.pieces, order)
        by_number = order if recoding.pieces is None else slice(None)
        self._kept = recoding.kept[by_number]
        self._lookup = Lookup(shuffled, missing)
        self._labels = {
            name: (column.codes[by_number], label_array(column)) for name, column in relabeled(recoding).items()
        }

    def numbers(self, batch: pa.RecordBatch, weights: Counts | None = None) -> Codes:
        """Return the piece of each row of a batch of quasi-identifiers; a row is one record, or `weights[i]` records.

        A combination that is not split is its own piece.
        """
        numbers = self._lookup.find([batch.column(name) for name in self._quasi])
        uncounted = numbers >= self._known
        if self._parting is not None and not uncounted.any():
            numbers = self._parting.pieces(numbers)
            uncounted = numbers >= len(self._kept)
        if uncounted.any():
            raise _not_counted(self._source, int((uncounted if weights is None else weights[uncounted]).sum()))
        return numbers

    def shares(self, combinations: pa.Table, weights: Counts) -> Shares:
        """Return the pieces of combinations, of which an engine has `weights[i]` records each."""
        found = [self._lookup.find([batch.column(name) for name in self._quasi]) for batch in combinations.to_batches()]
        numbers = np.concatenate([np.empty(0, dtype=np.int32), *found])
        uncounted = numbers >= self._known
        if uncounted.any():
            raise _not_counted(self._source, int(weights[uncounted].sum()))
        of = self._order[numbers]
        beyond = surplus(self._recoding, of, weights)
        if beyond:
            raise _not_counted(self._source, beyond)
        return shares(self._recoding, of, weights)

    def kept(self, numbers: Codes) -> NDArray[np.bool_]:
        """Return a mask of the records in these pieces that are published."""
        return self._kept[numbers]

    def labels(self, name: str, numbers: Codes) -> pa.Array:
        """Return the published cells of records in these pieces, in a recoded column."""
        return self.coded(name, numbers).dictionary_decode()

    def batch(self, batch: pa.RecordBatch, columns: Sequence[str]) -> pa.RecordBatch:
        """Return the published records of a batch that has the quasi-identifiers and the columns."""
        return self.cells(batch, self.numbers(batch), columns)

    def cells(self, batch: pa.RecordBatch, numbers: Codes, columns: Sequence[str]) -> pa.RecordBatch:
        """Return the published ones of records in these pieces."""
        kept = self.kept(numbers)
        if not kept.all():
            numbers = numbers[kept]
            batch = batch.filter(booleans(kept))
        arrays = [
            self.coded(name, numbers) if name in self._labels else without(batch.column(name), self._missing)
            for name in columns
        ]
        return pa.RecordBatch.from_arrays(arrays, list(columns))

    def coded(self, name: str, numbers: Codes) -> pa.DictionaryArray:
        """Return the same as codes in the list of all labels of the column."""
        codes, labels = self._labels[name]
        return pa.DictionaryArray.from_arrays(integers(codes[numbers]), labels)


def spread(number: int) -> NDArray[np.int64]:
    """Return all numbers below one in an order whose every beginning is spread evenly over them: the van der Corput
    sequence."""
    order = np.zeros(1, dtype=np.int64)
    while len(order) < number:
        order = np.concatenate([2 * order, 2 * order + 1])
    return order[order < number]


def without(cells: pa.Array, missing: frozenset[str]) -> pa.Array:
    """Return the cells with null in place of missing-value markers: two kinds of missing would be two values."""
    if not missing or not len(cells):
        return cells
    coded = cells if pa.types.is_dictionary(cells.type) else cells.dictionary_encode()
    values = coded.dictionary.to_pylist()
    gone = [at for at, value in enumerate(values) if value is not None and not missing.isdisjoint(text_forms(value))]
    if not gone:
        return cells
    indices = coded.indices.cast(pa.int32())
    left = pc.if_else(pc.is_in(indices, integers(np.array(gone, dtype=np.int32))), pa.nulls(1, pa.int32())[0], indices)
    return pa.DictionaryArray.from_arrays(left, coded.dictionary)


def cannot_split(source: str, why: str) -> SourceError:
    """Return the error for records that a single join cannot assign to pieces."""
    return SourceError.of(
        source,
        f"this search puts equal records into different classes, which is not possible here: {why}",
        "read the table into pandas, Polars or PyArrow, write it to one file first, or use the search mondrian",
    )


def recoded(recoding: RecodingMap) -> Kinds:
    """Return the types of the columns that are recoded or added."""
    return {name: column.kind for name, column in relabeled(recoding).items()}


def relabeled(recoding: RecodingMap) -> dict[str, PublishedColumn]:
    """Return the columns that are recoded or added."""
    named = zip(recoding.combinations.names, recoding.columns, strict=True)
    return {name: column for name, column in named if column is not None} | recoding.further


def label_array(column: PublishedColumn) -> pa.Array:
    """Return the labels of a column, with the type of its cells."""
    return text_array(column.labels).cast(column.kind)


def common_schema(schemas: Iterable[pa.Schema]) -> pa.Schema:
    """Return one schema for batches with the same columns; columns with different types become text."""
    schemas = list(schemas)
    return pa.schema([(name, _common([one.field(name).type for one in schemas])) for name in schemas[0].names])


def _common(kinds: Sequence[pa.DataType]) -> pa.DataType:
    plain = {kind.value_type if pa.types.is_dictionary(kind) else kind for kind in kinds} - {pa.null()}
    if len(plain) < 2:
        return plain.pop() if plain else pa.null()
    return pa.int64() if all(map(_fits_64_bits, plain)) else pa.string()


def _fits_64_bits(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind)) and kind != pa.uint64()


def of_type(field: pa.Field, cells: pa.Array) -> pa.Array:
    """Return cells as plain values of the field's type, with one form for values that were counted as equal."""
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    cells = _counted_as_one(cells)
    if cells.type == field.type:
        return cells
    try:
        return _times(cells, field.type) if pa.types.is_time(field.type) else cells.cast(field.type)
    except pa.ArrowException:
        wrong = f"its type differs between batches, and {cells.type} has no text form"
        raise SourceError.of(f"column {field.name!r}", wrong, "convert it to one type") from None


def _times(cells: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return times of day parsed from text, which Arrow does not do."""
    coded = cells.dictionary_encode()
    try:
        values = [time.fromisoformat(text) for text in coded.dictionary.to_pylist()]
    except ValueError:
        raise pa.ArrowInvalid from None
    return pa.array(values, kind).take(coded.indices)


def _counted_as_one(cells: pa.Array) -> pa.Array:
    """Return floats with null for NaN and 0.0 for -0.0; other cells unchanged."""
    kind = cells.type
    if not pa.types.is_float64(kind) and not pa.types.is_float32(kind):
        return cells
    # pa.scalar would import pandas.
    zero = pa.Array.from_buffers(kind, 1, [None, pa.py_buffer(bytes(8))])[0]
    return pc.if_else(pc.is_nan(cells), None, pc.add(cells, zero))


def integers(numbers: NDArray[np.int32]) -> pa.Array:
    """Return NumPy integers as an Arrow array; pa.array would import pandas to check for a series."""
    return pa.Array.from_buffers(pa.int32(), len(numbers), [None, pa.py_buffer(numbers)])


def _not_counted(source: str, records: int) -> SourceError:
    """Return the error for records whose combination was not counted."""
    words = "1 record has" if records == 1 else f"{records:,} records have"
    return SourceError.of(
        source,
        f"{words} a combination of quasi-identifiers that was not counted",
        "the data changed during the run; rerun while nothing writes to it",
    )


def _changed(source: str, expected: int, found: int | None) -> SourceError:
    return SourceError.of(
        source,
        f"{expected:,} records were expected for the release, {found:,} were found",
        "the data changed during the run; rerun while nothing writes to it",
    )
