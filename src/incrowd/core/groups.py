"""Groups: the records of a frequency set, parted into groups. What local recoding chooses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, Cells
from incrowd.core.brief import Brief
from incrowd.core.classes import Grouping
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.histograms import Columns
from incrowd.core.table import Codes

SUPPRESSED = -1
"""In place of a group: these records are left out."""


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Brief):
    """Pieces: so many records of a combination are in a group. Equal records may be in different groups."""

    frequencies: FrequencySet
    """Of the quasi-identifiers, and of sensitive columns where groups were chosen by them."""
    combination: NDArray[np.int64]
    """The combination of each piece, never falling."""
    counts: NDArray[np.int64]
    """The records of each piece, 1 or more; those of a combination sum up to its count."""
    group: Codes
    """The group of each piece, numbered from 0, or SUPPRESSED."""
    levels: Mapping[str, Codes] = field(default_factory=dict)
    """By sensitive column that is generalized record by record: how far up its hierarchy each piece is published."""

    @classmethod
    def of_combinations(cls, frequencies: FrequencySet, group: Codes) -> "Groups":
        """Return groups in which all records of a combination are together."""
        every = np.arange(frequencies.combinations, dtype=np.int64)
        return cls(frequencies, every, frequencies.counts, group.astype(np.int32))

    @classmethod
    def of_pieces(
        cls, frequencies: FrequencySet, combination: NDArray[np.int64], counts: NDArray[np.int64], group: Codes
    ) -> "Groups":
        """Return pieces in any order; pieces of a combination in the same group are joined."""
        pairs = np.stack([combination, group.astype(np.int64)])
        order = np.lexsort(pairs[::-1])
        pairs, counts = pairs[:, order], counts[order]
        first = np.flatnonzero(np.append(True, (pairs[:, 1:] != pairs[:, :-1]).any(axis=0))) if len(order) else order
        summed = np.add.reduceat(counts, first) if len(first) else counts
        return cls(frequencies, pairs[0, first], summed, pairs[1, first].astype(np.int32))

    @cached_property
    def n(self) -> int:
        """How many groups there are."""
        return int(self.group.max(initial=-1)) + 1

    @cached_property
    def kept(self) -> NDArray[np.bool_]:
        """Which pieces are published."""
        published: NDArray[np.bool_] = self.group != SUPPRESSED
        return published

    @property
    def suppressed(self) -> int:
        """How many records are left out."""
        return int(self.counts[~self.kept].sum())

    @property
    def splits(self) -> bool:
        """Whether records of one combination are published in different ways."""
        return len(self.combination) > self.frequencies.combinations

    @cached_property
    def published(self) -> FrequencySet:
        """The pieces that are published, a combination as often as it is parted."""
        if not self.splits and self.kept.all():
            return self.frequencies
        at = self.combination[self.kept]
        return replace(
            self.frequencies,
            codes=np.ascontiguousarray(self.frequencies.codes[:, at]),
            counts=self.counts[self.kept],
        )

    def cells(self, at: int, axis: Axis) -> Cells:
        """Return what each group spans of an axis, on which a column lies; worked out once for one axis."""
        known, found = self._spanned.get(at, (None, None))
        if known is not axis or found is None:
            found = axis.cells(self.published.codes[at], self.group[self.kept], self.n)
            self._spanned[at] = axis, found
        return found

    def forget_cells(self) -> None:
        """Forget what groups span, which is much if there are many: it is worked out again if it is asked for."""
        self._spanned.clear()

    @cached_property
    def _spanned(self) -> dict[int, tuple[Axis, Cells]]:
        """By column the axis that was last asked for, and the cells on it."""
        return {}

    def classes(self, needs: Sequence[Columns], ladders: Mapping[str, EncodedHierarchy] | None = None) -> Grouping:
        """Return the groups as a privacy model sees them, compared with all records, suppressed ones included."""
        return self.published.grouped(self.group[self.kept], self.n, needs, ladders or {}, self.frequencies)
