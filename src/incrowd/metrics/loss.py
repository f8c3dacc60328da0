"""Loss (Iyengar's LM, as a mean): how much of its column's domain a cell still leaves open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.metrics import Cells, Columns, Levels, Score
from incrowd.metrics._cells import CellScore
from incrowd.metrics._page import Page, spread
from incrowd.metrics._released import Released
from incrowd.metrics._yardstick import SHARE, Bounds, Goal, Reading, Side


@dataclass(frozen=True)
class Loss:
    """Mean over cells of (base values covered - 1) / (base values of the hierarchy - 1); a suppressed cell costs 1."""

    def prepare(self, columns: Columns) -> Score:
        """Lay the metric along a table."""
        costs = [[ladder.spread(level) for level in range(ladder.height + 1)] for ladder in columns.ladders]
        lost = [np.ones(len(ladder.values) + 1) for ladder in columns.ladders]
        return CellScore(columns, costs, lost, columns.shares)

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """The definition, record by record."""
        cost = 0.0
        for record in records:
            for at, (ladder, level) in enumerate(zip(columns.ladders, levels, strict=True)):
                label = ladder.up[level][record.values[at]]
                covered = 1
                if level and label:
                    covered = sum(1 for row in ladder.hierarchy.codes[level] if row + 1 == label)
                    covered += ladder.hierarchy.lists_missing and ladder.hierarchy.missing[level] + 1 == label
                domain = ladder.hierarchy.domain
                cell = (covered - 1) / (domain - 1) if domain > 1 else float(level == ladder.height)
                cost += columns.weights[at] * (1.0 if record.suppressed else cell)
        return cost / (sum(columns.weights) * len(records)) if records else 0.0


METRIC = Loss


@dataclass(frozen=True)
class LossOfRelease:
    """Mean over cells of the share of the domain that a cell covers beyond one value; a suppressed cell costs 1.

    Of numbers the share of their range, else (base values covered - 1) / (base values - 1). Iyengar's own LM is the sum
    over the columns of their means.
    """

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "share of its column's domain that a cell leaves open, mean over all cells (LM)"

    def measure(self, released: Released) -> Reading:
        """What it says about a release, about each column, and the sum over the columns."""
        if not released.records:
            return Reading(0.0)
        means = (released.spreads @ released.sizes + released.suppressed) / released.records
        weights = np.array(released.weights or (1.0,) * released.quasi)
        by_column = dict(zip(released.original.names, means.tolist(), strict=False))
        return Reading(float(weights @ means / weights.sum()), {**by_column, "sum": float(means.sum())})

    def textbook(self, page: Page) -> float | None:
        """The definition, cell by cell."""
        weights = page.weights or (1.0,) * page.quasi
        cost = page.suppressed * sum(weights)
        for group in page.classes:
            for cell, base, weight in zip(group.cells, page.bases, weights, strict=False):
                cost += len(group.others) * weight * spread(cell, base)
        return cost / (sum(weights) * len(page.original)) if page.original else 0.0


YARDSTICK = LossOfRelease
