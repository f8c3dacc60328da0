"""Columns of records as they are listed: texts in their order, so that what is sorted are numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.hierarchy import plain, text_forms
from incrowd.core.table import MISSING, Codes, text_array

_LONGEST = 200
"""Characters of a cell that a page shows."""


@dataclass(frozen=True, eq=False, repr=False)
class Cells(Brief):
    """The cells of one column: those of record i are values[ranks[i]]; -1 is missing."""

    ranks: NDArray[np.int32]
    values: tuple[str, ...]
    """Different cells in their order: numbers as numbers, if all of them are."""

    def texts(self) -> list[str | None]:
        """Return the cells as text."""
        return [None if rank < 0 else self.values[rank] for rank in self.ranks.tolist()]


def cells_of(codes: Codes, values: pa.Array) -> Cells:
    """Return coded cells, without the values that none of them has."""
    used, place = np.unique(codes, return_inverse=True)
    there = used[used != MISSING]
    texts = [text_forms(value)[0] for value in plain(values.take(pa.array(there - 1)))]
    order = _order(texts)
    rank = np.full(len(used), -1, dtype=np.int32)
    rank[len(used) - len(there) + order] = np.arange(len(there), dtype=np.int32)
    return Cells(rank[place.reshape(-1)], tuple(texts[at] for at in order.tolist()))


def _order(texts: list[str]) -> NDArray[np.int64]:
    try:
        return np.argsort(np.array(texts, dtype=np.float64), kind="stable")
    except ValueError:
        return np.argsort(np.array(texts, dtype=object), kind="stable")


def save(columns: Mapping[str, Cells], sizes: Mapping[str, NDArray[np.int64]], path: Path) -> None:
    """Write columns to a file from which pages are read."""
    arrays = [pa.array(of) for of in sizes.values()]
    for cells in columns.values():
        ranks = pa.array(cells.ranks, mask=cells.ranks < 0)
        arrays.append(pa.DictionaryArray.from_arrays(ranks, text_array(cells.values)))
    table = pa.table(arrays, names=[*sizes, *columns])
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


@dataclass(frozen=True)
class Asked:
    """Which records a page shows."""

    start: int
    end: int
    sort: tuple[tuple[str, bool], ...] = ()
    """Columns to sort by, each with true if from the highest to the lowest; by default as they were saved."""
    containing: Mapping[str, str] | None = None
    """By column a text that its cells contain, whatever the case; empty if the cell is missing."""
    between: Mapping[str, tuple[int, int]] | None = None
    """By number its lowest and highest value."""


def page(path: Path, asked: Asked) -> dict[str, Any]:
    """Return some records of a file as plain data, and how many are as asked for."""
    with pa.memory_map(str(path)) as file:
        table = pa.ipc.open_file(file).read_all()
        rows = _sorted(table, _matching(table, asked), asked.sort)
        chosen = table.take(pa.array(rows[asked.start : asked.end]))
        names = chosen.column_names
        cells = [[_short(cell) for cell in column.to_pylist()] for column in chosen.columns]
    return {"total": len(rows), "rows": [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]}


def _short(cell: Any) -> Any:
    return f"{cell[:_LONGEST]}…" if isinstance(cell, str) and len(cell) > _LONGEST else cell


def _matching(table: pa.Table, asked: Asked) -> NDArray[np.int64]:
    found = np.ones(table.num_rows, dtype=np.bool_)
    for name, text in (asked.containing or {}).items():
        column = _coded(table, name)
        values = column.dictionary
        fits = np.append(_bools(pc.match_substring(values, text, ignore_case=True)), False)
        found &= fits[_ranks(column)] if text else _ranks(column) < 0
    for name, (low, high) in (asked.between or {}).items():
        numbers = table.column(name).to_numpy()
        found &= (numbers >= low) & (numbers <= high)
    return np.flatnonzero(found)


def _sorted(table: pa.Table, rows: NDArray[np.int64], sort: tuple[tuple[str, bool], ...]) -> NDArray[np.int64]:
    for name, descending in reversed(sort):
        column = table.column(name)
        is_coded = pa.types.is_dictionary(column.type)
        keys = (_ranks(_coded(table, name)) if is_coded else column.to_numpy())[rows]
        rows = rows[np.argsort(-keys.astype(np.int64) if descending else keys, kind="stable")]
    return rows


def _coded(table: pa.Table, name: str) -> pa.DictionaryArray:
    return table.column(name).combine_chunks()


def _ranks(column: pa.DictionaryArray) -> NDArray[np.int64]:
    return np.asarray(column.indices.fill_null(-1)).astype(np.int64)


def _bools(values: pa.Array) -> NDArray[np.bool_]:
    return np.asarray(values.fill_null(False), dtype=np.bool_)
