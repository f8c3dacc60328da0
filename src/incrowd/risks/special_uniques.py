"""Special uniques: records that few columns already single out, scored as SUDA2 does.

A minimal sample unique (MSU) of a record is a set of columns in which the record is unique, while it is so in none of
its proper subsets. The smaller the set and the more of them, the easier it is to find the record: of ATT columns, with
sets of up to M looked at, an MSU of size m scores the product of (ATT - i) for i = m ... M, and a record the sum of its
MSUs (Elliot, Manning & Ford, A computational algorithm for handling the special uniques problem, 2002; Manning, Haglin
& Keane, A recursive search algorithm for statistical disclosure assessment (SUDA2), 2008). The full set of columns,
in which every unique record is unique anyway, is skipped by default.

A record that is unique in a set is so in all larger ones. So the lattice of sets is walked from below, the records
that are unique in a set are kept as a bit vector, and the MSUs of a set are what is new in it.

If people have several records, an MSU is a combination of values that only one person has, while other people share
every part of it. It counts once, in however many records the person has it; a record scores the sum of its MSUs.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.kernels import total
from incrowd.core.table import Codes, Table
from incrowd.diagnosis.counters import RollupCounter
from incrowd.diagnosis.subsets import Columns, mask_of, walk
from incrowd.errors import UsageError
from incrowd.risks._together import number_together
from incrowd.watch import Watch

MOST_SETS = 50_000
"""Without a size given, no more sets of columns than this are looked at."""

_MOST_BYTES = 1 << 30
"""Without a size given, the bit vectors take no more memory than this."""


_HIGHEST_SCORE = 1e300
"""The largest score that a floating-point number can represent."""


@dataclass(frozen=True)
class ColumnPart:
    """The contribution of one column."""

    column: str
    minimal_uniques: int
    """The number of minimal sample uniques that contain it."""
    share: float
    """Their share of the total score."""


@dataclass(frozen=True, eq=False)
class SpecialUniques:
    """The minimal sample uniques of a table, and the scores of its combinations."""

    frequencies: FrequencySet = field(repr=False)
    max_size: int
    """The size of the largest sets of columns that were counted."""
    reduced: bool
    """True if larger sets were skipped because there are too many."""
    sets: int
    """The number of sets of columns that were counted."""
    stopped: str | None
    """The reason the search ended early, if it did: then all numbers are partial and can only grow."""
    by_size: tuple[int, ...]
    """The number of minimal sample uniques with 1, 2, ... columns."""
    by_column: tuple[ColumnPart, ...]
    minimal_uniques: NDArray[np.int64] = field(repr=False)
    """For each combination, the number of minimal sample uniques of its record."""
    scores: NDArray[np.float64] = field(repr=False)
    """For each combination its score; 0 if nothing singles out the record, or several records share the values."""
    person: Codes | None = field(default=None, repr=False)
    """For each combination the only person who has it, or -1; None if records are counted."""

    @property
    def records(self) -> int:
        """Return how many records have a minimal sample unique."""
        return int(self.frequencies.counts[self.minimal_uniques > 0].sum())

    @property
    def people(self) -> int | None:
        """Return how many people have one; None if records are counted."""
        return None if self.person is None else len(np.unique(self.person[self.minimal_uniques > 0]))

    @property
    def highest(self) -> float:
        """Return the highest score of a record."""
        return float(self.scores.max(initial=0.0))

    def rows(self, table: Table, most: int = 10) -> list[tuple[int, float]]:
        """Return the rows of the table with the highest scores, counted from 0, and these scores."""
        columns = {column.name: column for column in table.columns}
        if not columns.keys() >= set(self.frequencies.names):
            raise UsageError.unknown_columns(self.frequencies.names, tuple(columns))
        chosen = [columns[name] for name in self.frequencies.names]
        codes = np.array([column.codes for column in chosen], dtype=np.int32)
        here, there, n = number_together(
            self.frequencies.names,
            (self.frequencies.codes, self.frequencies.values),
            (codes, [column.values for column in chosen]),
        )
        score_of = np.zeros(n, dtype=np.float64)
        score_of[here] = self.scores
        scores = score_of[there]
        order = np.argsort(-scores, kind="stable")[:most]
        return [(int(row), float(scores[row])) for row in order if scores[row] > 0]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "records": self.records,
            **({} if self.person is None else {"people": self.people}),
            "minimal_uniques": sum(self.by_size),
            "by_size": [{"columns": at + 1, "minimal_uniques": found} for at, found in enumerate(self.by_size)],
            "by_column": [vars(part) for part in self.by_column],
            "highest_score": self.highest,
            "max_size": self.max_size,
            "reduced": self.reduced,
            "sets": self.sets,
            "complete": self.stopped is None,
            "stopped": self.stopped,
        }


def measure(
    classes: FrequencySet, max_size: int | None = None, watch: Watch | None = None, person: Codes | None = None
) -> SpecialUniques:
    """Return the minimal sample uniques of the table with these combinations, of at most `max_size` columns.

    By people if `person` tells for each combination the only person who has it, from 0, or -1.
    """
    width = len(classes.names)
    alone = classes.counts == 1 if person is None else person >= 0
    singles = int(np.count_nonzero(alone))
    most = _fitting_size(width, singles) if max_size is None else _checked_size(width, max_size)
    search = _Search(classes, alone, person, most)
    known = walk(width, search.visit, lambda everybody: everybody, most, watch or Watch()) if singles else None
    return SpecialUniques(
        classes,
        most,
        max_size is None and most < width - 1,
        known.evaluations if known else 0,
        known.stopped if known else None,
        tuple(search.by_size),
        search.parts(),
        search.in_order(search.minimal_uniques),
        search.in_order(search.scores),
        person,
    )


def score(width: int, size: int, most: int) -> int:
    """Return what a minimal sample unique of `size` columns adds to its record's score."""
    return math.prod(width - i for i in range(size, min(most, width - 1) + 1))


