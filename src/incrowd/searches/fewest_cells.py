"""Fewest cells: no release suppresses fewer single cells; an integer program for small tables."""

from dataclasses import dataclass, replace
from itertools import product
from time import monotonic
from typing import ClassVar

import numpy as np

from incrowd.errors import UsageError
from incrowd.metrics import Levels
from incrowd.metrics.loss import Loss
from incrowd.searches import CellsOutcome, CellsSearch, Guarantee, NothingFound, Problem, Served
from incrowd.searches._cells import linear_program, matching_program
from incrowd.searches._cells.linear_program import Until, fewest
from incrowd.searches._cells.matching_program import fewest_matching, standing_out
from incrowd.searches._cells.options import (
    POINTS,
    CellsGeneralize,
    Wiped,
    checked_generalize,
    checked_wiped,
    k_alone,
    need_scipy,
    refuse_larger,
)
from incrowd.searches._cells.outcome import outcome_of
from incrowd.searches._cells.wiping import WipedPieces, Wiping
from incrowd.searches._layers.candidates import two_steps
from incrowd.searches.lattice import Lattice
from incrowd.searches.local_suppression import LocalSuppression
from incrowd.searches.outcomes import Progress
from incrowd.watch import Stopped, Watch

_MOST_NODES = 3_000
"""How many vectors of levels are looked through."""

_NEAR = 1e-9
"""Costs this near are the same but for rounding."""


@dataclass(frozen=True)
class FewestCells(CellsSearch):
    """The least loss by wiping single cells, each counted as much as its column's priority; k-anonymity alone."""

    counts_people: ClassVar[bool] = False

    generalize: str = CellsGeneralize.NONE
    """none: cells are unchanged or suppressed; column: a level for each column is chosen as well."""
    wiped: str = Wiped.OWN
    """The values that a suppressed cell matches: own, itself alone; anything, every value."""
    seconds: float = 60.0
    """After so many seconds the best release so far is taken, with what is proven about the best."""

    metrics: ClassVar[tuple[str, ...]] = ("loss",)
    points: ClassVar[Served] = POINTS

    def __post_init__(self) -> None:
        object.__setattr__(self, "generalize", checked_generalize("fewest_cells", self.generalize))
        object.__setattr__(self, "wiped", checked_wiped("fewest_cells", self.wiped))
        if isinstance(self.seconds, bool) or not isinstance(self.seconds, int | float) or not self.seconds > 0:
            raise UsageError.not_one_of("seconds of fewest_cells", self.seconds, ["a number above 0"])

    @property
    def matches_anything(self) -> bool:
        """Whether a suppressed cell counts as one that matches every value."""
        return self.wiped == Wiped.ANYTHING

    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | NothingFound:
        """Return one program, or one for each vector of levels, as long as they can be better than the best so far.

        What `local_suppression` finds comes first: there is a release whenever it is stopped, and where none can be
        better there is nothing to solve.
        """
        k = k_alone("fewest_cells", problem)
        if not isinstance(problem.metric, Loss):
            raise UsageError.invalid(
                "fewest_cells", "it minimizes loss, which counts suppressed cells", "choose the metric loss"
            )
        need_scipy("fewest_cells")
        lattice = Lattice(problem)
        vectors = _levels(lattice) if self.generalize == CellsGeneralize.COLUMN else [lattice.bottom]
        wipings = [Wiping(lattice, levels, k) for levels in vectors]
        anything = self.wiped == Wiped.ANYTHING
        (matching_program if anything else linear_program).refuse_large(wipings[0])
        until = Until(watch, monotonic() + self.seconds)
        start = LocalSuppression(self.generalize, self.wiped).run(problem, watch)
        search = _Search(lattice, Wiped(self.wiped), start, until)
        search.look(wipings)
        return search.outcome()


SEARCH = FewestCells


def _levels(lattice: Lattice) -> list[Levels]:
    refuse_larger("fewest_cells", lattice.size, _MOST_NODES, "vectors of levels")
    return list(product(*(range(low, high + 1) for low, high in zip(lattice.bottom, lattice.top, strict=True))))


