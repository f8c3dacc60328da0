"""Classes: one grouping of a frequency set's combinations. All that a privacy model or a question sees."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.table import Codes


@dataclass(frozen=True, eq=False)
class Classes:
    """Which class each combination is in, and how many records each class holds."""

    of: Codes
    sizes: NDArray[np.int64]

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
