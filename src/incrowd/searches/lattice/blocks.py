"""Blocks: the frequency set on some levels. Rolling one up gives the next, without going back to what is below."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.histograms import UNLIMITED, Columns, Counts, Histogram
from incrowd.core.kernels import Grouper
from incrowd.core.keys import number_combinations
from incrowd.core.table import Codes
from incrowd.searches.lattice.layout import Keys, LatticeLayout


@dataclass(frozen=True, eq=False, repr=False)
class Blocks(Brief):
    """The classes of one node: their keys, sizes, histograms, and one original combination of each."""

    keys: Keys
    """Classes x words."""
    counts: Counts
    origins: Codes
    """Per class one of its combinations."""
    histograms: Mapping[Columns, Histogram] = field(default_factory=dict)
    population: Counts | None = None
    most: int = UNLIMITED
    """So many different values of a histogram are enough for a class: no more are kept."""

    def __len__(self) -> int:
        return len(self.counts)

    def take(self, numbers: NDArray[np.integer]) -> "Blocks":
        """Return some of the classes, in the given order; what they are compared with stays the whole table."""
        histograms = {columns: each.of_classes(numbers) for columns, each in self.histograms.items()}
        people = None if self.population is None else self.population[numbers]
        return Blocks(self.keys[numbers], self.counts[numbers], self.origins[numbers], histograms, people, self.most)

    def rollup(self, mask: Keys, grouper: Grouper) -> "Blocks":
        """Return the classes on higher levels."""
        return self.grouped(mask, grouper)[0]

    def grouped(self, mask: Keys, grouper: Grouper, assign: bool = False) -> tuple["Blocks", Codes]:
        """Return the classes on higher levels, and (on demand) the class of each class of this node."""
        further = bool(self.histograms) or self.population is not None
        keys, counts, first, of = grouper.group(self.keys, mask, self.counts, further or assign)
        histograms = {columns: each.regrouped(of, len(counts), self.most) for columns, each in self.histograms.items()}
        people = None
        if self.population is not None:
            people = np.zeros(len(counts), dtype=np.int64)
            np.add.at(people, of, self.population)
        return Blocks(keys, counts, self.origins[first], histograms, people, self.most), of

    @property
    def entries(self) -> int:
        """How many numbers there are to keep: classes, and entries of histograms."""
        return len(self) + sum(len(histogram.values) for histogram in self.histograms.values())

    @property
    def classes(self) -> Classes:
        """As a privacy model sees them."""
        return Classes(self.counts, self.histograms, self.population)


def ground(
    frequencies: FrequencySet,
    ladders: Sequence[EncodedHierarchy],
    layout: LatticeLayout,
    needs: Sequence[Columns],
    sensitive: Mapping[str, EncodedHierarchy],
    population: FrequencySet | None = None,
    most: int = UNLIMITED,
) -> tuple[FrequencySet, Blocks]:
    """Return the distinct combinations of the quasi-identifiers, and their blocks on level 0.

    So many different values of a histogram are enough for a class, `most`. With a population its combinations are among
    them, though no record may have them.
    """
    names = [ladder.name for ladder in ladders]
    if population is not None:
        frequencies = _with_people(frequencies, population, names)
    combinations, blocks = _ground(frequencies, names, layout, needs, sensitive, most)
    if population is None:
        return combinations, blocks
    return combinations, replace(blocks, population=_people(combinations, population))


def _with_people(frequencies: FrequencySet, population: FrequencySet, names: Sequence[str]) -> FrequencySet:
    """Return the frequency set with the population's combinations, those of the population alone with a count of 0."""
    people = population.project(names)
    codes = np.zeros((len(frequencies.names), people.combinations), dtype=np.int32)
    codes[frequencies.indices(names)] = people.codes
    both = replace(
        frequencies,
        codes=np.ascontiguousarray(np.concatenate([frequencies.codes, codes], axis=1)),
        counts=np.concatenate([frequencies.counts, np.zeros(people.combinations, dtype=np.int64)]),
    )
    # Each combination once: people of a combination that stood twice would be counted twice.
    return both.project(frequencies.names)


def _people(combinations: FrequencySet, population: FrequencySet) -> Counts:
    """Return how many people of the population each combination has."""
    people = population.project(combinations.names)
    both = [np.concatenate(pair) for pair in zip(combinations.codes, people.codes, strict=True)]
    numbers, n = number_combinations(both, combinations.cardinalities)
    found = np.zeros(n, dtype=np.int64)
    np.add.at(found, numbers[combinations.combinations :], people.counts)
    return found[numbers[: combinations.combinations]]


def _ground(
    frequencies: FrequencySet,
    names: Sequence[str],
    layout: LatticeLayout,
    needs: Sequence[Columns],
    sensitive: Mapping[str, EncodedHierarchy],
    most: int,
) -> tuple[FrequencySet, Blocks]:
    if not needs and frequencies.names == tuple(names):
        # Counted over these columns alone: its combinations are distinct.
        keys = layout.keys(frequencies.codes)
        return frequencies, Blocks(keys, frequencies.counts, np.arange(len(keys), dtype=np.int32))
    classes = frequencies.judged(names, needs, sensitive, most)
    first = np.empty(len(classes), dtype=np.int64)
    # Written backwards, so that the first member of each class is what stays.
    first[classes.of[::-1]] = np.arange(len(classes.of) - 1, -1, -1)
    columns = frequencies.indices(names)
    codes = np.ascontiguousarray(frequencies.codes[columns][:, first])
    combinations = FrequencySet(tuple(names), tuple(frequencies.values[at] for at in columns), codes, classes.sizes)
    origins = np.arange(len(classes), dtype=np.int32)
    return combinations, Blocks(layout.keys(codes), classes.sizes, origins, classes.histograms, most=most)
