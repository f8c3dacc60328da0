"""Annealing (after Winkler 2002): from cut to cut by chance, ever less often to a worse one."""

from dataclasses import dataclass
from math import exp, inf
from typing import ClassVar

from incrowd.parameters import whole_number
from incrowd.searches import CellsOutcome, CellsSearch, NothingFound, Problem
from incrowd.searches._layers.outcome import refuse
from incrowd.searches._subtrees.cuts import JudgedCut
from incrowd.searches._subtrees.walking import Walk, walked
from incrowd.watch import Watch

_TRIED = 50
"""How many first steps tell how hot to begin."""

_HOT, _COLD = 2 / 3, 1 / 60
"""The first and the last temperature, in what a first step that costs more does so in the mean.

On Adult with k = 5 and 2 %, half as hot and half as hot again ended with worse cuts more often.
"""


@dataclass(frozen=True)
class Annealing(CellsSearch):
    """A good full-subtree recoding, never worse than the full-domain release that it begins with; no promise beyond.

    A step opens one node of a column's tree or closes one. A step to a cut that costs more is taken with the
    probability exp(-more / temperature), and the temperature falls from step to step.
    """

    usual_time: ClassVar[float | None] = 60.0

    steps: int = 10_000
    """How many steps are tried."""

    def __post_init__(self) -> None:
        whole_number("steps of annealing", self.steps)

    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | NothingFound:
        """Return the best cut on the way, and what single steps still make of it."""
        refuse("annealing", problem)
        return walked("annealing", problem, watch, self._cool)

    def _cool(self, walk: Walk) -> None:
        walk.begin(1)
        here = walk.best or walk.highest
        uphill = _uphill(walk, here)
        for step in range(self.steps):
            share = step / self.steps
            there = walk.judge(walk.step(here.cut), share)
            more = walk.cost(there) - walk.cost(here)
            temperature = uphill * _HOT * (_COLD / _HOT) ** share
            if more <= 0 or walk.chance.random() < exp(-more / temperature):
                here = there


SEARCH = Annealing


def _uphill(walk: Walk, here: JudgedCut) -> float:
    """Return the mean extra cost of steps that cost more."""
    first = (walk.judge(walk.step(here.cut), 0.0) for _ in range(_TRIED))
    more = [cost for each in first if 0 < (cost := walk.cost(each) - walk.cost(here)) < inf]
    return sum(more) / len(more) if more else walk.scale
