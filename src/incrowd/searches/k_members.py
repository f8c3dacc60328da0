"""K-Members (Byun, Kamra, Bertino and Li 2007): clusters of k records that are near each other, then refined."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from incrowd.core.kernels import Grower
from incrowd.core.table import Codes
from incrowd.errors import UsageError
from incrowd.models.class_size import fewest_records
from incrowd.models.contributions import Contributions
from incrowd.parameters import whole_number
from incrowd.searches import GroupsOutcome, GroupsSearch, NothingFound, Problem
from incrowd.searches._clusters.blocks import Positions, blocks, singles, whole
from incrowd.searches._clusters.holding import Holding
from incrowd.searches._clusters.measure import Measure
from incrowd.searches._clusters.pieces import Pieces
from incrowd.searches._clusters.ranged import RangedGrower
from incrowd.searches._clusters.ranges import contributions_of, range_diversities
from incrowd.searches._clusters.records import ClusterRecords
from incrowd.searches._clusters.refining import Refining
from incrowd.searches._clusters.threads import finish
from incrowd.searches._people.limits import run_for_people
from incrowd.searches.outcomes import of_groups
from incrowd.watch import Stopped, Watch

_AT_THE_END = 4.0
"""How many times as long as to lay out the records it takes to finish once time is up."""

OBJECTIVES = ("utility", "protection", "range_diversity")
MEASURES = ("leaves", "height")
BOTH, DISTANCE, PROTECTED = 0, 1, 2
"""The use of a column: near records are wanted; it matters for seeds alone; the wider the better."""


@dataclass(frozen=True)
class KMembers(GroupsSearch):
    """A cluster begins with the record furthest from the last one, and grows to k by the record that widens it least.

    Where models ask for different values or people, it grows until it has them. Neighboring clusters then exchange
    records, and outliers are suppressed, if that is cheaper and may be done. Clusters that still fail a model join the
    neighbor that this costs least. No promise that nothing is better.
    """

    leaves_out_people: ClassVar[bool] = True

    objective: str = "utility"
    """Utility: records of a cluster are alike; protection: their sensitive values span much (K-Members-p of Loukides,
    chapter 4); range_diversity: they have the least Range Diversity (chapter 6), as the job's range_diversity says."""
    measure: str = "leaves"
    """The cost of the closest common ancestor in a tree: leaves, the share that it covers; height, as in Byun et al."""
    block: int | None = 16_384
    """Records that are clustered together, neighbors of each other; none for all of them, in quadratic time."""
    starts: int = 1
    """How many first records are tried in each block; the clusters that cost least are kept."""
    refine: int = 4
    """Rounds in which neighboring clusters give records to each other; 0 for K-Members alone. Of utility only."""

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise UsageError.not_one_of("objective of k_members", self.objective, OBJECTIVES)
        if self.measure not in MEASURES:
            raise UsageError.not_one_of("measure of k_members", self.measure, MEASURES)
        if self.block is not None:
            whole_number("block of k_members", self.block, 1)
        whole_number("starts of k_members", self.starts, 1)
        whole_number("refine of k_members", self.refine, 0)

    @property
    def needs_sensitive(self) -> bool:
        """Whether it looks at all sensitive columns."""
        return self.objective == "protection"

    def run(self, problem: Problem, watch: Watch) -> GroupsOutcome | NothingFound:
        """Return the clusters found; if stopped, what was not clustered yet is one group of each block, or joins the
        others."""
        if problem.people is not None:
            self._refuse_people()
            return run_for_people("k_members", self.run, problem, watch)
        if self.measure == "leaves":
            problem = problem.by_values()
        with watch.as_long_at_the_end(_AT_THE_END):
            records = ClusterRecords.of(problem, self.measure == "height")
        # More than there are is as many as one more than there are, and fits into a machine word.
        k, stopped = min(fewest_records(problem.model), records.total + 1), "done"
        growing = Growing(self, records, k)
        try:
            growing.run(watch)
        except Stopped as stop:
            stopped = stop.reason
        refining = Refining(records, growing.pieces(), k)
        counted, grown = refining.pieces.n, refining.cost
        try:
            if stopped == "done" and self.objective == "utility" and k > 1:
                refining.run(self.refine, watch)
        except Stopped as stop:
            stopped = stop.reason
        holding = Holding(records, refining.everything(), refining.left_out > 0)
        try:
            holding.run(watch)
        except Stopped as stop:
            stopped = stop.reason if stopped == "done" else stopped
        cells = max(1, records.total * records.measure.all_units)
        details = {
            "k": k,
            "blocks": len(growing.blocks),
            "clusters": counted,
            "loss_grown": grown / cells,
            "rounds": refining.rounds,
            "loss_refined": refining.cost / cells,
            "joined": holding.joined,
        }
        return of_groups("k_members", holding.groups(), counted, stopped, details)

    def _refuse_people(self) -> None:
        if self.objective == "range_diversity":
            raise UsageError.invalid(
                "objective of k_members",
                "people have several records, and range_diversity clusters records",
                "choose objective=utility or protection",
            )


