"""Kept columns that determine what the release generalizes: a copy of a quasi-identifier, or a finer form of it.

This needs the original table, so it goes to the publisher alone: result, private record and internal report.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import MISSING
from incrowd.text import percent

_NEARLY = 0.95
"""The share of records whose quasi-identifier a kept column must give to determine it nearly."""
_BETTER = 0.9
"""The share of errors that it must spare a guess of the most frequent value, which is right by chance if one value is
very frequent (Goodman and Kruskal's lambda)."""


@dataclass(frozen=True)
class Determined:
    """A kept column, and a quasi-identifier whose original value it gives."""

    column: str
    quasi: str
    share: float
    """Of the records that share their value of the column with another record, those whose quasi-identifier is the most
    frequent one beside that value; 1 if the column determines it."""
    one_to_one: bool
    """True if the quasi-identifier also determines the column."""

    def sentence(self) -> str:
        """Return a warning about the column."""
        how = "determines" if self.share == 1 else f"nearly determines (in {percent(self.share)} of the records)"
        both = " (each value of one has one value of the other)" if self.one_to_one else ""
        return (
            f"the kept column {self.column!r} {how} the original value of the quasi-identifier {self.quasi!r}{both}, "
            "which the release generalizes. Drop it, or give it the role quasi."
        )


def determined(counted: FrequencySet, kept: Sequence[str], quasi: Sequence[str]) -> tuple[Determined, ...]:
    """Return which kept columns determine, or nearly determine, which quasi-identifiers of the original table."""
    pairs = [(column, other) for column in kept for other in quasi]
    return tuple(found for column, other in pairs if (found := _determined(counted, column, other)) is not None)


def _determined(counted: FrequencySet, column: str, quasi: str) -> Determined | None:
    """Return a value that one record alone has determines everything by chance, so only shared values are evidence."""
    pairs = counted.project((column, quasi))
    there = pairs.codes[0] != MISSING
    values, others, counts = pairs.codes[0][there], pairs.codes[1][there], pairs.counts[there]
    sizes, best = np.zeros((2, len(pairs.values[0]) + 1), dtype=np.int64)
    np.add.at(sizes, values, counts)
    np.maximum.at(best, values, counts)
    shared = sizes > 1
    records, right = int(sizes[shared].sum()), int(best[shared].sum())
    if not records:
        return None
    by_chance = int(np.bincount(others, weights=counts).max()) / int(counts.sum())
    share = right / records
    distinct = int(np.count_nonzero(sizes))
    one_to_one = len(counts) == distinct == len(np.unique(others))
    enough = one_to_one or 2 * records >= int(counts.sum())
    if not enough or share < _NEARLY or share - by_chance < _BETTER * (1 - by_chance) or by_chance == 1:
        return None
    return Determined(column, quasi, share, one_to_one)


def recorded(found: Iterable[Determined]) -> tuple[dict[str, Any], ...]:
    """Return them as plain data for the private record."""
    return tuple(map(asdict, found))


def sentences(found: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the warnings about columns that a private record lists."""
    return (Determined(**each).sentence() for each in found)
