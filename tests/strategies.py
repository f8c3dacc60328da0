"""Random small tables for property tests: few values, so that records collide, and missing cells among them."""

from collections.abc import Sequence

import pyarrow as pa
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Cell = str | int | None
Row = dict[str, Cell]

COLUMNS = ("a", "b", "c", "d", "e")


def cells(distinct: int = 3, missing: bool = True) -> SearchStrategy[Cell]:
    """A text of few, or None for a missing cell."""
    values = st.sampled_from([f"v{number}" for number in range(distinct)])
    return st.none() | values if missing else values


def rows_of(
    columns: Sequence[str], distinct: int = 3, missing: bool = True, most: int = 30
) -> SearchStrategy[list[Row]]:
    """Rows of a table with the given columns."""
    row = st.fixed_dictionaries({name: cells(distinct, missing) for name in columns})
    return st.lists(row, max_size=most)


@st.composite
def tables(
    draw: st.DrawFn, most_columns: int = 4, distinct: int = 3, missing: bool = True, most: int = 30
) -> tuple[tuple[str, ...], list[Row]]:
    """The names of one to five columns, and rows that have them."""
    columns = COLUMNS[: draw(st.integers(1, min(most_columns, len(COLUMNS))))]
    return columns, draw(rows_of(columns, distinct, missing, most))


@st.composite
def column_sets(draw: st.DrawFn, columns: Sequence[str]) -> tuple[str, ...]:
    """At least one of the columns, in any order."""
    shuffled = draw(st.permutations(columns))
    return tuple(shuffled[: draw(st.integers(1, len(columns)))])


@st.composite
def splits(draw: st.DrawFn, length: int) -> list[slice]:
    """Consecutive slices that cover a sequence of the given length; some may be empty."""
    cuts = sorted(draw(st.lists(st.integers(0, length), max_size=4)))
    return [slice(start, end) for start, end in zip([0, *cuts], [*cuts, length], strict=True)]


def combination(row: Row, columns: Sequence[str]) -> tuple[Cell, ...]:
    """A record's values in the columns."""
    return tuple(row[name] for name in columns)


def arrays(rows: Sequence[Row], columns: Sequence[str]) -> list[pa.Array]:
    """The columns as Arrow text."""
    return [pa.array([row[name] for row in rows], pa.string()) for name in columns]


def batch(rows: Sequence[Row], columns: Sequence[str]) -> pa.RecordBatch:
    """The rows as one Arrow batch."""
    return pa.record_batch(arrays(rows, columns), names=list(columns))
