"""Discernibility (Bayardo and Agrawal): how many records each record cannot be told from."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import squares
from incrowd.metrics import Cells, Columns, Generalized, Levels, Numbers, Score
from incrowd.metrics._classes import label_counts

_SLACK = 1e-12
"""Logarithms are rounded; the bound may be too low by this, never too high."""


@dataclass(frozen=True)
class Discernibility:
    """Sum over records of the size of their class; a suppressed record costs as many as there are records."""

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        return _DiscernibilityScore(columns)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition, record by record."""
        rows = []
        for record in records:
            cells = zip(columns.ladders, levels, record.values, strict=True)
            rows.append(None if record.suppressed else tuple(int(ladder.up[at][value]) for ladder, at, value in cells))
        alike = Counter(rows)
        return float(sum(len(records) if row is None else alike[row] for row in rows))


class _DiscernibilityScore:
    """Bounded by two counts of the pairs of records that are alike.

    Records that are alike in the data are alike at every node. And where a column has labels with m_1, m_2, ...
    records, and the other columns have at most c combinations of labels, the m_j records of a label are in at most c
    classes, whose squares sum up to at least m_j^2 / c (Cauchy and Schwarz). Any column may be the first one; the
    most lopsided one gives most. A suppressed record costs no less than a kept one.
    """

    def __init__(self, columns: Columns) -> None:
        self._records = columns.records
        self._alike = squares(columns.combinations.counts)
        shares = [-np.log(counts) for counts in label_counts(columns)]
        pairs = [_pairs(columns, at) for at in range(len(columns.ladders))]
        gains = [float(np.mean(pair - share)) for pair, share in zip(pairs, shares, strict=True)]
        first = int(np.argmax(gains)) if gains else 0
        self.parts = [pairs[at] if at == first else share for at, share in enumerate(shares)]

    def bound(self, total: Numbers) -> Numbers:
        """Return how many alike pairs of records are certain; a whole number."""
        certain = np.ceil(float(self._records) ** 2 * np.exp(total) * (1 - _SLACK))
        return np.maximum(certain, float(self._alike))

    def score(self, node: Generalized) -> float:
        """Return the squares of the kept classes, and the number of records for each suppressed one."""
        gone = int(node.sizes[~node.kept].sum())
        return float(squares(node.sizes[node.kept]) + self._records * gone)

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return what suppressing the lost classes adds to their squares: g(n - g) each.

        Below, a lost class is a union of lost classes g_i, and the sum of g_i(n - g_i) is ng less the sum of their
        squares, which is at most g^2.
        """
        gone = node.sizes[lost]
        return float(self._records * int(gone.sum()) - squares(gone))


def _pairs(columns: Columns, at: int) -> Numbers:
    """Return by level the logarithm of the share of pairs of records that have the same label in the column."""
    counts = [np.bincount(up, weights=columns.totals[at]) for up in columns.ladders[at].up]
    return np.log([max(1.0, float(each @ each)) / max(1, columns.records) ** 2 for each in counts])


METRIC = Discernibility
MEANING = "size of the classes; prefers many small ones"
RANK = 3
