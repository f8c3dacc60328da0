"""Samarati's search: the lowest height of the lattice that has a solution, found by bisection."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from incrowd.errors import UsageError
from incrowd.metrics import Levels
from incrowd.searches import Guarantee, LevelsOutcome, LevelsSearch, Node, NothingFound, Problem
from incrowd.searches._vectors import VectorLattice
from incrowd.searches.lattice import Lattice, lattice_of
from incrowd.searches.outcomes import of_levels
from incrowd.watch import Stopped, Watch

Criteria = dict[str, Any]

PREFER: dict[str, Callable[[Criteria], Any]] = {
    "absolute": lambda criteria: criteria["absolute"],
    "relative": lambda criteria: criteria["relative"],
    "distribution": lambda criteria: -criteria["distinct"],
    "suppression": lambda criteria: criteria["suppressed"],
}
"""Which of several solutions is preferred: fewest steps, fewest steps relative to the heights of the hierarchies, most
distinct combinations, fewest suppressed records. Of equals the first: lowest height, then first column raised first."""

MINIMAL = ("lowest_height", "all")


@dataclass(frozen=True)
class Samarati(LevelsSearch):
    """All solutions of the lowest height that has any, or all minimal ones; one of them is preferred.

    A height is passed over only where counted nodes prove that nothing up to it is feasible. Where generalizing keeps a
    solution one, that is bisection; for other models it is bisection on what is necessary, and from the height that
    it ends at (`bisected_to`) one height after the other.
    """

    prefer: str = "absolute"
    minimal: str = "lowest_height"
    """`all` adds the minimal solutions of greater heights, which Samarati's search does not look for."""
    vectors: bool = False
    """Find classes in the matrix of distance vectors; for small tables."""

    def __post_init__(self) -> None:
        if self.prefer not in PREFER:
            raise UsageError.not_one_of("prefer of samarati", self.prefer, PREFER)
        if self.minimal not in MINIMAL:
            raise UsageError.not_one_of("minimal of samarati", self.minimal, MINIMAL)

    def run(self, problem: Problem, watch: Watch) -> LevelsOutcome | NothingFound:
        """Return the preferred solution, and the others."""
        lattice = VectorLattice(problem) if self.vectors else lattice_of(problem)
        heights = Heights(lattice, watch)
        stopped = "done"
        try:
            heights.climb(heights.bisect(), every=self.minimal == "all")
        except Stopped as stop:
            stopped = stop.reason
        solutions = heights.minimal or heights.lowest_feasible()
        criteria = {node.levels: criteria_of(node, problem) for node in solutions}
        node = min(solutions, key=lambda node: PREFER[self.prefer](criteria[node.levels]), default=None)
        return of_levels(
            search="samarati",
            guarantee=Guarantee.MINIMAL if heights.minimal or stopped == "done" else Guarantee.HEURISTIC,
            node=node,
            counted=lattice.counted,
            lattice=lattice.size,
            stopped=stopped,
            gap=None,
            nearest=heights.nearest() if node is None else None,
            found_on=lattice.settled(),
            also=tuple(other.levels for other in solutions if other is not node),
            details={
                "heights": heights.seen,
                "bisected_to": heights.bisected_to,
                "lowest_height": heights.lowest,
                "solutions": [_plain(each) for each in criteria.values()],
            },
        )


SEARCH = Samarati


class Heights:
    """The lattice height by height, counted from its bottom, and what is known of it."""

    def __init__(self, lattice: Lattice, watch: Watch) -> None:
        self._lattice = lattice
        self._watch = watch
        self._known: dict[Levels, Node] = {}
        self._top = sum(lattice.top) - sum(lattice.bottom)
        self.bisected_to: int | None = None
        """The height that bisection ended at: nothing below it is feasible."""
        self.minimal: list[Node] = []
        """The solutions found that have none below them."""

    def _count(self, levels: Levels) -> Node:
        if levels not in self._known:
            self._watch.tick(f"{self._lattice.counted} nodes counted, now at height {self._height(levels)}")
            self._known[levels] = self._lattice.count(levels)
        return self._known[levels]

    def _height(self, levels: Levels) -> int:
        return sum(levels) - sum(self._lattice.bottom)

    def _at(self, height: int) -> Iterator[Levels]:
        return at_height(self._lattice.bottom, self._lattice.top, height)

    @property
    def seen(self) -> list[int]:
        """The heights in the order in which they were first looked at."""
        return list(dict.fromkeys(self._height(levels) for levels in self._known))

    @property
    def lowest(self) -> int | None:
        """The lowest height that has a solution, once it is known."""
        return self._height(self.minimal[0].levels) if self.minimal else None

    def bisect(self) -> int:
        """Return a height below which nothing is feasible; every node lies below some node of any greater height."""
        low, high = 0, self._top
        while low < high:
            probe = (low + high) // 2
            if any(not self._count(levels).dead for levels in self._at(probe)):
                high = probe
            else:
                low = probe + 1
        self.bisected_to = low
        return low

    def climb(self, start: int, every: bool) -> None:
        """Find the solutions of the lowest height from `start` that has any; with `every`, also the minimal ones
        above."""
        covered: set[Levels] = set()
        for height in range(start, self._top + 1):
            open_ = [levels for levels in self._at(height) if levels not in covered]
            for levels in open_:
                node = self._count(levels)
                if node.feasible:
                    self.minimal.append(node)
                    covered.add(levels)
            if self.minimal and not (every and open_):
                return
            covered = {higher for levels in covered for higher in self._lattice.above(levels)}

    def lowest_feasible(self) -> list[Node]:
        """Return the feasible nodes of the lowest height counted so far; nodes below may be unknown."""
        feasible = [node for node in self._known.values() if node.feasible]
        lowest = min((self._height(node.levels) for node in feasible), default=0)
        return [node for node in feasible if self._height(node.levels) == lowest]

    def nearest(self) -> Node | None:
        """Return the counted node with the fewest records to suppress."""
        return min(self._known.values(), key=lambda node: node.suppressed, default=None)


def at_height(bottom: Levels, top: Levels, height: int) -> Iterator[Levels]:
    """Yield the nodes of a height, those that raise the first column most first."""
    if not bottom:
        yield ()
        return
    room = sum(top[1:]) - sum(bottom[1:])
    for steps in range(min(top[0] - bottom[0], height), max(0, height - room) - 1, -1):
        for rest in at_height(bottom[1:], top[1:], height - steps):
            yield (bottom[0] + steps, *rest)


def criteria_of(node: Node, problem: Problem) -> Criteria:
    """Return the numbers that Samarati's preferences compare."""
    steps = zip(node.levels, problem.ladders, strict=True)
    return {
        "levels": node.levels,
        "absolute": sum(node.levels),
        "relative": sum((Fraction(level, ladder.height) for level, ladder in steps), Fraction(0)),
        "distinct": node.classes,
        "suppressed": node.suppressed,
    }


def _plain(criteria: Criteria) -> Criteria:
    return {**criteria, "levels": list(criteria["levels"]), "relative": float(criteria["relative"])}


MEANING = "finds the fewest generalization steps in total"
RANK = 13
