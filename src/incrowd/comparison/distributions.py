"""The distribution of a column's values in a readable number of bars. Private: bars show values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.comparison.round_bins import Bins, bins_of
from incrowd.core.axes import Kind, numbers_of
from incrowd.core.brief import Brief
from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.hierarchy import plain, text_forms
from incrowd.core.table import MISSING
from incrowd.hierarchies.dates import days_of
from incrowd.release_metrics.covers import Cell, Covers

MOST = 12
"""Bars of one column."""
MISSING_LABEL = "(missing)"
ELSEWHERE = "(other values)"
"""The values that cells cover and no original record has."""
_CODE = re.compile(r"0\d")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LEAST = 0.05
"""Expected records that are worth a bar."""

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]
Groups = list[tuple[str, Codes]]
"""Each bar with the codes of its values."""


@dataclass(frozen=True, repr=False)
class Spread(Brief):
    """Records per value; the rare ones together."""

    bars: tuple[tuple[str, float], ...]
    distinct: int
    """Different values, missing not counted."""


@dataclass(frozen=True, eq=False, repr=False)
class Bars(Brief):
    """The bars of a column: groups of its original values, missing the last one."""

    groups: tuple[tuple[str, Codes], ...]
    counts: Counts
    """Records of each code in the original."""

    @classmethod
    def of(cls, frequencies: FrequencySet, name: str) -> Bars:
        """Return the bars of a column."""
        counts = _counts(frequencies, name)
        return cls(tuple(_groups(frequencies, name, counts)), counts)

    @property
    def labels(self) -> list[str]:
        """Return the label of each bar."""
        return [label for label, _ in self.groups]

    @cached_property
    def of_codes(self) -> Counts:
        """Return the bar of each code; -1 for a code that does not occur."""
        found = np.full(len(self.counts), -1, dtype=np.int64)
        for at, (_, codes) in enumerate(self.groups):
            found[codes] = at
        return found

    def shares(self, covers: Covers) -> Numbers:
        """Return cells x (bars and elsewhere): the share of each bar in what a published cell covers.

        Along numbers and ordered values each original value stands for the gap below it too.
        """
        found = np.zeros((len(covers), len(self.groups) + 1))
        along = covers.scale.axis.kind in (Kind.NUMBERS, Kind.ORDER)
        (self._add_runs if along else self._add_values)(covers, found)
        missing = np.isnan(covers.low)
        found[missing] = 0.0
        found[missing, self._missing] = 1.0
        found[:, -1] += np.clip(1.0 - found.sum(axis=1), 0.0, None)
        return found

    @property
    def _missing(self) -> int:
        """Return the bar of missing; elsewhere if there is none."""
        return len(self.groups) - 1 if self.groups and self.groups[-1][0] == MISSING_LABEL else len(self.groups)

    def _add_runs(self, covers: Covers, found: Numbers) -> None:
        """Add the share of each run of neighboring values that are in one bar."""
        there = covers.scale.order[self.counts[covers.scale.order] > 0]
        if not len(there):
            return
        bars, ends = self.of_codes[there], covers.scale.positions[there]
        last = np.append(bars[1:] != bars[:-1], True)
        below = np.zeros(len(covers))
        for bar, end in zip(bars[last].tolist(), [*ends[last][:-1].tolist(), covers.scale.last], strict=True):
            upto = _share_up_to(covers, end)
            found[:, bar] += upto - below
            below = upto

    def _add_values(self, covers: Covers, found: Numbers) -> None:
        known = [at for at in range(len(self.groups)) if at != self._missing]
        if not known:
            return
        positions = [np.sort(covers.scale.positions[self.groups[at][1]]).astype(np.int64) for at in known]
        cells = [Cell(float(each[0]), float(each[-1]), members=_gaps(each)) for each in positions]
        found[:, known] = covers.overlap(Covers.of_cells(covers.scale, cells)).T


def spread(frequencies: FrequencySet, name: str) -> Spread:
    """Return the distribution of one column."""
    bars = Bars.of(frequencies, name)
    found = tuple((label, int(bars.counts[codes].sum())) for label, codes in bars.groups)
    return Spread(found, int(np.count_nonzero(bars.counts[1:])))


def expected(bars: Bars, covers: Covers, published: Counts) -> Spread:
    """Return the same bars estimated from the release: the records of each cell spread evenly over what it covers."""
    found = published @ bars.shares(covers)
    told = tuple((label, round(float(records), 1)) for label, records in zip(bars.labels, found, strict=False))
    elsewhere = float(found[-1])
    return Spread(told if elsewhere < _LEAST else (*told, (ELSEWHERE, round(elsewhere, 1))), len(covers))


def _share_up_to(covers: Covers, position: float) -> Numbers:
    """Return the share of what each cell covers that is at or below a position."""
    with np.errstate(invalid="ignore"):
        length = covers.high - covers.low + 1
        shares: Numbers = np.clip(position - covers.low + 1, 0, length) / length
    # A number between two base values is at or below, or it is not.
    point = covers.low == covers.high
    shares[point] = covers.low[point] <= position
    for cell in covers.scattered_cells:
        shares[cell] = np.searchsorted(covers.members_of(cell), position, "right") / covers.count[cell]
    return np.nan_to_num(shares)


def _gaps(positions: Codes) -> Codes | None:
    """Return the positions if some between the first and the last are not among them."""
    return positions if len(positions) < positions[-1] - positions[0] + 1 else None


def _counts(frequencies: FrequencySet, name: str) -> Counts:
    column = frequencies.project([name])
    return np.bincount(column.codes[0], weights=column.counts, minlength=column.cardinalities[0]).astype(np.int64)


def _groups(frequencies: FrequencySet, name: str, counts: Counts) -> Groups:
    there = np.flatnonzero(counts[1:])
    values = frequencies.values[frequencies.names.index(name)].take(there)
    texts = [text_forms(value)[0] for value in plain(values)]
    # What begins with a zero is a code, such as a postcode, and its bins would mean nothing.
    numbers = None if any(_CODE.match(text) for text in texts) else numbers_of(values)
    codes = there + 1
    if len(texts) <= MOST:
        groups = _values(texts, codes, counts)
    elif numbers is not None:
        groups = _ranges(bins_of([float(number) for number in numbers], texts, MOST), codes)
    elif days := days_of(plain(values)):
        groups = _ranges(bins_of([], [day.isoformat() for day in days], MOST), codes)
    else:
        groups = _values(texts, codes, counts)
    return [*groups, (MISSING_LABEL, np.array([MISSING]))] if counts[MISSING] else groups


def _values(texts: list[str], codes: Codes, counts: Counts) -> Groups:
    """Return a bar for each value; rare values share a bar if there are many."""
    order = np.argsort(-counts[codes], kind="stable")
    kept, rest = order[:MOST], order[MOST:]
    if len(rest) < 2:
        kept, rest = order, order[:0]
    groups = _in_order([(texts[at], codes[at : at + 1]) for at in kept.tolist()])
    return [*groups, (f"{len(rest):,} others", codes[rest])] if len(rest) else groups


def _in_order(groups: Groups) -> Groups:
    """Return bars by their first number if all but `*` have one; otherwise the most frequent first."""
    found = [_NUMBER.search(text) for text, _ in groups]
    if not all(number or text == "*" for number, (text, _) in zip(found, groups, strict=True)):
        return groups
    keys = [float(number.group()) if number else np.inf for number in found]
    return [groups[at] for at in sorted(range(len(groups)), key=lambda at: keys[at])]


def _ranges(bins: Bins, codes: Codes) -> Groups:
    """Return a bar for each bin that holds a value."""
    return [(label, codes[bins.of == at]) for at, label in enumerate(bins.labels) if (bins.of == at).any()]
