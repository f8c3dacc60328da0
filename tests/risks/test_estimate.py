"""E[1/F | f]: closed forms, the sum it is defined by, and the identities that hold for every size and fraction."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.risks._estimate import expected_risk_textbook, expected_risks

FRACTIONS = st.floats(1e-9, 1)
POINTS = np.polynomial.legendre.leggauss(100)
"""Where Gauss-Legendre integration looks, and with which weights."""


def expected(size: int, fraction: float) -> float:
    return float(expected_risks(np.array([size]), fraction)[0])


@given(st.floats(1e-9, 0.999))
def test_alone_in_the_sample(fraction: float) -> None:
    assert expected(1, fraction) == pytest.approx(fraction / (1 - fraction) * math.log(1 / fraction), rel=1e-12)


@given(st.floats(1e-9, 0.99))
def test_two_in_the_sample(fraction: float) -> None:
    q = 1 - fraction
    # By parts: I_2 = (1 - p I_1) / q, which loses digits as q goes to 0.
    closed = fraction / q * (1 - fraction / q * math.log(1 / fraction))
    assert expected(2, fraction) == pytest.approx(closed, rel=1e-15 / q**2 + 1e-12)


@given(st.integers(1, 60), st.floats(0.02, 1))
def test_the_sum_over_all_population_sizes(size: int, fraction: float) -> None:
    assert expected(size, fraction) == pytest.approx(expected_risk_textbook(size, fraction), rel=1e-9)


@pytest.mark.parametrize("fraction", [0.001, 0.1, 0.25, 0.2500001, 0.5, 0.9])
@pytest.mark.parametrize("size", [1, 5, 31, 32, 33, 100])
def test_the_integral(size: int, fraction: float) -> None:
    # With u = v^3, which flattens the peak at small fractions.
    points, weights = POINTS
    v = (points + 1) / 2
    integrand = 3 * v**2 * v ** (3 * (size - 1)) / (fraction + (1 - fraction) * v**3)
    assert expected(size, fraction) == pytest.approx(fraction * float(weights @ integrand) / 2, rel=1e-9)


@given(st.integers(1, 10**6), FRACTIONS)
def test_the_recurrence_holds_across_both_ways_of_computing(size: int, fraction: float) -> None:
    here, next_one = expected_risks(np.array([size, size + 1]), fraction)
    assert (1 - fraction) * next_one + fraction * here == pytest.approx(fraction / size, rel=1e-11)


@given(st.integers(1, 10**9))
def test_a_sample_of_everybody_leaves_nothing_to_estimate(size: int) -> None:
    assert expected(size, 1.0) == 1 / size


@given(st.integers(1, 10**6), FRACTIONS)
def test_between_the_mean_size_and_the_size_in_the_sample(size: int, fraction: float) -> None:
    # Jensen: E[1/F] >= 1/E[F] = p/f; and F >= f.
    assert fraction / size * (1 - 1e-12) <= expected(size, fraction) <= 1 / size * (1 + 1e-12)


def test_sizes_keep_their_order() -> None:
    sizes = np.array([7, 1, 500, 7, 40])
    assert expected_risks(sizes, 0.1).tolist() == [expected(int(size), 0.1) for size in sizes]
    assert expected_risks(np.array([], dtype=np.int64), 0.1).tolist() == []
