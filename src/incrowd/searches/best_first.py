"""ANON's search: the nodes in order of their weighted information loss, until one passes the privacy test."""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import ClassVar

from incrowd.metrics import Levels
from incrowd.metrics.weighted_loss import WeightedLoss
from incrowd.searches import Guarantee, LevelsOutcome, LevelsSearch, Node, NothingFound, Problem
from incrowd.searches.lattice import Lattice, lattice_of
from incrowd.searches.outcomes import of_levels
from incrowd.watch import Stopped, Watch

_LISTED = 5_000
"""How many visited nodes are listed in the details."""

_SIMPLE = 10**6
"""The largest denominator of a fraction that a number is taken for."""


@dataclass(frozen=True)
class BestFirst(LevelsSearch):
    """Opens the bottom; takes the open node with the lowest loss, first opened first; opens what is directly above.

    The loss of a node is the sum over the columns of priority x loss of the level, whatever the metric. Losses never
    fall on the way up, so the first node that passes has the lowest loss of all that do, under any model.
    """

    minimizes: ClassVar[str] = "weighted_loss"

    def run(self, problem: Problem, watch: Watch) -> LevelsOutcome | NothingFound:
        """Visit node after node; every one taken from the open list is counted, the solution included."""
        lattice = lattice_of(problem)
        losses = WeightedLosses.of(problem)
        found: Node | None = None
        nearest: Node | None = None
        visited: list[Levels] = []
        stopped = "done"
        try:
            for levels in in_order(lattice, losses):
                watch.tick(f"{lattice.counted} of {lattice.size} nodes visited", lattice.counted / lattice.size)
                node = lattice.count(levels)
                visited += [levels] if len(visited) < _LISTED else []
                if node.feasible:
                    found = node
                    break
                if nearest is None or node.suppressed < nearest.suppressed:
                    nearest = node
        except Stopped as stop:
            stopped = stop.reason
        own_cost = isinstance(problem.metric, WeightedLoss)
        return of_levels(
            search="best_first",
            guarantee=_guarantee(lattice, losses, found, own_cost) if stopped == "done" else Guarantee.HEURISTIC,
            node=found,
            nearest=nearest,
            counted=lattice.counted,
            lattice=lattice.size,
            stopped=stopped,
            gap=0.0 if found and own_cost else None,
            found_on=lattice.settled(),
            details={
                "optimal_for": self.minimizes,
                "weighted_loss": None if found is None else float(losses.exact(found.levels)),
                "visited": [list(levels) for levels in visited],
            },
        )


SEARCH = BestFirst


@dataclass(frozen=True)
class WeightedLosses:
    """Priority x loss per column and level as whole numbers over one denominator: sums equal on paper are equal."""

    parts: tuple[tuple[int, ...], ...]
    denominator: int

    @classmethod
    def of(cls, problem: Problem) -> "WeightedLosses":
        """Return the losses of a problem's hierarchies, each times its column's priority."""
        priorities = problem.priorities or (1.0,) * len(problem.ladders)
        exact = [
            [as_meant(priority) * as_meant(loss) for loss in ladder.hierarchy.losses]
            for priority, ladder in zip(priorities, problem.ladders, strict=True)
        ]
        denominator = lcm(*(loss.denominator for losses in exact for loss in losses))
        return cls(tuple(tuple(int(loss * denominator) for loss in losses) for losses in exact), denominator)

    def scaled(self, levels: Levels) -> int:
        """Return a node's weighted loss times the denominator."""
        return sum(part[level] for part, level in zip(self.parts, levels, strict=True))

    def exact(self, levels: Levels) -> Fraction:
        """Return a node's weighted loss."""
        return Fraction(self.scaled(levels), self.denominator)


def as_meant(number: float) -> Fraction:
    """Return the simple fraction that the number is the nearest double of, such as 1/3; else the number as it is
    written."""
    simple = Fraction(number).limit_denominator(_SIMPLE)
    return simple if float(simple) == number else Fraction(str(number))


def in_order(lattice: Lattice, losses: WeightedLosses) -> Iterator[Levels]:
    """Yield all nodes by weighted loss; of equals the one that was opened first (ANON, algorithm 2)."""
    open_ = [(losses.scaled(lattice.bottom), 0, lattice.bottom)]
    opened = {lattice.bottom}
    while open_:
        levels = heapq.heappop(open_)[-1]
        yield levels
        for child in lattice.above(levels):
            if child not in opened:
                heapq.heappush(open_, (losses.scaled(child), len(opened), child))
                opened.add(child)


def _guarantee(lattice: Lattice, losses: WeightedLosses, found: Node | None, own_cost: bool) -> Guarantee:
    """Return the guarantee. For another metric the node of lowest weighted loss need not score least; it is minimal if
    every step up to it costs something."""
    if own_cost:
        return Guarantee.OPTIMAL
    if found is None:
        return Guarantee.MINIMAL
    steps = zip(losses.parts, lattice.bottom, found.levels, strict=True)
    rising = all(_rises(part[low : level + 1]) for part, low, level in steps)
    return Guarantee.MINIMAL if rising else Guarantee.HEURISTIC


def _rises(numbers: Sequence[int]) -> bool:
    return all(low < high for low, high in pairwise(numbers))


MEANING = "finds the lowest weighted loss: losses of levels, multiplied by priorities (ANON)"
RANK = 12
