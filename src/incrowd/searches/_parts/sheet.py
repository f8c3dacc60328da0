"""Sheets: how many records each value of one column has in each class of the other columns.

All records of some values of the column, published alike, are sums of rows. So what an interval of ages costs, whatever
becomes of the other ages, is read off one sheet for all intervals at once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Columns, Counts, Domain, Histogram
from incrowd.core.keys import number_combinations
from incrowd.core.table import Codes
from incrowd.models import PrivacyModel


class Spread(NamedTuple):
    """The same by the values of sensitive columns: an entry is a class with a value, sorted by class."""

    domain: Domain
    owner: NDArray[np.int64]
    """The class of each entry."""
    value: Codes
    counts: Counts
    """Rows x entries."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """Rows are values of a column, intervals or other sets of them; classes are those of the other columns."""

    sizes: Counts
    """Rows x classes."""
    spreads: Mapping[Columns, Spread] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        rows: NDArray[np.integer],
        n_rows: int,
        classes: Codes,
        n: int,
        counts: Counts,
        values: "Mapping[Columns, Valued]",
    ) -> "Sheet":
        """Return a sheet from combinations, each with its row, its class, its count and its sensitive values."""
        sizes = np.zeros((n_rows, n), dtype=np.int64)
        np.add.at(sizes, (rows, classes), counts)
        spreads = {}
        for columns, valued in values.items():
            keys, of = np.unique(classes.astype(np.int64) * valued.n + valued.codes, return_inverse=True)
            entries = np.zeros((n_rows, len(keys)), dtype=np.int64)
            np.add.at(entries, (rows, of.reshape(-1)), counts)
            spreads[columns] = Spread(valued.domain, keys // valued.n, (keys % valued.n).astype(np.int32), entries)
        return cls(sizes, spreads)

    def rows(self, made: Callable[[Counts], Counts]) -> "Sheet":
        """Return other rows, made alike from the sizes and from each spread."""
        spreads = {columns: each._replace(counts=made(each.counts)) for columns, each in self.spreads.items()}
        return Sheet(made(self.sizes), spreads)

    def only(self, spreads: Sequence[Columns]) -> "Sheet":
        """Return the sheet with some of the spreads."""
        return Sheet(self.sizes, {columns: self.spreads[columns] for columns in spreads})

    def summed(self) -> "Sheet":
        """Return running sums: row r is the sum of all rows before r, and an interval the difference of two."""
        return self.rows(lambda counts: np.vstack([np.zeros_like(counts[:1]), counts.cumsum(axis=0)]))

    def joined(self, of: Codes, n: int) -> "Sheet":
        """Return classes joined: class c becomes of[c]; each of the n new ones has some."""
        spreads = {}
        for columns, each in self.spreads.items():
            width = int(each.value.max(initial=0)) + 1
            keys, entry = np.unique(of[each.owner].astype(np.int64) * width + each.value, return_inverse=True)
            counts = _joined(each.counts, entry.reshape(-1), len(keys))
            spreads[columns] = Spread(each.domain, keys // width, (keys % width).astype(np.int32), counts)
        return Sheet(_joined(self.sizes, of, n), spreads)

    def holds(self, model: PrivacyModel) -> NDArray[np.bool_]:
        """Return rows x classes: which satisfy the model; one without records does."""
        there, classes = self._classes(model.needs)
        found = np.ones(self.sizes.size, dtype=np.bool_)
        found[there] = model.holds(classes)
        return found.reshape(self.sizes.shape)

    def lost(self, model: PrivacyModel) -> Counts:
        """Return rows x classes: how many records violate the model at least, however the class is split."""
        there, classes = self._classes(model.needs)
        found = np.zeros(self.sizes.size, dtype=np.int64)
        found[there] = model.lost(classes)
        return found.reshape(self.sizes.shape)

    def _classes(self, needs: Sequence[Columns]) -> tuple[NDArray[np.int64], Classes]:
        """Return the classes that have records, row by row, as a model sees them, and where they are."""
        sizes = self.sizes.reshape(-1)
        there = np.flatnonzero(sizes)
        number = np.full(len(sizes), -1, dtype=np.int64)
        number[there] = np.arange(len(there))
        histograms = {}
        for columns in needs:
            each = self.spreads[columns]
            row, entry = np.nonzero(each.counts)
            owner = number[row * self.sizes.shape[1] + each.owner[entry]]
            starts = np.append(0, np.cumsum(np.bincount(owner, minlength=len(there)), dtype=np.int64))
            histograms[columns] = Histogram(each.domain, starts, each.value[entry], each.counts[row, entry])
        return there, Classes(sizes[there], histograms)


class Valued(NamedTuple):
    """The value of each combination in some sensitive columns."""

    domain: Domain
    codes: Codes
    n: int
    """How many values there may be."""


def _joined(counts: Counts, of: Codes, n: int) -> Counts:
    if n == counts.shape[1]:
        order = np.empty(n, dtype=np.int64)
        order[of] = np.arange(n)
        return counts[:, order]
    order = np.argsort(of, kind="stable")
    starts = np.searchsorted(of[order], np.arange(n))
    joined: Counts = np.add.reduceat(counts[:, order], starts, axis=1)
    return joined


def numbered(columns: Sequence[NDArray[np.integer]], cardinalities: Sequence[int], rows: int) -> tuple[Codes, int]:
    """Return the classes of some columns; where there is no column all is one class, and without any rows there is
    none."""
    if not len(columns):
        return np.zeros(rows, dtype=np.int32), min(1, rows)
    return number_combinations([np.asarray(each, dtype=np.int32) for each in columns], cardinalities)
