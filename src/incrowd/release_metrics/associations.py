"""The association of two columns of any types, in the original and as the release shows it.

One number from 0, none, to 1: of two columns with numbers |Pearson's r|, of numbers and values the correlation ratio
eta, of values Cramér's V. A published cell counts as the mean of the numbers that it covers, or as each of the values
that it covers in equal shares. A record that lacks one of the two is not looked at.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from incrowd.core.table import Codes
from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Counts, Numbers, Scale

MOST_VALUES = 50
"""The values of a column without numbers that are distinguished, the most frequent ones; all others count as one."""
STILL = 1e-9
"""A column whose standard deviation is this small a part of its original one does not vary."""
_NOTHING = 1e-12
"""Below this a share, or the square of an association, is a rounding error."""
_AT_ONCE = 50_000
"""Pairs of cells to process at once."""
_DENSE = 4_000_000
"""Possible pairs of cells that are counted in one array."""


Shares = Callable[[Counts], Numbers]
"""Gives cells x values: the share of each value in what a cell covers."""


class Association(NamedTuple):
    """The association of two columns before and after."""

    first: str
    second: str
    original: float
    release: float

    @property
    def change(self) -> float:
        """Return how far it moved."""
        return abs(self.release - self.original)


@dataclass(frozen=True, eq=False)
class _Column:
    """A column of one table: which of its cells each combination has, and what the cells are."""

    covers: Covers
    cells: Codes
    values: Covers
    """The values that are distinguished, each as a cell."""

    @property
    def is_numeric(self) -> bool:
        """Return whether the cells count as numbers."""
        return self.covers.scale.is_numeric

    @cached_property
    def is_missing(self) -> Counts:
        """Return which cells cover nothing but missing."""
        return np.isnan(self.covers.low)

    def shares(self, cells: Counts) -> Numbers:
        """Return cells x values: the share of each distinguished value in what a cell covers; the last is of all
        others."""
        return self._all[cells] if len(self.covers) <= _AT_ONCE else self._of(self.covers.take(cells))

    @cached_property
    def _all(self) -> Numbers:
        return self._of(self.covers)

    def _of(self, covers: Covers) -> Numbers:
        found = covers.overlap(self.values).T
        rest = 1.0 - found.sum(axis=1)
        return np.column_stack([found, np.where(rest > _NOTHING, rest, 0.0)])


class Pairs(NamedTuple):
    """Which cells of two columns occur together, and in how many records."""

    first: Counts
    second: Counts
    records: Numbers


def associations(released: Released) -> list[Association]:
    """Return the association of each pair of columns; not of those that no record of a table has both of."""
    before, after = _columns(released)
    found = []
    for at, (first, published) in enumerate(zip(before, after, strict=True)):
        for other in range(at + 1, len(before)):
            original = _pairs(first, before[other], released.original.counts)
            release = _pairs(published, after[other], released.counts)
            if len(original.records) and len(release.records):
                spreads = _deviations(first, before[other], original)
                found.append(
                    Association(
                        first.covers.scale.name,
                        before[other].covers.scale.name,
                        _association(first, before[other], original, spreads),
                        _association(published, after[other], release, spreads),
                    )
                )
    return found


def _columns(released: Released) -> tuple[list[_Column], list[_Column]]:
    before, after = [], []
    for at, covers in enumerate(released.columns):
        values, codes = Covers.of_values(covers.scale), released.original.codes[at]
        often = np.bincount(codes, released.original.counts, len(values)).astype(np.int64)
        distinguished = values.take(frequent(covers.scale, often))
        before.append(_Column(values, codes, distinguished))
        after.append(_Column(covers, released.cells[at], distinguished))
    return before, after


def frequent(scale: Scale, often: Counts) -> Codes:
    """Return the codes of the most frequent values."""
    there = scale.order[often[scale.order] > 0]
    found: Codes = there[np.argsort(-often[there], kind="stable")][:MOST_VALUES]
    return found


def pairs_of(one: tuple[Codes, int], other: tuple[Codes, int], counts: Counts) -> Pairs:
    """Return the pairs of cells that occur; each column is the cell of each combination, and how many cells it has."""
    (first, _), (second, width) = one, other
    keys = first.astype(np.int64) * width + second
    if one[1] * width <= _DENSE:
        records = np.bincount(keys, counts, one[1] * width).astype(np.float64)
        keys = np.flatnonzero(records)
        return Pairs(keys // width, keys % width, records[keys])
    keys, of = np.unique(keys, return_inverse=True)
    return Pairs(keys // width, keys % width, np.bincount(of.reshape(-1), counts, len(keys)).astype(np.float64))


def _pairs(one: _Column, other: _Column, counts: Counts) -> Pairs:
    """Return the pairs in which neither cell is missing."""
    found = pairs_of((one.cells, len(one.covers)), (other.cells, len(other.covers)), counts)
    there = ~one.is_missing[found.first] & ~other.is_missing[found.second] & (found.records > 0)
    return Pairs(*(each[there] for each in found))


def _deviations(one: _Column, other: _Column, pairs: Pairs) -> tuple[float, float]:
    """Return the standard deviation of each column with numbers, 0 of others."""
    return (
        _moments(one.covers.centers[pairs.first], pairs.records)[1] if one.is_numeric else 0.0,
        _moments(other.covers.centers[pairs.second], pairs.records)[1] if other.is_numeric else 0.0,
    )


def _moments(numbers: Numbers, records: Numbers) -> tuple[float, float]:
    """Return mean and standard deviation."""
    total = records.sum()
    mean = float(numbers @ records / total)
    return mean, float(np.sqrt(((numbers - mean) ** 2) @ records / total))


def _association(one: _Column, other: _Column, pairs: Pairs, spreads: tuple[float, float]) -> float:
    if one.is_numeric and other.is_numeric:
        return _pearson(one.covers.centers[pairs.first], other.covers.centers[pairs.second], pairs.records, spreads)
    if one.is_numeric:
        return _eta(other, pairs.second, one.covers.centers[pairs.first], pairs.records, spreads[0])
    if other.is_numeric:
        return _eta(one, pairs.first, other.covers.centers[pairs.second], pairs.records, spreads[1])
    return cramer(cross(one.shares, other.shares, pairs))


def _pearson(xs: Numbers, ys: Numbers, records: Numbers, spreads: tuple[float, float]) -> float:
    (x, dx), (y, dy) = _moments(xs, records), _moments(ys, records)
    if dx <= STILL * spreads[0] or dy <= STILL * spreads[1]:
        return 0.0
    covariance = float(((xs - x) * (ys - y)) @ records / records.sum())
    return min(1.0, abs(covariance / (dx * dy)))


def _eta(groups: _Column, cells: Counts, numbers: Numbers, records: Numbers, spread: float) -> float:
    """Return the square root of the share of the variance that lies between the values of the other column."""
    mean, deviation = _moments(numbers, records)
    if deviation <= STILL * spread:
        return 0.0
    each, sums = np.zeros(len(groups.values) + 1), np.zeros(len(groups.values) + 1)
    for at in range(0, len(cells), _AT_ONCE):
        part = slice(at, at + _AT_ONCE)
        shares = groups.shares(cells[part])
        each += records[part] @ shares
        sums += (records[part] * (numbers[part] - mean)) @ shares
    there = each > 0
    between = float((sums[there] ** 2 / each[there]).sum() / (records.sum() * deviation**2))
    return _root(between)


def cross(one: Shares, other: Shares, pairs: Pairs) -> Numbers:
    """Return the table of two columns: the records expected with each value of the one and of the other."""
    nothing = pairs.first[:0]
    found = np.zeros((one(nothing).shape[1], other(nothing).shape[1]))
    for at in range(0, len(pairs.records), _AT_ONCE):
        part = slice(at, at + _AT_ONCE)
        found += (one(pairs.first[part]) * pairs.records[part, None]).T @ other(pairs.second[part])
    return found


def cramer(table: Numbers) -> float:
    """Return Cramér's V of a table of counts: 0 if one of the two has a single value."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    least = min(table.shape) - 1
    if least < 1:
        return 0.0
    shares = table / table.sum()
    independent = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    return _root(float(((shares - independent) ** 2 / independent).sum()) / least)


def _root(square: float) -> float:
    return 0.0 if square < _NOTHING else min(1.0, float(np.sqrt(square)))
