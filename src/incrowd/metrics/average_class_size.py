"""Average class size (LeFevre's C_AVG, times k): how many records share a published row."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Cells, Columns, Generalized, Levels, Numbers, Score
from incrowd.metrics._classes import ClassLimit


@dataclass(frozen=True)
class AverageClassSize:
    """Records over classes; all suppressed records together are one more class."""

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        return _AverageClassSizeScore(columns)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition, record by record."""
        rows: set[tuple[int, ...] | None] = set()
        for record in records:
            labels = (ladder.up[level] for ladder, level in zip(columns.ladders, levels, strict=True))
            row = tuple(int(of[value]) for of, value in zip(labels, record.values, strict=True))
            rows.add(None if record.suppressed else row)
        return len(records) / len(rows) if rows else 0.0


class _AverageClassSizeScore:
    """Bounded by the most classes that a node can have.

    Suppressing makes no more of them: the one class of all suppressed records replaces at least one.
    """

    def __init__(self, columns: Columns) -> None:
        self._records = columns.records
        self._limit = ClassLimit(columns)
        self.parts = self._limit.parts

    def bound(self, total: Numbers) -> Numbers:
        """Return the average where the records fill as many classes as there can be."""
        return self._records / self._limit.most(total)

    def score(self, node: Generalized) -> float:
        """Return the average of all classes that have records."""
        classes = np.count_nonzero(node.sizes[node.kept]) + bool(node.sizes[~node.kept].any())
        return self._records / classes if classes else 0.0

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return what the average gains when the lost classes become one.

        Where g classes are lost here, at least g are lost at a node below. Of its classes, at most c by its levels, at
        most c - g are kept, so its average is at least n/(c - g + 1): more than its bound n/c by a difference that
        only falls where c grows, and c is at most the number of combinations in the data.
        """
        gone = int(np.count_nonzero(node.sizes[lost]))
        most = self._limit.combinations
        return self._records / (most - gone + 1) - self._records / most if gone else 0.0


METRIC = AverageClassSize
MEANING = "how far class sizes exceed k, on average"
RANK = 4
