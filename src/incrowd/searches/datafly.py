"""Datafly (Sweeney 1997): always the column with the most different values."""

from dataclasses import dataclass

import numpy as np

from incrowd.metrics import Levels
from incrowd.searches import LevelsOutcome, LevelsSearch, Node, NothingFound, Problem
from incrowd.searches.lattice import Lattice
from incrowd.searches.lattice.climbing import climbed
from incrowd.watch import Watch


@dataclass(frozen=True)
class Datafly(LevelsSearch):
    """Generalizes the column with the most different values by one level, until few enough records have to go.

    Sweeney stops when at most k records are left over; here the job tells how many may be suppressed.
    """

    def run(self, problem: Problem, watch: Watch) -> LevelsOutcome | NothingFound:
        """Return the first feasible node on that way; it may generalize more than is needed."""

        def with_most_values(lattice: Lattice, node: Node) -> Node | None:
            # The first of equal ones, as max has it.
            above = max(
                lattice.above(node.levels), key=lambda above: _values(lattice, node.levels, above), default=None
            )
            return None if above is None else lattice.count(above)

        return climbed("datafly", problem, watch, with_most_values)


def _values(lattice: Lattice, levels: Levels, above: Levels) -> int:
    """Return how many values the column has that is taken a level up."""
    column = next(at for at, (one, other) in enumerate(zip(levels, above, strict=True)) if one != other)
    return len(np.unique(lattice.problem.ladders[column].up[levels[column]][lattice.combinations.codes[column]]))


SEARCH = Datafly
