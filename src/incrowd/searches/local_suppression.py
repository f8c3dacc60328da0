"""Local suppression: as few single cells as it can are suppressed, and all others stay unchanged."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from incrowd.metrics import Levels
from incrowd.searches import CellsOutcome, CellsSearch, Guarantee, NothingFound, Problem, Served
from incrowd.searches._cells.climbing import climb
from incrowd.searches._cells.covering import covering
from incrowd.searches._cells.improving import MOST, Improving
from incrowd.searches._cells.options import (
    POINTS,
    CellsGeneralize,
    Wiped,
    checked_generalize,
    checked_wiped,
    k_alone,
    only_k,
    refuse_twins_of_wiped,
)
from incrowd.searches._cells.outcome import outcome_of
from incrowd.searches._cells.putting_back import put_back
from incrowd.searches._cells.wiping import Flags, WipedPieces, Wiping
from incrowd.searches._layers.building import AT_THE_END, Plan, build
from incrowd.searches._layers.candidates import LevelSteps, ranked, two_steps
from incrowd.searches._layers.layers import Layers
from incrowd.searches._layers.outcome import Built, refuse
from incrowd.searches.lattice import Lattice
from incrowd.searches.mondrian import smallest
from incrowd.watch import Watch


@dataclass(frozen=True)
class LocalSuppression(CellsSearch):
    """Few suppressed cells, each counted as much as its column's priority; fewer may be possible.

    A suppressed cell is the top of its column's hierarchy. First what satisfies the models as it is stays so. Then
    sets of columns to suppress, from cheap to dear, are tried on what is left; of equally cheap ones the one that
    publishes the most records comes first. For k-anonymity alone, classes are then dissolved whose records find cheaper
    places.
    """

    generalize: str = CellsGeneralize.NONE
    """none: cells are unchanged or suppressed; column: a level for each column is chosen as well."""
    wiped: str = Wiped.OWN
    """The values that a suppressed cell matches: own, itself alone; anything, every value."""

    metrics: ClassVar[tuple[str, ...]] = ("loss",)
    points: ClassVar[Served] = POINTS

    def __post_init__(self) -> None:
        object.__setattr__(self, "generalize", checked_generalize("local_suppression", self.generalize))
        object.__setattr__(self, "wiped", checked_wiped("local_suppression", self.wiped))

    @property
    def matches_anything(self) -> bool:
        """Whether a suppressed cell counts as one that matches every value."""
        return self.wiped == Wiped.ANYTHING

    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | NothingFound:
        """Set of columns after set of columns; if stopped, what is left in a few steps."""
        if self.wiped == Wiped.ANYTHING:
            k_alone("local_suppression:wiped=anything", problem)
            refuse_twins_of_wiped("local_suppression:wiped=anything", problem)
        refuse("local_suppression", problem)
        if self.generalize == CellsGeneralize.COLUMN:
            return climb(problem, self._at, watch)
        return self._at(problem, watch)

    def _at(self, problem: Problem, watch: Watch) -> CellsOutcome | NothingFound:
        """Wipe cells on the lowest levels that the problem allows."""
        with watch.as_long_at_the_end(AT_THE_END):
            lattice = Lattice(problem)
        wiping = Wiping(lattice, lattice.bottom, smallest(problem.model))
        if self.wiped == Wiped.ANYTHING:
            pieces, stopped = put_back(wiping, covering(wiping, watch), watch)
            return outcome_of("local_suppression", wiping, pieces, Wiped.ANYTHING, Guarantee.HEURISTIC, stopped=stopped)
        layers = Layers(lattice)
        built = build(layers, _plan(lattice), watch)
        pieces = _pieces(layers, wiping)
        if only_k(problem.model) and built.stopped == "done" and len(pieces.counts) <= MOST:
            improving = Improving(wiping, pieces)
            pieces = improving.run(watch)
            built = built._replace(stopped=improving.stopped)
        return _outcome(wiping, pieces, layers, built)


SEARCH = LocalSuppression


def _plan(lattice: Lattice) -> Plan:
    """Return each column as it is or wiped."""
    ladders = lattice.problem.ladders
    heights = [ladder.height for ladder in ladders]
    priorities = lattice.problem.priorities or (1.0,) * len(ladders)
    prices = [
        priority * (np.arange(height + 1) == height) for priority, height in zip(priorities, heights, strict=True)
    ]
    steps = LevelSteps(two_steps(lattice.bottom, lattice.top, heights), tuple(prices))
    nodes = steps.nodes(lattice.problem.seed)
    # Columns that matter nothing are wiped freely, but no more of them than needed.
    columns = (nodes > np.array(lattice.bottom)).sum(axis=1).astype(np.float64)
    return Plan(steps, nodes, ranked(steps.cost(nodes), columns))


def _pieces(layers: Layers, wiping: Wiping) -> WipedPieces:
    """Return the pieces that the layers publish; no combination is split."""
    bottom: Levels = layers.lattice.bottom
    left_out: Flags = np.any(layers.own < 0, axis=0)
    wiped = (layers.own > np.array(bottom)[:, None]) & ~left_out
    return WipedPieces(np.arange(len(wiping.counts)), wiping.counts, wiped, left_out)


def _outcome(wiping: Wiping, pieces: WipedPieces, layers: Layers, built: Built) -> CellsOutcome | NothingFound:
    lattice = layers.lattice
    found = outcome_of(
        "local_suppression",
        wiping,
        pieces,
        Wiped.OWN,
        Guarantee.HEURISTIC,
        counted=min(layers.counted + lattice.counted, lattice.size),
        stopped=built.stopped,
    )
    return replace(found, nearest=built.nearest) if isinstance(found, NothingFound) else found


MEANING = "suppresses as few single cells as it can and changes nothing else"
RANK = 8
