"""Microaggregation (MDAV: Domingo-Ferrer and Torra 2005): groups of k around outer records."""

from dataclasses import dataclass

import numpy as np

from incrowd.core.axes import Kind
from incrowd.core.kernels import Averager
from incrowd.parameters import whole_number
from incrowd.searches import Guarantee, Outcome, Problem
from incrowd.searches._clusters.blocks import Positions, blocks, singles, whole
from incrowd.searches._clusters.holding import Holding
from incrowd.searches._clusters.records import Records, smallest_size
from incrowd.searches._clusters.threads import finish
from incrowd.watch import Stopped, Watch

MODE, MEAN, MEDIAN = 0, 1, 2
"""The centre of a column: its most frequent value, the mean of its numbers, or its middle value."""
_CENTRES = {Kind.NUMBERS: MEAN, Kind.ORDER: MEDIAN, Kind.TREE: MODE, Kind.SET: MODE}


@dataclass(frozen=True)
class Microaggregation:
    """The record furthest from the centre and the k - 1 nearest to it are a group, so are the one furthest from it and
    its nearest, and so on.

    Numbers are apart by their difference, values of a tree by what their closest common ancestor covers, others by
    all or nothing; squares are summed up. Groups that fail another model join their nearest, or are suppressed where
    that is cheaper and may be done.
    """

    block: int | None = 16_384
    """Records that are grouped together, neighbours of each other; none for all of them, in quadratic time."""

    local = True

    def __post_init__(self) -> None:
        if self.block is not None:
            whole_number("block of microaggregation", self.block, 1)

    def run(self, problem: Problem, watch: Watch) -> Outcome:
        """The groups found; stopped, what was not grouped yet is one group of each block."""
        records = Records.of(problem)
        k, stopped = smallest_size(problem.model), "done"
        centres = np.array([_CENTRES[axis.kind] for axis in records.measure.axes], dtype=np.int32)
        found: list[Positions] = []
        averagers: list[Averager] = []
        try:
            for block in blocks(records, self.block, k, watch) if k > 1 else ():
                ranks = np.ascontiguousarray(records.ranks[:, block])
                averagers.append(Averager(records.measure.arrays, centres, ranks, records.counts[block], k))
                found.append(block)
            finish(averagers, watch, f"{records.total} records, groups of {k}")
        except Stopped as stop:
            stopped = stop.reason
        for averager in averagers:
            averager.settle()
        pieces = whole(records, found, averagers) if k > 1 else singles(records)
        holding = Holding(records, pieces)
        try:
            holding.run(watch if stopped == "done" else Watch())
        except Stopped as stop:
            stopped = stop.reason
        return Outcome(
            search="microaggregation",
            guarantee=Guarantee.HEURISTIC,
            node=None,
            counted=pieces.n,
            lattice=0,
            stopped=stopped,
            gap=None,
            groups=holding.groups(),
            details={"k": k, "blocks": len(averagers), "clusters": pieces.n, "joined": holding.joined},
        )


SEARCH = Microaggregation
