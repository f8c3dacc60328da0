"""A frequency set that fits: rows with more combinations than may be held here are counted on higher levels.

In the engine each value is replaced by a representative: the first value that has the same label on some level of its
hierarchy, the floor. Rows with representatives are a table with fewer combinations. On the floor and above a value and
its representative have the same labels, so a search that may not go below the floor finds what it would find with these
levels as minima on the rows themselves, and publishing the one is publishing the other.

What is lost are the levels below the floor: a release there may lose less, and is not looked for. The floor is the
first of a chain of nodes that fits. The chain begins at the minima of the job; the next node raises the column that has
most labels by a level.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from incrowd.anonymization.preparation import Preparation, asks_table
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.schema import Role
from incrowd.core.table import MISSING, Codes, Encoder
from incrowd.errors import TooManyCombinations, UsageError, listed
from incrowd.jobs import Job
from incrowd.jobs.grid import nothing_generalized
from incrowd.searches import HierarchySearch
from incrowd.text import number
from incrowd.watch import Watch

Levels = tuple[int, ...]
Lay = Callable[[FrequencySet], Mapping[str, tuple[EncodedHierarchy, int, int]]]
"""Gives the hierarchies along columns, with the lowest and highest level of each that the job allows."""


Columns = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Floor:
    """Where counting begins; level 0 of each column if all combinations fit."""

    levels: Mapping[str, int] = field(default_factory=dict)
    """By quasi-identifier: the level below which nothing was counted."""
    values: Mapping[str, pa.Array] = field(default_factory=dict)
    """By quasi-identifier: all its values, of which the representatives are some."""
    most: int = 0
    skipped: tuple[str, ...] = ()
    """Checks that were left out for want of memory, in words."""

    def over_all_values(self, counted: FrequencySet) -> FrequencySet:
        """Return the counts with codes among all values of each column: hierarchies and metrics know all of them."""
        codes, values = counted.codes.copy(), list(counted.values)
        for at, name in enumerate(counted.names):
            if name in self.values:
                codes[at] = among(self.values[name], values[at])[counted.codes[at]]
                values[at] = self.values[name]
        return replace(counted, codes=codes, values=tuple(values))

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what a user must know."""
        raised = {name: level for name, level in self.levels.items() if level}
        below = ", ".join(f"{name}: {level}" for name, level in raised.items())
        words = (
            f"there are more than {number(self.most)} combinations (most_combinations): nothing was counted below "
            "these levels, no release was looked for there, and the private record has the values of these levels: "
            f"{below}"
        )
        return ((words,) if raised else ()) + self.skipped


def among(values: pa.Array, some: pa.Array) -> Codes:
    """Return the code among `values` of each code of some of them, that of missing first."""
    encoder = Encoder("")
    encoder.encode(values)
    local, lookup = encoder.encode(some)
    return np.append(np.int32(MISSING), lookup[local]).astype(np.int32)


