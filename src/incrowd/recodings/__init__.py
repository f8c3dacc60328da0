"""Recodings: original combination -> published cells, or nothing where it is suppressed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.table import Codes


class Form(StrEnum):
    """What a group publishes in a column."""

    RANGE = "range"
    """From the lowest to the highest: 20-29. The usual form of numbers, dates and ordered values."""
    ANCESTOR = "ancestor"
    """The closest common ancestor in the hierarchy. The usual form of other columns that have one."""
    SET = "set"
    """All its values: {north, south}. The usual form of columns that have no hierarchy."""
    MEAN = "mean"
    """The mean of its numbers, the centroid."""
    MEDIAN = "median"
    """The middle one of its values, the lower of two."""
    MODE = "mode"
    """The most frequent of its values."""


@dataclass(frozen=True, eq=False)
class PublishedColumn:
    """What a column becomes: the cell of piece i is labels[codes[i]], None being a missing cell."""

    codes: Codes
    labels: tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class RecodingMap:
    """All that publishing needs: for each distinct combination what is published for it.

    A combination is in one piece unless its records part: then so many of them are published in one way, so many in
    another, whichever of the equal records come first.
    """

    combinations: FrequencySet
    """The distinct combinations of the quasi-identifiers, as they were counted; where records of one part by what is
    sensitive, of the sensitive columns too."""
    kept: NDArray[np.bool_]
    """Which pieces are published; records of the others are left out."""
    columns: tuple[PublishedColumn | None, ...]
    """One per column of the combinations; None where the original cells are published as they are."""
    pieces: tuple[NDArray[np.int64], Counts] | None = None
    """The combination of each piece, never falling, and its records; None where every combination is one piece."""
    added: Mapping[str, PublishedColumn] = field(default_factory=dict)
    """Columns that the source lacks, published after its own. Then the order of records tells nothing that is not in
    their cells, because such a column stands for what must not be linked with a record."""

    @cached_property
    def counts(self) -> Counts:
        """The records of each piece."""
        return self.combinations.counts if self.pieces is None else self.pieces[1]

    @property
    def records(self) -> int:
        """How many records are published."""
        return int(self.counts[self.kept].sum())

    def codes(self, column: int) -> Codes:
        """The original codes of a column, by piece."""
        codes: Codes = self.combinations.codes[column]
        return codes if self.pieces is None else codes[self.pieces[0]]
