"""Ambiguity (AM of Nergiz and Clifton): how many of all possible records a published one could be."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Cells, Columns, Generalized, Levels, Numbers, Score

_SLACK = 1e-12
"""Logarithms are rounded; the bound may be too low by this, never too high."""


@dataclass(frozen=True)
class Ambiguity:
    """Mean over records of the product over columns of base values covered / base values of the hierarchy.

    A suppressed record could be any, and costs 1. A product has no place for the columns' weights.
    """

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        return _AmbiguityScore(columns)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition, record by record."""
        cost = 0.0
        for record in records:
            possible = 1.0
            for at, (ladder, level) in enumerate(zip(columns.ladders, levels, strict=True)):
                label = ladder.up[level][record.values[at]]
                covered = 1
                if level and label:
                    covered = sum(1 for row in ladder.hierarchy.codes[level] if row + 1 == label)
                    covered += ladder.hierarchy.lists_missing and ladder.hierarchy.missing[level] + 1 == label
                possible *= covered / ladder.hierarchy.domain
            cost += 1.0 if record.suppressed else possible
        return cost / len(records) if records else 0.0


class _AmbiguityScore:
    """Bounded by Jensen's inequality.

    With x_rc the share that record r leaves open in column c, the score without suppression is the mean over r of
    exp(sum over c of log x_rc). The exponential function is convex, so this is at least exp of the mean over r of that
    sum, which is the sum over c of the mean over r of log x_rc: a number per column and level. A suppressed record
    costs 1, and no x_rc is above 1.
    """

    def __init__(self, columns: Columns) -> None:
        self._records = columns.records
        self._codes = columns.combinations.codes
        self._open = [
            np.array([ladder.covered(level) / ladder.hierarchy.domain for level in range(ladder.height + 1)])
            for ladder in columns.ladders
        ]
        self.parts = [
            np.array([float(np.log(share) @ totals) / max(1, columns.records) for share in by_level])
            for by_level, totals in zip(self._open, columns.totals, strict=True)
        ]

    def bound(self, total: Numbers) -> Numbers:
        """Return the geometric mean of what the records leave open."""
        return np.exp(total) * (1 - _SLACK) if self._records else np.zeros_like(total)

    def score(self, node: Generalized) -> float:
        """Return the mean of what the records leave open; all for the suppressed ones."""
        gone = int(node.sizes[~node.kept].sum())
        if node.own is not None:
            left = self._left_open(node.own.levels, node.own.combinations) @ node.own.counts
        else:
            left = self._left_open(node.levels, node.origins[node.kept]) @ node.sizes[node.kept]
        return (float(left) + gone) / max(1, self._records)

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return the cost of suppressing the lost records: all that they do not leave open."""
        closed = 1 - self._left_open(node.levels, node.origins[lost])
        return float(closed @ node.sizes[lost]) / max(1, self._records)

    def _left_open(self, levels: Sequence[int] | NDArray[np.int16], combinations: NDArray[np.integer]) -> Numbers:
        """Return for each combination the share of all possible records that one of its records could be."""
        share = np.ones(len(combinations))
        for codes, by_level, level in zip(self._codes, self._open, levels, strict=True):
            share *= by_level[level, codes[combinations]]
        return share


METRIC = Ambiguity
MEANING = "share of all possible records that a published one could be, on average"
RANK = 9
