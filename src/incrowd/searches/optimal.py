"""The default: the node with the lowest score, for any metric with a lower bound and any combination of models."""

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from incrowd.searches import Guarantee, LevelsOutcome, LevelsSearch, Node, NothingFound, Problem
from incrowd.searches.lattice import Lattice, lattice_of
from incrowd.searches.lattice.boxes import Boxes
from incrowd.searches.lattice.sweep import LatticeSweep
from incrowd.searches.outcomes import of_levels
from incrowd.watch import Stopped, Watch

_LISTED = 1 << 22
"""Lattices of up to so many nodes are listed; larger ones are walked without listing their nodes."""


def walk_over(lattice: Lattice) -> LatticeSweep | Boxes:
    """Return a walk over the nodes of a lattice that reaches every node that may be the best."""
    return LatticeSweep(lattice) if is_listed(lattice) else Boxes(lattice)


def is_listed(lattice: Lattice) -> bool:
    """Return whether there are few enough nodes to list them."""
    return lattice.size <= _LISTED


_REMEMBERED = 100_000
"""How many counted nodes are remembered for the way down from the best one; what was forgotten is counted again."""

SAME = 1e-12
"""Scores that differ by less, relative to their size, are the same but for rounding."""


@dataclass(frozen=True)
class Optimal(LevelsSearch):
    """Prunes by lower bounds and by what counted nodes tell of the nodes below them; may be stopped at any time."""

    def run(self, problem: Problem, watch: Watch) -> LevelsOutcome | NothingFound:
        """Return the best node, or the best so far with the proven gap to the optimum."""
        lattice = lattice_of(problem)
        found = best_of(lattice, watch)
        return replace(found, found_on=lattice.settled()) if isinstance(found, LevelsOutcome) else found


def best_of(lattice: Lattice, watch: Watch) -> LevelsOutcome | NothingFound:
    """Return the best node of a lattice, in which some records may not be counted."""
    walk = walk_over(lattice)
    best: Node | None = None
    nearest: Node | None = None
    seen: deque[Node] = deque(maxlen=_REMEMBERED)
    stopped = "done"
    try:
        watch.tick("searching")
        for node in walk.run():
            seen.append(node)
            if node.feasible and (best is None or node.score < best.score):
                best = node
            if nearest is None or node.suppressed < nearest.suppressed:
                nearest = node
            watch.tick(_words(lattice.counted, best))
        if best is not None:
            best = _with_records(best, seen)
        for lower in _lower(lattice, best, seen) if best is not None else ():
            best = lower
            watch.tick(_words(lattice.counted, best))
    except Stopped as stop:
        stopped = stop.reason
    floor = inf if stopped == "done" else walk.floor()
    return of_levels(
        search="optimal",
        guarantee=Guarantee.OPTIMAL,
        node=best,
        counted=lattice.counted,
        lattice=lattice.size,
        stopped=stopped,
        gap=None if best is None else max(0.0, best.score - floor),
        nearest=nearest,
    )


def _words(counted: int, best: Node | None) -> str:
    """Return how far it is, and what who stops it now would get."""
    found = "" if best is None else f"; the best so far scores {best.score:.4g}"
    return f"{counted} nodes counted{found}"


def _with_records(best: Node, seen: Collection[Node]) -> Node:
    """Return the best node, or one with records if it has none and both cost the same."""
    alike = (node for node in seen if node.classes and node.feasible and node.score <= _as_much(best))
    return best if best.classes else next(alike, best)


def _as_much(best: Node) -> float:
    return best.score + SAME * max(1.0, abs(best.score))


def _lower(lattice: Lattice, best: Node, seen: Collection[Node]) -> Iterator[Node]:
    """Yield nodes below the best one that cost the same, to keep detail."""
    known = {node.levels: node for node in seen}
    levels = np.array([node.levels for node in seen])
    dead = np.array([node.dead for node in seen])
    penalty = np.array([node.penalty for node in seen])
    most = _as_much(best)

    def below(upper: Node) -> Iterator[Node]:
        for lower in lattice.below(upper.levels):
            above = (levels >= np.array(lower)).all(axis=1)
            hopeless = dead[above].any() or lattice.bound(lower) + penalty[above].max(initial=0.0) > most
            if lower in known or not hopeless:
                node = known.get(lower) or lattice.count(lower)
                if node.feasible and node.score <= most and (node.classes or not upper.classes):
                    yield node

    while (lower := next(below(best), None)) is not None:
        best = lower
        yield best


SEARCH = Optimal
MEANING = "finds the best release with one level per column (global recoding)"
RANK = 1