class _Search:
    """The best release so far, over vectors of levels; at first that of the heuristic."""

    def __init__(self, lattice: Lattice, wiped: Wiped, start: CellsOutcome | NothingFound, until: Until) -> None:
        self._lattice, self._wiped, self._start, self._until = lattice, wiped, start, until
        problem = lattice.problem
        self._cells = sum(problem.priorities or (1.0,) * len(problem.quasi)) * float(problem.frequencies.records)
        self._cost = (
            np.inf if isinstance(start, NothingFound) else start.node.score * self._cells + _unpriced(lattice, start)
        )
        self._best: tuple[Wiping, WipedPieces] | None = None
        self._open = np.inf
        """No release that was not looked at, or not to the end, costs less."""
        self._counted, self._stopped, self._several = 0, "done", False

    def look(self, wipings: list[Wiping]) -> None:
        """Try vectors of levels in the order of their lower bounds."""
        self._several = len(wipings) > 1
        bounds = [_least(wiping) for wiping in wipings]
        order = sorted(range(len(wipings)), key=bounds.__getitem__)
        for position, at in enumerate(order):
            if bounds[at] >= self._cost - _NEAR:
                return
            try:
                self._until.watch.tick(f"{position} of {len(order)} vectors of levels", position / len(order))
                self._try(wipings[at])
            except Stopped as stop:
                self._stopped = stop.reason
            if self._stopped != "done":
                self._open = min([self._open, *(bounds[each] for each in order[position:])])
                return

    def _try(self, wiping: Wiping) -> None:
        self._counted += 1
        base = float((wiping.cells * wiping.counts).sum())
        solve = fewest_matching if self._wiped == Wiped.ANYTHING else fewest
        solved = solve(wiping, self._until, self._cost - base)
        if not solved.proven:
            self._open, self._stopped = min(self._open, base + max(0.0, solved.bound)), "time"
        if solved.pieces is not None and base + wiping.cost(solved.pieces) < self._cost - _NEAR:
            self._best, self._cost = (wiping, solved.pieces), base + wiping.cost(solved.pieces)

    def outcome(self) -> CellsOutcome | NothingFound:
        """Return the outcome."""
        gap = max(0.0, self._cost - min(self._open, self._cost)) / max(_NEAR, self._cells)
        known: Progress = {"counted": max(1, self._counted), "stopped": self._stopped, "gap": gap}
        if self._best is not None:
            wiping, pieces = self._best
            levels = dict(zip(self._lattice.problem.quasi, wiping.levels, strict=True))
            known["details"] = {"levels": levels} if self._several else {}
            return outcome_of("fewest_cells", wiping, pieces, self._wiped, Guarantee.OPTIMAL, **known)
        if isinstance(self._start, CellsOutcome):
            found = replace(self._start, search="fewest_cells", guarantee=Guarantee.OPTIMAL, lattice=self._lattice.size)
            return replace(found, **known)
        return self._nothing()

    def _nothing(self) -> NothingFound:
        """Return the nearest miss: the table with every cell wiped that may be."""
        lattice = self._lattice
        heights = [ladder.height for ladder in lattice.problem.ladders]
        wiped = tuple(levels[-1] for levels in two_steps(lattice.bottom, lattice.top, heights))
        nearest = lattice.count(wiped)
        return NothingFound(
            search="fewest_cells",
            guarantee=Guarantee.OPTIMAL,
            counted=self._counted,
            lattice=lattice.size,
            stopped=self._stopped,
            gap=None,
            nearest=None if nearest.feasible else nearest,
        )


def _unpriced(lattice: Lattice, start: CellsOutcome) -> float:
    """Return the cost of wiped cells that the loss does not count: those of columns with a single value."""
    problem = lattice.problem
    weights = problem.priorities or (1.0,) * len(problem.quasi)
    single = [ladder.hierarchy.domain <= 1 for ladder in problem.ladders]
    wiped = [start.details["wiped_by_column"][name] for name in problem.quasi]
    return float(sum(weight * n for weight, n, free in zip(weights, wiped, single, strict=True) if free))


def _least(wiping: Wiping) -> float:
    """Return the least cost of a release on these levels: its cells, and a wiped cell for each record unique there."""
    cheapest = wiping.prices.min(axis=0, initial=np.inf)
    return float((wiping.cells * wiping.counts).sum() + (cheapest * wiping.counts)[standing_out(wiping)].sum())


MEANING = "suppresses the smallest possible number of single cells; for small tables"
RANK = 9
