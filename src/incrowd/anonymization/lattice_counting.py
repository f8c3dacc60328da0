"""Counting the nodes of a lattice: first those that tell most about others, then the satisfied ones for their score."""

from collections.abc import Iterator

import numpy as np

from incrowd.anonymization.lattice_nodes import NOT_SATISFIED, SATISFIED, UNKNOWN, Counts, LatticeNodes
from incrowd.anonymization.neighbors import in_people
from incrowd.anonymization.preparation import Preparation
from incrowd.anonymization.preparing import prepare
from incrowd.anonymization.run import Inputs
from incrowd.core.schema import Role
from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import METRICS
from incrowd.metrics import Levels
from incrowd.searches import AxisSearch
from incrowd.searches.lattice import Lattice, lattice_of
from incrowd.watch import Show, Stopped, Watch, all_or_nothing

MOST = 200_000
"""Largest lattice whose nodes are listed."""


def lattice_nodes(inputs: Inputs, job: Job, seconds: float | None = None, progress: Show | None = None) -> LatticeNodes:
    """Count the nodes of a job's lattice until the score of all that satisfy the models is known.

    After so many seconds of counting nodes, what is known is returned: to read the table may take longer.
    """
    if isinstance(job.search, AxisSearch):
        raise UsageError.invalid(
            "the lattice of a job", "its search does not choose a level per column", "use a search such as optimal"
        )
    with Watch(None, progress) as watch, all_or_nothing("the table was being counted"):
        prepared = prepare(Preparation(inputs.source, inputs.population), job, {}, watch)
    lattice = lattice_of(prepared.problem)
    if lattice.size > MOST:
        raise UsageError.invalid(
            "the lattice",
            f"it has {lattice.size:,} nodes, more than {MOST:,}",
            "narrow the levels of the columns (limit and minimum)",
        )
    board = _Board(lattice)
    stopped = None
    with Watch(seconds, progress) as watch:
        try:
            for counted in board.run():
                watch.tick(f"{counted:,} of {lattice.size:,} nodes counted", None)
        except Stopped as stop:
            stopped = stop.reason
    return board.nodes(job.having(Role.QUASI), METRICS.spell(job.metric), stopped)


class _Board:
    """The facts known of each node."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._shape = tuple(high - low + 1 for low, high in zip(lattice.bottom, lattice.top, strict=True))
        self._state = np.full(self._shape, UNKNOWN, dtype=np.uint8)
        self._score = np.full(self._shape, np.nan)
        self._facts = {name: np.full(self._shape, -1, dtype=np.int64) for name in ("suppressed", "smallest", "classes")}
        total = np.zeros(self._shape)
        self._heights = np.zeros(self._shape, dtype=np.int64)
        for axis, (part, low, size) in enumerate(zip(lattice.metric.parts, lattice.bottom, self._shape, strict=True)):
            along = [-1 if at == axis else 1 for at in range(len(self._shape))]
            total += part[low : low + size].reshape(along)
            self._heights += np.arange(size).reshape(along)
        self._bound = np.asarray(lattice.metric.bound(total.reshape(-1)), dtype=np.float64)
        self._counted: set[Levels] = set()

    def run(self) -> Iterator[int]:
        """Count node after node; yield how many there are."""
        yield from self._settle_states()
        bound = np.argsort(self._bound, kind="stable")
        for number in bound[self._state.reshape(-1)[bound] == SATISFIED].tolist():
            at = tuple(int(step) for step in np.unravel_index(number, self._shape))
            if at not in self._counted:
                yield self._count(at)

    def _settle_states(self) -> Iterator[int]:
        """Halve chains of nodes whose state is unknown (Flash): each counted node tells about those above or below."""
        for number in np.argsort(self._heights, axis=None, kind="stable").tolist():
            at = tuple(int(step) for step in np.unravel_index(number, self._shape))
            while self._state[at] == UNKNOWN:
                chain = self._chain(at)
                low, high = 0, len(chain) - 1
                while low <= high:
                    middle = (low + high) // 2
                    if self._state[chain[middle]] == UNKNOWN:
                        yield self._count(chain[middle])
                    if self._state[chain[middle]] == SATISFIED:
                        high = middle - 1
                    else:
                        low = middle + 1
                if self._state[at] == UNKNOWN:
                    yield self._count(at)

    def _chain(self, at: Levels) -> list[Levels]:
        """Return a way up from a node through nodes whose state is unknown."""
        chain = [at]
        while True:
            above = (
                (*at[:column], step + 1, *at[column + 1 :])
                for column, step in enumerate(at)
                if step + 1 < self._shape[column]
            )
            following = next((each for each in above if self._state[each] == UNKNOWN), None)
            if following is None:
                return chain
            chain.append(following)
            at = following

    def _count(self, at: Levels) -> int:
        """Count a node, and note what it tells of others."""
        lattice = self._lattice
        levels = tuple(step + low for step, low in zip(at, lattice.bottom, strict=True))
        node = in_people(lattice, lattice.count(levels))
        self._counted.add(at)
        self._state[at] = SATISFIED if node.feasible else NOT_SATISFIED
        self._facts["suppressed"][at] = node.suppressed
        self._facts["smallest"][at] = node.smallest
        self._facts["classes"][at] = node.classes
        if node.feasible:
            self._score[at] = node.score
            if lattice.keeps_feasible:
                self._note(tuple(slice(step, None) for step in at), SATISFIED)
        elif node.dead or lattice.keeps_feasible:
            self._note(tuple(slice(0, step + 1) for step in at), NOT_SATISFIED)
        return len(self._counted)

    def _note(self, part: tuple[slice, ...], state: int) -> None:
        states = self._state[part]
        states[states == UNKNOWN] = state

    def nodes(self, columns: tuple[str, ...], metric: str, stopped: str | None) -> LatticeNodes:
        """Return what is known."""
        facts: dict[str, Counts] = {name: of.reshape(-1) for name, of in self._facts.items()}
        return LatticeNodes(
            columns,
            self._lattice.bottom,
            self._lattice.top,
            metric,
            len(self._counted),
            state=self._state.reshape(-1),
            bound=self._bound,
            score=self._score.reshape(-1),
            **facts,
            stopped=stopped,
        )