class Within:
    """Counts that a run needs, with the floor that they need."""

    def __init__(
        self, preparation: Preparation, job: Job, needed: tuple[str, ...], lay: Lay | None, watch: Watch
    ) -> None:
        """Count what a job needs of a source; `needed` are sensitive columns of models.

        `lay` is None if the levels are those of an earlier release, which may be below any floor.
        """
        self.preparation = preparation
        self.floor = Floor()
        self._job, self._needed, self._lay, self._watch = job, needed, lay, watch

    def count(
        self, sets: Sequence[Columns], beside: Sequence[Columns], identifiers: Columns
    ) -> tuple[list[FrequencySet], FrequencySet | None, Columns]:
        """Return the counts of sets of columns and of one more if there is any, and identifiers that may repeat."""
        try:
            found, repeating = self.preparation.count_and_compare([*sets, *beside], identifiers, self._watch)
            return found[: len(sets)], found[-1] if beside else None, repeating
        except TooManyCombinations as error:
            most = error.most
        found = self._fitting(sets, most)
        of_beside = self._unless_too_many(beside[0], "kept columns determine quasi-identifiers") if beside else None
        _, repeating = self.preparation.count_and_compare([], identifiers, self._watch)
        return found, of_beside, repeating

    def identified(self, columns: Columns) -> FrequencySet | None:
        """Return the counts of identifiers beside the others, if they fit."""
        return self._unless_too_many(columns, "records repeat people")

    def _fitting(self, sets: Sequence[Columns], most: int) -> list[FrequencySet]:
        """Return the counts of sets of columns, above a floor if they do not fit."""
        try:
            return self.preparation.count(sets, self._watch)
        except TooManyCombinations:
            self._raise_floor(most)
        return [self.floor.over_all_values(each) for each in self.preparation.count(sets, self._watch)]

    def _unless_too_many(self, columns: Columns, what: str) -> FrequencySet | None:
        try:
            [found] = self.preparation.count([columns], self._watch)
        except TooManyCombinations:
            words = f"whether {what} was not checked: it takes more combinations than most_combinations"
            self.floor = replace(self.floor, skipped=(*self.floor.skipped, words))
            return None
        return self.floor.over_all_values(found)

    def _raise_floor(self, most: int) -> None:
        """Go on with rows with representatives, of which there are at most so many combinations."""
        _check(self._job)
        if self._lay is None:
            raise UsageError.invalid(
                "most_combinations",
                "there are more, and an earlier release may have lower levels than fit",
                "raise most_combinations",
            )
        quasi = self._job.having(Role.QUASI)
        columns = (*quasi, *self._needed)
        source: Any = self.preparation.source
        alone = self.preparation.count([(name,) for name in quasi], self._watch)
        values = {name: each.values[0] for name, each in zip(quasi, alone, strict=True)}
        none = np.zeros((len(quasi), 0), dtype=np.int32)
        laid = self._lay(FrequencySet(quasi, tuple(values.values()), none, np.zeros(0, dtype=np.int64)))
        chain = _chain([laid[name] for name in quasi])

        def rows(node: Levels) -> Any:
            levels = zip(quasi, node, strict=True)
            became = {name: (values[name], representatives(laid[name][0], level)) for name, level in levels if level}
            return source.replaced(became) if became else source

        def fits(node: Levels) -> bool:
            return bool(rows(node).distinct(columns, self._watch) <= most)

        # Each node of the chain has at most as many combinations as the one before.
        low, high = 0, len(chain) - 1
        if not fits(chain[high]):
            raise TooManyCombinations.of_columns(source.name, most, columns)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if fits(chain[middle]) else (middle + 1, high)
        self.preparation = Preparation(rows(chain[low]), self.preparation.population)
        self.floor = Floor(dict(zip(quasi, chain[low], strict=True)), values, most)


def _check(job: Job) -> None:
    """Refuse jobs that need every combination."""
    why = None
    if not isinstance(job.search, HierarchySearch):
        why = "this search does not work along hierarchies"
    elif nothing_generalized(job):
        why = "nothing may be generalized"
    elif job.person:
        why = "people are counted, and every combination is needed to tell them apart"
    elif any(model.needs_population for model in job.models):
        why = "the table is compared with a population"
    elif asks_table(job):
        why = f"the hierarchies of {listed(asks_table(job))} are learned from all combinations"
    if why is not None:
        raise UsageError.invalid(
            "most_combinations", f"there are more, and {why}", "choose the search optimal, or raise most_combinations"
        )


def _chain(laid: Sequence[tuple[EncodedHierarchy, int, int]]) -> list[Levels]:
    """Return nodes from the lowest levels to the highest, each a step above the one before."""
    node = [lowest for _, lowest, _ in laid]
    chain = [tuple(node)]
    while any(level < highest for level, (_, _, highest) in zip(node, laid, strict=True)):
        labels = [
            len(np.unique(ladder.up[level])) if level < highest else 0
            for level, (ladder, _, highest) in zip(node, laid, strict=True)
        ]
        node[labels.index(max(labels))] += 1
        chain.append(tuple(node))
    return chain


def representatives(ladder: EncodedHierarchy, level: int) -> Codes:
    """Return for each code of a column, missing first, the first code with the same label on a level.

    Missing stays missing.
    """
    _, first, label = np.unique(ladder.up[level][1:], return_index=True, return_inverse=True)
    return np.append(MISSING, first[label] + 1).astype(np.int32)
