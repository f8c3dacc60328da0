"""Small tables, and what can be found out about them by trying everything."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st
from numpy.typing import NDArray

from incrowd.api import read
from incrowd.tables.axis import Axis
from incrowd.tables.cells import Cells, Records, tabulate
from incrowd.tables.equations import summed
from incrowd.tables.measure import Measure
from incrowd.tables.needs import Needs, of_suppression
from incrowd.watch import Watch

LECTURE = {
    "A": (2, 4, 18, 20, 7, 1),
    "B": (0, 0, 7, 9, 0, 0),
    "C": (0, 6, 30, 15, 4, 0),
    "D": (0, 0, 2, 0, 0, 0),
}
"""Beneficiaries by county and size of benefit (Samarati, Count table)."""

BENEFITS = ("$0-19", "$20-39", "$40-59", "$60-79", "$80-99", "$100+")

CHILDREN = (
    *(("very high", 201, "black"), ("high", 103, "white"), ("high", 77, "black"), ("high", 61, "white")),
    *(("medium", 72, "white"), ("low", 103, "white"), ("low", 91, "black"), ("low", 84, "white")),
    *(("low", 75, "white"), ("low", 62, "black"), ("low", 58, "white"), ("low", 56, "black")),
    *(("low", 54, "black"), ("low", 52, "white"), ("low", 55, "black"), ("low", 48, "white")),
    *(("low", 48, "white"), ("low", 41, "black"), ("low", 44, "black"), ("low", 37, "white")),
)
"""Education, salary and race of the heads of household of delinquent children in county Alfa (Samarati, Microdata)."""


def beneficiaries() -> pa.Table:
    """The records behind the lecture's count table."""
    rows = [
        (county, benefit)
        for county, counts in LECTURE.items()
        for benefit, count in zip(BENEFITS, counts, strict=True)
        for _ in range(count)
    ]
    return pa.table({"county": [row[0] for row in rows], "benefit": [row[1] for row in rows]})


def children() -> pa.Table:
    """The lecture's microdata."""
    return pa.table(dict(zip(("education", "salary", "race"), map(list, zip(*CHILDREN, strict=True)), strict=True)))


def made(frame: pa.Table, by: Sequence[str], measure: str = "count") -> Cells:
    """The cells of a frame's table."""
    kind = Measure.parse(measure)
    columns = [*by, *([kind.column] if kind.column else [])]
    return tabulate(read(frame).count(columns, Watch()), by, kind)


def counted(counts: NDArray[np.int64]) -> Cells:
    """A table of counts with these numbers in its categories' cells."""
    axes = tuple(
        Axis.of(f"column {at}", pa.array([f"{value}" for value in range(size)]), False)
        for at, size in enumerate(counts.shape)
    )
    leaves = np.array(np.nonzero(counts), dtype=np.int64)
    records = Records(leaves, counts[counts > 0].astype(np.int64), None)
    values = summed(counts.astype(np.int64), axes).ravel()
    return Cells(axes, Measure(), records, values, values)


def small(*shapes: tuple[int, ...], most: int = 4) -> st.SearchStrategy[Cells]:
    """Tables of a shape with few records in each cell."""

    def of_shape(shape: tuple[int, ...]) -> st.SearchStrategy[Cells]:
        size = int(np.prod(shape))
        numbers = st.lists(st.integers(0, most), min_size=size, max_size=size)
        return numbers.map(lambda found: counted(np.array(found).reshape(shape)))

    return st.sampled_from(shapes).flatmap(of_shape)


def needs_of(cells: Cells, below: int = 3, zeros: str = "keep", cost: str = "cells") -> Needs:
    """Counts of at least 1 but fewer than so many are sensitive, by one record up and down."""
    return of_suppression(cells, ((cells.values > 0) & (cells.values < below)).astype(np.int64), zeros, cost)


def tables_with_total(cells: Cells) -> NDArray[np.int64]:
    """Every table of whole numbers with the same total: tables x cells, margins included."""
    leaves = tuple(axis.leaves for axis in cells.axes)
    total, size = int(cells.values[-1]), int(np.prod(leaves))
    found = []
    # Bars between the records: where they stand tells how many are in each cell.
    for bars in combinations(range(total + size - 1), size - 1):
        ends = [-1, *bars, total + size - 1]
        found.append(np.diff(ends) - 1)
    return summed(np.array(found, dtype=np.int64).reshape(-1, *leaves), cells.axes).reshape(len(found), -1)


def tables_near(needs: Needs) -> NDArray[np.int64]:
    """Every table whose categories' cells differ by at most one record, and hold what they are known to hold.

    In a table of two columns they are enough to see whether a cell can be one more or one less: what adds up there is a
    network, in which a unit flows along paths.
    """
    leaves = tuple(axis.leaves for axis in needs.cells.axes)
    inner = tuple(slice(size) for size in leaves)
    real = needs.cells.values.reshape(needs.cells.shape)[inner]
    moves = np.array(list(product((-1, 0, 1), repeat=real.size))).reshape(-1, *leaves)
    found = summed(real[None] + moves, needs.cells.axes).reshape(len(moves), -1)
    return found[(found >= needs.floor).all(axis=1)]


def safe_choices(needs: Needs, tables: NDArray[np.int64]) -> Iterator[NDArray[np.bool_]]:
    """Every choice of hidden cells under which no sensitive one is given away, as these tables show."""
    values = needs.cells.values
    others = np.flatnonzero(needs.may_hide & ~needs.sensitive)
    for chosen in product((False, True), repeat=len(others)):
        hidden = needs.sensitive.copy()
        hidden[others] = chosen
        same = tables[(tables[:, ~hidden] == values[~hidden]).all(axis=1)][:, needs.primary]
        low, high = same.min(axis=0), same.max(axis=0)
        if (low <= needs.low[needs.primary]).all() and (high >= needs.high[needs.primary]).all():
            yield hidden
