"""Microaggregation (MDAV: Domingo-Ferrer and Torra 2005): groups of k around outer records."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.core.axes import Kind
from incrowd.core.kernels import Averager
from incrowd.models.class_size import fewest_records
from incrowd.parameters import whole_number
from incrowd.searches import GroupsOutcome, GroupsSearch, NothingFound, Problem
from incrowd.searches._clusters.blocks import Positions, blocks, singles, whole
from incrowd.searches._clusters.holding import Holding
from incrowd.searches._clusters.records import ClusterRecords
from incrowd.searches._clusters.threads import finish
from incrowd.searches._people.limits import run_for_people
from incrowd.searches.outcomes import of_groups
from incrowd.watch import Stopped, Watch

MODE, MEAN, MEDIAN = 0, 1, 2
"""The center of a column: its most frequent value, the mean of its numbers, or its middle value."""
_CENTRES = {Kind.NUMBERS: MEAN, Kind.ORDER: MEDIAN, Kind.TREE: MODE, Kind.SET: MODE}


_AT_THE_END = 2.0
"""How many times as long as to lay out the records it takes to finish once time is up."""


@dataclass(frozen=True)
class Microaggregation(GroupsSearch):
    """The record furthest from the center and the k - 1 nearest to it are a group, so are the one furthest from it and
    its nearest, and so on.

    Numbers are apart by their difference, values of a tree by what their closest common ancestor covers, others by
    all or nothing; squares are summed up. Groups that fail another model join their nearest, or are suppressed where
    that is cheaper and may be done.
    """

    leaves_out_people: ClassVar[bool] = True

    block: int | None = 16_384
    """Records that are grouped together, neighbors of each other; none for all of them, in quadratic time."""

    def __post_init__(self) -> None:
        if self.block is not None:
            whole_number("block of microaggregation", self.block, 1)

    def run(self, problem: Problem, watch: Watch) -> GroupsOutcome | NothingFound:
        """Return the groups found; if stopped, what was not grouped yet is one group of each block."""
        if problem.people is not None:
            return run_for_people("microaggregation", self.run, problem, watch)
        with watch.as_long_at_the_end(_AT_THE_END):
            records = ClusterRecords.of(problem)
        k, stopped = fewest_records(problem.model), "done"
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
            holding.run(watch)
        except Stopped as stop:
            stopped = stop.reason if stopped == "done" else stopped
        details = {"k": k, "blocks": len(averagers), "clusters": pieces.n, "joined": holding.joined}
        return of_groups("microaggregation", holding.groups(), pieces.n, stopped, details)


SEARCH = Microaggregation
MEANING = "replaces numbers by the mean of a class of at least k"
RANK = 5
