"""Every engine counts what plain Python counts, whatever the cells are."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pyarrow as pa
import pytest

from engines.same_rows import ENGINES, KINDS, Column, Columns, arrow_table, by_hand, counted, held_by
from incrowd.engines.frames import FrameSource
from incrowd.watch import Watch

Build = Callable[[str, pa.Table], Any]


@pytest.mark.parametrize(("engine", "kind"), [(engine, kind) for engine in ENGINES for kind in held_by(engine)])
def test_one_column_of_each_kind(build: Build, engine: str, kind: str) -> None:
    frame = build(engine, arrow_table({kind: KINDS[kind]}))
    assert counted(frame, [kind]) == by_hand(KINDS, [kind])


@pytest.mark.core
@pytest.mark.parametrize("engine", ENGINES)
def test_all_kinds_together_and_every_pair_of_them(build: Build, engine: str) -> None:
    columns = held_by(engine)
    names = list(columns)
    source = FrameSource(build(engine, arrow_table(columns)))
    frequencies = source.count(names, Watch())
    assert frequencies.records == 11
    for pair in combinations(names, 2):
        assert sorted(frequencies.classes(pair).sizes) == sorted(by_hand(columns, pair).values())


FEW: Columns = {
    "town": Column(pa.string(), ["Graz", "Graz", None, "Wien", "Graz", None, "", ""]),
    "age": Column(pa.int64(), [40, 40, 41, 41, 40, 41, 40, 41]),
    "sick": Column(pa.bool_(), [True, True, None, None, True, None, True, False]),
    "weight": Column(pa.float64(), [1.5, 1.5, None, 2.0, 1.5, float("nan"), 0.0, -0.0]),
}


@pytest.mark.parametrize("engine", ENGINES)
def test_duplicate_rows_and_the_classes_of_every_set_of_columns(build: Build, engine: str) -> None:
    frame = build(engine, arrow_table(FEW))
    frequencies = FrameSource(frame).count(list(FEW), Watch())
    assert counted(frame, list(FEW)) == by_hand(FEW, list(FEW))
    for size in range(1, len(FEW) + 1):
        for names in combinations(FEW, size):
            assert sorted(frequencies.classes(names).sizes) == sorted(by_hand(FEW, names).values())


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_in_another_order_and_fewer_of_them(build: Build, engine: str) -> None:
    frame = build(engine, arrow_table(FEW))
    assert counted(frame, ["weight", "town"]) == by_hand(FEW, ["weight", "town"])


@pytest.mark.parametrize("engine", ENGINES)
def test_one_row(build: Build, engine: str) -> None:
    one = {name: Column(column.kind, column.cells[:1]) for name, column in held_by(engine).items()}
    assert counted(build(engine, arrow_table(one)), list(one)) == by_hand(one, list(one))


@pytest.mark.parametrize("engine", ENGINES)
def test_no_rows(build: Build, engine: str) -> None:
    none = {name: Column(column.kind, []) for name, column in held_by(engine).items()}
    frequencies = FrameSource(build(engine, arrow_table(none))).count(list(none), Watch())
    assert (frequencies.records, frequencies.combinations) == (0, 0)
    assert frequencies.classes(list(none)).smallest == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_more_columns_than_fit_into_one_key(build: Build, engine: str) -> None:
    rows = 40
    wide = {
        f"column {at}": Column(pa.int64(), [(row * (at + 1)) % (3 + at) for row in range(rows)]) for at in range(24)
    }
    assert counted(build(engine, arrow_table(wide)), list(wide)) == by_hand(wide, list(wide))


@pytest.mark.parametrize("engine", ENGINES)
def test_texts_and_numbers_that_stand_for_missing(build: Build, engine: str) -> None:
    columns = {
        "text": Column(pa.string(), ["?", "NA", "", "na", " ", None, "x"]),
        "category": Column(pa.dictionary(pa.int8(), pa.string()), ["?", "x", "", "?", None, "x", "NA"]),
        "number": Column(pa.int64(), [-9, 9, -99, -9, 0, 1, -9]),
    }
    missing = ("?", "NA", "", "-9")
    frame = build(engine, arrow_table(columns))
    assert counted(frame, list(columns), missing) == by_hand(columns, list(columns), missing)
    assert counted(frame, list(columns)) == by_hand(columns, list(columns))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_number_that_stands_for_missing_beside_missing_ones(build: Build, engine: str) -> None:
    columns = {"number": Column(pa.int64(), [-9, 9, None, -9]), "share": Column(pa.float64(), [-9.0, -9.5, None, 9.0])}
    frame = build(engine, arrow_table(columns))
    assert counted(frame, ["number"], ["-9"]) == {(None,): 3, (9,): 1}
    assert counted(frame, ["share"], ["-9"]) == {(None,): 2, (-9.5,): 1, (9.0,): 1}