SEARCH = KMembers


class Growing:
    """Clusters of k records, block by block."""

    def __init__(self, search: KMembers, records: ClusterRecords, k: int) -> None:
        self._search, self._records, self._k = search, records, k
        self.blocks: list[Positions] = []
        self._growers: list[list[Grower | RangedGrower]] = []
        self._measured = self._columns()
        self._judged = self._judged_columns() if search.objective == "range_diversity" else []

    def run(self, watch: Watch) -> None:
        """Cluster all blocks, on all processors; where one record suffices there is nothing to do."""
        for block in blocks(self._records, self._search.block, self._k, watch) if self._k > 1 else ():
            self._growers.append([self._grower(block, start) for start in range(self._search.starts)])
            self.blocks.append(block)
        every = [grower for growers in self._growers for grower in growers]
        finish(every, watch, f"{self._records.total} records, clusters of {self._k}")

    def pieces(self) -> Pieces:
        """Return the cheapest clusters of each block, the first of equal ones; with k = 1, every combination is a
        cluster."""
        if self._k == 1:
            return singles(self._records)
        costs = [[grower.settle() for grower in growers] for growers in self._growers]
        best = [growers[each.index(min(each))] for growers, each in zip(self._growers, costs, strict=True)]
        return whole(self._records, self.blocks, best)

    def _columns(self) -> tuple[Measure, Codes, Codes]:
        """Return the measure, the use of each column, and the ranks."""
        records = self._records
        quasi = len(records.ranks)
        if self._search.objective != "protection":
            return records.measure, np.full(quasi, BOTH, dtype=np.int32), records.ranks
        axes = tuple(records.problem.sensitive_axes.values())
        if not axes:
            raise UsageError.invalid(
                "objective of k_members",
                "there is no sensitive column to protect",
                "give a column the role sensitive, or choose objective=utility",
            )
        measure = Measure.of(
            (*records.measure.axes, *axes),
            (*records.measure.weights, *(1.0 for _ in axes)),
            records.measure.heights,
        )
        roles = np.array([DISTANCE] * quasi + [PROTECTED] * len(axes), dtype=np.int32)
        return measure, roles, np.concatenate([records.ranks, records.ranks_of(axes)])

    def _judged_columns(self) -> list[tuple[Contributions, Codes]]:
        """Return the columns of every range_diversity: how their values contribute, and the code of each position."""
        frequencies = self._records.problem.frequencies
        models = range_diversities(self._records.problem.model)
        if not models:
            raise UsageError.invalid(
                "objective of k_members",
                "no model is range_diversity",
                "add a range_diversity, such as range_diversity:p=1,column=income, where p=1 limits nothing",
            )
        columns = [frequencies.codes[frequencies.names.index(model.columns[0])] for model in models]
        return [
            (contributions_of(self._records.problem, model), codes[self._records.order])
            for model, codes in zip(models, columns, strict=True)
        ]

    def _grower(self, block: Positions, start: int) -> Grower | RangedGrower:
        """Return K-Members of a block, from a record drawn by the seed."""
        measure, roles, ranks = self._measured
        counts = self._records.counts[block]
        drawn = np.random.default_rng([self._records.problem.seed, len(self.blocks), start]).integers(int(counts.sum()))
        last = int(np.searchsorted(np.cumsum(counts), drawn, side="right"))
        if self._judged:
            judged = [(contributions, codes[block]) for contributions, codes in self._judged]
            return RangedGrower(measure, ranks[:, block], judged, counts, self._k, last)
        ranks = np.ascontiguousarray(ranks[:, block])
        return Grower(measure.arrays, roles, ranks, counts, self._k, last, *self._records.judged(block))


MEANING = "clusters similar records; keeps much detail, takes longer"
RANK = 4
