"""Layered: full-domain generalization over and over, each time of what is left (local recoding, as ARX does it)."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import ClassVar

from incrowd.core.grid import Point
from incrowd.metrics import Columns, Levels
from incrowd.metrics.loss import Loss
from incrowd.parameters import number_from, whole_number
from incrowd.searches import CellsOutcome, CellsSearch, LevelsOutcome, NothingFound, Problem, Served
from incrowd.searches._layers.building import AT_THE_END, Plan, build
from incrowd.searches._layers.candidates import LevelSteps, ranked
from incrowd.searches._layers.layers import Layers
from incrowd.searches._layers.outcome import Built, outcome_of, refuse
from incrowd.searches._layers.starting import start_from_groups
from incrowd.searches.lattice import Lattice
from incrowd.searches.optimal import SAME, best_of, is_listed, walk_over
from incrowd.watch import Stopped, Watch

_COUNTED_KEYS = 50_000_000
"""How many combinations are looked at for a full-domain release that keeps more, in a lattice that is not listed."""
_BETWEEN = 64
"""How many nodes are counted before it is asked again whether one may keep more."""


@dataclass(frozen=True)
class Layered(CellsSearch):
    """A good release whose levels differ from layer to layer; no promise that none is better.

    A layer is the cheapest level vector that publishes enough of the records that are left: all classes of them that
    satisfy the models. It costs what the metric says of all records on these levels, whether they are published there
    or not. The next layer looks at the rest. Where levels are too many to be listed, groups of Mondrian come first. If
    a single level vector scores less than the layers, it is taken.
    """

    share: float = 0.0
    """Of the records that are left each layer publishes at least this share; 0 takes any that publishes something."""
    layers: int = 0
    """How many layers there may be; the last one is the optimal release of what is left. 0 sets no limit."""

    points: ClassVar[Served] = {Point.CG: {}}

    def __post_init__(self) -> None:
        number_from("share of layered", self.share, 0, 1)
        whole_number("layers of layered", self.layers, 0)

    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | NothingFound:
        """Build layer after layer; if stopped, keep the layers so far and add the rest in a few steps."""
        refuse("layered", problem)
        with watch.as_long_at_the_end(AT_THE_END):
            layers = Layers(Lattice(problem))
        built = build(layers, self._plan(layers.lattice), watch)
        found = _outcome(layers, built)
        if built.stopped != "done" or not isinstance(found, CellsOutcome):
            return found
        try:
            better = self._better(layers, found.node.score, watch)
        except Stopped as stop:
            return replace(found, stopped=stop.reason)
        if better is None:
            return found
        layers.give_back(all_layers=True)
        layers.publish(layers.see(better))
        return _outcome(layers, Built("done", 0))

    def _plan(self, lattice: Lattice) -> Plan:
        problem = lattice.problem
        weights = problem.priorities or (1.0,) * len(problem.ladders)
        loss = Loss().prepare(Columns(lattice.combinations, problem.ladders, weights))
        levels = tuple(tuple(range(low, high + 1)) for low, high in zip(lattice.bottom, lattice.top, strict=True))
        steps = LevelSteps(levels, tuple(loss.parts))
        nodes = steps.nodes(problem.seed)
        metric = lattice.metric.bound(LevelSteps(levels, tuple(lattice.metric.parts)).cost(nodes))
        # Where the metric tells nothing from the levels alone, as with those that count classes, the loss decides.
        ranks = ranked(metric, steps.cost(nodes))
        if not self.layers:
            from_groups = not (self.share or is_listed(lattice))
            first = partial(start_from_groups, steps) if from_groups else None
            return Plan(steps, nodes, ranks, self.share, first=first)
        return Plan(steps, nodes, ranks, self.share, self.layers - 1, _last_layer)

    def _better(self, layers: Layers, score: float, watch: Watch) -> Levels | None:
        """Return the levels of the best full-domain release, if it scores less; None if there is none.

        Where levels are too many to be listed, it is the best of the first that `optimal` counts.
        """
        lattice = layers.lattice
        walk, best = walk_over(lattice), None
        most = None if is_listed(lattice) else _COUNTED_KEYS // max(1, len(layers.of))
        left_out = (1 - Fraction(str(self.share))) * lattice.records
        score -= SAME * max(1.0, abs(score))
        for at, node in enumerate(islice(walk.run(), most)):
            watch.tick(f"looking for levels for all records: {lattice.counted} nodes counted")
            if node.feasible and node.score < score and node.suppressed <= left_out:
                best, score = node.levels, node.score
            if at % _BETWEEN == 0 and walk.floor() >= score:
                break
        return best


SEARCH = Layered


def _outcome(layers: Layers, built: Built) -> CellsOutcome | NothingFound:
    details = {"grouped": layers.records_in_groups, "layers": layers.as_data(), "joined": built.joined}
    return outcome_of("layered", layers, built, details)


def _last_layer(layers: Layers, watch: Watch) -> None:
    """Publish the optimal release of the rest; if there is none, take back the layer before and try again."""
    while True:
        found = best_of(Lattice(layers.lattice.problem, layers.of >= 0), watch)
        layers.lattice.counted += found.counted
        if isinstance(found, LevelsOutcome):
            layers.publish(layers.see(found.node.levels))
        if found.stopped != "done":
            raise Stopped(found.stopped)
        if isinstance(found, LevelsOutcome) or not layers.layers:
            return
        layers.give_back()


MEANING = "one level per column for most records, higher levels for the rest"
RANK = 3
