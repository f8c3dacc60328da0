"""Missing cells as wildcards: the numbers of matching records are those of the definition, pair by pair."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.matching import matching_records
from incrowd.core.schema import Nulls
from strategies import Cell, Row, arrays, column_sets, combination, tables

WILDCARDS = [Nulls.MAYBE, Nulls.RIGHT_MAYBE]


def count(rows: Sequence[Row], columns: Sequence[str]) -> FrequencySet:
    """Count the rows in one batch."""
    counting = Counting(columns)
    counting.add(arrays(rows, columns))
    return counting.result()


def cells_match(original: Cell, released: Cell, nulls: Nulls) -> bool:
    """The definitions of Ciglic, Eder and Koncilia."""
    if nulls is Nulls.MAYBE:
        return original == released or original is None or released is None
    return original == released or released is None


def expected(rows: Sequence[Row], names: Sequence[str], nulls: Nulls) -> dict[tuple[Cell, ...], int]:
    """For every combination the number of records that match it, pair by pair."""
    records = [combination(row, names) for row in rows]
    return {
        mine: sum(all(cells_match(a, b, nulls) for a, b in zip(mine, other, strict=True)) for other in records)
        for mine in records
    }


def found(frequencies: FrequencySet, names: Sequence[str], nulls: Nulls) -> dict[tuple[Cell, ...], int]:
    """The answer of the package, by combination."""
    projected = frequencies if frequencies.names == tuple(names) else frequencies.project(names)
    values = [[None, *column.to_pylist()] for column in projected.values]
    combinations = [tuple(values[at][code] for at, code in enumerate(codes)) for codes in projected.codes.T.tolist()]
    matches = matching_records(frequencies, names, nulls)
    assert matches.dtype == np.int64
    return dict(zip(combinations, matches.tolist(), strict=True))


@pytest.mark.parametrize("nulls", WILDCARDS)
@given(data=st.data(), drawn=tables(most_columns=5))
def test_matches_follow_the_definition(
    nulls: Nulls, data: st.DataObject, drawn: tuple[tuple[str, ...], list[Row]]
) -> None:
    columns, rows = drawn
    names = data.draw(column_sets(columns))
    assert found(count(rows, columns), names, nulls) == expected(rows, names, nulls)


ANON_3: list[Row] = [
    {"A": "a", "B": "1"},
    {"A": "a", "B": None},
    {"A": "b", "B": "1"},
    {"A": None, "B": None},
    {"A": "a", "B": "1"},
]
"""FX-ANON-3; docs/concepts.md shows the same table."""


@pytest.mark.parametrize(("nulls", "matches"), [(Nulls.MAYBE, [4, 4, 2, 5, 4]), (Nulls.RIGHT_MAYBE, [4, 2, 2, 1, 4])])
def test_the_worked_example_with_wildcards(nulls: Nulls, matches: list[int]) -> None:
    answer = found(count(ANON_3, "AB"), "AB", nulls)
    assert [answer[combination(row, "AB")] for row in ANON_3] == matches


def test_the_worked_example_with_classes() -> None:
    frequencies = count(ANON_3, "AB")
    extended, basic = frequencies.classes("AB"), frequencies.complete("AB").classes("AB")
    assert sorted(extended.sizes.tolist()) == [1, 1, 1, 2]
    assert sorted(basic.sizes.tolist()) == [1, 2]
    assert frequencies.complete("AB").records == 3


@pytest.mark.parametrize("nulls", WILDCARDS)
def test_nobody_matches_in_an_empty_table(nulls: Nulls) -> None:
    assert matching_records(count([], ["a", "b"]), ["a", "b"], nulls).tolist() == []


@pytest.mark.parametrize("nulls", WILDCARDS)
@given(drawn=tables(missing=False))
def test_without_missing_cells_matches_are_classes(nulls: Nulls, drawn: tuple[tuple[str, ...], list[Row]]) -> None:
    columns, rows = drawn
    frequencies = count(rows, columns)
    classes = frequencies.classes(columns)
    np.testing.assert_array_equal(matching_records(frequencies, columns, nulls), classes.sizes[classes.of])


@pytest.mark.parametrize("nulls", WILDCARDS)
def test_many_columns(nulls: Nulls) -> None:
    """More columns than a 64-bit key holds, with scattered missing cells."""
    rng = np.random.default_rng(4)
    names = [f"c{at}" for at in range(30)]
    people = rng.integers(0, 200, (6, 30))
    hidden = rng.random((60, 30)) < 0.1
    cells = people[rng.integers(0, 6, 60)]
    rows: list[Row] = [
        {name: None if hide else int(cell) for name, cell, hide in zip(names, row, hide_row, strict=True)}
        for row, hide_row in zip(cells, hidden, strict=True)
    ]
    counting = Counting(names)
    counting.add([pa.array([row[name] for row in rows], pa.int64()) for name in names])
    assert found(counting.result(), names, nulls) == expected(rows, names, nulls)
