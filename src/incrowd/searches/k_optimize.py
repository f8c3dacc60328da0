"""k-Optimize (Bayardo and Agrawal 2005): the best ordered set-partitioning, each column split into intervals."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.recodings import Form
from incrowd.searches import Guarantee, NothingFound, PartsOutcome, PartsSearch, Problem
from incrowd.searches._parts.costs import ClassificationCost, Cost, DiscernibilityCost
from incrowd.searches._parts.enumeration import SetEnumeration
from incrowd.searches._parts.outcome import Walked, found_outcome, refined
from incrowd.searches._parts.split_points import SplitPoints
from incrowd.searches._parts.table import Partition, PartTable
from incrowd.watch import Stopped, Watch


@dataclass(frozen=True)
class KOptimize(PartsSearch):
    """Walks the set-enumeration tree over all places where a column may be split, pruned by lower bounds.

    Keeps discernibility low, or with a label the cost of classification; may be stopped at any time.
    """

    label: str | None = None
    """The column that a classifier is to predict: then the records whose label is not that of most in their class
    count, and suppressed ones. Without it discernibility."""

    forms: ClassVar[tuple[Form, ...]] = (Form.RANGE, Form.SET)
    usual_time: ClassVar[float | None] = 60.0

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of a job that it keeps low; a job that names none need not name this one."""
        return ("discernibility",) if self.label is None else ()

    @property
    def looks_at(self) -> tuple[str, ...]:
        """The label is counted."""
        return () if self.label is None else (self.label,)

    def run(self, problem: Problem, watch: Watch) -> PartsOutcome | NothingFound:
        """Return the best intervals, or the best so far with the proven gap to the optimum."""
        table = PartTable.of(problem, "k_optimize", self.looks_at or None)
        records = problem.frequencies.records
        cost: Cost = DiscernibilityCost(records)
        if self.label is not None:
            cost = ClassificationCost((self.label,), 1 / max(1, records))
        walk = SetEnumeration(SplitPoints(table, cost, watch))
        partition: Partition | None = None
        stopped, floor = "done", None
        try:
            for words in walk.run():
                watch.tick(words)
            floor = walk.limit
            partition = None if walk.best is None else walk.splits.partition(walk.best)
            for finer in refined(table, partition, cost) if partition is not None else ():
                partition = finer
                watch.tick("looking for more detail at the same cost")
        except Stopped as stop:
            # What is proven stays so where only the last touch is lacking.
            stopped = stop.reason if floor is None else "done"
            partition = partition or (None if walk.best is None else walk.splits.partition(walk.best))
        if partition is None and stopped != "done" and table.judged(table.coarsest, cost).feasible:
            partition = table.coarsest
        gap = walk.limit - (walk.floor if floor is None else floor) if partition is not None else None
        details = {"nodes": walk.nodes}
        walked = Walked("k_optimize", Guarantee.OPTIMAL, stopped, gap, walk.counted, details)
        return found_outcome(walked, table, partition, cost)


SEARCH = KOptimize
MEANING = "splits every column into intervals for small classes, provably optimal; needs no hierarchies"
RANK = 6
