"""The classes of a release, numbered from 1 as they first appear in it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from incrowd.models import Block
from incrowd.verification._tally import Numbers, Tally, Value

Columns = tuple[str, ...]

BASIC, RIGHT_MAYBE = "basic", "right_maybe"
WILDCARDS = ("maybe", RIGHT_MAYBE)
"""The ways to match missing cells (Ciglic, Eder, Koncilia) that make no classes."""
NULLS = ("extended", BASIC, *WILDCARDS)
"""All of them, as manifests name them."""

_LACKING = 0
"""A missing cell that is a value like others; all others are texts."""


@dataclass(frozen=True, eq=False)
class ClassesOfRelease:
    """The content of each class, produced one after another, never all at once."""

    combinations: list[Value]
    """The quasi-identifiers of each class."""
    sizes: list[int]
    entries: Mapping[Columns, "_Entries"]
    """By the columns that a model evaluates."""

    def blocks(self) -> Iterator[Block]:
        """Yield the classes in their order."""
        for at, size in enumerate(self.sizes):
            yield Block(size, {columns: entries.of(at) for columns, entries in self.entries.items()})


@dataclass(frozen=True, eq=False)
class _Entries:
    """The count of each value in each class: those of class c are the entries from starts[c] to starts[c + 1]."""

    starts: list[int]
    codes: Numbers
    counts: Numbers
    values: list[Value]

    def of(self, at: int) -> "Counter[Value]":
        within = slice(self.starts[at], self.starts[at + 1])
        codes, counts = self.codes[within].tolist(), self.counts[within].tolist()
        return Counter({self.values[code]: count for code, count in zip(codes, counts, strict=True)})


def classes_of(tally: Tally, quasi: Sequence[str], needs: Sequence[Columns]) -> ClassesOfRelease:
    """Group the combinations by their quasi-identifiers."""
    numbers, combinations = tally.numbered(quasi)
    sizes = np.zeros(len(combinations), dtype=np.int64)
    np.add.at(sizes, numbers, tally.counts)
    entries = {columns: _entries(tally, columns, numbers, len(combinations)) for columns in needs}
    return ClassesOfRelease(combinations, sizes.tolist(), entries)


def _entries(tally: Tally, columns: Columns, numbers: Numbers, classes: int) -> _Entries:
    codes, values = tally.numbered(columns)
    pairs, inverse = np.unique(numbers * max(1, len(values)) + codes, return_inverse=True)
    counts = np.zeros(len(pairs), dtype=np.int64)
    np.add.at(counts, inverse.reshape(-1), tally.counts)
    owners, entry_codes = np.divmod(pairs, max(1, len(values)))
    starts = np.searchsorted(owners, np.arange(classes + 1)).tolist()
    return _Entries(starts, entry_codes, counts, values)


def blocks_under(
    classes: ClassesOfRelease, nulls: str, wiped: Sequence[str | None] = ()
) -> list[Block] | Iterator[Block]:
    """Return the classes or, if some cells are wildcards, all records that match each combination.

    `wiped` has the wildcard of each column, if suppressed cells are the wildcards; missing values are values then.
    """
    if any(text is not None for text in wiped):
        marked: list[Any] = [
            tuple(
                None if cell == text is not None else _LACKING if cell is None else cell
                for cell, text in zip(combination, wiped, strict=True)
            )
            for combination in classes.combinations
        ]
        return _matching(marked, list(classes.blocks()), WILDCARDS[0])
    if nulls not in WILDCARDS:
        return classes.blocks()
    return _matching(classes.combinations, list(classes.blocks()), nulls)


def _matching(combinations: Sequence[Value], blocks: Sequence[Block], nulls: str) -> list[Block]:
    """Match combinations that lack the same cells together, by the cells that must agree."""
    members: dict[tuple[bool, ...], list[int]] = {}
    for at, combination in enumerate(combinations):
        members.setdefault(tuple(cell is None for cell in combination), []).append(at)
    found: dict[int, Block] = {}
    for missing, mine in members.items():
        for compared, others in _others(missing, members, nulls).items():
            key = _cells_in(compared)
            wanted = [(at, key(combinations[at])) for at in mine]
            keys = {cells for _, cells in wanted}
            together: dict[object, Block] = {}
            for at in others:
                cells = key(combinations[at])
                if cells in keys:
                    together[cells] = _sum(together.get(cells), blocks[at])
            for at, cells in wanted:
                if cells in together:
                    found[at] = _sum(found.get(at), together[cells])
    return [found[at] for at in range(len(blocks))]


def _others(
    missing: tuple[bool, ...], members: Mapping[tuple[bool, ...], Sequence[int]], nulls: str
) -> dict[tuple[int, ...], list[int]]:
    """Return the combinations that may match those that lack these cells, by the columns in which they must agree."""
    found: dict[tuple[int, ...], list[int]] = {}
    for missing_there, others in members.items():
        compared = _compared(missing, missing_there, nulls)
        if compared is not None:
            found.setdefault(tuple(compared), []).extend(others)
    return found


def _cells_in(columns: tuple[int, ...]) -> Callable[[Value], object]:
    return itemgetter(*columns) if columns else lambda _: ()


def _compared(mine: Sequence[bool], other: Sequence[bool], nulls: str) -> list[int] | None:
    """Return the columns in which two combinations must agree; None if they cannot match.

    maybe: where neither is missing. right_maybe: where the other one is not missing, and it must be missing wherever
    mine is (Ciglic, Eder, Koncilia).
    """
    if nulls == RIGHT_MAYBE and any(m and not o for m, o in zip(mine, other, strict=True)):
        return None
    return [at for at, (m, o) in enumerate(zip(mine, other, strict=True)) if not m and not o]


def _sum(one: Block | None, other: Block) -> Block:
    if one is None:
        return other
    return Block(
        one.size + other.size, {columns: one.values[columns] + other.values[columns] for columns in one.values}
    )
