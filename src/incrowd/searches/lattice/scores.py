"""The score of several tables, or of one in which a part of a class may be left out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Columns, Generalized, Metric, Numbers, Score
from incrowd.metrics.cell_costs import CellScore
from incrowd.metrics.level_costs import LevelScore


class ScoreOfTables:
    """The mean of a metric over the tables, each by its share of all cells.

    A metric bounds the score of a node for classes that are kept or suppressed as a whole. Where a part of a class
    goes, only sums over cells are known to have the same bound: a suppressed cell costs no less than it would have.
    Of all others the bound is 0, so that no node is skipped.
    """

    def __init__(self, metric: Metric, columns: Sequence[Columns]) -> None:
        # A table without quasi-identifiers has no cells that cost anything.
        self.scores: list[Score | None] = [metric.prepare(each) if each.ladders else None for each in columns]
        cells = np.array([each.records * len(each.ladders) for each in columns], dtype=np.float64)
        self._shares = cells / max(1.0, float(cells.sum())) if len(columns) > 1 else np.ones(1)
        self.bounded = all(isinstance(score, CellScore | LevelScore) for score in self.scores if score is not None)
        self.parts: Sequence[Numbers] = [
            share * part if self.bounded else np.zeros_like(part)
            for share, score in zip(self._shares.tolist(), self.scores, strict=True)
            if score is not None
            for part in score.parts
        ]

    def bound(self, total: Numbers) -> Numbers:
        """Return the score without suppression, if that is a bound, else 0."""
        return total if self.bounded else np.zeros_like(total)

    def score(self, node: Generalized) -> float:
        """Return the score of a single table."""
        return self.score_of([node])

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return the penalty of a single table."""
        [score, *_] = self.scores
        return score.penalty(node, lost) if self.bounded and score is not None else 0.0

    def score_of(self, nodes: Sequence[Generalized]) -> float:
        """Return the score of all tables."""
        scored = zip(self._shares.tolist(), self.scores, nodes, strict=True)
        return float(sum(share * score.score(node) for share, score, node in scored if score is not None))

    def penalty_of(self, nodes: Sequence[Generalized]) -> float:
        """Return what losing the parts that are not kept adds to the bound."""
        if not self.bounded:
            return 0.0
        scored = zip(self._shares.tolist(), self.scores, nodes, strict=True)
        return float(sum(share * score.penalty(node, ~node.kept) for share, score, node in scored if score is not None))
