"""The frequency set: the distinct combinations of a table with their counts. All that a diagnosis needs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.classes import Grouping
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.histograms import UNLIMITED, Columns, Domain, Histogram
from incrowd.core.kernels import Numbering, Tally, regroup, total
from incrowd.core.keys import Layout, bits, chain, number_combinations
from incrowd.core.table import MISSING, Codes, Encoder, Table
from incrowd.errors import UsageError

Counts = NDArray[np.int64]
Encoded = tuple[Codes, Codes]
"""A column of a batch: local codes, and the code of each local code."""
Encoders = Mapping[str, Encoder]

_LARGE = 1 << 16
"""A first batch of so many records is looked at for a column that tells all of them apart."""


@dataclass(frozen=True, eq=False, repr=False)
class FrequencySet(Brief):
    """Distinct combinations of the named columns, and how many records have each."""

    names: tuple[str, ...]
    values: tuple[pa.Array, ...]
    """Per column its values; code c stands for values[c - 1], code 0 for missing."""
    codes: NDArray[np.int32]
    """Columns x combinations."""
    counts: Counts

    @cached_property
    def records(self) -> int:
        """How many records were counted."""
        return int(self.counts.sum())

    @property
    def combinations(self) -> int:
        """How many distinct combinations there are."""
        return len(self.counts)

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        """Codes per column, missing included."""
        return tuple(len(values) + 1 for values in self.values)

    @classmethod
    def of_table(cls, table: Table) -> "FrequencySet":
        """Count an encoded table."""
        names = tuple(column.name for column in table.columns)
        codes = np.array([column.codes for column in table.columns], dtype=np.int32)
        ones = np.ones(table.rows, dtype=np.int64)
        rows = cls(names, tuple(column.values for column in table.columns), codes, ones)
        return rows.project(names)

    def indices(self, names: Sequence[str]) -> list[int]:
        """Return positions of the named columns."""
        unknown = [name for name in names if name not in self.names]
        if unknown:
            raise UsageError.unknown_columns(unknown, self.names)
        return [self.names.index(name) for name in names]

    def classes(self, names: Sequence[str]) -> Grouping:
        """Return the combinations grouped by the named columns."""
        return self._group(self.indices(names))

    def _group(self, columns: Sequence[int]) -> Grouping:
        if not columns:
            # Nothing tells records apart.
            return Grouping(
                self.counts.sum(keepdims=True)[: self.combinations], of=np.zeros(self.combinations, dtype=np.int32)
            )
        numbers, n = number_combinations([self.codes[c] for c in columns], [self.cardinalities[c] for c in columns])
        return Grouping(total(numbers, n, self.counts), of=numbers)

    def judged(
        self,
        quasi: Sequence[str],
        sensitive: Sequence[Columns],
        ladders: Mapping[str, EncodedHierarchy] | None = None,
        most: int = UNLIMITED,
    ) -> Grouping:
        """Return the classes of the quasi-identifiers with the histograms of sensitive columns, each alone or several
        jointly.

        The ladders are those of sensitive columns, by name. Classes are compared with all records of this set. If so
        many different values of a class are enough, `most`, no more are looked at.
        """
        classes = self.classes(quasi)
        return self.grouped(classes.of, len(classes), sensitive, ladders or {}, most=most)

    def grouped(
        self,
        of: Codes,
        n: int,
        sensitive: Sequence[Columns],
        ladders: Mapping[str, EncodedHierarchy],
        whole: "FrequencySet | None" = None,
        most: int = UNLIMITED,
    ) -> Grouping:
        """Return the combinations in n given classes, with histograms; they are compared with all records of
        `whole`."""
        sizes = total(of, n, self.counts)
        histograms = {columns: self._histogram(of, n, columns, ladders, whole or self, most) for columns in sensitive}
        return Grouping(sizes, histograms, of=of)

    def _histogram(
        self,
        of: Codes,
        n_classes: int,
        columns: Columns,
        ladders: Mapping[str, EncodedHierarchy],
        whole: "FrequencySet",
        most: int,
    ) -> Histogram:
        values, in_whole, cardinality = self._valued(columns, whole)
        # A combination may be here for the population alone: nobody has its values.
        there, known = self.counts > 0, whole.counts > 0
        of, values, counts = of[there], values[there], self.counts[there]
        if len(columns) == 1:
            domain = whole._domain(columns, self.values[self.names.index(columns[0])], ladders.get(columns[0]))
        else:
            total_of = total(in_whole[known], cardinality, whole.counts[known])
            domain = Domain(columns, whole=total_of, parts=self._parts(columns, in_whole, cardinality, whole))
        each = np.arange(len(of) + 1, dtype=np.int64)
        return Histogram(domain, *regroup(of, n_classes, each, values, counts, cardinality, most))

    def _domain(self, columns: Columns, values: pa.Array, ladder: EncodedHierarchy | None) -> Domain:
        """Return the values of a column in all records; always the same object, for which models keep their results."""
        known = self._domains.get(columns)
        if known is None or known.values is not values or known.ladder is not ladder:
            at, there = self.names.index(columns[0]), self.counts > 0
            whole = total(self.codes[at][there], self.cardinalities[at], self.counts[there])
            known = self._domains[columns] = Domain(columns, whole=whole, values=values, ladder=ladder)
        return known

    @cached_property
    def _domains(self) -> dict[Columns, Domain]:
        """The domains of single columns that were asked for."""
        return {}

    @staticmethod
    def _parts(columns: Columns, joint: Codes, n: int, whole: "FrequencySet") -> tuple[Codes, ...]:
        """For each of several columns its code in every joint value of the whole table."""
        found = []
        for at in whole.indices(columns):
            codes = np.zeros(n, dtype=np.int32)
            codes[joint] = whole.codes[at]
            found.append(codes)
        return tuple(found)

    def _valued(self, columns: Columns, whole: "FrequencySet") -> tuple[Codes, Codes, int]:
        """Return the value of each combination here and of each in the whole table, and how many values there are."""
        at = self.indices(columns)
        if len(at) == 1:
            return self.codes[at[0]], whole.codes[at[0]], self.cardinalities[at[0]]
        codes = [self.codes[c] if whole is self else np.concatenate([whole.codes[c], self.codes[c]]) for c in at]
        numbers, n = number_combinations(codes, [self.cardinalities[c] for c in at])
        return numbers[-self.combinations :] if self.combinations else numbers[:0], numbers[: whole.combinations], n

    def project(self, names: Sequence[str]) -> "FrequencySet":
        """Return the frequency set of fewer columns, without going back to the records."""
        columns = self.indices(names)
        classes = self._group(columns)
        first = np.empty(len(classes), dtype=np.int64)
        # Written backwards, so that the first member of each class is what stays.
        first[classes.of[::-1]] = np.arange(len(classes.of) - 1, -1, -1)
        codes = np.array([self.codes[column][first] for column in columns])
        return FrequencySet(tuple(names), tuple(self.values[c] for c in columns), codes, classes.sizes)

    def complete(self, names: Sequence[str]) -> "FrequencySet":
        """Return only the combinations in which no named column is missing."""
        kept = (self.codes[self.indices(names)] != MISSING).all(axis=0)
        return FrequencySet(self.names, self.values, np.ascontiguousarray(self.codes[:, kept]), self.counts[kept])

    @classmethod
    def merge(cls, parts: Sequence["FrequencySet"]) -> "FrequencySet":
        """Return one frequency set of tables with the same columns."""
        if len(parts) == 1:
            return parts[0]
        counting = Counting(parts[0].names)
        for part in parts:
            part = part if part.names == counting.names else part.project(counting.names)
            columns = [
                pa.DictionaryArray.from_arrays(pa.array(codes - 1, mask=codes == MISSING), values)
                for codes, values in zip(part.codes, part.values, strict=True)
            ]
            counting.add(columns, part.counts)
        return counting.result()


def aligned(one: FrequencySet, other: FrequencySet, names: Sequence[str]) -> tuple[FrequencySet, FrequencySet]:
    """Return two frequency sets whose named columns have the same codes for the same values."""
    parts = [(one, one.indices(names)), (other, other.indices(names))]
    recoded = [(part.codes.copy(), list(part.values)) for part, _ in parts]
    for at, name in enumerate(names):
        encoder = Encoder(name)
        lookups = []
        for part, columns in parts:
            local, lookup = encoder.encode(part.values[columns[at]])
            lookups.append(np.append(np.int32(MISSING), lookup[local]))
        for (codes, values), lookup, (part, columns) in zip(recoded, lookups, parts, strict=True):
            codes[columns[at]] = lookup[part.codes[columns[at]]]
            values[columns[at]] = encoder.values
    first, second = (
        FrequencySet(part.names, tuple(values), codes, part.counts)
        for (codes, values), (part, _) in zip(recoded, parts, strict=True)
    )
    return first, second


class Counting:
    """Counts batch after batch into one frequency set; memory grows with distinct combinations, not with records."""

    def __init__(self, names: Sequence[str], missing: Collection[str] = (), encoders: Encoders | None = None) -> None:
        """Count the named columns; with encoders that others share, what these gave is counted (`add_encoded`)."""
        self.names = tuple(names)
        self._encoders = [Encoder(name, missing) if encoders is None else encoders[name] for name in names]
        self._apart: list[tuple[Sequence[Encoded], int]] = []
        """The cells of all records so far, batch by batch with their number, while a column has another value in each:
        nothing to be counted."""
        self._records = 0
        self._start(Layout.for_widths([1] * len(names)))

    def _start(self, layout: Layout) -> None:
        self._layout = layout
        self._numberings = [Numbering() for _ in layout.words[1:]]
        self._tally = Tally()

    def add(self, columns: Sequence[pa.Array], weights: Counts | None = None) -> None:
        """Count one batch: a record a row, or `weights[i]` records for row i."""
        cells = [encoder.encode(column) for encoder, column in zip(self._encoders, columns, strict=True)]
        self.add_encoded(cells, len(columns[0]), weights)

    def add_encoded(self, cells: Sequence[Encoded], rows: int, weights: Counts | None = None) -> None:
        """Count one batch whose columns the encoders have encoded."""
        begun, self._records = self._records, self._records + rows
        if weights is None and self._told_apart(begun):
            self._apart.append((cells, rows))
            return
        needed = [bits(len(encoder)) for encoder in self._encoders]
        if any(need > have for need, have in zip(needed, self._layout.widths, strict=True)):
            self._widen(needed)
        for earlier, records in self._apart:
            self._add(earlier, records, None)
        self._apart = []
        self._add(cells, rows, weights)

    def _told_apart(self, begun: int) -> bool:
        """Return whether all records have been told apart by a column before the present batch, and still are."""
        large = begun > 0 or self._records >= _LARGE
        if not large or sum(records for _, records in self._apart) != begun:
            return False
        return any(len(encoder) == self._records + 1 for encoder in self._encoders)

    def _add(self, cells: Sequence[Encoded], rows: int, weights: Counts | None) -> None:
        keys = self._layout.word(0, cells, rows)
        for at, numbering in enumerate(self._numberings):
            keys = chain(numbering.add(keys), self._layout.word(at + 1, cells, rows))
        self._tally.add(keys, weights)

    def _widen(self, needed: Sequence[int]) -> None:
        """Start a wider layout with the counts so far, since there are more values than the present one has bits
        for."""
        codes, counts = self._codes()
        cells = [(row, np.arange(row.max(initial=0) + 1, dtype=np.int32)) for row in codes]
        # One bit to spare where it costs no further word, so that a column that keeps growing widens seldom.
        tight, roomy = Layout.for_widths(needed), Layout.for_widths([need + 1 for need in needed])
        self._start(roomy if len(roomy.words) == len(tight.words) else tight)
        self._add(cells, len(counts), counts)

    def _codes(self) -> tuple[NDArray[np.int32], Counts]:
        keys, counts = self._tally.items()
        codes = np.zeros((len(self.names), len(keys)), dtype=np.int32)
        for at in range(len(self._numberings), 0, -1):
            self._layout.unpack(at, keys & np.uint64(0xFFFFFFFF), codes)
            keys = self._numberings[at - 1].keys()[(keys >> np.uint64(32)).astype(np.int64)]
        self._layout.unpack(0, keys, codes)
        return codes, counts

    def _codes_apart(self) -> NDArray[np.int32]:
        """Return the codes of records that were all told apart, each of which is written once."""
        codes, begun = np.empty((len(self.names), self._records), dtype=np.int32), 0
        for cells, rows in self._apart:
            for of, (local, lookup) in zip(codes, cells, strict=True):
                # Checking the numbers, which are right, would copy them.
                np.take(lookup, local, out=of[begun : begun + rows], mode="clip")
            begun += rows
        return codes

    def result(self) -> FrequencySet:
        """Return the frequency set counted so far."""
        if self._apart:
            codes, counts = self._codes_apart(), np.ones(self._records, dtype=np.int64)
        else:
            codes, counts = self._codes()
        return FrequencySet(self.names, tuple(encoder.values for encoder in self._encoders), codes, counts)
