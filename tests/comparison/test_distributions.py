"""Bars of a column: round ends, and what the release shows in the same bars."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.comparison.distributions import ELSEWHERE, MISSING_LABEL, MOST, Bars, expected, spread
from incrowd.comparison.round_bins import bins_of
from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import Table
from metrics.pages import Example, Told, examples

NUMBERS, SET = Told("numbers"), Told("set")


@pytest.mark.parametrize(
    ("numbers", "labels"),
    [
        (
            range(18, 81),
            ["10 to 19", "20 to 29", "30 to 39", "40 to 49", "50 to 59", "60 to 69", "70 to 79", "80 to 89"],
        ),
        (range(13), ["0 to 1", "2 to 3", "4 to 5", "6 to 7", "8 to 9", "10 to 11", "12 to 13"]),
        ([at / 7 for at in range(15)], ["0.0 to 0.2", "0.2 to 0.4", "0.4 to 0.6", "0.6 to 0.8", "0.8 to 1.0"]),
        ([-1500, -200.5, 0, 1200], ["-1500 to -1250", "-1250 to -1000", "-1000 to -750"]),
    ],
)
def test_bins_of_numbers_have_round_ends(numbers: Any, labels: list[str]) -> None:
    found = bins_of([float(each) for each in numbers], [f"{each}" for each in numbers], MOST)
    assert list(found.labels[: len(labels)]) == labels


@pytest.mark.parametrize(
    ("days", "labels"),
    [
        ([f"{year}-05-07" for year in range(1921, 2011)], ["1920 to 1929", "1930 to 1939", "1940 to 1949"]),
        ([f"{year}-01-01" for year in range(2000, 2012)], ["2000", "2001", "2002"]),
        (
            [f"2020-{month:02d}-03" for month in range(1, 13)] + ["2021-01-03"],
            ["2020-01 to 2020-02", "2020-03 to 2020-04"],
        ),
        ([f"2020-03-{day:02d}" for day in range(1, 25)], ["2020-03-01 to 2020-03-02", "2020-03-03 to 2020-03-04"]),
        ([f"2020-03-{day:02d}T12:33:01.123456" for day in range(1, 13)], ["2020-03-01", "2020-03-02"]),
    ],
)
def test_bins_of_dates_have_round_ends(days: list[str], labels: list[str]) -> None:
    found = bins_of([0.0] * len(days), days, MOST)
    assert list(found.labels[: len(labels)]) == labels
    assert len(found.labels) <= MOST


@given(st.lists(st.floats(-1e9, 1e9) | st.integers(-1000, 1000), min_size=1, max_size=40))
def test_every_number_is_in_a_bin_that_says_so(numbers: list[float]) -> None:
    found = bins_of(numbers, ["x"] * len(numbers), MOST)
    assert len(found.labels) <= MOST
    assert ((found.of >= 0) & (found.of < len(found.labels))).all()
    whole = all(number == int(number) for number in numbers)
    for number, at in zip(numbers, found.of.tolist(), strict=True):
        label = found.labels[at]
        if " to " in label and whole:
            low, high = label.split(" to ")
            assert int(low) <= number <= int(high)


@given(examples(sensitive=1))
def test_the_bars_of_a_release_are_its_records(example: Example) -> None:
    released = example.released()
    for at, name in enumerate(example.told):
        bars = Bars.of(released.original, name)
        told = expected(bars, released.columns[at], released.total(at))
        assert sum(records for _, records in told.bars) == pytest.approx(
            released.published, abs=0.05 * (len(told.bars) + 1)
        )
        assert [label for label, _ in told.bars if label != ELSEWHERE] == bars.labels
        assert sum(records for _, records in spread(released.original, name).bars) == released.records


@given(examples(sensitive=1))
def test_an_unchanged_release_has_the_bars_of_the_original(example: Example) -> None:
    alone = Example(example.quasi, example.rows, list(range(len(example.rows))), example.sensitive)
    released = alone.released()
    for at, name in enumerate(alone.told):
        bars = Bars.of(released.original, name)
        assert expected(bars, released.columns[at], released.total(at)).bars == spread(released.original, name).bars


def test_a_range_is_spread_over_the_bars_that_it_covers() -> None:
    example = Example({"age": NUMBERS}, [(1,), (2,), (3,), (4,), (None,)], [0, 0, 0, 0, 1])
    released = example.released()
    bars = Bars.of(released.original, "age")
    told = expected(bars, released.columns[0], released.total(0))
    assert told.bars == (("1", 1.0), ("2", 1.0), ("3", 1.0), ("4", 1.0), (MISSING_LABEL, 1.0))


def test_numbers_between_values_belong_to_the_next_one() -> None:
    """Ages 1 to 5, of which 1 and 5 occur: a record of 1 to 5 is 1 with a fifth, and 5 with the rest."""
    example = Example({"age": NUMBERS}, [(1,), (5,)], [0, 0])
    released = example.released()
    bars = Bars.of(released.original, "age")
    shares = bars.shares(released.columns[0])
    assert np.allclose(shares, [[0.2, 0.8, 0.0]])


def test_no_value_at_all() -> None:
    example = Example({"town": SET, "age": NUMBERS}, [(None, 1), (None, 2)], [0, 1])
    released = example.released()
    assert expected(Bars.of(released.original, "town"), released.columns[0], released.total(0)).bars == (
        (MISSING_LABEL, 2.0),
    )


def _spread_of(texts: list[str]) -> list[str]:
    batches = pa.table({"day": texts}).to_batches()
    counted = FrequencySet.of_table(Table.from_batches(["day"], batches))
    return [label for label, _ in spread(counted, "day").bars]


def test_dates_as_people_write_them_share_bars_of_years() -> None:
    assert _spread_of([f"{day}.06.{year}" for year in range(2012, 2020) for day in (17, 18)]) == [
        str(year) for year in range(2012, 2020)
    ]


def test_dates_of_two_readings_are_values() -> None:
    """05/06/2012 is a day in May or in June."""
    texts = [f"0{month}/06/20{year}" for year in range(12, 26) for month in (4, 5)]
    assert _spread_of(texts)[-1] == "16 others"
