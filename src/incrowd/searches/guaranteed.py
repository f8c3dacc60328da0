"""Guaranteed: no class spans or discloses more than allowed; what fits nowhere is suppressed (Loukides 2008, UPC)."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from typing import Any, ClassVar

import numpy as np

from incrowd.core.groups import Groups
from incrowd.core.kernels import NearCluster, Neighbors
from incrowd.errors import UsageError
from incrowd.parameters import number_from, whole_number
from incrowd.searches import GroupsOutcome, GroupsSearch, NothingFound, Problem
from incrowd.searches._clusters.ranges import range_diversities
from incrowd.searches._tradeoff.clusters import WINDOW, TradeoffClusters, alike, holding
from incrowd.searches._tradeoff.contributing import Rated
from incrowd.searches._tradeoff.outcome import outcome
from incrowd.searches._tradeoff.quality import published_spans, spans
from incrowd.searches._tradeoff.records import SLICE, Pieces, TradeoffRecords
from incrowd.searches._tradeoff.sampling import best_size, sample_size
from incrowd.searches._tradeoff.scales import TOLERANCE, UNITS, scale_of
from incrowd.watch import Stopped, Watch

QUITE_LARGE = 1 << 14
"""The largest group whose Range Diversity is distinguished from its limit to nine digits."""


@dataclass(frozen=True)
class Guaranteed(GroupsSearch):
    """Clusters take the record with which they stay best, as long as they span little and range_diversity holds.

    Every published group has a mean Q-diversity of at most `utility` and satisfies every model. Records that fit into
    no group are suppressed; where more of them are left than may be, there is no release.
    """

    counts_people: ClassVar[bool] = False

    utility: float
    """U: the mean share of the domains that a group may span in the quasi-identifiers, from 0 to 1."""
    s: int | None = None
    """Clusters are looked for in subspaces of at least so many records; tried out on a sample if not given."""

    def __post_init__(self) -> None:
        number_from("utility of guaranteed", self.utility, 0, 1)
        if self.s is not None:
            whole_number("s of guaranteed", self.s)

    @property
    def most_spanned(self) -> float:
        """The limit that every published group keeps."""
        return self.utility

    def run(self, problem: Problem, watch: Watch) -> GroupsOutcome | NothingFound:
        """Return groups within the limits; if stopped, those that there are by then."""
        if not range_diversities(problem.model):
            raise UsageError.invalid(
                "guaranteed",
                "no model limits what a class discloses",
                "add a range_diversity, such as range_diversity:p=0.5,column=income",
            )
        return outcome("guaranteed", GuaranteedRun(self, TradeoffRecords.of(problem), watch))


SEARCH = Guaranteed


@dataclass(eq=False)
class GuaranteedRun:
    """One run, and what is known of it."""

    search: Guaranteed
    records: TradeoffRecords
    watch: Watch
    details: dict[str, Any] = field(default_factory=dict)
    formed: int = 0
    clusters: TradeoffClusters = field(default_factory=lambda: TradeoffClusters.none())
    """The clusters so far."""

    def __post_init__(self) -> None:
        self.models = range_diversities(self.records.problem.model)
        axes = self.records.problem.axes
        self.scale = scale_of(axes, [1.0] * len(axes))
        self.most = int((self.search.utility + TOLERANCE) * len(axes) * UNITS)

    @property
    def k(self) -> int:
        """No smaller group can hold: with n records Range Diversity is 1/n or more."""
        least = min((Fraction(str(model.p)) for model in self.models), default=Fraction(1))
        return max(self.records.k, ceil(1 / (least + Fraction(str(TOLERANCE)))))

    def groups(self) -> tuple[Groups | None, str]:
        """Return groups within the limits, and why the search ended; None if too many records would have to go."""
        stopped = "done"
        try:
            s = self.search.s if self.search.s is not None else self.best_s()
            subspaces = self.records.subspaces(s, self.watch)
            self.details |= {"s": s, "subspaces": len(subspaces[2]) - 1}
            self._cluster(subspaces)
            self._regroup()
        except Stopped as stop:
            stopped = stop.reason
        return self._published_groups(), stopped

    def _cluster(self, subspaces: Pieces) -> None:
        rated = self.rated(self.records, subspaces)
        made = self.growing(self.records, rated, subspaces)
        try:
            while made.work(SLICE):
                self.watch.tick(f"clusters in {len(subspaces[2]) - 1:,} subspaces")
        finally:
            self.clusters = self.standing(made)
        self.formed = self.clusters.n
        self.details |= {"clusters": self.clusters.n, "leftovers": self.clusters.left_over}

    def rated(self, records: TradeoffRecords, subspaces: Pieces) -> Rated:
        """Return the judged columns; left-over records may make a group four times as large as any, and quite large
        anyway."""
        _, counts, starts = subspaces
        sizes = np.add.reduceat(counts, starts[:-1]) if len(counts) else np.zeros(1, dtype=np.int64)
        return Rated.of(records, self.models, max(4 * int(sizes.max()), min(records.total, QUITE_LARGE)), UNITS)

    def growing(self, records: TradeoffRecords, rated: Rated, subspaces: Pieces) -> Any:
        """Return clusters that take what is near to all of them (steps 2 to 10 of Algorithm 6), to be made."""
        ranks, values, limits = records.quasi_ranks, rated.values, rated.limits
        return NearCluster(
            self.scale, values, ranks, rated.sensitive, subspaces, self.k, self.most, limits, rated.finest
        )

    def standing(self, made: Any) -> TradeoffClusters:
        """Return the clusters that are large and safe enough; the records of all others are left over."""
        *pieces, stand = made.clusters()
        return TradeoffClusters.of(tuple(pieces), stand)

    def _regroup(self) -> None:
        """Place left-over records where they fit (steps 17 to 20); dissolve groups that another model refuses."""
        if not self.clusters.n:
            return
        number = np.where(holding(self.records, self.clusters), np.arange(self.clusters.n), -1)
        self.clusters = self.clusters.renumbered(number)
        before = self.clusters
        more = self.regrouped(self.records, before)
        # Where another model refuses a group for what it took in, it gives that back.
        refused = np.append(~holding(self.records, more), False)
        taken = np.arange(len(more.cluster)) >= int((before.cluster >= 0).sum())
        self.clusters = replace(more, cluster=np.where(taken & refused[more.cluster], -1, more.cluster))
        self.details["regrouped"] = before.left_over - self.clusters.left_over

    def regrouped(self, records: TradeoffRecords, clusters: TradeoffClusters) -> TradeoffClusters:
        """Return left-over records in the groups that have the least group diversity with them, within the limits."""
        standing = clusters.standing()
        rated = self.rated(records, standing)
        neighbors = Neighbors(
            self.scale,
            records.quasi,
            records.quasi_ranks,
            standing,
            clusters.left_over,
            WINDOW,
            rated.values,
            rated.sensitive,
            self.most,
            rated.limits,
            rated.finest,
            rated.largest,
        )
        return clusters.placed(neighbors, self.watch, single=True)

    # What is published.

    def _published_groups(self) -> Groups | None:
        if any(axis.bounds is not None for axis in self.records.problem.axes):
            self._within_published_ends()
        self._as_classes()
        made = np.zeros(len(self.records.counts), dtype=np.int64)
        there = self.clusters.cluster >= 0
        np.add.at(made, self.clusters.position[there], self.clusters.counts[there])
        rest = self.records.counts - made
        gone = np.flatnonzero(rest)
        self.details |= {"groups": self.clusters.n, "suppressed": int(rest.sum())}
        if rest.sum() > self.records.problem.budget:
            self.details["would_suppress"] = int(rest.sum())
            return None
        return self.records.groups(
            np.concatenate([self.clusters.position[there], gone]),
            np.concatenate([self.clusters.counts[there], rest[gone]]),
            np.concatenate([self.clusters.cluster[there], np.full(len(gone), -1)]),
        )

    def _within_published_ends(self) -> None:
        """Leave out the groups that span too much once the ends of their ranges have moved outwards (bounds)."""
        total = published_spans(self.records, self.clusters)[: self.records.quasi].sum(axis=0)
        self.clusters = self.clusters.renumbered(np.where(total <= self.most, np.arange(self.clusters.n), -1))

    def _as_classes(self) -> None:
        """Join groups that publish the same cells if the class satisfies the models; otherwise suppress the later
        ones."""
        records = self.records
        while True:
            number = alike(records, self.clusters)
            joined = self.clusters.renumbered(number)
            held = holding(records, joined)
            if held.all():
                self.clusters = joined
                return
            # Of a class that fails the last group goes, all others are judged again.
            firsts, of = np.unique(number, return_inverse=True)
            last = np.zeros(len(firsts), dtype=np.int64)
            np.maximum.at(last, of, np.arange(len(number)))
            keep = np.arange(len(number))
            keep[last[~held]] = -1
            self.clusters = self.clusters.renumbered(keep)

    # Subspaces.

    def best_s(self) -> int:
        """Return the size of subspaces whose groups are best on a sample, as Algorithm 4 does for the other method."""
        sample = self.records.sample(sample_size(self.k))
        self.details["sample"] = sample.total
        return best_size(self.k, sample.total, lambda s: self._tried(sample, s))

    def _tried(self, sample: TradeoffRecords, s: int) -> Fraction:
        """Return the mean span of groups plus the share of records that would be suppressed."""
        self.watch.tick("choosing the size of subspaces on a sample")
        subspaces = sample.subspaces(s, self.watch)
        made = self.growing(sample, self.rated(sample, subspaces), subspaces)
        while made.work(SLICE):
            self.watch.tick("choosing the size of subspaces on a sample")
        clusters = self.standing(made)
        if not clusters.n:
            return Fraction(1)
        clusters = self.regrouped(sample, clusters)
        spanned = Fraction(int(spans(sample, clusters)[: sample.quasi].sum()), clusters.n * sample.quasi * UNITS)
        return spanned + Fraction(clusters.left_over, max(1, sample.total))
