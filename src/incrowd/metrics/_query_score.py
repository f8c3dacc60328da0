"""The mean relative error of queries at a node of the lattice, and what it is at least.

A query's estimate is the sum over published records of the product, over the columns asked about, of the share s of
what the cell covers that is asked for. The error is not monotone: data that are spread evenly are estimated well on
every level. Two things are true of every node all the same:

- Suppression only lowers an estimate. So a query is off by at least what its estimate lacks without any suppression.
- With m the largest share that a cell of a value has on any level, the estimate is at most U_c, the sum over records of
  s in one column c, on its level, times m in all others. What U_c lacks on this level and on all higher ones the query
  is off by; the mean of this over the columns asked about is a sum of parts, one per column, which never falls.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.table import Codes
from incrowd.metrics import Columns, Generalized, Numbers
from incrowd.release_metrics.query_conditions import Mask, QueryConditions
from incrowd.release_metrics.scale import leaf_positions
from incrowd.release_metrics.workload import NO_CONDITION, expected

_SLACK = 1e-9
"""Sums are rounded; the bound may be too low by this, never too high."""


class QueryScore:
    """Scores nodes by the mean relative error of queries."""

    def __init__(self, columns: Columns, asked: QueryConditions) -> None:
        self._codes = columns.combinations.codes
        shares = [
            _shares(ladder, wanted, places)
            for ladder, wanted, places in zip(columns.ladders, asked.wanted, asked.places, strict=True)
        ]
        begins = [np.cumsum([0, *(share.shape[1] for share in by_level)])[:-1] for by_level in shares]
        self._cells = [
            np.array([begin + up for begin, up in zip(of, ladder.up, strict=True)], dtype=np.int32)
            for of, ladder in zip(begins, columns.ladders, strict=True)
        ]
        """Per column levels x codes: the cell in its table."""
        self._tables = [np.concatenate(by_level, axis=1) for by_level in shares]
        """Per column conditions x cells of all levels: the share of the cell that is asked for."""
        self._conditions = asked.conditions
        counts = columns.combinations.counts
        actual = np.rint(self._estimated(self._tables, self._codes, counts))
        self._conditions, self._actual = asked.conditions[:, actual > 0], actual[actual > 0]
        own = [
            [share[:, up] for share, up in zip(by_level, ladder.up, strict=True)]
            for by_level, ladder in zip(shares, columns.ladders, strict=True)
        ]
        """Per column and level conditions x codes."""
        most = [np.max(by_level, axis=0) for by_level in own]
        self._most = self._estimated(most, self._codes, counts)
        """No estimate is larger, on whatever levels."""
        self.parts = [self._part(c, own[c], most, counts) for c in range(len(own))]

    def bound(self, total: Numbers) -> Numbers:
        """Return what the estimates lack at least."""
        return np.maximum(total - _SLACK, 0.0)

    def score(self, node: Generalized) -> float:
        """Return the mean relative error."""
        if node.own is not None:
            found = self._of_cells(node.own.levels, node.own.combinations, node.own.counts)
        else:
            found = self._of_cells(node.levels, node.origins[node.kept], node.sizes[node.kept])
        return self._mean(np.abs(self._actual - found))

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return what lost records take from the largest estimates, where that is more than the bound.

        On lower levels they are suppressed too, and there a record's largest share is at least the one on this level.
        Bounds of lower nodes are no larger than the one of this node.
        """
        if not lost.any():
            return 0.0
        gone = self._of_cells(node.levels, node.origins[lost], node.sizes[lost])
        lacking = self._mean(np.maximum(self._actual - (self._most - gone), 0.0))
        total = sum(part[level] for part, level in zip(self.parts, node.levels, strict=True))
        return float(max(0.0, lacking - _SLACK - float(self.bound(np.array([total]))[0])))

    def _mean(self, off: Numbers) -> float:
        return float(np.mean(off / self._actual)) if len(self._actual) else 0.0

    def _part(self, c: int, by_level: Sequence[Numbers], most: Sequence[Numbers], counts: NDArray[np.int64]) -> Numbers:
        """Return per level what the queries about a column lack in the mean, each divided among its columns."""
        about = np.flatnonzero(self._conditions[c] != NO_CONDITION)
        found = np.zeros(len(by_level))
        among = (self._conditions != NO_CONDITION).sum(axis=0)
        # What is lacking on a level and all above.
        least = np.full(len(about), np.inf)
        for level in range(len(by_level) - 1, -1, -1):
            tables = [*most[:c], by_level[level], *most[c + 1 :]]
            reached = self._estimated(tables, self._codes, counts, about)
            least = np.minimum(least, np.maximum(self._actual[about] - reached, 0.0) / self._actual[about])
            found[level] = float((least / among[about]).sum()) / max(1, len(self._actual))
        return found

    def _of_cells(
        self, levels: Sequence[int] | NDArray[np.int16], combinations: NDArray[np.integer], counts: NDArray[np.int64]
    ) -> Numbers:
        """Return the estimates, by combinations and the level of each column, or of each cell."""
        cells = np.empty((len(self._cells), len(combinations)), dtype=np.int32)
        for c, level in enumerate(levels):
            cells[c] = self._cells[c][level, self._codes[c][combinations]]
        return self._estimated(self._tables, cells, counts)

    def _estimated(
        self,
        tables: Sequence[Numbers],
        cells: Codes,
        counts: NDArray[np.int64],
        queries: NDArray[np.int64] | None = None,
    ) -> Numbers:
        """Return per query the sum over combinations of their count times the product of the shares asked for."""
        conditions = self._conditions if queries is None else self._conditions[:, queries]
        sizes = [table.shape[1] for table in tables]
        return expected(conditions, lambda c, chosen: tables[c][chosen], sizes, cells, counts)


def _shares(ladder: EncodedHierarchy, wanted: Mask, places: NDArray[np.int64]) -> list[Numbers]:
    """Return per level conditions x cells: the share of a cell's cover that is asked for; 0 for missing."""
    hierarchy = ladder.hierarchy
    leaves = leaf_positions(hierarchy)
    found: list[Numbers] = [np.append(np.zeros((len(wanted), 1)), wanted[:, places].astype(np.float64), axis=1)]
    for level in range(1, ladder.height + 1):
        inside = np.zeros((len(wanted), len(hierarchy.labels[level])))
        np.add.at(inside.T, hierarchy.codes[level], wanted[:, leaves].T)
        found.append(np.append(np.zeros((len(wanted), 1)), inside / np.maximum(1, hierarchy.extent(level)), axis=1))
    return found
