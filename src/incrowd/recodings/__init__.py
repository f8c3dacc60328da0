"""Recodings: original combination -> published cells, or nothing where it is suppressed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core._kernels import total
from incrowd.core.classes import Grouping
from incrowd.core.frequencies import FrequencySet
from incrowd.core.keys import number_combinations
from incrowd.core.table import Codes


@dataclass(frozen=True, eq=False)
class PublishedColumn:
    """What a quasi-identifier becomes: the cell of combination i is labels[codes[i]], None being a missing cell."""

    codes: Codes
    labels: tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class RecodingMap:
    """All that publishing needs: for each distinct combination of the quasi-identifiers what is published for it."""

    combinations: FrequencySet
    """The distinct combinations of the quasi-identifiers, as they were counted."""
    kept: NDArray[np.bool_]
    """Which combinations are published; records of the others are left out."""
    columns: tuple[PublishedColumn | None, ...]
    """One per quasi-identifier; None where the original cells are published as they are."""

    @cached_property
    def classes(self) -> Grouping:
        """The combinations that are kept, in classes that are published alike."""
        codes = [
            (original if column is None else column.codes)[self.kept]
            for original, column in zip(self.combinations.codes, self.columns, strict=True)
        ]
        numbers, n = number_combinations(codes, [int(row.max(initial=0)) + 1 for row in codes])
        return Grouping(total(numbers, n, self.combinations.counts[self.kept]), of=numbers)
