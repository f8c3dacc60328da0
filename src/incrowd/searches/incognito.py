"""Incognito (LeFevre, DeWitt and Ramakrishnan 2005): all solutions, from small sets of columns to all of them."""

from dataclasses import asdict, dataclass

from incrowd.errors import UsageError
from incrowd.metrics import Levels
from incrowd.searches import Guarantee, LevelsOutcome, LevelsSearch, Node, NothingFound, Problem
from incrowd.searches._subsets import Round, Subsets
from incrowd.searches.lattice import lattice_of
from incrowd.searches.outcomes import of_levels
from incrowd.watch import Stopped, Watch

ANSWERS = ("all", "minimal")


@dataclass(frozen=True)
class Incognito(LevelsSearch):
    """All feasible nodes or all minimal ones, and of them the one that scores least.

    With answer=all no feasible node scores less than the chosen one; with answer=minimal no other minimal one does.
    """

    answer: str = "all"

    def __post_init__(self) -> None:
        if self.answer not in ANSWERS:
            raise UsageError.not_one_of("answer of incognito", self.answer, ANSWERS)

    def run(self, problem: Problem, watch: Watch) -> LevelsOutcome | NothingFound:
        """Return sets of one column, of two, ..., of all of them."""
        every = self.answer == "all"
        subsets = Subsets(problem, watch)
        solutions = Solutions(problem, watch, subsets.whole)
        stopped = "done"
        try:
            solutions.find(subsets.candidates(), every)
            if every:
                solutions.score_marked()
        except Stopped as stop:
            stopped = stop.reason
        node = solutions.best()
        optimal = every and stopped == "done"
        return of_levels(
            search="incognito",
            guarantee=_guarantee(every, stopped),
            node=node,
            counted=sum(each.counted for each in subsets.rounds),
            lattice=solutions.lattice.size,
            stopped=stopped,
            gap=0.0 if optimal else None,
            nearest=solutions.nearest,
            also=tuple(levels for levels in solutions.found if node is None or levels != node.levels),
            details={"rounds": [asdict(each) for each in subsets.rounds], "scored": len(solutions.scored)},
        )


SEARCH = Incognito


def _guarantee(every: bool, stopped: str) -> Guarantee:
    """Return the guarantee: minimal nodes are known when found, the best only when all are known."""
    if not every:
        return Guarantee.MINIMAL
    return Guarantee.OPTIMAL if stopped == "done" else Guarantee.HEURISTIC


class Solutions:
    """The last round, over all columns: which of the nodes that are left are feasible."""

    def __init__(self, problem: Problem, watch: Watch, progress: Round) -> None:
        self.lattice = lattice_of(problem)
        self.found: dict[Levels, None] = {}
        """The solutions, lowest height first."""
        self.scored: list[Node] = []
        """Those that were counted; the others are feasible because they lie above one that is."""
        self.nearest: Node | None = None
        self._watch = watch
        self._progress = progress

    def _count(self, levels: Levels) -> Node:
        self._watch.tick(f"all columns: {self.lattice.counted} nodes counted")
        self._progress.counted += 1
        node = self.lattice.count(levels)
        if self.nearest is None or node.suppressed < self.nearest.suppressed:
            self.nearest = node
        return node

    def find(self, candidates: list[Levels], every: bool) -> None:
        """Find the feasible candidates, or the minimal ones; they come lowest first, with all that lies above each."""
        above: set[Levels] = set()
        for levels in candidates:
            if levels in above:
                above.update(self.lattice.above(levels))
                if not every:
                    continue
                if self.lattice.keeps_feasible:
                    self._keep(levels)
                    continue
            node = self._count(levels)
            if node.feasible:
                self._keep(levels)
                self.scored.append(node)
                above.update(self.lattice.above(levels))
        if not self.found and self.lattice.top not in candidates:
            self._count(self.lattice.top)

    def _keep(self, levels: Levels) -> None:
        self.found[levels] = None
        self._progress.kept += 1

    def score_marked(self) -> None:
        """Count those solutions that were not, unless their lower bound shows that they are not the best."""
        best = self.best()
        counted = {node.levels for node in self.scored}
        for bound, levels in sorted((self.lattice.bound(levels), levels) for levels in self.found):
            if best is None or bound >= best.score:
                return
            if levels not in counted:
                node = self._count(levels)
                self.scored.append(node)
                best = node if node.score < best.score else best

    def best(self) -> Node | None:
        """Return the solution that scores least; of equals the first that was counted."""
        return min(self.scored, key=lambda node: node.score, default=None)


MEANING = "finds all releases that satisfy the models, then takes the best"
RANK = 14
