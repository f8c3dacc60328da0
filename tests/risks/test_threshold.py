"""Thresholds mean what was written, and are compared without rounding."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import UsageError
from incrowd.risks._threshold import Threshold

SIZES = np.arange(1, 2000)


@pytest.mark.parametrize(
    ("given_as", "size"),
    [
        (0.2, 5),
        ("0.2", 5),
        (" 1/5 ", 5),
        (Fraction(1, 5), 5),
        (0.1, 10),
        (1 / 3, 3),
        ("1/3", 3),
        ("0.34", 3),
        ("0.33", 4),
        ("2/3", 2),
        (1, 1),
        (1.0, 1),
        (np.float64(0.05), 20),
        ("2e-1", 5),
        ("0.09", 12),
    ],
)
def test_smallest_class_that_is_safe(given_as: object, size: int) -> None:
    assert Threshold.parse(given_as).safe_size == size


def test_no_class_is_safe_from_zero() -> None:
    threshold = Threshold.parse(0)
    assert threshold.safe_size is None
    assert threshold.exceeded_by_one_in(SIZES).all()
    assert Threshold.parse("1e-999999999").exact == 0


@given(st.integers(1, 10**9))
def test_one_in_size_as_floating_point_is_exactly_one_in_size(size: int) -> None:
    assert Threshold.parse(1 / size).exact == Fraction(1, size)


@given(st.fractions(0, 1, max_denominator=3000) | st.decimals(0, 1, places=4).map(Fraction))
def test_classes_above_the_threshold(exact: Fraction) -> None:
    threshold = Threshold(exact)
    expected = [Fraction(1, int(size)) > exact for size in SIZES]
    assert threshold.exceeded_by_one_in(SIZES).tolist() == expected


def test_threshold_below_any_class_that_fits_into_memory() -> None:
    assert Threshold.parse("1e-30").exceeded_by_one_in(SIZES).all()


def test_estimates_are_compared_with_a_tolerance() -> None:
    risks = np.array([0.2, 0.2 * (1 + 1e-14), 0.2001])
    assert Threshold.parse(0.2).exceeded_by(risks).tolist() == [False, False, True]


@pytest.mark.parametrize("wrong", [-0.1, 1.1, "much", "", None, True, float("nan"), float("inf"), "1/0", "20 %", "e"])
def test_what_is_no_probability_is_refused(wrong: object) -> None:
    with pytest.raises(UsageError, match="from 0 to 1"):
        Threshold.parse(wrong)
