"""Few: a cell with fewer than n records."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from incrowd.tables.cells import Cells, Numbers


@dataclass(frozen=True)
class Few:
    """Fewer than n records, but at least one."""

    n: int = 3
    largest = 0
    for_counts = True

    def needed(self, cells: Cells, largest: Numbers) -> Numbers:
        """Return 1 for cells with few records."""
        found: Numbers = np.where((cells.counts > 0) & (cells.counts < self.n), 1, 0)
        return found

    def textbook(self, contributions: Sequence[int]) -> bool:
        """Return whether there are 1 to n - 1 records."""
        return 1 <= len(contributions) < self.n

    def words(self) -> str:
        """Return which cells are sensitive."""
        return f"cells with at least 1 but fewer than {self.n} records"


RULE = Few
LABELS = {"n": "fewer than"}
