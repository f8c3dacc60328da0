"""Bins of equal width for many numbers or dates, with round ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MONTHS = (1, 2, 3, 6)
"""Widths of bins shorter than a year, in months."""


class Bins(NamedTuple):
    """Bins in ascending order."""

    labels: tuple[str, ...]
    of: NDArray[np.int64]
    """The bin of each number."""


def bins_of(numbers: Sequence[float], texts: Sequence[str], most: int) -> Bins:
    """Return at most that many bins of numbers, or of dates; `texts` are how they are written."""
    days = [_DAY.match(text) for text in texts]
    if all(days):
        return _of_dates([each.group() for each in days if each is not None], most)
    return _of_numbers(np.array(numbers, dtype=np.float64), most)


def _of_numbers(numbers: NDArray[np.float64], most: int) -> Bins:
    low, high = float(numbers.min()), float(numbers.max())
    whole = bool((numbers == np.floor(numbers)).all())
    step = _step(low, high, most, 1.0 if whole else 0.0)
    first = floor(low / step)
    # A number that stands on an edge begins the bin above it, whatever was lost in the division.
    of = np.floor(np.round(numbers / step, 9)).astype(np.int64) - first
    edges = [(first + at) * step for at in range(int(of.max()) + 2)]
    labels = [_label(here, after, step, whole) for here, after in pairwise(edges)]
    return Bins(tuple(labels), of)


def _step(low: float, high: float, most: int, least: float) -> float:
    """Return the smallest round width for at most so many bins."""
    size = 10.0 ** floor(log10((high - low) / most)) if high > low else 1.0
    for step in (size * factor * scale for scale in (1.0, 10.0) for factor in _STEPS):
        whole = least == 0.0 or step == floor(step)
        if step >= least and whole and floor(high / step) - floor(low / step) < most:
            return step
    return max(least, high - low)


def _label(low: float, high: float, step: float, whole: bool) -> str:
    if whole:
        return f"{low:.0f}" if step == 1 else f"{low:.0f} to {high - 1:.0f}"
    decimals = max(0, ceil(-log10(step) - 1e-9) + (f"{step:e}"[:3] == "2.5"))
    return f"{low:.{decimals}f} to {high:.{decimals}f}"


def _of_dates(days: Sequence[str], most: int) -> Bins:
    """Return bins of years, of months or of days, as wide as the dates are apart."""
    months = np.array([int(day[:4]) * 12 + int(day[5:7]) - 1 for day in days], dtype=np.int64)
    span = int(months.max() - months.min()) + 1
    if span > most:
        width = next((each for each in _MONTHS if ceil(span / each) < most), None) or 12 * round(
            _step(int(months.min()) // 12, int(months.max()) // 12, most, 1.0)
        )
        return _of_months(months, width)
    ordinals = np.array([date.fromisoformat(day).toordinal() for day in days], dtype=np.int64)
    first = int(ordinals.min())
    width = max(1, ceil((int(ordinals.max()) - first + 1) / most))
    of = (ordinals - first) // width
    begins = [date.fromordinal(first + at * width) for at in range(int(of.max()) + 1)]
    ends = [date.fromordinal(min(date.max.toordinal(), each.toordinal() + width - 1)) for each in begins]
    labels = [f"{begin}" if width == 1 else f"{begin} to {end}" for begin, end in zip(begins, ends, strict=True)]
    return Bins(tuple(labels), of)


def _of_months(months: NDArray[np.int64], width: int) -> Bins:
    first = int(months.min()) // width * width
    of = (months - first) // width
    return Bins(tuple(_months(first + at * width, width) for at in range(int(of.max()) + 1)), of)


def _months(first: int, width: int) -> str:
    last = first + width - 1
    if width == 12:
        return f"{first // 12}"
    if width > 12:
        return f"{first // 12} to {last // 12}"
    begin, end = (f"{at // 12}-{at % 12 + 1:02d}" for at in (first, last))
    return begin if width == 1 else f"{begin} to {end}"
