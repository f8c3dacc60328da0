"""Sort a release by its cells: the position of a record must disclose nothing that its cells do not.

A table is often sorted by values that its release hides: a date of birth, a name, the time of an admission. The records
are therefore sorted by all published cells, column by column: missing first, numbers as numbers, texts as texts.
Nothing of the source's order remains, because records that are still equal are indistinguishable. (Shuffling is not
enough: it can be reversed by guessing the seed.) Engines sort by one number, which stands for the quasi-identifiers of
a record as they are published (`maps`), or repeat classes that are in order (`repeated`).

Cells are collected as codes of a few bytes. Each column's values are ranked, and the ranks of a record are packed into
64-bit words, the first column in the highest bits: sorting records is then sorting numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.keys import Keys, bits
from incrowd.core.table import Codes, booleans, in_numpy, or_missing, places
from incrowd.engines.publish import Published, integers, of_type
from incrowd.errors import SourceError
from incrowd.threads import in_order
from incrowd.watch import Watch

_ROWS = 1 << 16
"""Records per batch."""

_WORD = 64


def arranged(published: Published, watch: Watch, wider: FrequencySet | None = None) -> Published:
    """Return the same records sorted by their cells; `wider` are counts of all of them, by more columns than the
    recoding needs."""
    if published.in_order:
        return replace(published, native=published.arranged)

    def rows() -> Iterator[pa.RecordBatch]:
        schema = published.schema
        columns = [_Gathered(field) for field in schema]
        counted = published.from_counts(wider)
        for batch in published.rows() if counted is None else [counted[0]]:
            for column, cells in zip(columns, batch.columns, strict=True):
                column.add(cells)
        watch.tick("sorting the records")
        if columns[0].rows:
            yield from _unpacked(*_sorted(_packed(columns), None if counted is None else counted[1]), schema)

    return replace(published, find_schema=lambda: published.schema, rows=rows, native=published.arranged)


def order_of(table: pa.Table) -> NDArray[np.int64]:
    """Return the row numbers, sorted by the rows' cells."""
    if not table.num_rows:
        return np.empty(0, dtype=np.int64)
    columns = [_Gathered(field) for field in table.schema]
    for column, cells in zip(columns, table.columns, strict=True):
        for chunk in cells.chunks:
            column.add(chunk)
    return np.lexsort([word.keys for word in reversed(_packed(columns))])


class _Gathered:
    """The cells of one column, as codes in their original dictionaries."""

    def __init__(self, field: pa.Field) -> None:
        self.field = field
        self._dictionaries: list[pa.Array] = []
        self._chunks: list[tuple[int, NDArray[Any]]] = []
        """The dictionary's number and the codes in it; the code after its last one means missing."""
        self._last: pa.Array | None = None

    def add(self, cells: pa.Array) -> None:
        """Add the cells of one batch."""
        with_codes = cells if pa.types.is_dictionary(cells.type) else self._encoded(cells)
        values = with_codes.dictionary
        codes = or_missing(with_codes.indices, len(values))
        if 2 * len(values) > len(codes):
            # Nearly as many values as records; batch after batch may have them all.
            values, codes = _only_used(values, codes)
            self._dictionaries.append(_sortable(of_type(self.field, values)))
            self._last = None
        elif self._last is None or not values.equals(self._last):
            self._dictionaries.append(_sortable(of_type(self.field, values)))
            self._last = values
        self._chunks.append((len(self._dictionaries) - 1, codes.astype(np.min_scalar_type(len(values)))))

    def _encoded(self, cells: pa.Array) -> pa.DictionaryArray:
        try:
            return of_type(self.field, cells).dictionary_encode()
        except pa.ArrowNotImplementedError:
            raise self._without_order() from None

    def ranked(self) -> tuple[pa.Array, Iterator[Keys]]:
        """Return the sorted values, and chunk by chunk the rank of each cell, from 1; missing is 0."""
        sizes = [len(values) for values in self._dictionaries]
        values = pa.concat_arrays(self._dictionaries)
        self._dictionaries.clear()
        try:
            order = in_numpy(pc.sort_indices(values))[: len(values) - values.null_count]
        except pa.ArrowNotImplementedError:
            raise self._without_order() from None
        ranks = np.zeros(len(values), dtype=np.uint64)
        values = values.take(integers(order))
        # Beside each other are values that several dictionaries have.
        first = _differ_from_the_one_before(values)
        ranks[order] = np.cumsum(first)
        starts = list(accumulate(sizes, initial=0))
        lookups = [np.append(ranks[at : at + size], np.uint64(0)) for at, size in zip(starts, sizes, strict=False)]
        return values if first.all() else values.filter(booleans(first)), self._given_up(lookups)

    def _given_up(self, lookups: Sequence[Keys]) -> Iterator[Keys]:
        """Yield the ranks of each chunk and release its memory for the keys."""
        while self._chunks:
            number, codes = self._chunks.pop(0)
            yield lookups[number][codes]

    @property
    def rows(self) -> int:
        """Return the number of cells."""
        return sum(len(codes) for _, codes in self._chunks)

    def _without_order(self) -> SourceError:
        return SourceError.of(
            f"column {self.field.name!r}",
            f"values of type {self.field.type} cannot be sorted",
            "convert it to text first, or keep the order of the source (order: source)",
        )


