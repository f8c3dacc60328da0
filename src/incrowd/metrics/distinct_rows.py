"""Distinct rows (Samarati's preference for the most distinct tuples): how few different rows are published."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Cells, Columns, Generalized, Levels, Numbers, Score
from incrowd.metrics._classes import ClassLimit


@dataclass(frozen=True)
class DistinctRows:
    """Records less distinct published rows: how many records are suppressed or repeat another one.

    The most distinct rows and the least of this are the same release, and 0 is the best as with every cost.
    """

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        return _DistinctRowsScore(columns)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition, record by record."""
        published = set()
        for record in records:
            if not record.suppressed:
                cells = zip(columns.ladders, levels, record.values, strict=True)
                published.add(tuple(int(ladder.up[level][value]) for ladder, level, value in cells))
        return float(len(records) - len(published))


class _DistinctRowsScore:
    def __init__(self, columns: Columns) -> None:
        self._records = columns.records
        self._limit = ClassLimit(columns)
        self.parts = self._limit.parts

    def bound(self, total: Numbers) -> Numbers:
        """Return where the records fill as many classes as there can be."""
        return np.maximum(0.0, self._records - self._limit.most(total))

    def score(self, node: Generalized) -> float:
        """Return the records less the kept classes that have records."""
        return float(self._records - np.count_nonzero(node.sizes[node.kept]))

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return the number of lost classes: each is at least one lost class below, and no published row."""
        return float(np.count_nonzero(node.sizes[lost]))


METRIC = DistinctRows
MEANING = "number of records that are suppressed or repeat another one"
RANK = 10
