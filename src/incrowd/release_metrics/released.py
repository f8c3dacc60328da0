"""A release as a yardstick sees it: what every published cell covers, whoever made it and however it was made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis
from incrowd.core.axes import Cells as Spanned
from incrowd.core.frequencies import FrequencySet
from incrowd.core.groups import Groups
from incrowd.core.histograms import Histogram
from incrowd.core.keys import number_combinations
from incrowd.core.table import Codes
from incrowd.release_metrics._consistency import Consistency
from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.scale import Counts, Numbers, Scale
from incrowd.release_metrics.workload import Workload


@dataclass(frozen=True, eq=False)
class Released:
    """Published combinations of cells with their counts, beside the table that was given."""

    original: FrequencySet
    """All columns that are looked at, the quasi-identifiers first."""
    columns: tuple[Covers, ...]
    """Per column what each of its published cells covers."""
    cells: Codes
    """Columns x combinations: which of its column's cells a combination has."""
    counts: Counts
    """How many published records have each combination."""
    quasi: int
    """How many quasi-identifiers there are."""
    sensitive: tuple[str, ...] = ()
    label: str | None = None
    """The column that a classifier is to predict."""
    k: int | None = None
    """What was asked for; where nobody knows, the smallest class stands for it."""
    weights: tuple[float, ...] = ()
    """How much each quasi-identifier matters; 1 when empty."""
    ranges: Mapping[str, Covers] = field(default_factory=dict)
    """By sensitive column its sensitive ranges; a value in several is in the first, one in none is a range alone."""
    workloads: Mapping[str, Workload] = field(default_factory=dict)
    """By name the queries that the release has to answer; drawn at random where there are none."""
    seed: int = 0
    """What chance starts from."""

    @classmethod
    def of_groups(
        cls,
        groups: Groups,
        axes: Sequence[Axis],
        sensitive_axes: Mapping[str, Axis] | None = None,
        k: int | None = None,
        weights: Sequence[float] = (),
    ) -> "Released":
        """What local recoding publishes: one axis per quasi-identifier, and those of sensitive columns by name.

        Groups whose cells are alike are one class, because nobody can tell them apart.
        """
        given, sensitive = groups.frequencies, sensitive_axes or {}
        published = groups.published
        scales = [Scale.of(axis) for axis in axes]
        quasi = [(scale, published.codes[at]) for at, scale in enumerate(scales)]
        of, n = groups.group[groups.kept], groups.n
        covers = [Covers.of_groups(scale, codes, of, n) for scale, codes in quasi]
        together, found = number_combinations([alike(each) for each in covers], [n + 1] * len(covers))
        if found < n:
            of, n = together[of], found
            covers = [Covers.of_groups(scale, codes, of, n) for scale, codes in quasi]
        others = [
            Covers.of_values(Scale.of(sensitive.get(name) or Axis.of_set(name, values)))
            for name, values in zip(given.names[len(axes) :], given.values[len(axes) :], strict=True)
        ]
        cells = np.array([*[of] * len(axes), *published.codes[len(axes) :]], dtype=np.int32)
        return cls(
            original=given,
            columns=(*covers, *others),
            cells=cells.reshape(len(given.names), len(of)),
            counts=published.counts,
            quasi=len(axes),
            sensitive=tuple(name for name in given.names[len(axes) :] if name in sensitive),
            k=k,
            weights=tuple(weights),
        )

    @property
    def records(self) -> int:
        """How many records were given."""
        return self.original.records

    @cached_property
    def published(self) -> int:
        """How many records are published."""
        return int(self.counts.sum())

    @property
    def suppressed(self) -> int:
        """How many are not."""
        return self.records - self.published

    @cached_property
    def _classes(self) -> tuple[Codes, int]:
        sizes = [max(1, len(covers)) for covers in self.columns[: self.quasi]]
        return number_combinations(list(self.cells[: self.quasi]), sizes)

    @property
    def class_of(self) -> Codes:
        """The class of each combination: records are in one when all their quasi-identifiers are published alike."""
        return self._classes[0]

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return self._classes[1]

    @cached_property
    def sizes(self) -> Counts:
        """Records per class."""
        return np.bincount(self.class_of, weights=self.counts, minlength=self.classes).astype(np.int64)

    @cached_property
    def class_cells(self) -> Codes:
        """Quasi-identifiers x classes: which of its column's cells a class has."""
        first = np.zeros(self.classes, dtype=np.int64)
        first[self.class_of] = np.arange(len(self.counts))
        return self.cells[: self.quasi, first]

    @cached_property
    def smallest(self) -> int:
        """Records of the smallest class; 0 where nothing is published."""
        return int(self.sizes.min(initial=self.records)) if self.classes else 0

    @cached_property
    def spreads(self) -> Numbers:
        """Quasi-identifiers x classes: Q-diversity."""
        return self.by_class([covers.spread for covers in self.columns[: self.quasi]])

    @cached_property
    def spread(self) -> Numbers:
        """Per class the mean Q-diversity over the quasi-identifiers."""
        means: Numbers = self.spreads.mean(axis=0)
        return means

    @cached_property
    def consistency(self) -> Consistency:
        """Which originals are consistent with which classes."""
        return Consistency.of(self)

    def by_class(self, of_cells: Sequence[NDArray[np.generic]]) -> Numbers:
        """Quasi-identifiers x classes: what is known of a column's cells, laid along the classes."""
        rows = [each[cells] for each, cells in zip(of_cells, self.class_cells, strict=True)]
        return np.array(rows, dtype=np.float64).reshape(self.quasi, self.classes)

    def index(self, name: str) -> int:
        """The position of a column."""
        return self.original.names.index(name)

    def codes(self, name: str) -> Codes | None:
        """The original code of a column in each combination; None where it is not published value by value."""
        at = self.index(name)
        codes = self.columns[at].codes[self.cells[at]]
        return None if (codes < 0).any() else codes

    def spanned(self, name: str) -> Spanned | None:
        """What the values of a sensitive column span in each class; None where they are not published as they were."""
        codes = self.codes(name)
        if codes is None:
            return None
        return self.columns[self.index(name)].scale.axis.cells(codes, self.class_of, self.classes)

    def histogram(self, name: str) -> Histogram | None:
        """How often each value of a column occurs in each class; None where they are not published as they were."""
        codes = self.codes(name)
        if codes is None:
            return None
        at = self.index(name)
        rows = FrequencySet((name,), (self.original.values[at],), codes.reshape(1, -1), self.counts)
        whole = FrequencySet((name,), rows.values, self.original.codes[at : at + 1], self.original.counts)
        return rows.grouped(self.class_of, self.classes, [(name,)], {}, whole).histograms[name,]

    def total(self, at: int) -> Counts:
        """How many published records have each cell of a column."""
        return np.bincount(self.cells[at], weights=self.counts, minlength=len(self.columns[at])).astype(np.int64)


def alike(covers: Covers) -> Codes:
    """A number per cell, the same for cells that cover the same."""
    ends = np.stack([np.nan_to_num(covers.low, nan=-1), np.nan_to_num(covers.high, nan=-1), covers.count])
    _, number = np.unique(np.vstack([ends, covers.missing, covers.level]), axis=1, return_inverse=True)
    found = number.reshape(-1).astype(np.int64)
    by_members: dict[bytes, int] = {}
    for cell in covers.scattered_cells:
        found[cell] = -1 - by_members.setdefault(covers.members_of(cell).tobytes(), len(by_members))
    return np.unique(found, return_inverse=True)[1].reshape(-1).astype(np.int32)
