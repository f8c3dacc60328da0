"""Ranges for a sensitive column of numbers that are nearly all different, for a first privacy model.

Any few of its records have different values, so that distinct_l promises nothing: incomes of 50,001 and 50,002 disclose
an income of about 50,000. Range diversity with about equally many records in each range considers that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, inf, nextafter
from typing import Any

import numpy as np

from incrowd.core.hierarchy import plain
from incrowd.core.numbers import Number, exact
from incrowd.hierarchies.fitting import even_cuts, round_widths
from incrowd.proposing.facts import Column

RANGES = 5
"""About so many ranges: fewer would disclose little more than the whole column, more would let neighbors pass."""
_NARROW = 10
"""Ranges that protect less, for columns where classes with values of several of the wide ones would cost too much."""
_CONFIDENCES = {RANGES: (0.8, 0.9), _NARROW: (0.9,)}
"""By number of ranges the bounds that are tried, the strongest first. Four of five records may be near each other, but
not all: where a column goes with the quasi-identifiers, a bound that forbids that makes classes much larger."""
_EASY = 0.1
"""At most this share of the classes may be expected to break the bound by chance."""
_PAIRS = 4_000_000
"""So many pairs of records are drawn to find out."""
_MOST_DRAWN = 8_000
_MOST_DIGITS = 12
"""Digits after the point that ends of ranges have at most."""


@dataclass(frozen=True)
class FirstRanges:
    """A range diversity for a column."""

    p: float
    ranges: tuple[tuple[int | float, int | float], ...]
    domain: tuple[int | float, int | float]
    chance: float
    """The share of classes of k that break it by chance."""

    @property
    def options(self) -> dict[str, Any]:
        """The options of the model, but its column."""
        return {"p": self.p, "ranges": [list(each) for each in self.ranges], "domain": list(self.domain)}


def first_ranges(column: Column, k: int) -> FirstRanges | None:
    """Return ranges of a column; None if it has other values than numbers, if many of them repeat, or if classes of k
    would break any bound."""
    return next(ranges_of(column, k), None)


def ranges_of(column: Column, k: int) -> Iterator[FirstRanges]:
    """Yield the same, the strongest first, then those that protect less."""
    if not _is_nearly_unique(column.distinct, column.present) or column.present < 2 * RANGES:
        return
    held = [(exact(value), n) for value, n in zip(plain(column.values), column.holders.tolist(), strict=True)]
    known = sorted((number, n) for number, n in held if number is not None)
    if len(known) < len(held):
        return
    numbers, counts = [number for number, _ in known], [n for _, n in known]
    for ranges, confidences in _CONFIDENCES.items():
        cuts = even_cuts(known, ranges) if column.present >= 2 * ranges else None
        found = [*_bounded(numbers, counts, cuts, k, confidences)] if cuts else []
        yield from found
        if not found:
            # Classes that are too small for wide ranges are no better off with narrow ones.
            return


def _is_nearly_unique(values: int, records: int) -> bool:
    """Return whether fewer than two records share a value, as a mean; verification warns of such columns too."""
    return 2 * values > records


def _bounded(
    numbers: Sequence[Number], counts: Sequence[int], cuts: Sequence[Number], k: int, confidences: Sequence[float]
) -> Iterator[FirstRanges]:
    """Yield the ranges between the cuts, with the bounds that classes of k seldom break."""
    width = next(iter(round_widths(numbers)), 1)
    low, high = floor(numbers[0] / width) * width, ceil(numbers[-1] / width) * width
    broken = _drawn(numbers, counts, cuts, float(high - low), k)
    for p in confidences:
        chance = float((broken > p).mean())
        if chance <= _EASY:
            starts, step = [low, *cuts], _step(numbers)
            ends = [*(_before(cut, step) for cut in cuts), high]
            ranges = tuple((_plain(one), _plain(other)) for one, other in zip(starts, ends, strict=True))
            yield FirstRanges(p, ranges, (_plain(low), _plain(high)), chance)


def _drawn(
    numbers: Sequence[Number], counts: Sequence[int], cuts: Sequence[Number], span: float, k: int
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the range diversity of classes of k records that are drawn at random."""
    rng = np.random.default_rng(0)
    shares = np.array(counts, dtype=np.float64)
    places = np.array([float(number) for number in numbers]) / (span or 1.0)
    range_of = np.searchsorted(np.array([float(cut) for cut in cuts]), [float(number) for number in numbers], "right")
    drawn = rng.choice(len(numbers), size=(max(1, min(_MOST_DRAWN, _PAIRS // k**2)), k), p=shares / shares.sum())
    place, of = places[drawn], range_of[drawn]
    near = 1 - np.abs(place[:, :, None] - place[:, None, :])
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = (near * (of[:, :, None] == of[:, None, :])).mean(axis=(1, 2))
    return found


def _step(numbers: Sequence[Number]) -> Number:
    """Return the difference that the digits of the numbers make: 1 of whole ones, 0.01 of 3.25."""
    digits = 0
    while digits < _MOST_DIGITS and any((number * 10**digits).denominator != 1 for number in numbers):
        digits += 1
    return Fraction(1, 10**digits) if digits else 1


def _before(cut: Number, step: Number) -> Number:
    """Return the end of the range below a cut; of numbers with more digits than a float has, the next float."""
    is_coarse = step > Fraction(1, 10**_MOST_DIGITS)
    return cut - step if is_coarse else Fraction(nextafter(float(cut), -inf))


def _plain(number: Number) -> int | float:
    return number if isinstance(number, int) else int(number) if number.denominator == 1 else float(number)
