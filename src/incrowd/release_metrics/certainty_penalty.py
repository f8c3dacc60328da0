"""Certainty penalty (NCP of Xu et al.): how much of its column's domain a cell covers, nothing for a single value."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.core.axes import Kind
from incrowd.core.table import MISSING, Codes
from incrowd.errors import UsageError
from incrowd.release_metrics.contract import ANY, Bounds, Goal, Reading, Side
from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.reference import Base, ReferenceRelease, Value, covered, spread
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Numbers


@dataclass(frozen=True)
class CertaintyPenaltyOfRelease:
    """Sum over cells of the share of the domain; a suppressed cell costs 1.

    Of numbers the share of their range. Of other values as `values` says: `distinct`, those behind the cell over those
    of the table (Loukides 2.1.5, where a single value costs something too), `leaves`, the base values that the cell
    covers over all of them, or `xu`, the same with nothing for a single one (Xu et al.).
    """

    values: str = "distinct"
    """`distinct`, `leaves` or `xu`."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "share of the column's domain that a cell covers, summed over cells (NCP)"

    def __post_init__(self) -> None:
        if self.values not in ("distinct", "leaves", "xu"):
            raise UsageError.not_one_of("values", self.values, ("distinct", "leaves", "xu"))

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, for each column, and the mean over cells."""
        costs = {}
        for at, covers in enumerate(released.columns[: released.quasi]):
            shares = self._shares(covers, np.unique(released.original.codes[at]))
            costs[covers.scale.name] = float(shares[released.cells[at]] @ released.counts) + released.suppressed
        cells = max(1, released.records * released.quasi)
        return Reading(sum(costs.values()), {**costs, "mean": sum(costs.values()) / cells})

    def _shares(self, covers: Covers, in_table: Codes) -> Numbers:
        """Return the penalty of each cell."""
        if covers.scale.axis.kind == Kind.NUMBERS:
            return covers.spread
        if self.values == "distinct":
            behind = covers.known(MISSING in in_table) if covers.distinct is None else covers.distinct
            return behind / max(1, len(in_table))
        shares = covers.count / max(1, covers.scale.size)
        return shares if self.values == "leaves" else np.where(covers.count > 1, shares, 0.0)

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, cell by cell."""
        cost = float(page.suppressed * page.quasi)
        for group in page.classes:
            for at in range(page.quasi):
                in_table = {record[at] for record in page.original}
                behind = {record[at] for record in group.behind}
                cost += len(group.others) * self._cell(group.cells[at], page.bases[at], behind, in_table)
        return cost

    def _cell(self, cell: frozenset[Value], base: Base, behind: set[Value], in_table: set[Value]) -> float:
        if base.numeric and base.paths is None:
            return spread(cell, base)
        if self.values == "distinct":
            return len(behind) / len(in_table)
        values = covered(cell, base)
        return 0.0 if self.values == "xu" and values == 1 else values / max(1, len(base.values))


RELEASE_METRIC = CertaintyPenaltyOfRelease
