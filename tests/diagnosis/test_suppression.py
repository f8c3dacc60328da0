"""Shares as they are written, and how far k rises when whole classes go."""

import math
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.by_definition import gone_for, opened, suppressions
from incrowd.diagnosis.suppression import (
    Records,
    Share,
    needed,
    needed_for_each,
    parse,
    reached,
    reached_textbook,
    suppression_row,
)
from incrowd.errors import UsageError
from strategies import Row

SIZES = st.lists(st.integers(1, 9), max_size=8)


def array(sizes: list[int]) -> "np.typing.NDArray[np.int64]":
    return np.array(sizes, dtype=np.int64)


@pytest.mark.parametrize(
    ("written", "exact"),
    [
        (0, Fraction(0)),
        (0.0, Fraction(0)),
        (-0.0, Fraction(0)),
        (1.0, Fraction(1)),
        ("0", Fraction(0)),
        ("0.29", Fraction(29, 100)),
        (" 0.29\n", Fraction(29, 100)),
        (".5", Fraction(1, 2)),
        ("1e-3", Fraction(1, 1000)),
        (0.1, Fraction(1, 10)),
        (1e-7, Fraction(1, 10**7)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.125"), Fraction(1, 8)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.float32(0.1), Fraction(1, 10)),
        (np.float16(0.5), Fraction(1, 2)),
        ("10%", Fraction(1, 10)),
        ("2.5 %", Fraction(1, 40)),
        ("100%", Fraction(1)),
        ("1.0", Fraction(1)),
    ],
)
def test_a_share_means_what_is_written(written: object, exact: Fraction) -> None:
    share = parse(written)
    assert isinstance(share, Share)
    assert share.exact == exact
    assert share.number == float(exact)
    assert isinstance(share.number, float)
    assert parse(share) is share


@pytest.mark.parametrize("written", [1, "1", "1 record", " 001 ", np.int64(1)])
def test_a_whole_number_is_one_of_records(written: object) -> None:
    assert parse(written) == Records(1)
    assert [parse(written).of(records) for records in (0, 1, 7)] == [0, 1, 1]


@pytest.mark.parametrize(
    "written",
    [
        "nan", "NaN", "sNaN", float("nan"), np.float64("nan"), "inf", "-inf", float("inf"), float("-inf"),
        -0.1, "-0.1", -1, 1.0000001, "1.0000001", 2.0, "2.0", Fraction(4, 3), Decimal("-0.01"), True, False, np.True_,
        "101%", "-1%", "%", "1%%", "1e1%", "1 recordx", "1 person", "1/3", "0,1", "", " ", "None", "find it",
        "x", b"0.1", [0.1], (0.1,), {}, 0.1j, object,
    ],
)  # fmt: skip
def test_no_share(written: object) -> None:
    with pytest.raises(UsageError) as refused:
        parse(written)
    assert "a share of the records, as 0.02 or 2%" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("written", ["1e999999999", "1e-999999999"])
def test_an_absurd_exponent_comes_to_an_end(written: str) -> None:
    """Ten to that power has a billion digits; a process of its own, which can be ended."""
    program = f"""
from incrowd.diagnosis.suppression import parse
from incrowd.errors import UsageError
try:
    assert parse({written!r}).of(100) == 0
except UsageError:
    pass
"""
    subprocess.run([sys.executable, "-c", program], timeout=600, check=True)


@pytest.mark.parametrize(
    ("share", "records", "budget"),
    [
        (0.29, 100, 29),
        ("0.29", 100, 29),
        (0.57, 100, 57),
        (0.1, 30, 3),
        (0.7, 10, 7),
        (0.1, 18, 1),
        (0.01, 45_222, 452),
        (0, 12, 0),
        (1.0, 12, 12),
        (1, 12, 1),
        (20, 12, 12),
        (0.999, 1000, 999),
        (0.9999, 1000, 999),
        (Fraction(1, 3), 3 * 10**12, 10**12),
        ("0.29", 10**14, 29 * 10**12),
        (0.5, 0, 0),
        (1, 0, 0),
    ],
)
def test_the_budget_is_the_exact_floor(share: object, records: int, budget: int) -> None:
    assert parse(share).of(records) == budget


@given(hundredths=st.integers(0, 9_999), records=st.integers(0, 10**12))
def test_the_budget_of_any_decimal(hundredths: int, records: int) -> None:
    written = str(Decimal(hundredths) / 10_000)
    exact = hundredths * records // 10_000
    assert parse(written).of(records) == parse(float(written)).of(records) == exact


def test_a_reported_share_gives_its_records_back() -> None:
    for records in range(1, 301):
        for gone in range(records + 1):
            reported = suppression_row(gone, records)["suppress"]
            assert parse(reported).of(records) == gone
            assert parse(repr(reported)).of(records) == gone


@given(data=st.data())
def test_a_reported_share_of_many_records(data: st.DataObject) -> None:
    records = data.draw(st.integers(1, 10**13))
    gone = data.draw(st.integers(0, records))
    assert parse(str(gone / records)).of(records) == gone


@settings(max_examples=50)
@given(cells=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=40), k=st.integers(1, 6))
def test_what_question_9_reports_is_enough_for_question_5(cells: list[str], k: int) -> None:
    rows: list[Row] = [{"a": cell} for cell in cells]
    diagnosis = opened(rows, ["a"])
    found = diagnosis.ask(k=k, quasi=["a"], suppress="find").answer
    if found["remaining"]:
        assert diagnosis.ask(k=k, quasi=["a"], suppress=found["suppress"]).answer is True


