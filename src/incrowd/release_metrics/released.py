"""A release as metrics see it: what every published cell covers, for releases of any tool."""

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
    """Per column the covers of its published cells."""
    cells: Codes
    """Columns x combinations: which of its column's cells a combination has."""
    counts: Counts
    """The number of published records with each combination."""
    quasi: int
    """The number of quasi-identifiers."""
    sensitive: tuple[str, ...] = ()
    label: str | None = None
    """The column that a classifier is to predict."""
    k: int | None = None
    """The required k; if not known, the smallest class takes its place."""
    weights: tuple[float, ...] = ()
    """The weight of each quasi-identifier; 1 if empty."""
    ranges: Mapping[str, Covers] = field(default_factory=dict)
    """By sensitive column its sensitive ranges; a value in several is in the first, one in none is a range alone."""
    workloads: Mapping[str, Workload] = field(default_factory=dict)
    """By name the queries to answer; drawn at random if there are none."""
    seed: int = 0
    """Random seed."""

    @classmethod
    def of_groups(
        cls,
        groups: Groups,
        axes: Sequence[Axis],
        sensitive_axes: Mapping[str, Axis] | None = None,
        k: int | None = None,
        weights: Sequence[float] = (),
    ) -> "Released":
        """Return the result of local recoding: one axis per quasi-identifier, and those of sensitive columns by name.

        Groups with equal cells are one class, because they are indistinguishable.
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
        """Return the number of original records."""
        return self.original.records

    @cached_property
    def published(self) -> int:
        """Return the number of published records."""
        return int(self.counts.sum())

    @property
    def suppressed(self) -> int:
        """Return the number of suppressed records."""
        return self.records - self.published

    @cached_property
    def _classes(self) -> tuple[Codes, int]:
        sizes = [max(1, len(covers)) for covers in self.columns[: self.quasi]]
        return number_combinations(list(self.cells[: self.quasi]), sizes)

    @property
    def class_of(self) -> Codes:
        """Return the class of each combination: equal if all quasi-identifiers are published alike."""
        return self._classes[0]

    @property
    def classes(self) -> int:
        """Return the number of classes."""
        return self._classes[1]

    @cached_property
    def sizes(self) -> Counts:
        """Return records per class."""
        return np.bincount(self.class_of, weights=self.counts, minlength=self.classes).astype(np.int64)

    @cached_property
    def class_cells(self) -> Codes:
        """Return quasi-identifiers x classes: which of its column's cells a class has."""
        first = np.zeros(self.classes, dtype=np.int64)
        first[self.class_of] = np.arange(len(self.counts))
        return self.cells[: self.quasi, first]

    @cached_property
    def smallest(self) -> int:
        """Return the size of the smallest class; 0 if nothing is published."""
        return int(self.sizes.min(initial=self.records)) if self.classes else 0

    @cached_property
    def spreads(self) -> Numbers:
        """Return quasi-identifiers x classes: Q-diversity."""
        return self.by_class([covers.spread for covers in self.columns[: self.quasi]])

    @cached_property
    def spread(self) -> Numbers:
        """Return per class the mean Q-diversity over the quasi-identifiers."""
        means: Numbers = self.spreads.mean(axis=0)
        return means

    @cached_property
    def consistency(self) -> Consistency:
        """Return which originals are consistent with which classes."""
        return Consistency.of(self)

    def by_class(self, of_cells: Sequence[NDArray[np.generic]]) -> Numbers:
        """Return quasi-identifiers x classes: facts about a column's cells, arranged by class."""
        rows = [each[cells] for each, cells in zip(of_cells, self.class_cells, strict=True)]
        return np.array(rows, dtype=np.float64).reshape(self.quasi, self.classes)

    def index(self, name: str) -> int:
        """Return the position of a column."""
        return self.original.names.index(name)

    def codes(self, name: str) -> Codes | None:
        """Return the original code of a column in each combination; None if it is not published value by value."""
        at = self.index(name)
        codes = self.columns[at].codes[self.cells[at]]
        return None if (codes < 0).any() else codes

    def spanned(self, name: str) -> Spanned | None:
        """Return the span of a sensitive column in each class; None if its values are not published unchanged."""
        codes = self.codes(name)
        if codes is None:
            return None
        return self.columns[self.index(name)].scale.axis.cells(codes, self.class_of, self.classes)

    def histogram(self, name: str) -> Histogram | None:
        """Return the count of each value of a column in each class; None if its values are not published unchanged."""
        codes = self.codes(name)
        if codes is None:
            return None
        at = self.index(name)
        rows = FrequencySet((name,), (self.original.values[at],), codes.reshape(1, -1), self.counts)
        whole = FrequencySet((name,), rows.values, self.original.codes[at : at + 1], self.original.counts)
        return rows.grouped(self.class_of, self.classes, [(name,)], {}, whole).histograms[name,]

    def total(self, at: int) -> Counts:
        """Return the number of published records with each cell of a column."""
        return np.bincount(self.cells[at], weights=self.counts, minlength=len(self.columns[at])).astype(np.int64)


def alike(covers: Covers) -> Codes:
    """Return a number per cell, equal for cells that cover the same."""
    ends = np.stack([np.nan_to_num(covers.low, nan=-1), np.nan_to_num(covers.high, nan=-1), covers.count])
    _, number = np.unique(np.vstack([ends, covers.missing, covers.level]), axis=1, return_inverse=True)
    found = number.reshape(-1).astype(np.int64)
    by_members: dict[bytes, int] = {}
    for cell in covers.scattered_cells:
        found[cell] = -1 - by_members.setdefault(covers.members_of(cell).tobytes(), len(by_members))
    return np.unique(found, return_inverse=True)[1].reshape(-1).astype(np.int32)
