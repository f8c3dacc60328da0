"""Random tables: every engine of this process counts what plain Python counts."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from effort import effort
from engines.same_rows import IN_PROCESS, Column, Columns, arrow_table, by_hand, counted, moment
from incrowd.engines.frames import FrameSource
from incrowd.watch import Watch

Build = Callable[[str, pa.Table], Any]

INTEGERS = st.integers(-(2**63), 2**63 - 1)
SMALL = st.integers(-(2**53), 2**53)
MICROSECONDS = st.integers(moment(1700, 1, 1) // 1000, moment(2200, 1, 1) // 1000).map(lambda number: number * 1000)
CELLS: dict[pa.DataType, SearchStrategy[Any]] = {
    pa.string(): st.text(max_size=4),
    pa.dictionary(pa.int32(), pa.string()): st.sampled_from(["a", "A", "", " ", "é", "NA"]),
    pa.int64(): INTEGERS,
    pa.float64(): st.floats(),
    pa.bool_(): st.booleans(),
    pa.date32(): st.dates(date(1, 1, 1), date(9999, 12, 31)),
    pa.timestamp("us"): MICROSECONDS,
    pa.decimal128(10, 2): st.integers(-(10**10) + 1, 10**10 - 1).map(lambda number: Decimal(number).scaleb(-2)),
}
LEFT_OUT = {("pandas_objects", pa.timestamp("us")): "Python's moments are compared as text"}


@st.composite
def tables(draw: st.DrawFn, engine: str) -> Columns:
    """Up to four columns that repeat a few values, and missing cells among them."""
    rows = draw(st.integers(0, 12))
    kinds = [kind for kind in CELLS if (engine, kind) not in LEFT_OUT]
    columns = {}
    for name in draw(st.lists(st.sampled_from("abcd"), min_size=1, unique=True)):
        kind = draw(st.sampled_from(kinds))
        # NumPy has no missing integer, and the floats in their place are exact for small ones alone.
        cells = SMALL if engine == "pandas_numpy" and kind == pa.int64() else CELLS[kind]
        pool = [None, *draw(st.lists(cells, min_size=1, max_size=4))]
        columns[name] = Column(kind, draw(st.lists(st.sampled_from(pool), min_size=rows, max_size=rows)))
    return columns


@pytest.mark.parametrize("engine", IN_PROCESS)
def test_random_tables(build: Build, engine: str) -> None:
    @settings(max_examples=effort(12, 40))
    @given(tables(engine), st.sets(st.sampled_from(["", "NA", "a", "0", "-1"])))
    def check(columns: Columns, missing: set[str]) -> None:
        names = list(columns)
        frame = build(engine, arrow_table(columns))
        assert counted(frame, names) == by_hand(columns, names)
        frequencies = FrameSource(frame).count(names, Watch())
        for name in names:
            assert sorted(frequencies.classes([name]).sizes) == sorted(by_hand(columns, [name]).values())
        texts = [name for name in names if columns[name].kind == pa.string()]
        if texts:
            assert counted(frame, texts, list(missing)) == by_hand(columns, texts, list(missing))

    check()


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5).filter(
    lambda name: name.strip() and name != "*"
)


@pytest.mark.parametrize("engine", IN_PROCESS)
def test_random_names(build: Build, engine: str) -> None:
    @settings(max_examples=effort(8, 25))
    @given(st.lists(NAMES, min_size=1, max_size=4, unique_by=str.lower))
    def check(names: list[str]) -> None:
        columns = {name: Column(pa.int64(), [at, at + 1, at]) for at, name in enumerate(names)}
        frame = build(engine, arrow_table(columns))
        assert FrameSource(frame).columns == tuple(names)
        assert counted(frame, names[::-1]) == by_hand(columns, names[::-1])

    check()
