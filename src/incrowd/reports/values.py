"""How the values of a column are spread, in as many bars as a reader can take in. Private: bars show values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import numbers_of
from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.hierarchy import plain, text_forms
from incrowd.core.numbers import Number
from incrowd.core.table import MISSING

_MOST = 12
"""Bars of one column."""
_BINS = 10
_CODE = re.compile(r"0\d")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Spread:
    """Records per value; the rare ones together."""

    bars: tuple[tuple[str, int], ...]
    distinct: int
    """Different values, missing not counted."""


def spread(frequencies: FrequencySet, name: str) -> Spread:
    """The values of one column."""
    column = frequencies.project([name])
    counts = np.bincount(column.codes[0], weights=column.counts, minlength=column.cardinalities[0]).astype(np.int64)
    missing = int(counts[MISSING])
    there = np.flatnonzero(counts[1:])
    values = column.values[0].take(there)
    texts = [text_forms(value)[0] for value in plain(values)]
    # What begins with a zero is a code, such as a postcode, and its bins would mean nothing.
    numbers = None if any(_CODE.match(text) for text in texts) else numbers_of(values)
    bars = _bars(texts, counts[1:][there], numbers)
    return Spread((*bars, *((("(missing)", missing),) if missing else ())), len(there))


def _bars(texts: list[str], counts: Counts, numbers: list[Number] | None) -> list[tuple[str, int]]:
    if numbers is not None and len(texts) > _MOST:
        return _ranges(np.array([float(number) for number in numbers]), counts, texts)
    found = sorted(zip(texts, counts.tolist(), strict=True), key=lambda bar: -bar[1])
    kept, rest = found[:_MOST], found[_MOST:]
    if not rest or len(rest) == 1:
        kept, rest = found, []
    kept = _in_order(kept)
    return [*kept, (f"{len(rest):,} others", sum(bar[1] for bar in rest))] if rest else kept


def _in_order(bars: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """By their first number where all have one, or are everything; else the most frequent first."""
    found = [_NUMBER.search(text) for text, _ in bars]
    if not all(number or text == "*" for number, (text, _) in zip(found, bars, strict=True)):
        return bars
    keys = [float(number.group()) if number else np.inf for number in found]
    return [bar for _, bar in sorted(zip(keys, bars, strict=True), key=lambda each: each[0])]


def _ranges(numbers: NDArray[np.float64], counts: Counts, texts: list[str]) -> list[tuple[str, int]]:
    """Many numbers or dates in bins of the same width; each is named by the values at its ends."""
    order = np.argsort(numbers, kind="stable")
    edges = np.linspace(numbers.min(), numbers.max(), _BINS + 1)
    ends = np.append(np.searchsorted(numbers[order], edges[:-1], side="left"), len(numbers))
    bars = []
    for low, high in pairwise(ends.tolist()):
        if high > low:
            first, last = texts[order[low]], texts[order[high - 1]]
            label = first if high - low == 1 else f"{first} to {last}"
            bars.append((label, int(counts[order[low:high]].sum())))
    return bars