def _fitting_size(width: int, singles: int) -> int:
    """Return the largest size below the number of columns that time and memory allow."""
    size, sets = 1, width
    while size < width - 1:
        larger = sets + math.comb(width, size + 1)
        if larger > MOST_SETS or sets * singles / 8 > _MOST_BYTES:
            break
        size, sets = size + 1, larger
    return size


def _checked_size(width: int, given: int) -> int:
    if given < 1:
        raise UsageError(f"max_size is {given!r}; it must be 1 or more")
    most = min(given, width)
    if score(width, 1, most) > _HIGHEST_SCORE:
        raise UsageError.invalid(
            f"max_size {given}", f"the scores of {width} columns become too large to compute", "lower it"
        )
    return most


class _Search:
    """Visits sets of columns, smaller ones first, and keeps the unique records of each."""

    def __init__(self, classes: FrequencySet, alone: NDArray[np.bool_], person: Codes | None, most: int) -> None:
        # Only records unique in all columns can be unique in some: these come first and form a slice. Columns with many
        # values get high numbers: their sets soon make all records unique, and all larger sets are skipped.
        self._order = np.argsort(~alone, kind="stable")
        self._person = None if person is None else person[self._order]
        self._counts = classes.counts[self._order]
        singles = int(np.count_nonzero(alone))
        self._columns = sorted(range(len(classes.names)), key=lambda column: classes.cardinalities[column])
        self._names = classes.names
        self._counter = RollupCounter(
            FrequencySet(
                tuple(classes.names[column] for column in self._columns),
                tuple(classes.values[column] for column in self._columns),
                np.ascontiguousarray(classes.codes[self._columns][:, self._order]),
                self._counts,
            )
        )
        self._singles = singles
        self._most = most
        self._scores = [score(len(classes.names), size + 1, most) for size in range(most)]
        self._everybody = np.packbits(np.ones(singles, dtype=bool))
        self._unique: dict[int, NDArray[np.uint8]] = {}
        self.by_size = [0] * most
        self._found_with = [[0] * most for _ in classes.names]
        self.minimal_uniques = np.zeros(singles, dtype=np.int64)
        self.scores = np.zeros(singles, dtype=np.float64)

    def visit(self, columns: Columns) -> bool:
        """Find the minimal sample uniques of a set; return whether every record is unique in it."""
        numbers, n = self._counter.classes(columns)
        unique = np.packbits(self._alone(numbers, n).take(numbers[: self._singles]))
        self._add(columns, unique & ~self._unique_below(columns), numbers)
        everybody = bool((unique == self._everybody).all())
        if len(columns) < self._most and not everybody:
            self._unique[mask_of(columns)] = unique
        return everybody

    def _alone(self, numbers: Codes, n: int) -> NDArray[np.bool_]:
        """Return the classes that have a single record or person."""
        if self._person is None:
            counted: NDArray[np.bool_] = total(numbers, n, self._counts) == 1
            return counted
        someone = np.empty(n, dtype=np.int32)
        someone[numbers] = self._person
        alone: NDArray[np.bool_] = someone >= 0
        alone[numbers[self._person != someone[numbers]]] = False
        return alone

    def _unique_below(self, columns: Columns) -> NDArray[np.uint8]:
        """Return the records that are unique in a proper subset, hence in one that lacks a single column."""
        below = np.zeros(len(self._everybody), dtype=np.uint8)
        if len(columns) > 1:
            mask = mask_of(columns)
            for column in columns:
                below |= self._unique[mask ^ 1 << column]
        return below

    def _add(self, columns: Columns, found: NDArray[np.uint8], numbers: Codes) -> None:
        members = np.flatnonzero(np.unpackbits(found, count=self._singles))
        size = len(columns) - 1
        # Of a person who has these values in several combinations they count once.
        new = len(members) if self._person is None else len(np.unique(numbers[members]))
        self.minimal_uniques[members] += 1
        self.scores[members] += self._scores[size]
        self.by_size[size] += new
        for column in columns:
            self._found_with[self._columns[column]][size] += new

    def parts(self) -> tuple[ColumnPart, ...]:
        """Return what each column contributes; exact until the last division, because scores are whole numbers."""
        everything = self._total(self.by_size)
        return tuple(
            ColumnPart(name, sum(found), self._total(found) / everything if everything else 0.0)
            for name, found in zip(self._names, self._found_with, strict=True)
        )

    def _total(self, found: Sequence[int]) -> int:
        return sum(number * score for number, score in zip(found, self._scores, strict=True))

    def in_order(self, of_singles: NDArray[Any]) -> NDArray[Any]:
        """Return a number per combination, in the given order."""
        numbers = np.zeros(len(self._order), dtype=of_singles.dtype)
        numbers[self._order[: self._singles]] = of_singles
        return numbers


def textbook(
    records: Sequence[Sequence[Hashable]], width: int, most: int, person: Sequence[Hashable] | None = None
) -> list[list[Columns]]:
    """Apply the definition: for each record, every set of at most `most` columns and its subsets.

    `person` says who each record is about; without it every record is somebody else.
    """
    who = range(len(records)) if person is None else person
    unique_in: list[set[Columns]] = [set() for _ in records]
    for size in range(1, most + 1):
        for columns in combinations(range(width), size):
            projected = [tuple(record[column] for column in columns) for record in records]
            alike: dict[tuple[Hashable, ...], set[Hashable]] = {}
            for values, each in zip(projected, who, strict=True):
                alike.setdefault(values, set()).add(each)
            for at, values in enumerate(projected):
                if len(alike[values]) == 1:
                    unique_in[at].add(columns)
    return [[columns for columns in sets if _minimal(columns, sets)] for sets in unique_in]


def _minimal(columns: Columns, sets: set[Columns]) -> bool:
    return not any(subset in sets for size in range(1, len(columns)) for subset in combinations(columns, size))
