"""Classes: one grouping of a frequency set's combinations. All that a privacy model or a question sees."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Columns, Histogram
from incrowd.core.table import Codes


@dataclass(frozen=True, eq=False)
class Classes:
    """How many records each class holds, and how its sensitive values are spread."""

    sizes: NDArray[np.int64]
    """Records per class. A class may be empty if only the population has such people."""
    histograms: Mapping[Columns, Histogram] = field(default_factory=dict)
    """By sensitive column, or by several columns that are judged jointly."""
    population: NDArray[np.int64] | None = None
    """People per class in the population that the table was drawn from."""

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def smallest(self) -> int:
        """k: the size of the smallest class; 0 for an empty table."""
        return int(self.sizes.min()) if len(self.sizes) else 0

    @property
    def unique(self) -> int:
        """How many records are alone in their class."""
        return int(np.count_nonzero(self.sizes == 1))


@dataclass(frozen=True, eq=False)
class Grouping(Classes):
    """Classes that know which class each combination is in."""

    of: Codes = field(kw_only=True)


def squares(sizes: NDArray[np.int64]) -> int:
    """Return the exact sum of the squares of class sizes."""
    total = int(sizes.sum())
    # The sum of squares is at most the square of the sum.
    return int(sizes @ sizes) if total * total < 2**63 else sum(size * size for size in sizes.tolist())
