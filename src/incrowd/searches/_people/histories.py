"""From clusters of people to groups of records that satisfy the models, whatever is known of a person."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.knowledge import left_out
from incrowd.models.of_people import OfPeople
from incrowd.models.on_views import OnViews
from incrowd.searches._people.clusters import NOBODY, Clusters
from incrowd.searches._people.judging import OfClusters
from incrowd.searches._people.lots import Lot, lots_of
from incrowd.searches._people.mending import mended
from incrowd.searches._people.records import PeopleRecords
from incrowd.searches._people.wide import wide
from incrowd.searches.outcomes import GroupsOutcome, NothingFound, of_groups
from incrowd.searches.problem import People, Problem
from incrowd.watch import Watch

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]
Run = Callable[[Problem, Watch], GroupsOutcome | NothingFound]
"""A search of groups of records."""


def clusters_of_people(search: str, run: Run, problem: Problem, watch: Watch) -> GroupsOutcome | NothingFound:
    """Return the groups that a search makes of people, several of whose records are known."""
    assert problem.people is not None
    assert isinstance(problem.model, OfPeople)
    records = PeopleRecords.of(problem)
    judge = OnViews.of(problem.model.model, [records.table], problem.people.knows, problem.sensitive)
    return HistoriesRun(problem, problem.people, records, judge, run, watch).outcome(search)


@dataclass(eq=False)
class HistoriesRun:
    """One run, and what is known of it."""

    problem: Problem
    people: People
    records: PeopleRecords
    judge: OnViews
    run: Run
    watch: Watch
    stopped: str = "done"
    details: list[Mapping[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clusters = Clusters.none(self.records)

    def outcome(self, search: str) -> GroupsOutcome | NothingFound:
        """Cluster lot after lot, and join what does not satisfy the models as it is published."""
        self.gone = self._gone()
        done = self._used <= self.problem.budget and self._clustered() and self._used <= self.problem.budget
        if not done:
            return of_groups(search, None, self.clusters.n, self.stopped, {"would_suppress": self._used})
        formed = self.clusters.n
        absorbing, clusters = self.judge.absorbing, self.clusters
        if not self.problem.can_part:
            clusters = clusters.without_parting(by_lot=not absorbing)
        whole = clusters if absorbing else mended(clusters, self.judge)
        groups = None if whole is None else whole.groups()
        return of_groups(search, groups, formed, self.stopped, {"lots": self.details, "left_out": int(self.gone.sum())})

    def _gone(self) -> Mask:
        """Return who must go even if all records are published alike."""
        one = np.zeros(len(self.records.table.row), dtype=np.int32)
        also, held = self.judge.in_classes([one]), self.records.table.held(one)
        return left_out([held], self.people.knows, self.judge.at([one]), also, self.judge.absorbing)

    @property
    def _used(self) -> int:
        """How many people lose a record, or records are lost, as the limit counts them."""
        return int(self.gone.sum() if self.people.of_people else self.records.lengths[self.gone].sum())

    def _clustered(self) -> bool:
        """Cluster all who stay; return whether each lot could be."""
        made = lots_of(self.records, np.flatnonzero(~self.gone), self.people.knows, self._can_be_together)
        if not all(self._of_lot(at, lot) for at, lot in enumerate(made.lots)):
            return False
        for person in made.guests.tolist():
            self.gone[person] = not self.clusters.join_nearest(person)
        return True

    def _can_be_together(self, people: Numbers) -> bool:
        """Return whether people satisfy the models if all of their records are published as one group."""
        return self._is_cluster(people, np.zeros(len(self.records.table.row), dtype=np.int64))

    def _is_cluster(self, people: Numbers, slot: Numbers) -> bool:
        """Return whether people satisfy the models as one cluster, given the group of each record."""
        model = OfClusters(self.judge, "", people, slot)
        return bool(model.of_people(people.astype(np.int32), np.zeros(len(people), dtype=np.int32), 1)[0])

    def _of_lot(self, at: int, lot: Lot) -> bool:
        """Cluster a lot; if even all of its people are no cluster, all of their records are one group."""
        slot = np.minimum(self.records.step, lot.width - 1)
        if not self._is_cluster(lot.people, slot):
            self.clusters.add(at, lot.people, np.zeros(len(lot.people), dtype=np.int64), np.zeros_like(slot))
            return True
        left = self.problem.budget - self._used
        each = 1 if self.people.of_people else lot.most
        posed = wide(self.records, lot, self.judge, slot, left // each)
        found = self.run(posed, self.watch)
        self.stopped = self.stopped if self.stopped != "done" else found.stopped
        if isinstance(found, NothingFound):
            self.gone[lot.people] = True
            return False
        self.details.append({"records": lot.most, "people": len(lot.people), **found.details})
        cluster = np.full(len(lot.people), NOBODY, dtype=np.int64)
        cluster[found.groups.combination] = found.groups.group
        self.clusters.add(at, lot.people, cluster, slot)
        self.gone[lot.people[cluster == NOBODY]] = True
        return True