def exhaustive(sizes: list[int], budget: int) -> int:
    """The best smallest class over every way to remove whole classes within the budget and keep one."""
    kept = [
        some
        for count in range(1, len(sizes) + 1)
        for some in combinations(sizes, count)
        if sum(sizes) - sum(some) <= budget
    ]
    return max(map(min, kept), default=0)


@given(sizes=SIZES, budget=st.integers(0, 80))
def test_reached_is_the_best_that_removing_whole_classes_can_do(sizes: list[int], budget: int) -> None:
    k, gone = reached(array(sizes), budget)
    assert k == exhaustive(sizes, budget)
    assert gone == gone_for(sizes, k) <= budget
    assert (k, gone) == reached_textbook(sizes, budget)
    assert isinstance(k, int)
    assert isinstance(gone, int)


@pytest.mark.parametrize(
    ("sizes", "budget", "k", "gone"),
    [
        ([2, 2, 5], 2, 2, 0),
        ([2, 2, 5], 3, 2, 0),
        ([2, 2, 5], 4, 5, 4),
        ([1, 2, 5, 10], 1, 2, 1),
        ([1, 2, 5, 10], 3, 5, 3),
        ([10, 5, 2, 1], 8, 10, 8),
        ([10, 5, 2, 1], 18, 10, 8),
        ([4, 4, 4], 12, 4, 0),
        ([7], 0, 7, 0),
        ([], 5, 0, 0),
    ],
)
def test_reached(sizes: list[int], budget: int, k: int, gone: int) -> None:
    assert reached(array(sizes), budget) == (k, gone)
    assert reached_textbook(sizes, budget) == (k, gone)


def test_the_paper_s_overshoot_is_not_repeated() -> None:
    """Sizes 1, 2, 5, 10 with a share of 0.1: 1.8 records may go, so 1 does and k is 2, not 5."""
    rows: list[Row] = [{"a": str(size)} for size in (1, 2, 5, 10) for _ in range(size)]
    assert opened(rows, ["a"]).ask(quasi=["a"], suppress=0.1).answer == 2


@given(sizes=SIZES, k=st.integers(1, 12))
def test_needed(sizes: list[int], k: int) -> None:
    assert needed(array(sizes), k) == gone_for(sizes, k)


@pytest.mark.parametrize("k", [2**31, 2**63 - 1, 2**63, 2**100])
def test_a_k_beyond_every_class(k: int) -> None:
    assert needed(array([1, 2, 5]), k) == 8
    diagnosis = opened([{"a": "x"}, {"a": "x"}, {"a": "y"}], ["a"])
    assert diagnosis.ask(k=k, quasi=["a"]).answer is False
    assert diagnosis.ask(k=k, quasi=["a"], at_most=True).answer is True
    assert diagnosis.ask(k=k).answer == []
    assert diagnosis.ask(k=k, quasi=["a"], suppress="find").answer["remaining"] == 0
    assert diagnosis.ask(k=k, suppress="find").answer[0]["suppressed"] == 3
    assert diagnosis.ask(quasi=["a"], suppress="find", up_to=k).answer[-1] == {"k": 3, "suppress": 1, "suppressed": 3}


@given(sizes=SIZES, up_to=st.integers(1, 12))
def test_needed_for_each_k(sizes: list[int], up_to: int) -> None:
    for_each = needed_for_each(array(sizes), up_to)
    assert for_each == [row["suppressed"] for row in suppressions(sizes, up_to)]
    assert all(isinstance(gone, int) for gone in for_each)
    assert for_each == [needed(array(sizes), k) for k in range(1, len(for_each) + 1)]
    assert len(for_each) <= up_to
    if sizes:
        assert for_each[-1] == sum(sizes) or len(for_each) == up_to


def test_a_suppression_of_nothing_is_no_share() -> None:
    assert suppression_row(0, 0) == {"suppress": 0.0, "suppressed": 0}
    assert math.isclose(suppression_row(1, 3)["suppress"], 1 / 3)
