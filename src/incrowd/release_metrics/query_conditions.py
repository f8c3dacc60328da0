"""Conditions of queries on columns with hierarchies, each a set of base values."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import MISSING, Codes
from incrowd.errors import SourceError
from incrowd.release_metrics.cell_reader import CellReader
from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.scale import Counts, Scale
from incrowd.release_metrics.workload import NO_CONDITION

Mask = NDArray[np.bool_]
Rows = list[list[str]]


@dataclass(frozen=True, eq=False)
class QueryConditions:
    """Queries over columns with hierarchies."""

    wanted: tuple[Mask, ...]
    """Per column conditions x base values, depth first: which values a condition includes."""
    places: tuple[Counts, ...]
    """Per column the position of the base value of each code, without missing."""
    conditions: Codes
    """Columns x queries: which of its column's conditions a query has, or NO_CONDITION."""

    @classmethod
    def of_covers(cls, asked: Sequence[Covers], conditions: Codes) -> "QueryConditions":
        """Return conditions by what they cover, base value by base value."""
        places = tuple(covers.scale.positions[1:].astype(np.int64) for covers in asked)
        return cls(tuple(map(_wanted, asked)), places, conditions)

    @classmethod
    def of_rows(cls, name: str, rows: Rows, scales: Sequence[Scale], table: FrequencySet) -> "QueryConditions":
        """Return the queries of a file: its first row names columns; an empty cell does not restrict its column."""
        header, queries = rows[0], rows[1:]
        known = [scale.name for scale in scales]
        others = [column for column in header if column not in known]
        if others:
            raise SourceError.of(
                name,
                f"column {others[0]!r} is not a quasi-identifier",
                f"query {', '.join(known)}, or measure the release with query_error",
            )
        asked, conditions = [], np.full((len(scales), len(queries)), NO_CONDITION, dtype=np.int32)
        for at, scale in enumerate(scales):
            cells: list[str] = []
            if scale.name in header:
                column = [row[header.index(scale.name)].strip() for row in queries]
                cells = list(dict.fromkeys(cell for cell in column if cell))
                conditions[at] = [cells.index(cell) if cell else NO_CONDITION for cell in column]
            reader = CellReader(scale, bool((table.codes[at] == MISSING).any()))
            covers = [reader.read(cell) for cell in cells]
            unknown = sum(cover is None for cover in covers)
            if unknown:
                raise SourceError.of(
                    name,
                    f"{unknown} of the {len(cells)} distinct cells of column {scale.name!r} are neither values of the "
                    "column nor ranges, sets or masks of them, nor labels of its hierarchy",
                    "correct them, or give the column a hierarchy that has these values",
                )
            asked.append(Covers.of_cells(scale, [cover for cover in covers if cover is not None]))
        return cls.of_covers(asked, conditions)


def read_rows(name: str, path: Path) -> Rows:
    """Return the rows of a CSV file of queries, the names of columns first."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, ValueError, csv.Error):
        rows = []
    if not rows or any(len(row) != len(rows[0]) for row in rows) or len(set(rows[0])) < len(rows[0]):
        raise SourceError.of(
            name,
            "not a table of queries",
            "give a CSV file whose first line names each column once and whose other lines have as many cells",
        )
    return rows


def _wanted(covers: Covers) -> Mask:
    """Return conditions x base values."""
    leaves = np.arange(int(covers.scale.last) + 1)
    with np.errstate(invalid="ignore"):
        found: Mask = (leaves >= covers.low[:, None]) & (leaves <= covers.high[:, None])
    for row in covers.scattered_cells:
        found[row] = np.isin(leaves, covers.members_of(row))
    return found
