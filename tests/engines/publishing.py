"""A recoding of any table, and what plain Python publishes under it, row by row."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from engines.same_rows import Column, Columns, plain
from incrowd.core.frequencies import FrequencySet
from incrowd.engines.cells import fetched
from incrowd.engines.publish import Published, publish
from incrowd.engines.source import Source
from incrowd.recodings import PublishedColumn, RecodingMap
from incrowd.watch import Watch

LABELS = ("*", None, "[0, 10[", "", 'quo"te', "日本")
ROW = "row number"
Cells = Mapping[str, Sequence[Any]]


def numbered(columns: Columns) -> Columns:
    """The columns and the number of each row, by which rows are known again where they have no order."""
    rows = len(next(iter(columns.values())).cells)
    return {ROW: Column(pa.int64(), list(range(rows))), **columns}


def recoding_of(frequencies: FrequencySet, unchanged: Sequence[str] = (), share: float = 0.7) -> RecodingMap:
    """Some label for every combination, missing among them, and some combinations left out."""
    random = np.random.default_rng(frequencies.combinations)
    size = frequencies.combinations

    def column(name: str) -> PublishedColumn | None:
        codes = random.integers(0, len(LABELS), size).astype(np.int32)
        return None if name in unchanged else PublishedColumn(codes, LABELS)

    return RecodingMap(frequencies, random.random(size) < share, tuple(map(column, frequencies.names)))


def recoding_for(
    source: Source, quasi: Sequence[str], unchanged: Sequence[str] = (), share: float = 0.7
) -> RecodingMap:
    """A recoding of a source."""
    return recoding_of(source.count(quasi, Watch()), unchanged, share)


def row_by_row(
    columns: Columns, recoding: RecodingMap, missing: Sequence[str] = ()
) -> dict[int, dict[str, str | None]]:
    """The rows that are published, by number, with the labels of the columns that are recoded."""
    frequencies = recoding.combinations
    values = [[None, *plain(column)] for column in frequencies.values]
    number_of = {
        tuple(values[at][code] for at, code in enumerate(codes)): number
        for number, codes in enumerate(frequencies.codes.T.tolist())
    }
    labels = [(name, made) for name, made in zip(frequencies.names, recoding.columns, strict=True) if made is not None]
    found = {}
    for row, cells in enumerate(zip(*[columns[name].cells for name in frequencies.names], strict=True)):
        number = number_of[tuple(None if stands_for_missing(cell, missing) else cell for cell in cells)]
        if recoding.kept[number]:
            found[row] = {name: made.labels[made.codes[number]] for name, made in labels}
    return found


def stands_for_missing(cell: Any, missing: Sequence[str]) -> bool:
    """Whether a cell counts as missing."""
    return cell is None or cell != cell or str(cell) in missing


def check_frame(
    given: Any, published: Published, expected: Mapping[int, Mapping[str, str | None]], missing: Sequence[str] = ()
) -> None:
    """The published frame is of the same kind, and its cells are the labels or the very cells that were given.

    Of two zeros, which are equal, the one without a sign is published.
    """
    frame = published.frame()
    assert type(frame) is type(given)
    before, after = cells_of(given), cells_of(frame)
    kinds = nw.from_native(frame).collect_schema()
    rows = after[ROW]
    assert sorted(rows) == list(expected)
    assert published.records == len(expected)
    for name, cells in after.items():
        unchanged = [None if named(before[name][row], missing) else before[name][row] for row in rows]
        wanted = [expected[row].get(name, cell) for row, cell in zip(rows, unchanged, strict=True)]
        if kinds[name].is_float():
            wanted = [cell if cell is None else cell + 0.0 for cell in wanted]
        assert list(map(exact, cells)) == list(map(exact, wanted)), name


def named(cell: Any, missing: Sequence[str]) -> bool:
    """Whether a cell is one of those that stand for missing."""
    whole = isinstance(cell, float) and cell.is_integer()
    return str(cell) in missing or (whole and str(int(cell)) in missing)


def check_batches(
    columns: Columns,
    published: Published,
    expected: Mapping[int, Mapping[str, str | None]],
    missing: Sequence[str] = (),
) -> None:
    """The published batches are of one schema and hold the labels or the cells that were put in."""
    batches = list(published.batches())
    assert all(batch.schema == published.schema for batch in batches)
    table = pa.Table.from_batches(batches, published.schema)
    rows = table[ROW].to_pylist()
    assert sorted(rows) == list(expected)
    for name in table.column_names:
        given = [columns[name].cells[row] for row in rows]
        unchanged = [None if named(cell, missing) else cell for cell in given]
        wanted = [expected[row].get(name, cell) for row, cell in zip(rows, unchanged, strict=True)]
        assert list(map(value, plain(table[name]))) == list(map(value, wanted)), name


def cells_of(frame: Any) -> Cells:
    """All cells of a frame of any engine."""
    known = nw.from_native(frame)
    if isinstance(known, nw.LazyFrame):
        known = nw.from_native(fetched(known))
    return {name: known.get_column(name).to_list() for name in known.columns}


def exact(cell: Any) -> Any:
    """A cell such that only the same one is equal, be it -0.0; None, NaN, NaT and NA are all missing."""
    if cell is None or type(cell).__name__ == "NAType" or cell != cell:
        return None
    return repr(cell) if isinstance(cell, float) else cell


def value(cell: Any) -> Any:
    """A cell such that equal values are equal, and NaN is missing."""
    return None if cell is None or cell != cell else cell


def published_as(source: Source, recoding: RecodingMap, columns: Sequence[str]) -> Published:
    """What is published of the columns and the row number."""
    return publish(source, recoding, [ROW, *columns], Watch())
