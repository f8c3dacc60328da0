"""Climbing: from the bottom of the lattice one column, one level at a time, until a node is feasible."""

from collections.abc import Callable

from incrowd.searches import Guarantee, LevelsOutcome, Node, NothingFound, Problem
from incrowd.searches.lattice.lattice import Lattice
from incrowd.searches.lattice.people import lattice_of
from incrowd.searches.outcomes import of_levels
from incrowd.watch import Stopped, Watch

Choose = Callable[[Lattice, Node], Node | None]
"""The next node above the one that was reached; None at the top."""


def climbed(search: str, problem: Problem, watch: Watch, choose: Choose) -> LevelsOutcome | NothingFound:
    """Return the first feasible node on the way up."""
    lattice = lattice_of(problem)
    nearest, stopped = None, "done"
    node: Node | None = lattice.count(lattice.bottom)
    path = []
    try:
        while node is not None:
            path.append(list(node.levels))
            if nearest is None or node.suppressed < nearest.suppressed:
                nearest = node
            if node.feasible:
                break
            watch.tick(f"{lattice.counted} nodes counted; {node.suppressed:,} records do not satisfy the models yet")
            node = choose(lattice, node)
    except Stopped as stop:
        # The top is all that can be had at once.
        top = lattice.count(lattice.top)
        node, stopped = top if top.feasible else None, stop.reason
    return of_levels(
        search=search,
        guarantee=Guarantee.HEURISTIC,
        node=node,
        counted=lattice.counted,
        lattice=lattice.size,
        stopped=stopped,
        gap=None,
        nearest=nearest,
        details={"path": path},
        found_on=lattice.settled(),
    )
