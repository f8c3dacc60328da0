"""K-Members (Byun, Kamra, Bertino and Li 2007): clusters of k records that are near each other, then refined."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from incrowd.core._kernels import Grower
from incrowd.core.table import Codes
from incrowd.errors import UsageError
from incrowd.searches import Guarantee, Outcome, Problem
from incrowd.searches._clusters.holding import Holding
from incrowd.searches._clusters.measure import Measure
from incrowd.searches._clusters.parting import parts
from incrowd.searches._clusters.pieces import Pieces
from incrowd.searches._clusters.records import Records, smallest_size
from incrowd.searches._clusters.refining import Refining
from incrowd.searches._clusters.threads import finish
from incrowd.watch import Stopped, Watch

Positions = NDArray[np.int64]

OBJECTIVES = ("utility", "protection")
MEASURES = ("leaves", "height")
BOTH, DISTANCE, PROTECTED = 0, 1, 2
"""What a column is for: near records are wanted; it matters for seeds alone; the wider the better."""


@dataclass(frozen=True)
class KMembers:
    """Each cluster begins with the record furthest from the last one, and grows to k by the record that widens it least.

    Clusters that fail another model join the neighbour that this costs least, or are suppressed where that is cheaper
    and may be done. No promise that nothing is better.
    """

    objective: str = "utility"
    """Utility: records of a cluster are alike; protection: their sensitive values differ (K-Members-p of Loukides)."""
    measure: str = "leaves"
    """What a tree's closest common ancestor costs: leaves, the share of them that it covers; height, as in Byun et al."""
    block: int | None = 16_384
    """Records that are clustered together, neighbours of each other; none for all of them, in quadratic time."""
    starts: int = 1
    """How many first records are tried in each block; the clusters that cost least are kept."""
    refine: int = 4
    """Rounds in which neighbouring clusters give records to each other; 0 for K-Members alone. Of utility only."""

    local = True

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise UsageError.not_one_of("objective of k_members", self.objective, OBJECTIVES)
        if self.measure not in MEASURES:
            raise UsageError.not_one_of("measure of k_members", self.measure, MEASURES)
        if self.block is not None:
            _whole_number("block of k_members", self.block, 1)
        _whole_number("starts of k_members", self.starts, 1)
        _whole_number("refine of k_members", self.refine, 0)

    @property
    def needs_sensitive(self) -> bool:
        """Whether it looks at all sensitive columns."""
        return self.objective == "protection"

    def run(self, problem: Problem, watch: Watch) -> Outcome:
        """The clusters found; stopped, what was not clustered yet is one group of each block, or joins the others."""
        records = Records.of(problem, self.measure == "height")
        k, stopped = smallest_size(problem.model), "done"
        growing = Growing(self, records, k)
        try:
            growing.run(watch)
        except Stopped as stop:
            stopped = stop.reason
        refining = Refining(records, growing.pieces(), k)
        grown = refining.cost()
        try:
            if stopped == "done" and self.objective == "utility" and k > 1:
                refining.run(self.refine, watch)
        except Stopped as stop:
            stopped = stop.reason
        refined, holding = refining.cost(), Holding(records, refining.pieces)
        try:
            holding.run(watch if stopped == "done" else Watch())
        except Stopped as stop:
            stopped = stop.reason
        cells = max(1, records.total * records.measure.all_units)
        return Outcome(
            search="k_members",
            guarantee=Guarantee.HEURISTIC,
            node=None,
            counted=growing.clusters,
            lattice=0,
            stopped=stopped,
            gap=None,
            groups=holding.groups(),
            details={
                "k": k,
                "blocks": len(growing.blocks),
                "clusters": growing.clusters,
                "loss_grown": grown / cells,
                "rounds": refining.rounds,
                "loss_refined": refined / cells,
                "joined": holding.joined,
            },
        )


SEARCH = KMembers


class Growing:
    """Clusters of k records, block by block."""

    def __init__(self, search: KMembers, records: Records, k: int) -> None:
        self.clusters = 0
        self._search, self._records, self._k = search, records, k
        self.blocks = [np.sort(block) for block in self._blocks()]
        measure, roles, ranks = self._columns()
        self._growers = [
            [self._grower(measure, roles, ranks, block, at, start) for start in range(search.starts)]
            for at, block in enumerate(self.blocks if k > 1 else ())
        ]

    def run(self, watch: Watch) -> None:
        """Cluster all blocks, on all processors."""
        words = f"{self._records.total} records, clusters of {self._k}"
        finish([grower for growers in self._growers for grower in growers], watch, words)

    def pieces(self) -> Pieces:
        """The clusters; where one record suffices, every combination is one."""
        if self._k == 1:
            every = np.arange(len(self._records.counts))
            found = Pieces(every, self._records.counts, every)
        else:
            found = Pieces.joined(self._best())
        self.clusters = found.n
        return found

    def _best(self) -> Iterator[tuple[Positions, Positions, Positions]]:
        """Of each block the clusters that cost least, of equals the first."""
        for block, growers in zip(self.blocks, self._growers, strict=True):
            costs = [grower.settle() for grower in growers]
            position, counts, cluster = growers[int(np.argmin(costs))].pieces()
            yield block[position], counts, cluster

    def _blocks(self) -> Iterator[Positions]:
        """Neighbouring records, as many as a block may have, and enough for a cluster."""
        records = self._records
        most = records.total if self._search.block is None else max(self._search.block, 2 * self._k)
        if len(records.counts):
            yield from parts(records.measure, 2 * records.ranks.astype(np.int64), records.counts, most, self._k)

    def _columns(self) -> tuple[Measure, Codes, Codes]:
        """What is measured, what each column is for, and the ranks."""
        records = self._records
        quasi = len(records.ranks)
        if self._search.objective == "utility":
            return records.measure, np.full(quasi, BOTH, dtype=np.int32), records.ranks
        axes = tuple(records.problem.sensitive_axes.values())
        if not axes:
            raise UsageError.senseless(
                "objective of k_members",
                "there is no sensitive column to protect",
                "give a column the role sensitive, or choose objective=utility",
            )
        measure = replace(
            records.measure,
            axes=(*records.measure.axes, *axes),
            weights=(*records.measure.weights, *(1.0 for _ in axes)),
        )
        roles = np.array([DISTANCE] * quasi + [PROTECTED] * len(axes), dtype=np.int32)
        return measure, roles, np.concatenate([records.ranks, records.ranks_of(axes)])

    def _grower(self, measure: Measure, roles: Codes, ranks: Codes, block: Positions, at: int, start: int) -> Grower:
        """K-Members of a block, from a record drawn by the seed."""
        counts = self._records.counts[block]
        drawn = np.random.default_rng([self._records.problem.seed, at, start]).integers(int(counts.sum()))
        last = int(np.searchsorted(np.cumsum(counts), drawn, side="right"))
        return Grower(measure.arrays, roles, np.ascontiguousarray(ranks[:, block]), counts, self._k, last)


def _whole_number(what: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UsageError.not_one_of(what, value, [f"a whole number, {least} or more"])
