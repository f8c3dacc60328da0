"""From candidates to a release within the limits: layers, the rest, and what to do where that is not enough."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.searches import Node
from incrowd.searches._layers.candidates import LevelSteps
from incrowd.searches._layers.layers import Layers
from incrowd.searches._layers.mending import mend
from incrowd.searches._layers.outcome import Built, holding
from incrowd.searches._layers.sweep import LayerSweep
from incrowd.watch import Stopped, Watch

Layering = Callable[[Layers, Watch], None]
"""Publishes what is left, or a part of it; may raise Stopped."""

AT_THE_END = 25.0
"""How many times as long as to lay the table along the lattice it takes to finish once time is up."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Where layers come from, and how many there may be."""

    steps: LevelSteps
    nodes: NDArray[np.int16]
    """Level vectors x columns."""
    ranks: NDArray[np.int64]
    """Of the level vectors by their cost."""
    share: float = 0.0
    """Of the records that are left each layer publishes at least this share."""
    most: int | None = None
    """How many layers there may be before the last one; any number where there is no last one."""
    last: Layering | None = None
    """Publishes what is left in one layer."""
    first: Layering | None = None
    """Publishes a part before there are layers."""


def build(layers: Layers, plan: Plan, watch: Watch) -> Built:
    """Build layer after layer; if stopped, keep the layers so far and add the rest in a few steps."""
    budget = layers.lattice.problem.budget
    sweep = LayerSweep(layers, plan.nodes, plan.ranks, plan.share)
    stopped, joined = "done", 0
    try:
        if plan.first is not None:
            plan.first(layers, watch)
        sweep.run(watch, plan.most)
        if plan.last is not None:
            plan.last(layers, watch)
    except Stopped as stop:
        stopped = stop.reason
        if plan.last is None:
            sweep.hurry()
        layers.publish(layers.see(plan.steps.top))
    if layers.left > budget:
        joined = mend(layers, plan.steps)
    recoding = holding(layers) if layers.left <= budget else None
    if recoding is not None:
        return Built(stopped, joined, recoding=recoding)
    try:
        return Built(stopped, 0, _alone(layers, plan, watch))
    except Stopped as stop:
        return Built(stop.reason, 0)


def _alone(layers: Layers, plan: Plan, watch: Watch) -> Node | None:
    """Return the cheapest level vector that is a release by itself if layers fail, or else the nearest miss."""
    layers.give_back(all_layers=True)
    fewest, nearest = layers.left + 1, None
    for at in np.argsort(plan.ranks, kind="stable").tolist():
        watch.tick("looking for levels for all records")
        seen = layers.see(tuple(plan.nodes[at].tolist()))
        missed = layers.left - seen.records
        if missed <= layers.lattice.problem.budget:
            layers.publish(seen)
            return None
        if missed < fewest:
            fewest, nearest = missed, seen.levels
    return None if nearest is None else layers.lattice.count(nearest)
