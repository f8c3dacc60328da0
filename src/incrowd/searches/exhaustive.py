"""Every node counted: the oracle of all other searches."""

from dataclasses import dataclass
from itertools import product

from incrowd.searches import Guarantee, LevelsOutcome, LevelsSearch, NothingFound, Problem
from incrowd.searches.lattice import lattice_of
from incrowd.searches.outcomes import of_levels
from incrowd.watch import Stopped, Watch


@dataclass(frozen=True)
class Exhaustive(LevelsSearch):
    """The node with the lowest score; the first in order of levels where several have it."""

    def run(self, problem: Problem, watch: Watch) -> LevelsOutcome | NothingFound:
        """Count every node of the lattice."""
        lattice = lattice_of(problem)
        best = nearest = None
        stopped = "done"
        try:
            for levels in product(
                *(range(low, high + 1) for low, high in zip(lattice.bottom, lattice.top, strict=True))
            ):
                watch.tick(f"{lattice.counted} of {lattice.size} nodes counted", lattice.counted / lattice.size)
                node = lattice.count(levels)
                if node.feasible and (best is None or node.score < best.score):
                    best = node
                if nearest is None or node.suppressed < nearest.suppressed:
                    nearest = node
        except Stopped as stop:
            stopped = stop.reason
        return of_levels(
            search="exhaustive",
            guarantee=Guarantee.OPTIMAL,
            node=best,
            counted=lattice.counted,
            lattice=lattice.size,
            stopped=stopped,
            gap=0.0 if stopped == "done" else None,
            nearest=nearest,
            found_on=lattice.settled(),
        )


SEARCH = Exhaustive
MEANING = "tries every release; for small tables"
RANK = 15
