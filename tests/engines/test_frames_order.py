"""The rows themselves, in their order, from engines that have one."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from engines.same_rows import ENGINES, IN_MEMORY, Column, arrow_table, held_by, plain
from incrowd.engines.frames import FrameSource
from incrowd.errors import SourceError
from incrowd.watch import Watch

Build = Callable[[str, pa.Table], Any]


@pytest.mark.parametrize("engine", IN_MEMORY)
def test_the_rows_come_in_their_order(build: Build, engine: str) -> None:
    columns = held_by(engine)
    names = list(reversed(columns))
    table = FrameSource(build(engine, arrow_table(columns))).table(names, Watch())
    assert table.rows == 11
    assert [column.name for column in table.columns] == names
    for column in table.columns:
        cells = [None if cell != cell else cell for cell in columns[column.name].cells]
        assert plain(column.decode()) == cells


def test_an_index_of_pandas_is_no_column_and_changes_no_order() -> None:
    import pandas as pd

    frame = pd.DataFrame({"x": ["b", "a", "c"]}, index=pd.Index([2, 0, 1], name="x"))
    source = FrameSource(frame)
    assert source.columns == ("x",)
    assert source.table(["x"], Watch()).decode().to_pydict() == {"x": ["b", "a", "c"]}
    assert source.count(["x"], Watch()).combinations == 3


@pytest.mark.parametrize("engine", IN_MEMORY)
def test_no_rows_have_no_order_either(build: Build, engine: str) -> None:
    table = FrameSource(build(engine, arrow_table({"x": Column(pa.int64(), [])}))).table(["x"], Watch())
    assert (table.rows, table.columns[0].codes.tolist()) == (0, [])


@pytest.mark.parametrize("engine", IN_MEMORY)
def test_missing_is_the_same_in_rows_as_in_counts(build: Build, engine: str) -> None:
    frame = build(engine, arrow_table({"x": Column(pa.string(), ["?", "a", None, ""])}))
    table = FrameSource(frame, missing=["?", ""]).table(["x"], Watch())
    assert table.columns[0].codes.tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("engine", [engine for engine in ENGINES if engine not in IN_MEMORY])
def test_the_other_engines_refuse(build: Build, engine: str) -> None:
    source = FrameSource(build(engine, arrow_table({"x": Column(pa.int64(), [1])})), name="visits")
    refusal = r"^visits: tables in \w+ have no row order, so records have no row numbers; collect it into "
    with pytest.raises(SourceError, match=refusal):
        source.table(["x"], Watch())
