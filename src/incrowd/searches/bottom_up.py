"""Bottom-up generalization (after Wang, Yu and Chakraborty 2004): always the step that costs least for its gain."""

from dataclasses import dataclass

from incrowd.searches import LevelsOutcome, LevelsSearch, Node, NothingFound, Problem
from incrowd.searches.lattice import Lattice
from incrowd.searches.lattice.climbing import climbed
from incrowd.watch import Watch


@dataclass(frozen=True)
class BottomUp(LevelsSearch):
    """Takes, of all columns, the one up a level whose loss is smallest for each record that becomes safe by it.

    Their measure is information lost over anonymity gained, step by step in a taxonomy; here a step is a level of a
    column, loss is the metric's bound and gain the records that no longer have to go.
    """

    def run(self, problem: Problem, watch: Watch) -> LevelsOutcome | NothingFound:
        """Return the first feasible node on that way; it may generalize more than is needed."""

        def cheapest(lattice: Lattice, node: Node) -> Node | None:
            found: list[tuple[float, float, int, Node]] = []
            for at, levels in enumerate(lattice.above(node.levels)):
                above = lattice.count(levels)
                lost = max(0.0, lattice.bound(levels) - lattice.bound(node.levels))
                gained = node.suppressed - above.suppressed
                # A step that brings nothing may still be needed: it comes last, the cheaper one first.
                price = lost / gained if gained > 0 else float("inf")
                found.append((price, lost, at, above))
            return min(found, key=lambda step: step[:3])[3] if found else None

        return climbed("bottom_up", problem, watch, cheapest)


SEARCH = BottomUp
