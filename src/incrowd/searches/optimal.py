"""The default: the node with the lowest score, for any metric with a lower bound and any combination of models."""

from dataclasses import dataclass
from math import inf

from incrowd.searches import Guarantee, Node, Outcome, Problem
from incrowd.searches._lattice import Lattice
from incrowd.searches._lattice.boxes import Boxes
from incrowd.searches._lattice.sweep import Sweep
from incrowd.watch import Stopped, Watch

_LISTED = 1 << 22
"""Lattices of up to so many nodes are listed; larger ones are walked without listing their nodes."""


def walk_over(lattice: Lattice) -> Sweep | Boxes:
    """What visits the nodes of a lattice, the better ones sooner or later but surely."""
    return Sweep(lattice) if lattice.size <= _LISTED else Boxes(lattice)


@dataclass(frozen=True)
class Optimal:
    """Prunes by lower bounds and by what counted nodes tell of the nodes below them; may be stopped at any time."""

    def run(self, problem: Problem, watch: Watch) -> Outcome:
        """The best node, or the best so far with the proven gap to the optimum."""
        lattice = Lattice(problem)
        walk = walk_over(lattice)
        best: Node | None = None
        nearest: Node | None = None
        stopped = "done"
        try:
            watch.tick("searching")
            for node in walk.run():
                if node.feasible and (best is None or node.score < best.score):
                    best = node
                if nearest is None or node.suppressed < nearest.suppressed:
                    nearest = node
                watch.tick(f"{lattice.counted} nodes counted")
        except Stopped as stop:
            stopped = stop.reason
        floor = inf if stopped == "done" else walk.floor()
        return Outcome(
            search="optimal",
            guarantee=Guarantee.OPTIMAL,
            node=best,
            counted=lattice.counted,
            lattice=lattice.size,
            stopped=stopped,
            gap=None if best is None else max(0.0, best.score - floor),
            nearest=nearest,
        )


SEARCH = Optimal
