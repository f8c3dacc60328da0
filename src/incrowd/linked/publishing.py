"""The tables as they are published: recoded, without the people who are left out, under fresh keys.

A key must tell nothing, not even the order of the input: whoever shuffles people with a known seed can be undone. So
people are first put in an order that follows from what is published of them alone, by the cells of their record and of
all records that hang on it. People of whom the same is published are alike in it, and which of them comes first makes
no difference to the release. Then a permutation drawn from the job's seed numbers them. A key is thus a function of the
published cells and the seed: equal jobs give equal bytes, and the order of the input and the original keys have no
part in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.keys import number_combinations
from incrowd.core.table import MISSING, Codes, in_numpy, text_array
from incrowd.engines.order import order_of
from incrowd.engines.publish import integers
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.reading import LinkedData, PeopleTable, Rows

Mask = NDArray[np.bool_]
Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False, repr=False)
class _Cells(Brief):
    """A column of a table: code c stands for values[c - 1], 0 for missing."""

    codes: Codes
    values: pa.Array


@dataclass(frozen=True, eq=False, repr=False)
class _Shown(Brief):
    """The records of a table that are published, each once for every record."""

    rows: Rows
    """Their combinations in what was counted."""
    cells: Mapping[str, _Cells]
    """All but the keys."""
    above: Rows | None
    """The position of the record that each hangs on, in the table above."""


def published_tables(
    job: LinkedJob,
    data: LinkedData,
    ladders: Mapping[str, Sequence[EncodedHierarchy]],
    levels: Mapping[str, int],
    stays: Mask,
) -> dict[str, pa.Table]:
    """Return every table as it is published; `levels` are by `table.column`, `stays` says who is published."""
    shown: dict[str, _Shown] = {}
    for name, table in data.tables.items():
        of = job.tables[name].of
        own = [column for column in table.published if column not in _keys(job, name)]
        shown[name] = _shown(table, own, ladders[name], levels, stays, None if of is None else shown[of])
    keys = _fresh_keys(job, shown)
    return {name: _table(job, table, shown, keys) for name, table in data.tables.items()}


def _keys(job: LinkedJob, table: str) -> tuple[str | None, str | None]:
    """Return the published key columns of a table: its own, and that of the table it hangs on."""
    return job.key_published(table), job.above_published(table)


def _shown(
    table: PeopleTable,
    columns: Sequence[str],
    ladders: Sequence[EncodedHierarchy],
    levels: Mapping[str, int],
    stays: Mask,
    above: _Shown | None,
) -> _Shown:
    records = table.records
    kept = np.flatnonzero(stays[table.person])
    rows = np.repeat(kept, records.counts[kept])
    place = None
    if above is not None and table.above is not None:
        # A table that others hang on has one record for each combination.
        position = np.zeros(int(max(above.rows.max(initial=0), table.above.max(initial=0))) + 1, dtype=np.int64)
        position[above.rows] = np.arange(len(above.rows))
        place = position[table.above[rows]]
    by_name = {ladder.name.partition(".")[2]: ladder for ladder in ladders}
    cells = {}
    for column in columns:
        at = records.names.index(column)
        codes = records.codes[at][rows]
        ladder = by_name.get(column)
        level = 0 if ladder is None else levels[ladder.name]
        cells[column] = _generalized(ladder, level, codes) if ladder and level else _Cells(codes, records.values[at])
    return _Shown(rows, cells, place)


def _generalized(ladder: EncodedHierarchy, level: int, codes: Codes) -> _Cells:
    """Return the labels of a level; a missing cell may have one too."""
    labels = ladder.labels(level)
    return _Cells(ladder.up[level][codes], text_array(labels[1:]))


def _fresh_keys(job: LinkedJob, shown: Mapping[str, _Shown]) -> dict[str, Rows]:
    """Return for each table that others hang on the number of each of its records."""
    marks = _marks(job, shown)
    found: dict[str, Rows] = {}
    for at, (name, table) in enumerate(shown.items()):
        if not job.key_of(name):
            continue
        of = job.tables[name].of
        first, second = marks[name]
        by: list[NDArray[np.generic]] = [second, first]
        if of is not None and table.above is not None:
            by.append(found[of][table.above])
        order = np.lexsort(by)
        numbers = np.random.default_rng([job.settings.seed, at]).permutation(len(order)) + 1
        found[name] = np.empty(len(order), dtype=np.int64)
        found[name][order] = numbers
    return found


def _marks(job: LinkedJob, shown: Mapping[str, _Shown]) -> dict[str, tuple[Words, Words]]:
    """Return 128 bits for every record that follow from its cells and from those of all records that hang on it.

    Records with equal bits have equal cells, unless two of the sums collide, which nobody will live to see.
    """
    sums = {
        name: (np.zeros(len(table.rows), np.uint64), np.zeros(len(table.rows), np.uint64))
        for name, table in shown.items()
    }
    found: dict[str, tuple[Words, Words]] = {}
    for at, (name, table) in reversed(list(enumerate(shown.items()))):
        ranks = _ranks([*table.cells.values()], len(table.rows))
        found[name] = (_mixed(ranks, sums[name][0], 2 * at), _mixed(ranks, sums[name][1], 2 * at + 1))
        of = job.tables[name].of
        if of is None or table.above is None or not len(table.rows):
            continue
        order = np.argsort(table.above, kind="stable")
        rows, starts = np.unique(table.above[order], return_index=True)
        for total, mark in zip(sums[of], found[name], strict=True):
            total[rows] += np.add.reduceat(mark[order], starts)
    return found


def _mixed(ranks: Words, below: Words, salt: int) -> Words:
    """Return well-mixed bits of two numbers (the finalizer of SplitMix64, twice)."""
    return _finalized(_finalized(ranks + np.uint64((salt + 1) * 0x9E3779B97F4A7C15 % 2**64)) + below)


def _finalized(bits: Words) -> Words:
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _ranks(columns: Sequence[_Cells], rows: int) -> Words:
    """Return the rank of each record among all, by its cells: whatever their codes are, equal cells rank alike."""
    if not columns or not rows:
        return np.zeros(rows, dtype=np.uint64)
    codes = [_ranked(cells) for cells in columns]
    sizes = [int(each.max(initial=0)) + 1 for each in codes]
    numbers, n = number_combinations(codes, sizes)
    first = np.empty(n, dtype=np.int64)
    first[numbers] = np.arange(rows)
    order = np.lexsort([each[first] for each in reversed(codes)])
    rank = np.empty(n, dtype=np.uint64)
    rank[order] = np.arange(n, dtype=np.uint64)
    return rank[numbers]


def _ranked(cells: _Cells) -> Codes:
    """Return the rank of each cell among the published values of its column; missing is 0."""
    used = np.unique(cells.codes)
    used = used[used != MISSING]
    values = cells.values.take(integers(used.astype(np.int32) - np.int32(1)))
    if pa.types.is_null(values.type):
        return cells.codes
    order = in_numpy(pc.sort_indices(values))
    ranks = np.zeros(int(cells.codes.max(initial=0)) + 1, dtype=np.int32)
    ranks[used[order]] = np.arange(1, len(used) + 1)
    return ranks[cells.codes]


def _table(job: LinkedJob, table: PeopleTable, shown: Mapping[str, _Shown], keys: Mapping[str, Rows]) -> pa.Table:
    """Return a table with its fresh keys, sorted by its cells."""
    own, of, (key, above) = shown[table.name], job.tables[table.name].of, _keys(job, table.name)
    columns: dict[str, pa.Array] = {}
    for column in table.published:
        if column == key:
            columns[column] = _numbers(keys[table.name])
        elif column == above:
            assert of is not None
            assert own.above is not None
            columns[column] = _numbers(keys[of][own.above])
        else:
            columns[column] = _array(own.cells[column])
    found = pa.table(columns)
    order = order_of(found)
    return found.take(_numbers(order)) if len(order) else found


def _array(cells: _Cells) -> pa.Array:
    """Return the cells as plain values."""
    if pa.types.is_null(cells.values.type):
        return pa.nulls(len(cells.codes), pa.string())
    there = np.packbits(cells.codes != MISSING, bitorder="little")
    buffers = [pa.py_buffer(there), pa.py_buffer(np.ascontiguousarray(cells.codes - np.int32(1)))]
    return cells.values.take(pa.Array.from_buffers(pa.int32(), len(cells.codes), buffers))


def _numbers(numbers: Rows) -> pa.Array:
    """Return NumPy integers as an Arrow array; pa.array would import pandas to check for a series."""
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(np.ascontiguousarray(numbers))])