@dataclass(frozen=True, eq=False)
class _Word:
    """The packed ranks of adjacent columns: one number per record."""

    keys: Keys
    columns: list[tuple[int, pa.Array]]
    """Bits of each column and its sorted values; the last column has the lowest bits."""


def _packed(columns: Sequence[_Gathered]) -> list[_Word]:
    words: list[_Word] = []
    free = 0
    for column in columns:
        rows = column.rows
        values, chunks = column.ranked()
        width = bits(len(values) + 1)
        if width > free:
            words.append(_Word(np.zeros(rows, dtype=np.uint64), []))
            free = _WORD
        free -= width
        words[-1].columns.append((width, values))
        start = 0
        for ranks in chunks:
            keys = words[-1].keys[start : start + len(ranks)]
            keys <<= np.uint64(width)
            keys |= ranks
            start += len(ranks)
    return words


def _sorted(words: Sequence[_Word], counts: Counts | None) -> tuple[Sequence[_Word], Counts | None]:
    """Return the words in order, and of how many records each is."""
    if len(words) == 1 and counts is None:
        # Equal keys are equal records: sorting the keys alone is enough, and fastest.
        words[0].keys.sort()
        return words, counts
    order = np.lexsort([word.keys for word in reversed(words)])
    return [replace(word, keys=word.keys[order]) for word in words], None if counts is None else counts[order]


def _unpacked(words: Sequence[_Word], counts: Counts | None, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield the records that the words encode, each once or as often as it was counted."""
    ends = None if counts is None else np.cumsum(counts)
    total = len(words[0].keys) if ends is None else int(ends[-1])

    def records(start: int) -> pa.RecordBatch:
        at = slice(start, start + _ROWS) if ends is None else _of_records(ends, start, min(start + _ROWS, total))
        cells: list[pa.Array] = []
        for word in words:
            cells += _cells(word.keys[at], word.columns)
        arrays = [column.cast(field.type) for column, field in zip(cells, schema, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=schema)

    return in_order(records, range(0, total, _ROWS))


def _of_records(ends: Counts, start: int, stop: int) -> NDArray[np.int64]:
    """Return the row of each of some records, where rows end at these numbers of records."""
    first, last = np.searchsorted(ends, [start, stop - 1], side="right")
    until = np.minimum(ends[first : last + 1], stop)
    return np.repeat(np.arange(first, last + 1), until - np.append(start, until[:-1]))


def _cells(keys: Keys, columns: Iterable[tuple[int, pa.Array]]) -> list[pa.Array]:
    found = []
    for width, values in reversed(list(columns)):
        found.append(values.take(places((keys & np.uint64((1 << width) - 1)).astype(np.int32))))
        keys = keys >> np.uint64(width)
    return found[::-1]


def _differ_from_the_one_before(values: pa.Array) -> NDArray[np.bool_]:
    differ = np.ones(len(values), dtype=np.bool_)
    if len(values) > 1:
        found = pc.not_equal(values[1:], values[:-1])
        bytes_ = np.frombuffer(found.buffers()[1], np.uint8)
        differ[1:] = np.unpackbits(bytes_, bitorder="little")[found.offset : found.offset + len(found)]
    return differ


def _only_used(values: pa.Array, codes: Codes) -> tuple[pa.Array, Codes]:
    """Return the values that occur in cells, and the codes of the cells among these."""
    used = np.zeros(len(values) + 1, dtype=np.bool_)
    used[codes] = True
    # Missing, which has the last code, keeps it.
    used[-1] = True
    return values.filter(booleans(used[:-1])), (np.cumsum(used, dtype=np.int32) - np.int32(1))[codes]


def _sortable(values: pa.Array) -> pa.Array:
    """Return texts and bytes with 64-bit offsets, to hold all of a column."""
    kind = values.type
    if pa.types.is_string(kind) or pa.types.is_string_view(kind):
        return values.cast(pa.large_string())
    if pa.types.is_binary(kind) or pa.types.is_binary_view(kind):
        return values.cast(pa.large_binary())
    return values.cast(pa.string()) if pa.types.is_null(kind) else values
