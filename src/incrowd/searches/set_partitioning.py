"""Unordered set-partitioning (Loukides 2.1.3): parts are any sets of values, joined where that costs least."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.searches import Guarantee, NothingFound, PartsOutcome, PartsSearch, Problem
from incrowd.searches._parts.merging import Merging
from incrowd.searches._parts.outcome import Walked, found_outcome
from incrowd.searches._parts.table import PartTable
from incrowd.watch import Stopped, Watch


@dataclass(frozen=True)
class SetPartitioning(PartsSearch):
    """From single values, two parts of a column are joined: those whose union costs least for each record made safe.

    When a release is feasible, parts are joined, and then values moved from part to part, while that costs less.
    """

    metrics: ClassVar[tuple[str, ...]] = ("loss", "discernibility")
    usual_time: ClassVar[float | None] = 60.0

    def run(self, problem: Problem, watch: Watch) -> PartsOutcome | NothingFound:
        """Return parts that no single step makes better; stopped before any release is feasible, one part a column."""
        table = PartTable.of(problem, "set_partitioning")
        merging = Merging(table, watch)
        stopped = "done"
        try:
            merging.run()
        except Stopped as stop:
            stopped = stop.reason
        partition = merging.partition if merging.feasible else None
        if partition is None and table.judged(table.coarsest).feasible:
            partition = table.coarsest
        walked = Walked("set_partitioning", Guarantee.HEURISTIC, stopped, None, merging.counted)
        return found_outcome(walked, table, partition, None)


SEARCH = SetPartitioning
MEANING = "groups the values of every column into sets, in any order; needs no hierarchies"
RANK = 7
