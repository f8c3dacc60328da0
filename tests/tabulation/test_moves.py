"""Small changes of a table: whatever they reach, the attacker's programmes reach too."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.api import read
from incrowd.core.hierarchy import Hierarchy
from incrowd.tables.audit import Knowledge, ranges
from incrowd.tables.cells import Cells, tabulate
from incrowd.tables.measure import Measure
from incrowd.tables.moves import Moves
from incrowd.watch import Watch
from tabulation.tables_by_hand import counted, small

TREE = Hierarchy.from_rows([("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*")])


def with_subtotals(rows: list[tuple[str, str]]) -> Cells:
    frame = pa.table({"one": [row[0] for row in rows], "two": [row[1] for row in rows]})
    frequencies = read(frame).count(["one", "two"], Watch())
    ladder = TREE.along("one", frequencies.values[0])
    return tabulate(frequencies, ["one", "two"], Measure.parse("count"), {"one": ladder})


ROWS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("mf")), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(st.one_of(small((2, 3), (2, 2, 2)), ROWS.map(with_subtotals)), st.integers(-2, 2), st.integers(0, 2), st.data())
def test_what_is_reached_is_possible(cells: Cells, step: int, reach: int, data: st.DataObject) -> None:
    hidden = np.array(data.draw(st.lists(st.booleans(), min_size=len(cells), max_size=len(cells))))
    known = Knowledge(
        np.where(hidden, 0, np.maximum(0, cells.values - reach)), np.where(hidden, 99, cells.values + reach)
    )
    every = np.arange(len(cells))
    found = Moves(cells, known.lower, known.upper).reach(every, cells.values + step)
    possible = ranges(cells, known, every)
    assert ((possible.low <= cells.values + step) & (cells.values + step <= possible.high))[found].all()


@pytest.mark.parametrize("step", [-1, 1])
def test_people_move_between_four_hidden_cells(step: int) -> None:
    cells = counted(np.array([[1, 5, 4], [7, 9, 3]]))
    hidden = np.zeros(cells.shape, dtype=bool)
    hidden[:2, :2] = True
    known = Knowledge(np.where(hidden.ravel(), 0, cells.values), np.where(hidden.ravel(), 99, cells.values))
    reached = Moves(cells, known.lower, known.upper).reach(np.arange(len(cells)), cells.values + step)
    assert reached.reshape(cells.shape).tolist() == hidden.tolist()


def test_people_are_added_where_margins_leave_room() -> None:
    cells = counted(np.array([[1, 5], [7, 9]]))
    known = Knowledge(np.maximum(0, cells.values - 2), cells.values + 2)
    moves = Moves(cells, known.lower, known.upper)
    every = np.arange(len(cells))
    assert moves.reach(every, cells.values + 2).all()
    assert not moves.reach(every, cells.values + 3).any()


def test_a_subtotal_changes_with_a_category_below_it() -> None:
    cells = with_subtotals([("a", "m"), ("b", "m"), ("c", "m"), ("d", "f")])
    open_rows = np.ones(cells.shape, dtype=bool)
    open_rows[-1] = False
    known = Knowledge(np.where(open_rows.ravel(), 0, cells.values), np.where(open_rows.ravel(), 9, cells.values))
    reached = Moves(cells, known.lower, known.upper).reach(np.arange(len(cells)), cells.values + 1)
    # The only woman is in d: she may be anywhere else instead, of d and of what it is part of there can be no second.
    assert cells.axes[0].labels == ("a", "b", "c", "d", "x", "y", "Total")
    assert reached.reshape(cells.shape)[:, 0].tolist() == [True, True, True, False, True, False, False]
