"""How often each sensitive value occurs in each class."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.kernels import regroup, surplus_and_deficit
from incrowd.core.table import Codes

Counts = NDArray[np.int64]
Columns = tuple[str, ...]
"""One sensitive column, or several that are judged jointly."""

UNLIMITED = 2**63 - 1
"""In place of a number of different values that are enough for a class: all of them are looked at."""


@dataclass(frozen=True, eq=False, repr=False)
class Domain(Brief):
    """The values that a histogram counts: code c of 0..len(whole)-1."""

    columns: Columns
    whole: Counts
    """How often each value occurs in the whole table that was given, before anything was suppressed."""
    values: pa.Array | None = None
    """Of a single column: code c stands for values[c - 1], code 0 for missing. None for several columns jointly."""
    ladder: EncodedHierarchy | None = None
    """The hierarchy of a single column, where it has one."""
    parts: tuple[Codes, ...] = ()
    """Of several columns jointly: for each of them its code in every joint value."""

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The whole table's distribution."""
        return self.whole / max(1, int(self.whole.sum()))


@dataclass(frozen=True, eq=False, repr=False)
class Histogram(Brief):
    """Per class the values that occur in it, with their counts; what does not occur is not listed."""

    domain: Domain
    starts: Counts
    """The entries of class c are those from starts[c] to starts[c + 1]."""
    values: Codes
    """The value of each entry; within a class no value comes twice."""
    counts: Counts
    """The count of each entry, 1 or more."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        """The class of each entry."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.distinct)

    @cached_property
    def distinct(self) -> Counts:
        """How many different values each class has."""
        return np.diff(self.starts)

    @cached_property
    def sizes(self) -> Counts:
        """How many records each class has."""
        return np.rint(self.total(self.counts)).astype(np.int64)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Each entry's share of its class."""
        return self.counts / self.sizes[self.owner]

    @cached_property
    def entropies(self) -> NDArray[np.float64]:
        """The entropy of the values in each class; natural logarithm."""
        return self.total(-self.shares * np.log(self.shares))

    @cached_property
    def largest_first(self) -> Counts:
        """The counts class by class, within a class the largest first."""
        largest = int(self.counts.max(initial=0))
        if len(self) * (largest + 1) >= 2**63:
            return self.counts[np.lexsort((-self.counts, self.owner))]
        # Sorting one packed number is several times as fast as sorting by two.
        packed = self.owner * np.int64(largest + 1)
        found: Counts = largest - (np.sort(packed + (largest - self.counts)) - packed)
        return found

    @cached_property
    def cumulated(self) -> Counts:
        """The sum of the first 0, 1, 2, ... counts, class by class and the largest first."""
        return np.append(np.int64(0), np.cumsum(self.largest_first))

    def of_classes(self, numbers: NDArray[np.integer]) -> "Histogram":
        """Return the histogram of some classes, in the given order."""
        lengths = self.distinct[numbers]
        starts = np.append(np.int64(0), np.cumsum(lengths))
        entries = np.arange(starts[-1]) + np.repeat(self.starts[numbers] - starts[:-1], lengths)
        return Histogram(self.domain, starts, self.values[entries], self.counts[entries])

    def regrouped(self, of: Codes, n: int, most: int = UNLIMITED) -> "Histogram":
        """Return the histogram of n classes; class i of this one is in class of[i].

        So many different values of a class are enough, `most`: it is looked at until it has them.
        """
        return Histogram(
            self.domain, *regroup(of, n, self.starts, self.values, self.counts, len(self.domain.whole), most)
        )

    def total(self, of_entries: NDArray[np.generic]) -> NDArray[np.float64]:
        """Return the sum over the entries of each class."""
        return np.bincount(self.owner, weights=of_entries, minlength=len(self)).astype(np.float64)

    def beside(self, labels: Codes, shares: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how the nodes of a hierarchy are spread in each class and in the table, as a mean over levels.

        Per class what its nodes have too much, and the table's share of the nodes that it lacks. `labels` are levels x
        values, `shares` levels x nodes: their share in the table.
        """
        found: tuple[NDArray[np.float64], NDArray[np.float64]] = surplus_and_deficit(
            self.starts, self.values, self.counts, labels, shares
        )
        return found

    def dense(self) -> Counts:
        """Return classes x values."""
        table = np.zeros((len(self), len(self.domain.whole)), dtype=np.int64)
        table[self.owner, self.values] = self.counts
        return table
