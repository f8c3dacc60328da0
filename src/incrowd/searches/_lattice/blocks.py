"""Blocks: the frequency set on some levels. Rolling one up gives the next, without going back to what is below."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from incrowd.core._kernels import Grouper, regroup
from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Ladder
from incrowd.core.histograms import Columns, Counts, Domain, Histogram
from incrowd.core.keys import number_combinations
from incrowd.core.table import Codes
from incrowd.searches._lattice.layout import Keys, Layout


@dataclass(frozen=True, eq=False)
class Blocks:
    """The classes of one node: their keys, sizes, histograms, and one original combination of each."""

    keys: Keys
    """Classes x words."""
    counts: Counts
    origins: NDArray[np.int64]
    """Per class one of its combinations."""
    histograms: Mapping[Columns, Histogram] = field(default_factory=dict)
    population: Counts | None = None

    def __len__(self) -> int:
        return len(self.counts)

    def rollup(self, mask: Keys, grouper: Grouper) -> "Blocks":
        """The classes on higher levels."""
        return self.grouped(mask, grouper)[0]

    def grouped(self, mask: Keys, grouper: Grouper, assign: bool = False) -> tuple["Blocks", Codes]:
        """The classes on higher levels, and (on demand) the class of each class of this node."""
        further = bool(self.histograms) or self.population is not None
        keys, counts, first, of = grouper.group(self.keys, mask, self.counts, further or assign)
        histograms = {columns: _regrouped(each, of, len(counts)) for columns, each in self.histograms.items()}
        people = None
        if self.population is not None:
            people = np.zeros(len(counts), dtype=np.int64)
            np.add.at(people, of, self.population)
        return Blocks(keys, counts, self.origins[first], histograms, people), of

    @property
    def classes(self) -> Classes:
        """As a privacy model sees them."""
        return Classes(self.counts, self.histograms, self.population)


def _regrouped(histogram: Histogram, of: Codes, n: int) -> Histogram:
    starts, values, counts = regroup(
        of, n, histogram.starts, histogram.values, histogram.counts, len(histogram.domain.whole)
    )
    return Histogram(histogram.domain, starts, values, counts)


def ground(
    frequencies: FrequencySet,
    ladders: Sequence[Ladder],
    layout: Layout,
    needs: Sequence[Columns],
    sensitive: Mapping[str, Ladder],
) -> tuple[FrequencySet, Blocks]:
    """The distinct combinations of the quasi-identifiers, and their blocks on level 0."""
    names = [ladder.name for ladder in ladders]
    if not needs:
        # Counted over these columns alone: every combination is a block already.
        combinations = frequencies if frequencies.names == tuple(names) else frequencies.project(names)
        keys = layout.keys(combinations.codes)
        return combinations, Blocks(keys, combinations.counts, np.arange(len(keys)))
    grouping = frequencies.classes(names)
    of, n = grouping.of, len(grouping)
    first = np.empty(n, dtype=np.int64)
    first[of[::-1]] = np.arange(len(of) - 1, -1, -1)
    columns = frequencies.indices(names)
    codes = np.ascontiguousarray(frequencies.codes[columns][:, first])
    combinations = FrequencySet(tuple(names), tuple(frequencies.values[at] for at in columns), codes, grouping.sizes)
    histograms = {each: _histogram(frequencies, each, of, n, sensitive) for each in needs}
    return combinations, Blocks(layout.keys(codes), grouping.sizes, np.arange(n), histograms)


def _histogram(
    frequencies: FrequencySet, columns: Columns, of: Codes, n: int, sensitive: Mapping[str, Ladder]
) -> Histogram:
    at = frequencies.indices(columns)
    if len(at) == 1:
        values, n_values = frequencies.codes[at[0]], frequencies.cardinalities[at[0]]
    else:
        values, n_values = number_combinations(
            [frequencies.codes[column] for column in at], [frequencies.cardinalities[column] for column in at]
        )
    whole = np.zeros(n_values, dtype=np.int64)
    np.add.at(whole, values, frequencies.counts)
    domain = Domain(
        columns,
        whole,
        frequencies.values[at[0]] if len(at) == 1 else None,
        sensitive.get(columns[0]) if len(at) == 1 else None,
    )
    single = np.arange(len(values) + 1, dtype=np.int64)
    return Histogram(domain, *regroup(of, n, single, np.ascontiguousarray(values), frequencies.counts, n_values))
