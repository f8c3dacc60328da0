"""Counting attribute sets. A set is a tuple of columns; which of them to count is the business of `subsets`."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.kernels import Numbering, Refiner, total
from incrowd.core.keys import chain
from incrowd.core.matching import matching_records
from incrowd.core.schema import Nulls
from incrowd.core.table import Codes

Counts = NDArray[np.int64]

_DENSE = 1 << 22
"""Up to this many (class, code) pairs a table of them is faster than a hash (it fits the cache)."""

_DENSE_ALWAYS = 1 << 12
"""So few pairs are looked through at no cost, however few combinations there are."""

_WORTH_A_SAMPLE = 1 << 14
"""On fewer combinations a full count costs no more than choosing some of them."""

_SAMPLED = 32
"""A witness is looked for among about one record of so many."""


class Counter(Protocol):
    """Counts one attribute set after the other."""

    monotone: bool
    """True if k never rises when a column joins a set."""

    def sizes(self, columns: Sequence[int]) -> Counts:
        """Return the class sizes of a set, unordered; for wildcards, how many records match each combination."""
        ...

    def has_smaller(self, columns: Sequence[int], k: int) -> bool:
        """Return True if a class of fewer than k records was found in passing; False tells nothing."""
        ...


def counter_for(frequencies: FrequencySet, nulls: Nulls) -> Counter:
    """Return the counter for one meaning of missing values."""
    if nulls is Nulls.EXTENDED or not (frequencies.codes == 0).any():
        return RollupCounter(frequencies)
    if nulls is Nulls.BASIC:
        return CompleteCounter(frequencies)
    return WildcardCounter(frequencies, nulls)


class _Path:
    """The classes of a, ab, abc, ...: each step one column more, on one frequency set."""

    def __init__(self, base: FrequencySet) -> None:
        self.base = base
        self.columns: list[int] = []
        self.classes: list[tuple[Codes, int]] = [(np.zeros(base.combinations, dtype=np.int32), 1)]
        self.weights = None if base.combinations == base.records else base.counts.astype(np.int32)

    def shared(self, columns: Sequence[int]) -> int:
        """Return how many steps a set shares with the path."""
        shared = 0
        while shared < min(len(self.columns), len(columns)) and self.columns[shared] == columns[shared]:
            shared += 1
        return shared

    def cut(self, length: int) -> None:
        """Forget the steps after the first ones."""
        if length < len(self.columns):
            del self.columns[length:]
            del self.classes[length + 1 :]

    def append(self, column: int, classes: tuple[Codes, int]) -> None:
        """Go one step further."""
        self.columns.append(column)
        self.classes.append(classes)


class RollupCounter:
    """Counts sets by refining the classes of the set counted before.

    The classes along a path of sets a, ab, abc, ... are kept, so that a set which extends the path by one column costs
    one pass over the combinations. Sets whose columns descend (as the lattice is walked) are counted on combinations
    rolled up to the columns from the first one downwards; give columns with many values high numbers, and sets of
    columns with few values are counted on few combinations. Sets in any other order have a path of their own.
    """

    monotone = True

    def __init__(self, frequencies: FrequencySet) -> None:
        self._all = frequencies
        self._small = frequencies.records < 1 << 31
        self._refiner = Refiner()
        self._rolled: dict[int, FrequencySet] = {}
        self._descending = _Path(frequencies)
        self._other: _Path | None = None
        # Samples of the rows, each by one column more: the first one is all of them.
        self._samples: list[_Path] = []
        self._sampled: list[int] = []

    def sizes(self, columns: Sequence[int]) -> Counts:
        """Return the class sizes of a set."""
        path = self._path_for(columns)
        return self._sizes(path, columns)

    def _sizes(self, path: _Path, columns: Sequence[int]) -> Counts:
        *before, last = columns
        self._follow(path, before)
        classes, n = path.classes[-1]
        codes, cardinality = path.base.codes[last], path.base.cardinalities[last]
        if self._small and n * cardinality <= 4 * len(codes) + _DENSE_ALWAYS:
            sizes: Counts = self._refiner.sizes(classes, n, codes, cardinality, path.weights)
        else:
            sizes = total(*self._refine(path, last), path.base.counts)
        return sizes

    def has_smaller(self, columns: Sequence[int], k: int) -> bool:
        """Return whether a class of fewer than k records is among those of rare values of the first columns.

        One such class decides a set, and no pass over all combinations is needed.
        """
        base = self._path_for(columns).base
        if base.combinations < _WORTH_A_SAMPLE or not self._small:
            return False
        return bool((self._sizes(self._sample(base, columns), columns) < k).any())

    def _sample(self, base: FrequencySet, columns: Sequence[int]) -> _Path:
        """Return a path over the rows with rare values of the first columns: their classes are whole, and few."""
        if not self._samples or self._samples[0].base is not base:
            self._samples, self._sampled = [_Path(base)], []
        enough = base.combinations // _SAMPLED
        for at, column in enumerate(columns):
            if self._sampled[at : at + 1] != [column]:
                del self._sampled[at:], self._samples[at + 1 :]
                if self._samples[at].base.combinations <= 2 * enough:
                    break
                self._sampled.append(column)
                self._samples.append(_Path(_rare(self._samples[at].base, column, enough)))
        return self._samples[min(len(columns), len(self._sampled))]

    def classes(self, columns: Sequence[int]) -> tuple[Codes, int]:
        """Return the class of each combination of the whole frequency set, and how many classes there are."""
        path = self._any_order()
        self._follow(path, columns)
        return path.classes[-1]

    def rolled_classes(self, columns: Sequence[int]) -> tuple[FrequencySet, Codes, int]:
        """Return a frequency set rolled up as far as a set allows, the class of each combination, and their number."""
        path = self._path_for(columns)
        self._follow(path, columns)
        return path.base, *path.classes[-1]

    def _path_for(self, columns: Sequence[int]) -> _Path:
        if any(high < low for high, low in pairwise(columns)):
            return self._any_order()
        if not self._descending.shared(columns):
            base = self._rolled_up_to(columns[0])
            if base is not self._descending.base:
                self._descending = _Path(base)
        return self._descending

    def _any_order(self) -> _Path:
        if self._other is None:
            self._other = _Path(self._all)
        return self._other

    def _follow(self, path: _Path, columns: Sequence[int]) -> None:
        shared = path.shared(columns)
        path.cut(shared)
        for column in columns[shared:]:
            path.append(column, self._refine(path, column))

    def _refine(self, path: _Path, column: int) -> tuple[Codes, int]:
        classes, n = path.classes[-1]
        codes, cardinality = path.base.codes[column], path.base.cardinalities[column]
        if n * cardinality <= max(_DENSE, 4 * len(codes)):
            refined, n = self._refiner.refine(classes, n, codes, cardinality)
            return refined, n
        numbering = Numbering()
        refined = numbering.add(chain(classes, codes.astype(np.uint64)))
        return refined, len(numbering)

    def _rolled_up_to(self, column: int) -> FrequencySet:
        """Return the frequency set of columns 0..column if it is surely much smaller than that of more columns."""
        if column >= len(self._all.names) - 1:
            return self._all
        if column not in self._rolled:
            above = self._rolled_up_to(column + 1)
            most = math.prod(above.cardinalities[: column + 1])
            smaller = most <= above.combinations / 4
            self._rolled[column] = self._project(above, above.names[: column + 1]) if smaller else above
        return self._rolled[column]

    def _project(self, above: FrequencySet, names: Sequence[str]) -> FrequencySet:
        return above.project(names)


def _rare(base: FrequencySet, column: int, enough: int) -> FrequencySet:
    """Return the rows with the rarest values of a column, as many values as have at least so many rows together."""
    codes = base.codes[column]
    rows = np.bincount(codes)
    rarest = np.argsort(rows, kind="stable")
    taken = np.zeros(len(rows), dtype=np.bool_)
    taken[rarest[: int(np.searchsorted(np.cumsum(rows[rarest]), enough)) + 1]] = True
    chosen = np.flatnonzero(taken[codes])
    return replace(base, codes=np.ascontiguousarray(base.codes[:, chosen]), counts=base.counts[chosen])


class CompleteCounter:
    """Basic matching: records with a missing cell in the set are set aside.

    Not monotone: the record that stands alone in a set may be set aside in a larger one.
    """

    monotone = False

    def __init__(self, frequencies: FrequencySet) -> None:
        self._all = frequencies

    def sizes(self, columns: Sequence[int]) -> Counts:
        """Return the class sizes among the records that are complete in the set."""
        names = [self._all.names[column] for column in columns]
        return self._all.complete(names).classes(names).sizes

    def has_smaller(self, columns: Sequence[int], k: int) -> bool:
        """Return False: sets of complete records have no parent."""
        return False


class WildcardCounter:
    """Maybe and right-maybe matching: no classes, only how many records match each combination."""

    monotone = True

    def __init__(self, frequencies: FrequencySet, nulls: Nulls) -> None:
        self._all = frequencies
        self._nulls = nulls

    def sizes(self, columns: Sequence[int]) -> Counts:
        """Return how many records match each combination of the set."""
        return matching_records(self._all, [self._all.names[column] for column in columns], self._nulls)

    def has_smaller(self, columns: Sequence[int], k: int) -> bool:
        """Return False: there are no classes to look into."""
        return False
