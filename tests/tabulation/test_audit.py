"""The audit, against every table that agrees with what is published."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.tables.audit import Knowledge, ranges, short
from incrowd.tables.cells import Cells
from incrowd.tables.protections.random_rounding import RandomRounding
from incrowd.watch import Watch
from tabulation.tables_by_hand import counted, small, tables_with_total

SHAPES = ((2, 2), (2, 3), (3, 2), (2, 2, 2))


def by_enumeration(cells: Cells, known: Knowledge) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest value of every cell over all tables that the attacker cannot rule out."""
    tables = tables_with_total(cells)
    fitting = tables[((tables >= known.lower) & (tables <= known.upper)).all(axis=1)]
    return fitting.min(axis=0), fitting.max(axis=0)


@settings(max_examples=30, deadline=None)
@given(small(*SHAPES, most=1), st.randoms(use_true_random=False))
def test_ranges_of_suppressed_cells_are_those_of_all_consistent_tables(cells: Cells, chance) -> None:  # type: ignore[no-untyped-def]
    hidden = np.array([chance.random() < 0.6 for _ in range(len(cells))])
    hidden[-1] = False
    known = Knowledge(np.where(hidden, 0, cells.values), np.where(hidden, 100, cells.values))
    low, high = by_enumeration(cells, known)
    found = ranges(cells, known)
    assert found.cells.tolist() == np.flatnonzero(hidden).tolist()
    assert found.low.tolist() == low[hidden].tolist()
    assert found.high.tolist() == high[hidden].tolist()


@settings(max_examples=25, deadline=None)
@given(small(*SHAPES, most=1), st.integers(2, 4), st.integers(0, 99))
def test_ranges_of_rounded_cells_are_those_of_all_consistent_tables(cells: Cells, base: int, seed: int) -> None:
    protected = RandomRounding(base).protect(cells, cells.values * 0, np.random.default_rng(seed), Watch())
    known = protected.known
    known.lower[-1] = known.upper[-1] = cells.values[-1]
    low, high = by_enumeration(cells, known)
    found = ranges(cells, known, np.arange(len(cells)))
    assert found.low.tolist() == low.tolist()
    assert found.high.tolist() == high.tolist()


@settings(max_examples=30, deadline=None)
@given(small(*SHAPES), st.randoms(use_true_random=False), st.integers(1, 3))
def test_short_cells_are_those_whose_ranges_are(cells: Cells, chance, room: int) -> None:  # type: ignore[no-untyped-def]
    hidden = np.array([chance.random() < 0.7 for _ in range(len(cells))])
    known = Knowledge(np.where(hidden, 0, cells.values), np.where(hidden, 100, cells.values))
    low, high = np.maximum(0, cells.values - room), cells.values + room
    found = ranges(cells, known, np.arange(len(cells)))
    expected = np.flatnonzero((found.low > low) | (found.high < high))
    assert short(cells, known, np.arange(len(cells)), low, high).tolist() == expected.tolist()


def test_a_table_of_halves_is_no_table_of_people() -> None:
    # Two thirds of the cells of this 3 x 3 x 3 table are hidden so that a linear programme can move by halves.
    counts = np.zeros((3, 3, 3), dtype=np.int64)
    counts[np.arange(3), np.arange(3), np.arange(3)] = 1
    counts[np.arange(3), (np.arange(3) + 1) % 3, (np.arange(3) + 2) % 3] = 1
    cells = counted(counts)
    inner = np.zeros(cells.shape, dtype=bool)
    inner[:3, :3, :3] = True
    known = Knowledge(np.where(inner.ravel(), 0, cells.values), np.where(inner.ravel(), 9, cells.values))
    found = ranges(cells, known)
    assert (found.low <= cells.values[found.cells]).all()
    assert (found.high >= cells.values[found.cells]).all()
    assert set(np.concatenate([found.low, found.high]).tolist()) <= {0, 1}


def test_a_cell_alone_in_its_row_is_computed() -> None:
    cells = counted(np.array([[1, 5], [7, 9]]))
    hidden = np.zeros(len(cells), dtype=bool)
    hidden[0] = True
    known = Knowledge(np.where(hidden, 0, cells.values), np.where(hidden, 99, cells.values))
    found = ranges(cells, known)
    assert (found.low.tolist(), found.high.tolist()) == ([1], [1])
