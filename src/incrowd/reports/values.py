"""The distribution of a column's values in a readable number of bars. Private: bars show values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Kind, numbers_of
from incrowd.core.brief import Brief
from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.hierarchy import plain, text_forms
from incrowd.core.table import MISSING
from incrowd.release_metrics.covers import Covers

MOST = 12
"""Bars of one column."""
_BINS = 10
_CODE = re.compile(r"0\d")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]
Bars = list[tuple[str, Codes]]
"""Each bar with the codes of its values."""


@dataclass(frozen=True, repr=False)
class Spread(Brief):
    """Records per value; the rare ones together."""

    bars: tuple[tuple[str, float], ...]
    distinct: int
    """Different values, missing not counted."""


def spread(frequencies: FrequencySet, name: str) -> Spread:
    """Return the distribution of one column."""
    counts = _counts(frequencies, name)
    bars = _bars(frequencies, name, counts)
    return Spread(tuple((label, int(counts[codes].sum())) for label, codes in bars), int(np.count_nonzero(counts[1:])))


def expected(before: FrequencySet, name: str, covers: Covers, published: Counts) -> Spread:
    """Return the same bars estimated from the release: the records of each cell spread evenly over what it covers."""
    counts = _counts(before, name)
    found = _expected(covers, published, len(counts))
    bars = tuple((label, round(float(found[codes].sum()), 1)) for label, codes in _bars(before, name, counts))
    return Spread(bars, len(covers))


def _expected(covers: Covers, published: Counts, codes: int) -> Numbers:
    """Return the expected records of each code of the original."""
    found = np.zeros(codes)
    if covers.scale.axis.kind not in (Kind.NUMBERS, Kind.ORDER):
        spread_over = covers.spread_over(published)
        found[: len(spread_over)] = spread_over
        return found
    found[covers.scale.order] = np.diff(covers.up_to(published), prepend=0.0)
    found[MISSING] = published[np.isnan(covers.low)].sum()
    return found


def _counts(frequencies: FrequencySet, name: str) -> Counts:
    column = frequencies.project([name])
    return np.bincount(column.codes[0], weights=column.counts, minlength=column.cardinalities[0]).astype(np.int64)


def _bars(frequencies: FrequencySet, name: str, counts: Counts) -> Bars:
    there = np.flatnonzero(counts[1:])
    values = frequencies.values[frequencies.names.index(name)].take(there)
    texts = [text_forms(value)[0] for value in plain(values)]
    # What begins with a zero is a code, such as a postcode, and its bins would mean nothing.
    numbers = None if any(_CODE.match(text) for text in texts) else numbers_of(values)
    codes = there + 1
    if numbers is not None and len(texts) > MOST:
        bars = _ranges(np.array([float(number) for number in numbers]), codes, texts)
    else:
        bars = _values(texts, codes, counts)
    return [*bars, ("(missing)", np.array([MISSING]))] if counts[MISSING] else bars


def _values(texts: list[str], codes: Codes, counts: Counts) -> Bars:
    """Return a bar for each value; rare values share a bar if there are many."""
    order = np.argsort(-counts[codes], kind="stable")
    kept, rest = order[:MOST], order[MOST:]
    if len(rest) < 2:
        kept, rest = order, order[:0]
    bars = _in_order([(texts[at], codes[at : at + 1]) for at in kept.tolist()])
    return [*bars, (f"{len(rest):,} others", codes[rest])] if len(rest) else bars


def _in_order(bars: Bars) -> Bars:
    """Return bars by their first number if all but `*` have one; otherwise the most frequent first."""
    found = [_NUMBER.search(text) for text, _ in bars]
    if not all(number or text == "*" for number, (text, _) in zip(found, bars, strict=True)):
        return bars
    keys = [float(number.group()) if number else np.inf for number in found]
    return [bars[at] for at in sorted(range(len(bars)), key=lambda at: keys[at])]


def _ranges(numbers: Numbers, codes: Codes, texts: list[str]) -> Bars:
    """Return bars of equal width for many numbers or dates, each labeled with its first and last value."""
    order = np.argsort(numbers, kind="stable")
    edges = np.linspace(numbers.min(), numbers.max(), _BINS + 1)
    ends = np.append(np.searchsorted(numbers[order], edges[:-1], side="left"), len(numbers))
    bars: Bars = []
    for low, high in pairwise(ends.tolist()):
        if high > low:
            first, last = texts[order[low]], texts[order[high - 1]]
            bars.append((first if high - low == 1 else f"{first} to {last}", codes[order[low:high]]))
    return bars
