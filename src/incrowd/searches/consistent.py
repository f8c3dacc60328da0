"""k-anonymity revisited: cells as general as it takes for every record to fit k (Gionis, Mazza and Tassa 2008)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.core.grid import Point
from incrowd.errors import UsageError
from incrowd.models.consistent_k import ConsistentK
from incrowd.searches import CellsOutcome, CellsSearch, Guarantee, Node, NothingFound, Problem, Served
from incrowd.searches._consistent.boxes import Nodes, cheapest_boxes
from incrowd.searches._consistent.matches import least_matches, matched
from incrowd.searches._consistent.people import fitting, least_of_rows, widened
from incrowd.searches._consistent.rows import OwnLevels, Pieces, Rows
from incrowd.searches._layers.outcome import node_of, refuse
from incrowd.searches.lattice import Lattice
from incrowd.searches.outcomes import Shared
from incrowd.watch import Watch

MOST = 60_000
"""How many different combinations, at most: the work grows with their square."""

MOST_PARTED = 10_000
"""How many rows, at most, when equal records are parted."""

_LESS = 1e-12
"""Smaller differences are due to rounding."""


@dataclass(frozen=True)
class Consistent(CellsSearch):
    """Every combination has levels of its own, chosen for little loss; no promise that none is better.

    First every row covers k records as cheaply as it can; then rows are widened until each record is consistent with k;
    for global_one_k also until k of these may be their own. That is done once with equal records published alike, and
    once with some of them as rows of their own: the better one is taken. Records are suppressed only where the highest
    levels allowed leave fewer than k alike.
    """

    counts_people: ClassVar[bool] = False

    consistent: ClassVar[bool] = True
    metrics: ClassVar[tuple[str, ...]] = ("loss",)
    points: ClassVar[Served] = {Point.CG: {}}

    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | NothingFound:
        """Return rows that satisfy the model; if stopped, widen them quickly, more than needed but never too little."""
        model = _model(problem)
        refuse("consistent", problem)
        lattice = Lattice(problem)
        every = lattice.combinations.combinations
        sizes, of = Nodes(lattice, np.arange(every)).classes(lattice.top)
        rows = Rows.of(lattice, sizes[of] >= model.k)
        left = int(sizes[sizes < model.k].sum())
        if left > problem.budget:
            return _outcome(lattice, None, 1, "done")
        _refuse_many(len(rows))
        nodes = Nodes(lattice, rows.order)
        boxes, stopped = cheapest_boxes(nodes, rows, model.k, problem.seed, watch)
        whole = _Tried.of(model, lattice, nodes, rows, boxes, watch)
        counted, best, reasons = nodes.counted, whole, [stopped, whole.stopped]
        # As many rows as Rows.parted makes.
        more = int(np.minimum(rows.counts, model.k).sum())
        if model.of_people and problem.can_part and reasons == ["done"] * 2 and len(rows) < more <= MOST_PARTED:
            parted, of = Rows.of(lattice, sizes[of] >= model.k).parted(model.k - 1)
            nodes = Nodes(lattice, parted.order, parted.counts)
            apart = _Tried.of(model, lattice, nodes, parted, boxes[:, of], watch)
            counted, best = counted + nodes.counted, apart if apart.node.score < whole.node.score - _LESS else whole
            reasons.append(apart.stopped)
        reason = next((each for each in reasons if each != "done"), "done")
        return _outcome(lattice, best, counted, reason)


SEARCH = Consistent


@dataclass(frozen=True, eq=False)
class _Tried:
    """Rows that satisfy the model, and what they cost."""

    node: Node
    own: OwnLevels
    pieces: Pieces | None
    reached: Mapping[str, int]
    stopped: str

    @classmethod
    def of(
        cls, model: ConsistentK, lattice: Lattice, nodes: Nodes, rows: Rows, boxes: OwnLevels, watch: Watch
    ) -> "_Tried":
        stopped = _chosen(model, nodes, rows, boxes, watch)
        own, pieces = rows.in_pieces(lattice.combinations)
        node = node_of(lattice.problem, lattice.combinations, own, pieces)
        return cls(node, own, pieces, _reached(model, nodes, rows), stopped)


def _chosen(model: ConsistentK, nodes: Nodes, rows: Rows, boxes: OwnLevels, watch: Watch) -> str:
    """Return the levels of all rows, and what ended the search."""
    reasons = []
    if model.notion != "one_k":
        rows.levels[:] = boxes
    if model.of_people:
        reasons.append(widened(nodes, rows, boxes, model.k, watch))
    if model.notion == "global_one_k":
        reasons.append(matched(rows, boxes, model.k, watch))
    return next((reason for reason in reasons if reason != "done"), "done")


def _reached(model: ConsistentK, nodes: Nodes, rows: Rows) -> dict[str, int]:
    """Return the k of either side, counted anew."""
    if not len(rows):
        return {"people": 0, "rows": 0}
    people = least_matches(rows) if model.notion == "global_one_k" else int(fitting(nodes, rows).min())
    return {"people": people, "rows": least_of_rows(nodes, rows)}


def _outcome(lattice: Lattice, best: _Tried | None, counted: int, stopped: str) -> CellsOutcome | NothingFound:
    shared: Shared = {
        "search": "consistent",
        "guarantee": Guarantee.HEURISTIC,
        "counted": min(counted, lattice.size),
        "lattice": lattice.size,
        "stopped": stopped,
        "gap": None,
        "details": {} if best is None else best.reached,
    }
    if best is None:
        return NothingFound(nearest=lattice.count(lattice.top), **shared)
    return CellsOutcome(node=best.node, own_levels=best.own, pieces=best.pieces, **shared)


def _model(problem: Problem) -> ConsistentK:
    if not isinstance(problem.model, ConsistentK):
        raise UsageError.invalid(
            "consistent with these models",
            "its records need not be alike, and other models judge classes of equal records",
            "give only the model consistent_k",
        )
    return problem.model


def _refuse_many(combinations: int) -> None:
    if combinations > MOST:
        raise UsageError.invalid(
            "consistent with this table",
            f"it has {combinations:,} different combinations; the limit is {MOST:,}",
            "generalize beforehand (minimum), or choose another search",
        )
