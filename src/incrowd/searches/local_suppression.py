"""Local suppression: single cells are wiped, as few as it can, and all others stay as they are."""

from dataclasses import dataclass

import numpy as np

from incrowd.searches import Outcome, Problem
from incrowd.searches._lattice import Lattice
from incrowd.searches._layers.building import Plan, build
from incrowd.searches._layers.candidates import Steps, ranked, two_steps
from incrowd.searches._layers.layers import Layers
from incrowd.searches._layers.outcome import outcome_of, refuse
from incrowd.watch import Watch


@dataclass(frozen=True)
class LocalSuppression:
    """Few wiped cells, each counted as much as its column's priority; no promise that there are none fewer.

    A wiped cell is the top of its column's hierarchy and a value of its own: records with the same cells, wiped or
    not, are a class. First what satisfies the models as it is stays so. Then sets of columns to wipe, from cheap to
    dear, are tried on what is left; of equally cheap ones the one that publishes the most records comes first.
    """

    def run(self, problem: Problem, watch: Watch) -> Outcome:
        """Set of columns after set of columns; stopped, what is left in a few steps."""
        refuse("local_suppression", problem)
        layers = Layers(Lattice(problem))
        built = build(layers, _plan(layers.lattice), watch)
        return outcome_of("local_suppression", layers, built, _wiped(layers))


SEARCH = LocalSuppression


def _plan(lattice: Lattice) -> Plan:
    """Each column as it is or wiped."""
    ladders = lattice.problem.ladders
    heights = [ladder.height for ladder in ladders]
    priorities = lattice.problem.priorities or (1.0,) * len(ladders)
    prices = [
        priority * (np.arange(height + 1) == height) for priority, height in zip(priorities, heights, strict=True)
    ]
    steps = Steps(two_steps(lattice.bottom, lattice.top, heights), tuple(prices))
    nodes = steps.nodes(lattice.problem.seed)
    # Columns that matter nothing are wiped freely, but no more of them than needed.
    columns = (nodes > np.array(lattice.bottom)).sum(axis=1).astype(np.float64)
    return Plan(steps, nodes, ranked(steps.cost(nodes), columns))


def _wiped(layers: Layers) -> dict[str, object]:
    """How many cells are wiped, in all and by column."""
    lattice = layers.lattice
    wiped = [
        int(lattice.combinations.counts[own == ladder.height].sum()) if low < ladder.height else 0
        for own, ladder, low in zip(layers.own, lattice.problem.ladders, lattice.bottom, strict=True)
    ]
    return {"wiped": sum(wiped), "wiped_by_column": dict(zip(lattice.problem.quasi, wiped, strict=True))}
