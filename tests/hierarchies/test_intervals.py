"""Intervals of numbers."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierarchies.shapes import assert_true_tree, labels_of
from incrowd.core.hierarchy import text_forms
from incrowd.core.numbers import exact, written
from incrowd.errors import HierarchyError, UsageError
from incrowd.hierarchies.intervals import build


def test_widths_of_whole_numbers() -> None:
    ladder = build(pa.array(["29", "5", "17", "30"]), widths=[5, 10, 20])
    assert ladder.rows == [
        ("5", "5-9", "0-9", "0-19", "*"),
        ("17", "15-19", "10-19", "0-19", "*"),
        ("29", "25-29", "20-29", "20-39", "*"),
        ("30", "30-34", "30-39", "20-39", "*"),
    ]


def test_the_order_of_the_data_is_not_told() -> None:
    assert build(pa.array([3, 1, 2]), widths=[2]).rows == build(pa.array([2, 3, 1]), widths=[2]).rows


def test_negative_numbers() -> None:
    ladder = build(pa.array([-11, -10, -1, 0, 4]), widths=5)
    assert labels_of(ladder, 1) == {"-11": "-15 to -11", "-10": "-10 to -6", "-1": "-5 to -1", "0": "0-4", "4": "0-4"}


def test_width_one_names_the_number_alone() -> None:
    assert labels_of(build(pa.array(["7.0", "8"]), widths=[1, 2]), 1) == {"7.0": "7", "8": "8"}


def test_origin() -> None:
    assert labels_of(build(pa.array([17, 18, 22, 23]), widths=5, origin=18), 1) == {
        "17": "13-17",
        "18": "18-22",
        "22": "18-22",
        "23": "23-27",
    }


@pytest.mark.parametrize(
    "values",
    [
        pa.array([0.1, 0.25, 0.3]),
        pa.array(["0.1", "0.25", "0.3"]),
        pa.array([Decimal("0.10"), Decimal("0.25"), Decimal("0.30")]),
    ],
    ids=["float", "text", "decimal"],
)
def test_fractions_are_exact(values: pa.Array) -> None:
    """In binary floats 0.3 / 0.1 is less than 3."""
    ladder = build(values, widths=["0.1", "0.5"])
    assert [row[1:] for row in ladder.rows] == [
        ("[0.1, 0.2)", "[0, 0.5)", "*"),
        ("[0.2, 0.3)", "[0, 0.5)", "*"),
        ("[0.3, 0.4)", "[0, 0.5)", "*"),
    ]


def test_huge_integers_keep_their_digits() -> None:
    n = 10**30
    ladder = build(pa.array([str(n), str(n + 9), str(n + 10)]), widths=10)
    assert ladder.labels[1] == (f"{n}-{n + 9}", f"{n + 10}-{n + 19}")


def test_a_number_beyond_measure_is_refused() -> None:
    values = pa.array(["1e400", "9" * 5000, "9" * 310, "9" * 310 + ".5", "1e9999999", "nan", "inf", "1_000", "٣", "1"])
    with pytest.raises(HierarchyError) as error:
        build(values, name="n", widths=1)
    assert len(error.value.offending) == 9


def test_own_cut_points_have_open_ends() -> None:
    ladder = build(pa.array([17, 18, 29, 30, 64, 65, 200]), cuts=[[18, 30, 65], [65]])
    assert [row[1:3] for row in ladder.rows] == [
        ("<18", "<65"),
        ("18-29", "<65"),
        ("18-29", "<65"),
        ("30-64", "<65"),
        ("30-64", "<65"),
        (">=65", ">=65"),
        (">=65", ">=65"),
    ]


def test_one_level_of_cuts_needs_no_list_of_lists() -> None:
    assert build(pa.array([1, 9]), cuts=[5]).rows == build(pa.array([1, 9]), cuts=[[5]]).rows


def test_cuts_between_fractions() -> None:
    assert build(pa.array([1, 2, 9]), cuts=[[1.5, 4]]).labels[1] == ("<1.5", "[1.5, 4)", ">=4")


def test_bottom_and_top_coding() -> None:
    ladder = build(pa.array([3, 17, 18, 20, 89, 90, 104]), widths=[5, 10], bottom=18, top=90)
    assert [row[1:3] for row in ladder.rows] == [
        ("<18", "<18"),
        ("<18", "<18"),
        ("18-19", "18-19"),
        ("20-24", "20-29"),
        ("85-89", "80-89"),
        (">=90", ">=90"),
        (">=90", ">=90"),
    ]


def test_coding_with_cuts() -> None:
    ladder = build(pa.array([1, 5, 15, 25]), cuts=[[10, 20]], bottom=3, top=12)
    assert [row[1] for row in ladder.rows] == ["<3", "3-9", ">=12", ">=12"]


def test_bottom_zero_counts() -> None:
    assert build(pa.array([-3, 3]), widths=10, bottom=0).labels[1] == ("<0", "0-9")


def test_domain() -> None:
    ladder = build(pa.array(["5", "07"]), widths=[5], domain=[0, 9])
    assert ladder.domain == 11
    assert list(ladder.extent(1)) == [5, 6]
    assert labels_of(ladder, 1)["07"] == "5-9"
    assert ladder.spans is not None
    assert ladder.spans[1] == ((0, 4), (5, 9))


def test_values_outside_of_the_domain() -> None:
    with pytest.raises(HierarchyError) as error:
        build(pa.array([-1, 0, 9, 10]), name="n", widths=5, domain=(0, 9))
    assert error.value.offending == ("-1", "10")


def test_spans_end_where_the_values_do() -> None:
    ladder = build(pa.array([17, 22, 31]), widths=[5, 20])
    assert ladder.spans == (
        ((17, 17), (22, 22), (31, 31)),
        ((17, 19), (20, 24), (30, 31)),
        ((17, 19), (20, 31)),
        ((17, 31),),
    )
    assert build(pa.array([1.5, 12]), widths=5).spans == (((1.5, 1.5), (12, 12)), ((1.5, 5), (10, 12)), ((1.5, 12),))
    assert build(pa.array([1, 2, 8]), cuts=[2], top=4).spans[1] == ((1, 1), (2, 3), (4, 8))  # type: ignore[index]


def test_decimal_comma() -> None:
    assert build(pa.array(["1,5", "2"]), widths=1, decimal=",").labels[1] == ("[1, 2)", "[2, 3)")


def test_no_values() -> None:
    """The levels are as many as with values, so losses and limits fit."""
    ladder = build(pa.nulls(0), widths=[5, 10])
    assert (ladder.values, ladder.height) == (("*",), 3)
    assert build(pa.nulls(0), widths=[5], domain=[1, 3]).domain == 3


def test_values_that_are_no_numbers() -> None:
    with pytest.raises(HierarchyError) as error:
        build(pa.array(["12", "abc", "?", "13"]), name="age", widths=5)
    assert error.value.offending == ("abc", "?")
    assert "2 of the 4 different values of column 'age' are not numbers" in str(error.value)
    assert "abc" not in str(error.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "neither widths nor cuts"),
        ({"widths": [5], "cuts": [5]}, "both widths and cuts"),
        ({"widths": []}, "none is given"),
        ({"widths": [5, 12]}, "12 is not a multiple of 5"),
        ({"widths": [5, 5]}, "5 is not a multiple of 5"),
        ({"widths": [10, 5]}, "5 is not a multiple of 10"),
        ({"widths": [0]}, "not above 0"),
        ({"widths": [-5]}, "not above 0"),
        ({"widths": ["wide"]}, "not a number"),
        ({"widths": [True]}, "not a number"),
        ({"widths": {"a": 1}}, "not a number"),
        ({"widths": 5, "origin": "here"}, "not a number"),
        ({"cuts": [[10, 20], [15]]}, "cuts at 15"),
        ({"cuts": [[]]}, "none is given"),
        ({"cuts": []}, "none is given"),
        ({"widths": 5, "bottom": 20, "top": 20}, "bottom is not below top"),
        ({"widths": 5, "domain": [1]}, "two whole numbers"),
        ({"widths": 5, "domain": [1, 2, 3]}, "two whole numbers"),
        ({"widths": 5, "domain": [3, 1]}, "two whole numbers"),
        ({"widths": 5, "domain": [0.5, 1]}, "two whole numbers"),
        ({"widths": 5, "domain": [0, 10**7]}, "10,000,001 values"),
        ({"widths": 5, "decimal": "x"}, "decimal"),
    ],
)
def test_misuse(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        build(pa.array([1, 2]), **options)


numbers = st.integers(-(10**20), 10**20) | st.decimals(allow_nan=False, allow_infinity=False, places=3)


@given(
    st.lists(numbers, min_size=1, max_size=30, unique_by=str),
    st.lists(st.integers(2, 5), min_size=1, max_size=3),
    st.sampled_from(["0.25", "1", "7", "1000000"]),
    numbers,
    st.none() | st.integers(-50, -1),
    st.none() | st.integers(0, 50),
)
def test_a_true_tree(
    given_numbers: list[int | Decimal], factors: list[int], first: str, origin: Any, bottom: int | None, top: int | None
) -> None:
    values = pa.array([str(number) for number in given_numbers])
    widths = [Fraction(first)]
    for factor in factors:
        widths.append(widths[-1] * factor)
    ladder = build(values, widths=[written(width) for width in widths], origin=origin, bottom=bottom, top=top)  # type: ignore[misc]
    assert_true_tree(ladder, values.to_pylist())
    assert ladder.height == len(widths) + 1


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=1, unique=True),
    st.lists(st.floats(-100, 100), min_size=1, unique=True),
)
def test_a_true_tree_between_cuts(floats: list[float], cuts: list[float]) -> None:
    values = pa.array(floats)
    ladder = build(values, cuts=[cuts, cuts[::2]])
    assert_true_tree(ladder, [text_forms(value)[0] for value in values.to_pylist()])
    for level in (1, 2):
        kept = sorted(cuts if level == 1 else cuts[::2])
        same = {text_forms(value)[0]: sum(cut <= value for cut in kept) for value in values.to_pylist()}
        labels = labels_of(ladder, level)
        assert len(set(same.values())) == len(set(labels.values()))
        assert len({(same[text], labels[text]) for text in same}) == len(set(labels.values()))


@given(numbers)
def test_numbers_are_written_as_they_are_read(number: int | Decimal) -> None:
    read = exact(number)
    assert read == Fraction(number)
    assert exact(written(read)) == read
