"""Entropy (non-uniform, Gionis and Tassa): how many bits of a cell's original value the published one hides."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.metrics import Cells, Columns, Levels, Numbers, Score
from incrowd.metrics.cell_costs import CellScore


@dataclass(frozen=True)
class Entropy:
    """Sum over cells of -log2 of how often the original value is behind the published one, times the column's weight.

    Both are counted in the column of the table that was given. A suppressed cell costs as much as one generalized to
    the top, behind which is every record.
    """

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table.

        A value v of n records, f of which have its label, costs log f - log v, and suppressed log n - log v: the
        difference log n - log f is the label's own, and falls on the way up.
        """
        own = [_bits(totals) for totals in columns.totals]
        costs = [
            [_bits(_alike(ladder, level, totals)) - bits for level in range(ladder.height + 1)]
            for ladder, totals, bits in zip(columns.ladders, columns.totals, own, strict=True)
        ]
        most = float(np.log2(max(1, columns.records)))
        return CellScore(columns, costs, [most - bits for bits in own], columns.weights)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition, record by record."""
        cost = 0.0
        for at, (ladder, level) in enumerate(zip(columns.ladders, levels, strict=True)):
            values = Counter(record.values[at] for record in records)
            labels = Counter(int(ladder.up[level][record.values[at]]) for record in records)
            for record in records:
                value = record.values[at]
                published = len(records) if record.suppressed else labels[int(ladder.up[level][value])]
                cost -= columns.weights[at] * log2(values[value] / published)
        return cost


def _alike(ladder: EncodedHierarchy, level: int, totals: NDArray[np.int64]) -> Numbers:
    """Return how many records have the label of each of the column's codes."""
    alike = np.bincount(ladder.up[level], weights=totals).astype(np.float64)
    return alike[ladder.up[level]]


def _bits(records: NDArray[np.int64] | Numbers) -> Numbers:
    """Return logarithms; 0 for values without records."""
    return np.log2(np.maximum(1, records))


METRIC = Entropy
MEANING = "information loss in bits"
RANK = 5
