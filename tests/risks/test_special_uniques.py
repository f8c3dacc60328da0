"""Minimal sample uniques and their scores: the walk finds what trying every set finds."""

import csv
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.frequencies import FrequencySet
from incrowd.errors import UsageError
from incrowd.risks import special_uniques
from incrowd.risks.special_uniques import SpecialUniques, measure, score, textbook
from incrowd.watch import Watch
from risks.counting import counted, letters, records_of, table_of
from strategies import Row, tables

HOSPITAL = Path(__file__).parents[2] / "examples" / "hospital.csv"


def agrees(found: SpecialUniques, rows: list[Row], columns: tuple[str, ...]) -> None:
    """Everything in the result follows from the definition."""
    width, most = len(columns), found.max_size
    sets = textbook(records_of(rows, columns), width, most)
    scores = [sum(score(width, len(one), most) for one in own) for own in sets]
    every = [one for own in sets for one in own]
    assert found.by_size == tuple(sum(len(one) == size for one in every) for size in range(1, most + 1))
    assert found.records == sum(bool(own) for own in sets)
    assert found.highest == max(scores, default=0)
    assert found.rows(table_of(rows, columns), len(rows)) == sorted(
        ((row, value) for row, value in enumerate(scores) if value), key=lambda row: (-row[1], row[0])
    )
    assert sorted(found.minimal_uniques[found.minimal_uniques > 0]) == sorted(len(own) for own in sets if own)
    for at, part in enumerate(found.by_column):
        with_it = [one for one in every if at in one]
        assert (part.column, part.minimal_uniques) == (columns[at], len(with_it))
        if every:
            assert part.share == pytest.approx(sum(score(width, len(one), most) for one in with_it) / sum(scores))


@given(tables(most_columns=5, most=20))
def test_all_sizes_that_are_looked_at_by_default(table: tuple[tuple[str, ...], list[Row]]) -> None:
    columns, rows = table
    found = measure(counted(rows, columns))
    assert (found.max_size, found.reduced) == (max(1, len(columns) - 1), False)
    agrees(found, rows, columns)


@given(tables(most_columns=5, most=20), st.integers(1, 7))
def test_sizes_up_to_a_given_one(table: tuple[tuple[str, ...], list[Row]], most: int) -> None:
    columns, rows = table
    found = measure(counted(rows, columns), most)
    assert (found.max_size, found.reduced) == (min(most, len(columns)), False)
    agrees(found, rows, columns)


@pytest.mark.parametrize("rows", [[], letters("xyz"), letters(*["xyz"] * 3), letters("xyz", "uvw", "rst", "-no")])
@pytest.mark.parametrize("columns", [("a",), ("a", "b", "c")])
def test_nobody_one_all_alike_all_different(rows: list[Row], columns: tuple[str, ...]) -> None:
    agrees(measure(counted(rows, columns)), rows, columns)


def test_a_table_by_hand() -> None:
    # Row 0 is unique in {a} and {c}, row 1 in {c} and {a, b}, row 2 in every pair; rows 3 and 4 are alike.
    rows = letters("xpu", "yqv", "ypw", "zqw", "zqw")
    found = measure(counted(rows, "abc"))
    assert found.by_size == (3, 4)
    # Of three columns and sets of up to two, one column scores (3-1)(3-2) = 2, and two score 3-2 = 1.
    assert found.rows(table_of(rows, "abc")) == [(0, 4.0), (1, 3.0), (2, 3.0)]


def test_scores_of_sizes() -> None:
    # Elliot, Manning & Ford: the product of ATT - i for i = m ... M.
    assert [score(8, size, 7) for size in range(1, 9)] == [5040, 720, 120, 24, 6, 2, 1, 1]
    assert [score(6, size, 3) for size in (1, 2, 3)] == [5 * 4 * 3, 4 * 3, 3]
    assert score(1, 1, 1) == 1
    assert score(3, 3, 3) == 1


def test_hospital_by_brute_force() -> None:
    columns = ("birth_date", "sex", "postcode", "marital_status", "nationality", "occupation")
    with HOSPITAL.open(encoding="utf-8", newline="") as file:
        first = islice(csv.DictReader(file), 200)
        rows: list[Row] = [{name: row[name] or None for name in columns} for row in first]
    found = measure(counted(rows, columns))
    assert found.records > 100
    agrees(found, rows, columns)


def test_scores_belong_to_combinations_whatever_the_order() -> None:
    rows = letters("xpu", "yqv", "ypw", "zqw", "zqw")
    columns = ("c", "a", "b")
    found = measure(counted(rows, "abc").project(columns))
    backwards = table_of(rows[::-1], columns)
    assert found.rows(backwards) == [(4, 4.0), (2, 3.0), (3, 3.0)]
    assert found.rows(backwards, most=1) == [(4, 4.0)]


def test_rows_need_the_columns() -> None:
    found = measure(counted(letters("xy"), "ab"))
    with pytest.raises(UsageError, match="no column 'b'"):
        found.rows(table_of(letters("x"), "a"))


# How far it looks.


def wide(columns: int) -> FrequencySet:
    """Two records that differ everywhere."""
    return counted([{f"c{at}": value for at in range(columns)} for value in "xy"], [f"c{at}" for at in range(columns)])


def test_too_many_sets() -> None:
    found = measure(wide(20))
    # 20 + 190 + 1,140 + 4,845 + 15,504 = 21,699 sets of up to 5 columns; with 6 there are 60,459.
    assert (found.max_size, found.reduced) == (5, True)
    assert found.sets == 20


def test_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(special_uniques, "_MOST_BYTES", 2)
    found = measure(wide(6))
    # A bit for each of two records: 6 sets of one column fit, 21 of up to two do not.
    assert (found.max_size, found.reduced) == (2, True)


def test_sizes_that_make_no_sense() -> None:
    with pytest.raises(UsageError, match="max_size is 0; it must be 1 or more"):
        measure(wide(2), 0)
    with pytest.raises(UsageError, match=r"max_size 190: .* lower it"):
        measure(wide(200), 190)


def test_stopped_early() -> None:
    watch = Watch()
    rows = [{name: str(value >> at & 1) for at, name in enumerate("abcde")} for value in range(32)]
    whole = measure(counted(rows, "abcde"), 5)
    assert (whole.stopped, whole.by_size) == (None, (0, 0, 0, 0, 32))
    watch.cancel()
    found = measure(counted(rows, "abcde"), 5, watch)
    assert (found.stopped, found.sets, found.records) == ("interrupted", 0, 0)
    assert found.to_dict()["complete"] is False


def test_what_is_found_before_a_stop_holds() -> None:
    class Patience(Watch):
        """Ends after so many ticks."""

        def __init__(self, ticks: int) -> None:
            super().__init__()
            self.left = ticks

        def tick(self, words: str, share: float | None = None) -> None:
            self.left -= 1
            if self.left < 0:
                self.cancel()
            super().tick(words, share)

    table = counted(letters("xpu", "yqv", "ypw", "zqw", "zqw"), "abc")
    whole = measure(table)
    for ticks in range(whole.sets):
        part = measure(table, None, Patience(ticks))
        assert (part.stopped, part.sets) == ("interrupted", ticks)
        assert (part.scores <= whole.scores).all()
    last = measure(table, None, Patience(whole.sets))
    assert last.stopped is None
    assert np.array_equal(last.scores, whole.scores)
