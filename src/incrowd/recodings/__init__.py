"""Recodings: original combination -> published cells, or nothing if it is suppressed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.classes import Grouping
from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.kernels import total
from incrowd.core.keys import number_combinations
from incrowd.core.table import MISSING, Codes


class Form(StrEnum):
    """The form in which a group publishes a column."""

    RANGE = "range"
    """From the lowest to the highest: 20-29. The usual form of numbers, dates and ordered values."""
    ANCESTOR = "ancestor"
    """The closest common ancestor in the hierarchy. The usual form of other columns that have one."""
    SET_OR_ANCESTOR = "set_or_ancestor"
    """All its values where they are few or their closest common ancestor is the top, else that ancestor. The usual form
    of columns with a tree of groups."""
    SET = "set"
    """All its values: {north, south}. The usual form of columns that have no hierarchy."""
    ENDS = "ends"
    """The lowest and the highest of its numbers or dates, in two columns of that type."""
    MEAN = "mean"
    """The mean of its numbers, the centroid."""
    MEDIAN = "median"
    """The middle one of its values, the lower of two."""
    MODE = "mode"
    """The most frequent of its values."""


SUMMARIES = (Form.MEAN, Form.MEDIAN, Form.MODE)
"""The forms that do not cover the values of a group."""


def kept_kind(kind: pa.DataType) -> pa.DataType:
    """Return the type of published cells that are all original values: text unless Arrow reads theirs from text."""
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    is_moment = pa.types.is_date(kind) or pa.types.is_timestamp(kind)
    return kind if is_number or is_moment or pa.types.is_boolean(kind) else pa.string()


@dataclass(frozen=True, eq=False, repr=False)
class PublishedColumn(Brief):
    """A published column: the cell of piece i is labels[codes[i]], None for a missing value."""

    codes: Codes
    labels: tuple[str | None, ...]
    kind: pa.DataType = field(default_factory=pa.string)
    """The type of the cells, where all labels are texts of such values."""


@dataclass(frozen=True, eq=False, repr=False)
class RecodingMap(Brief):
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
    """One per column of the combinations; None if the original cells are published as they are."""
    pieces: tuple[NDArray[np.int64], Counts] | None = None
    """The combination of each piece, never falling, and its records; None if every combination is one piece."""
    added: Mapping[str, PublishedColumn] = field(default_factory=dict)
    """Columns that the source lacks, published after its own: groups of records whose sensitive values are apart."""
    ends: Mapping[str, PublishedColumn] = field(default_factory=dict)
    """The lower and upper ends of the ranges of some columns, published after the others in place of these."""

    @property
    def further(self) -> dict[str, PublishedColumn]:
        """The columns that the source lacks."""
        return {**self.added, **self.ends}

    @cached_property
    def counts(self) -> Counts:
        """The records of each piece."""
        return self.combinations.counts if self.pieces is None else self.pieces[1]

    @property
    def records(self) -> int:
        """How many records are published."""
        return int(self.counts[self.kept].sum())

    def codes(self, column: int) -> Codes:
        """Return the original codes of a column, by piece."""
        codes: Codes = self.combinations.codes[column]
        return codes if self.pieces is None else codes[self.pieces[0]]

    def published(self, column: int) -> Codes:
        """Return the codes of what is published in a column, by piece that is kept; missing is 0, whatever its
        label."""
        became = self.columns[column]
        if became is None:
            return self.codes(column)[self.kept]
        missing = np.array([label is None for label in became.labels], dtype=bool)
        codes = became.codes[self.kept]
        return np.where(missing[codes], MISSING, codes + 1).astype(np.int32)

    def classes(self, quasi: int) -> Grouping:
        """Return the pieces that are kept, in classes that are published alike in the first `quasi` columns."""
        if quasi not in self._classes:
            codes = [self.published(column) for column in range(quasi)]
            numbers, n = number_combinations(codes, [int(row.max(initial=0)) + 1 for row in codes])
            self._classes[quasi] = Grouping(total(numbers, n, self.counts[self.kept]), of=numbers)
        return self._classes[quasi]

    @cached_property
    def _classes(self) -> dict[int, Grouping]:
        """The classes by how many columns they were asked for."""
        return {}
