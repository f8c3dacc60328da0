"""The records per value of two columns together, in the original and as a release shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.comparison.distributions import ELSEWHERE, Bars
from incrowd.core.brief import Brief
from incrowd.release_metrics.associations import cross, pairs_of
from incrowd.release_metrics.released import Released
from incrowd.text import Cell, table

Numbers = NDArray[np.float64]
_LEAST = 0.05
"""Expected records that are worth a row."""


@dataclass(frozen=True, repr=False)
class CrossTable(Brief):
    """Two columns against each other: the records before, and those expected after."""

    first: str
    second: str
    rows: tuple[str, ...]
    """The values of the first column, or ranges of them."""
    columns: tuple[str, ...]
    """Those of the second one."""
    original: tuple[tuple[int, ...], ...]
    release: tuple[tuple[float, ...], ...]
    """The records of each published cell are spread evenly over what it covers."""
    suppressed: int
    """The records of the original that the release lacks."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "original": [list(row) for row in self.original],
            "release": [list(row) for row in self.release],
            "suppressed": self.suppressed,
        }

    def text(self) -> str:
        """Return the table: in each cell the records before and after."""
        rows: list[list[Cell]] = [
            [name, *(f"{before:,} -> {rounded(after)}" for before, after in zip(*both, strict=True))]
            for name, both in zip(self.rows, zip(self.original, self.release, strict=True), strict=True)
        ]
        return table([f"{self.first} / {self.second}", *self.columns], rows)


def rounded(records: float) -> str:
    """Return expected records as text: with one decimal only if they are few and not whole."""
    return f"{records:,.1f}" if abs(records) < 10 and records != int(records) else f"{records:,.0f}"


def cross_table(released: Released, pair: Sequence[str]) -> CrossTable:
    """Return the table of two columns."""
    columns = [released.index(name) for name in pair]
    bars = [Bars.of(released.original, name) for name in pair]
    before = [_one_hot(each) for each in bars]
    after = [each.shares(released.columns[at]) for each, at in zip(bars, columns, strict=True)]
    original = _crossed(before, [released.original.codes[at] for at in columns], released.original.counts)
    release = _crossed(after, [released.cells[at] for at in columns], released.counts)
    kept = [_kept(original, release, axis) for axis in (1, 0)]
    rows, named = (
        tuple(label for label, there in zip([*each.labels, ELSEWHERE], some.tolist(), strict=True) if there)
        for each, some in zip(bars, kept, strict=True)
    )
    original, release = (each[kept[0]][:, kept[1]] for each in (original, release))
    return CrossTable(
        pair[0],
        pair[1],
        rows,
        named,
        original=tuple(tuple(round(each) for each in row) for row in original.tolist()),
        release=tuple(tuple(round(each, 1) for each in row) for row in release.tolist()),
        suppressed=released.suppressed,
    )


def _one_hot(bars: Bars) -> Numbers:
    found = np.zeros((len(bars.counts), len(bars.groups) + 1))
    found[np.arange(len(bars.counts)), bars.of_codes] = 1.0
    return found


def _crossed(shares: Sequence[Numbers], cells: Sequence[NDArray[np.int32]], counts: NDArray[np.int64]) -> Numbers:
    first, second = ((of, len(each)) for of, each in zip(cells, shares, strict=True))
    return cross(shares[0].__getitem__, shares[1].__getitem__, pairs_of(first, second, counts))


def _kept(original: Numbers, release: Numbers, axis: int) -> NDArray[np.bool_]:
    """Return which rows or columns are shown: the last one, of other values, only if it has records."""
    found = np.ones(original.shape[1 - axis], dtype=np.bool_)
    found[-1] = max(original.sum(axis=axis)[-1], release.sum(axis=axis)[-1]) >= _LEAST
    return found
