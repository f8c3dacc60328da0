"""The rows to split: the combinations of a frequency set, or single records if equal ones may part."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import texts_of
from incrowd.core.classes import Grouping
from incrowd.core.frequencies import FrequencySet
from incrowd.core.groups import SUPPRESSED, Groups
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.histograms import Columns
from incrowd.core.table import Codes
from incrowd.searches import Problem

Numbers = NDArray[np.int64]


class Segments(NamedTuple):
    """Some rows in n classes."""

    rows: NDArray[np.integer]
    numbers: Codes
    """The class of each of them."""
    n: int


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Rows of ranks, as the kernel cuts them."""

    frequencies: FrequencySet
    combination: Numbers
    counts: Numbers
    ranks: Codes
    """Rows x columns."""
    single: bool
    """Whether rows are records."""
    row: Codes | None = None
    """The row of each combination, if rows are combinations of the quasi-identifiers alone."""

    @classmethod
    def of(cls, problem: Problem, single: bool = False, among: Numbers | None = None) -> "RankedRows":
        """Return all combinations, or those among some of them."""
        frequencies = problem.frequencies
        columns = [axis.rank[codes] for axis, codes in zip(problem.axes, frequencies.codes, strict=False)]
        at = np.arange(frequencies.combinations, dtype=np.int64) if among is None else among
        counts = frequencies.counts[at]
        if single:
            # Which of equal ranks goes where must not depend on the order in which an engine counted.
            further = [_rank(problem, name)[codes] for name, codes in _beyond(problem)]
            order = at[np.lexsort([each[at] for each in [*further[::-1], *columns[::-1]]])]
            at = np.repeat(order, frequencies.counts[order])
            counts = np.ones(len(at), dtype=np.int64)
        ranks = np.ascontiguousarray(np.array(columns, dtype=np.int32).T[at])
        return cls(frequencies, at, counts, ranks, single)

    @classmethod
    def of_quasi(cls, problem: Problem, classes: Grouping) -> "RankedRows":
        """Return the combinations of the quasi-identifiers alone, which are these classes."""
        first = np.empty(len(classes), dtype=np.int64)
        # Written backwards, so that the first member of each class is what stays.
        first[classes.of[::-1]] = np.arange(len(classes.of) - 1, -1, -1)
        return replace(cls.of(problem, among=first), counts=classes.sizes, row=classes.of)

    def grouped(self, numbers: Codes) -> Groups:
        """Return the rows in their groups; combinations that are not among them are suppressed."""
        if self.row is not None:
            return Groups.of_combinations(self.frequencies, numbers[self.row])
        if self.single:
            absent = np.setdiff1d(np.arange(self.frequencies.combinations), self.combination)
            return Groups.of_pieces(
                self.frequencies,
                np.concatenate([self.combination, absent]),
                np.concatenate([self.counts, self.frequencies.counts[absent]]),
                np.concatenate([numbers, np.full(len(absent), SUPPRESSED, dtype=np.int32)]),
            )
        group = np.full(self.frequencies.combinations, SUPPRESSED, dtype=np.int32)
        group[self.combination] = numbers
        return Groups.of_combinations(self.frequencies, group)

    def classes(self, parts: Segments, needs: Sequence[Columns], ladders: Mapping[str, EncodedHierarchy]) -> Grouping:
        """Return some rows as a privacy model sees them, compared with the whole table."""
        part = replace(
            self.frequencies,
            codes=np.ascontiguousarray(self.frequencies.codes[:, self.combination[parts.rows]]),
            counts=self.counts[parts.rows],
        )
        return part.grouped(parts.numbers, parts.n, needs, ladders, self.frequencies)


def _rank(problem: Problem, name: str) -> Codes:
    """Return the place of each code of a column in an order of its values; what tells the person has no axis."""
    if name in problem.sensitive_axes:
        return problem.sensitive_axes[name].rank
    texts = texts_of(problem.frequencies.values[problem.frequencies.names.index(name)])
    found = np.zeros(len(texts) + 1, dtype=np.int32)
    found[1 + np.argsort(np.array(texts, dtype=object), kind="stable")] = np.arange(1, len(texts) + 1)
    return found


def _beyond(problem: Problem) -> Iterator[tuple[str, Codes]]:
    frequencies = problem.frequencies
    yield from zip(frequencies.names[len(problem.axes) :], frequencies.codes[len(problem.axes) :], strict=True)
