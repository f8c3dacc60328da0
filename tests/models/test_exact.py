"""No count is too large for an exact comparison, nor for being sorted."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.histograms import Domain, Histogram
from incrowd.models._exact import as_written, at_most, less

counts = st.lists(st.integers(0, 4 * 10**18) | st.integers(0, 3), min_size=3, max_size=3)
factors = st.integers(1, 10**25) | st.integers(1, 3)


@given(left=counts, right=counts, times=factors, by=factors)
def test_products_are_compared_as_python_does(left: list[int], right: list[int], times: int, by: int) -> None:
    arrays = np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)
    pairs = list(zip(left, right, strict=True))
    assert less([times, arrays[0]], [by, arrays[1]]).tolist() == [times * a < by * b for a, b in pairs]
    assert at_most([times, arrays[0]], [by, arrays[1]]).tolist() == [times * a <= by * b for a, b in pairs]
    both = [times, arrays[0], arrays[1]]
    assert at_most(both, [by, arrays[1]]).tolist() == [times * a * b <= by * b for a, b in pairs]


@pytest.mark.parametrize(("number", "meant"), [(0.1, "1/10"), (2, "2"), (1e-05, "1/100000"), (2.5, "5/2")])
def test_a_number_is_what_was_written(number: float, meant: str) -> None:
    assert as_written(number) == Fraction(meant)


@pytest.mark.parametrize("largest", [5, 4 * 10**18])
def test_counts_in_descending_order(largest: int) -> None:
    classes = [[1, largest, 3], [], [2], [7, 7, 9, 1]]
    flat = [count for counts in classes for count in counts]
    histogram = Histogram(
        Domain(("s",), np.zeros(5, dtype=np.int64)),
        np.cumsum([0, *map(len, classes)]).astype(np.int64),
        np.array([value for counts in classes for value in range(len(counts))], dtype=np.int32),
        np.array(flat, dtype=np.int64),
    )
    assert histogram.largest_first.tolist() == [largest, 3, 1, 2, 9, 7, 7, 1]
