"""A level for each column, then single cells wiped: the vector of levels with the least loss, by climbing."""

from collections.abc import Callable
from dataclasses import replace

from incrowd.metrics import Levels
from incrowd.metrics.loss import Loss
from incrowd.searches import CellsOutcome, NothingFound, Problem
from incrowd.searches._layers.outcome import node_of
from incrowd.searches.lattice import Lattice
from incrowd.searches.optimal import best_of
from incrowd.watch import Stopped, Watch

At = Callable[[Problem, Watch], CellsOutcome | NothingFound]
"""Wipes cells of a table on the lowest levels that the problem allows."""


def climb(problem: Problem, at: At, watch: Watch) -> CellsOutcome | NothingFound:
    """Climb from the lowest levels, and from those best without wiping, one step of one column at a time.

    Levels are judged by the loss of the whole release, in which a wiped cell counts 1, whatever the metric of the job.
    """
    judged: dict[Levels, CellsOutcome | NothingFound] = {}
    lattice = Lattice(problem)
    stopped = "done"

    def loss(levels: Levels) -> float:
        if levels not in judged:
            watch.tick(f"{len(judged)} vectors of levels")
            judged[levels] = at(replace(problem, minimum=levels, metric=Loss()), watch)
        found = judged[levels]
        return float("inf") if isinstance(found, NothingFound) else found.node.score

    # Without any time the lowest levels are still wiped, as they would be alone.
    judged[lattice.bottom] = at(replace(problem, metric=Loss()), watch)
    try:
        whole = best_of(Lattice(replace(problem, metric=Loss())), watch)
        for start in (lattice.bottom, lattice.bottom if isinstance(whole, NothingFound) else whole.node.levels):
            here = start
            while True:
                nearby = [*lattice.above(here), *lattice.below(here)]
                best = min([here, *nearby], key=loss)
                if best == here:
                    break
                here = best
    except Stopped as stop:
        stopped = stop.reason
    levels = min(judged, key=lambda each: (loss(each), each))
    return _scored_by_metric(problem, judged[levels], levels, len(judged), stopped)


def _scored_by_metric(
    problem: Problem, found: CellsOutcome | NothingFound, levels: Levels, judged: int, stopped: str
) -> CellsOutcome | NothingFound:
    """Return the best one, scored by the metric of the job."""
    lattice = Lattice(problem)
    if isinstance(found, CellsOutcome):
        scored = node_of(problem, lattice.combinations, found.own_levels, found.pieces)
        found = replace(found, node=scored._replace(smallest=found.node.smallest))
    return replace(
        found,
        counted=min(judged, lattice.size),
        lattice=lattice.size,
        stopped=stopped if stopped != "done" else found.stopped,
        details={"levels": dict(zip(problem.quasi, levels, strict=True)), **found.details},
    )
