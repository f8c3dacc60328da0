"""k-anonymity revisited: cells as general as it takes for everybody to fit k records (Gionis, Mazza and Tassa 2008)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.core.grid import Point
from incrowd.errors import UsageError
from incrowd.models.consistent_k import ConsistentK
from incrowd.searches import Guarantee, Node, Outcome, Problem, Served
from incrowd.searches._consistent.boxes import Nodes, cheapest_boxes
from incrowd.searches._consistent.matches import least_matches, matched
from incrowd.searches._consistent.people import fitting, least_of_rows, widened
from incrowd.searches._consistent.rows import OwnLevels, Rows
from incrowd.searches._lattice import Lattice
from incrowd.searches._layers.outcome import node_of, refuse
from incrowd.watch import Watch

MOST = 60_000
"""So many different combinations, at most: the work grows with their square."""


@dataclass(frozen=True)
class Consistent:
    """Every combination has levels of its own, chosen for little loss; no promise that none is better.

    First every row covers k records as cheaply as it can; then rows are widened until everybody is consistent with k;
    for global_one_k also until k of these may be their own. Records are suppressed only where the highest levels
    allowed leave fewer than k alike.
    """

    consistent = True
    metrics: ClassVar[tuple[str, ...]] = ("loss",)
    points: ClassVar[Served] = {Point.CG: {}}

    def run(self, problem: Problem, watch: Watch) -> Outcome:
        """Stopped, rows are widened in a hurry: more than it takes, and never too little."""
        model = _model(problem)
        refuse("consistent", problem)
        lattice = Lattice(problem)
        every = lattice.combinations.combinations
        sizes, of = Nodes(lattice, np.arange(every)).classes(lattice.top)
        rows = Rows.of(lattice, sizes[of] >= model.k)
        nodes, left = Nodes(lattice, rows.order), int(sizes[sizes < model.k].sum())
        if left > problem.budget:
            return _outcome(lattice, None, 1, "done", {})
        _refuse_many(len(rows))
        stopped = _chosen(model, nodes, rows, problem.seed, watch)
        node = node_of(problem, lattice.combinations, rows.in_place(every))
        return _outcome(lattice, node, nodes.counted, stopped, _reached(model, nodes, rows), rows.in_place(every))


SEARCH = Consistent


def _chosen(model: ConsistentK, nodes: Nodes, rows: Rows, seed: int, watch: Watch) -> str:
    """The levels of all rows, and what ended the search."""
    boxes, stopped = cheapest_boxes(nodes, rows, model.k, seed, watch)
    reasons = [stopped]
    if model.notion != "one_k":
        rows.levels[:] = boxes
    if model.of_people:
        reasons.append(widened(nodes, rows, boxes, model.k, watch))
    if model.notion == "global_one_k":
        reasons.append(matched(rows, boxes, model.k, watch))
    return next((reason for reason in reasons if reason != "done"), "done")


def _reached(model: ConsistentK, nodes: Nodes, rows: Rows) -> dict[str, int]:
    """The k of either side, counted anew."""
    if not len(rows):
        return {"people": 0, "rows": 0}
    people = least_matches(rows) if model.notion == "global_one_k" else int(fitting(nodes, rows).min())
    return {"people": people, "rows": least_of_rows(nodes, rows)}


def _outcome(
    lattice: Lattice,
    node: Node | None,
    counted: int,
    stopped: str,
    reached: Mapping[str, int],
    own: OwnLevels | None = None,
) -> Outcome:
    return Outcome(
        search="consistent",
        guarantee=Guarantee.HEURISTIC,
        node=node,
        counted=min(counted, lattice.size),
        lattice=lattice.size,
        stopped=stopped,
        gap=None,
        nearest=lattice.count(lattice.top) if node is None else None,
        details=reached,
        own_levels=own,
    )


def _model(problem: Problem) -> ConsistentK:
    if not isinstance(problem.model, ConsistentK):
        raise UsageError.senseless(
            "consistent with these models",
            "its records need not be alike, and other models judge classes of records that are",
            "give the model consistent_k, and no other",
        )
    return problem.model


def _refuse_many(combinations: int) -> None:
    if combinations > MOST:
        raise UsageError.senseless(
            "consistent with this table",
            f"it has {combinations:,} different combinations, and at most {MOST:,} are compared with each other",
            "generalise beforehand (minimum), or choose another search",
        )
