"""Trade-off of utility and protection (after Loukides 2008): joined clusters of k records; clusters=seeded is MRG."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from incrowd.core.groups import Groups
from incrowd.core.kernels import NearSeed, Neighbors
from incrowd.errors import UsageError
from incrowd.parameters import number_from, one_of, whole_number
from incrowd.searches import GroupsOutcome, GroupsSearch, NothingFound, Problem
from incrowd.searches._people.limits import run_for_people
from incrowd.searches._tradeoff.clusters import AT_A_TIME, WINDOW, TradeoffClusters, alike, holding
from incrowd.searches._tradeoff.joining import diversities, joined, of_k
from incrowd.searches._tradeoff.outcome import outcome
from incrowd.searches._tradeoff.quality import quality
from incrowd.searches._tradeoff.records import SLICE, Counts, Pieces, TradeoffRecords, axes_of
from incrowd.searches._tradeoff.sampling import ROUNDS, best_size, best_threshold, sample_size
from incrowd.searches._tradeoff.scales import Scale, limit, scale_of
from incrowd.watch import Stopped, Watch

CLUSTERS = ("joined", "seeded")
LEFTOVERS = ("place", "place_smallest", "suppress")


@dataclass(frozen=True)
class Tradeoff(GroupsSearch):
    """With w the weight of protection, the diversity of a cluster is 1 - w times the mean part of the domain that it
    spans in the quasi-identifiers, plus w times the mean part of the domain that it does not span in the sensitive
    columns. Clusters of k records are joined while the average diversity falls; or grow around seeds, as in the thesis,
    while their diversity is at most delta."""

    leaves_out_people: ClassVar[bool] = True

    protection: float = 0.5
    """The weight w of protection, from 0 (utility alone) to 1 (protection alone)."""
    clusters: str | None = None
    """Joined: clusters of k records, joined while that helps, which the thesis does not have; seeded: clusters around
    seeds, the thesis' MRG. Seeded where delta or s is given, else joined."""
    delta: float | None = None
    """The threshold of seeded clusters, from 0 to 1; tried out on a sample if not given."""
    s: int | None = None
    """Seeded clusters are looked for in subspaces of at least so many records; tried out on a sample if not given."""
    leftovers: str = "place"
    """The fate of records of seeded clusters with fewer than k. Place: each joins the cluster whose diversity rises
    least, as the thesis' text says; place_smallest: the one that then has the smallest, as its Algorithm 5 does;
    suppress."""

    def __post_init__(self) -> None:
        number_from("protection of tradeoff", self.protection, 0, 1)
        if self.delta is not None:
            number_from("delta of tradeoff", self.delta, 0, 1)
        if self.s is not None:
            whole_number("s of tradeoff", self.s)
        one_of("leftovers of tradeoff", self.leftovers, LEFTOVERS)
        if self.clusters is not None:
            one_of("clusters of tradeoff", self.clusters, CLUSTERS)
        if self.clusters == "joined" and (self.delta, self.s) != (None, None):
            raise UsageError.invalid(
                "joined clusters of tradeoff",
                "delta and s are thresholds of seeded clusters",
                "omit them, or choose clusters=seeded",
            )

    @property
    def needs_sensitive(self) -> bool:
        """Always True: protection is that of all sensitive columns."""
        return True

    @property
    def seeds(self) -> bool:
        """Whether clusters grow around seeds."""
        return self.clusters == "seeded" or (self.delta, self.s) != (None, None)

    @property
    def places(self) -> bool:
        """Whether left-over records are placed."""
        return self.leftovers != "suppress"

    def run(self, problem: Problem, watch: Watch) -> GroupsOutcome | NothingFound:
        """Return clusters that satisfy the model; if stopped, those that there are, and all other records in one."""
        if problem.people is not None:
            return run_for_people("tradeoff", self.run, problem, watch)
        return outcome("tradeoff", TradeoffRun(self, TradeoffRecords.of(problem), watch))


SEARCH = Tradeoff


def weighted(records: TradeoffRecords, protection: float) -> Scale:
    """Return columns as max-range weighted tuple diversity weighs them (definition 3.2.1)."""
    problem = records.problem
    priorities = np.array(problem.priorities or (1.0,) * len(problem.axes), dtype=np.float64)
    sensitive = len(records.ranks) - records.quasi
    # Without sensitive columns there is nothing to protect.
    weight = protection if sensitive else 0.0
    utility = (1.0 - weight) * priorities / (priorities.sum() or 1.0)
    return scale_of(axes_of(problem), [*utility.tolist(), *[weight / max(1, sensitive)] * sensitive])


def seeded(records: TradeoffRecords, scale: Scale, subspaces: Pieces, delta: float) -> Any:
    """Return clusters around seeds, the first records first (Algorithm 1), to be made."""
    return NearSeed(scale, records.quasi, records.ranks, subspaces, limit(delta))


def standing(records: TradeoffRecords, made: Any) -> TradeoffClusters:
    """Return the clusters around seeds that have k records; the records of all others are left over."""
    position, counts, starts, singles = made.clusters()
    sizes = np.add.reduceat(counts, starts[:-1]) if len(counts) else np.zeros(0, dtype=np.int64)
    return TradeoffClusters.of((position, counts, starts), np.where(singles, 1, sizes) >= records.k)


@dataclass(eq=False)
class TradeoffRun:
    """One run, and what is known of it."""

    search: Tradeoff
    records: TradeoffRecords
    watch: Watch
    details: dict[str, Any] = field(default_factory=dict)
    formed: int = 0
    clusters: TradeoffClusters = field(default_factory=lambda: TradeoffClusters.none())
    """The clusters so far."""

    def __post_init__(self) -> None:
        self.scale = weighted(self.records, self.search.protection)

    def groups(self) -> tuple[Groups | None, str]:
        """Return groups that satisfy the model, and why the search ended; None if there are none within the budget."""
        stopped = "done"
        try:
            if self.search.seeds:
                self._cluster(*self._subspaces())
                if self.search.places:
                    self.clusters = self._placed(self.records, self.clusters)
            else:
                self._join()
            self._hold()
        except Stopped as stop:
            stopped = stop.reason
            self._finish()
        return self._published_groups(), stopped

    def _join(self) -> None:
        """Join clusters of k records round by round until no two are better together."""
        self.clusters, begun = of_k(self.records, self.watch)
        self.clusters = self.clusters.renumbered(alike(self.records, self.clusters))
        self.formed = self.clusters.n
        if begun != "done":
            raise Stopped(begun)
        before, rounds = -1, 0
        each = diversities(self.records, self.clusters, self.scale)
        while self.clusters.n != before:
            before, rounds = self.clusters.n, rounds + 1
            self.clusters, each = joined(self.records, self.clusters, each, self.scale, self.watch)
        self.details |= {"clusters": self.formed, "rounds": rounds}

    def _subspaces(self) -> tuple[Pieces, float]:
        """Return the subspaces to search for clusters, and the threshold."""
        delta, s = self.search.delta, self.search.s
        if delta is None or s is None:
            sample = self.records.sample(sample_size(s or self.records.k))
            self.details["sample"] = sample.total
            delta, s = self.thresholds(sample)
        subspaces = self.records.subspaces(s, self.watch)
        self.details |= {"delta": delta, "s": s, "subspaces": len(subspaces[2]) - 1}
        return subspaces, delta

    def thresholds(self, sample: TradeoffRecords) -> tuple[float, int]:
        """Return those of the search; else by turns the best delta for the size of subspaces and the best size for it.

        The thesis chooses delta once, without subspaces; clusters that are looked for in them want a smaller one.
        """
        if self.search.delta is not None:
            return self.search.delta, self.best_s(sample, self.search.delta)
        if self.search.s is not None:
            return self.best_delta(sample, self.search.s), self.search.s
        s = self.records.k
        for _ in range(ROUNDS):
            delta, before = self.best_delta(sample, s), s
            s = self.best_s(sample, delta)
            if s == before:
                break
        return delta, s

    def _cluster(self, subspaces: Pieces, delta: float) -> None:
        made = seeded(self.records, self.scale, subspaces, delta)
        try:
            while made.work(SLICE):
                self.watch.tick(f"clusters in {len(subspaces[2]) - 1:,} subspaces")
        finally:
            self.clusters = standing(self.records, made)
        self.formed = self.clusters.n
        self.details |= {"clusters": self.clusters.n, "leftovers": self.clusters.left_over}

    def _tried(self, sample: TradeoffRecords, subspaces: Pieces, delta: float) -> Fraction | None:
        """Return UM + MPM of a clustering of the sample."""
        made = seeded(sample, self.scale, subspaces, delta)
        self.watch.tick("choosing thresholds on a sample")
        while made.work(SLICE):
            self.watch.tick("choosing thresholds on a sample")
        tried = standing(sample, made)
        if tried.n and self.search.places:
            tried = self._placed(sample, tried)
        return quality(sample, tried, self.search.protection)

    def best_delta(self, sample: TradeoffRecords, s: int) -> float:
        """Return the threshold with the least UM + MPM on the sample, in subspaces of this size; 1 if none forms any
        cluster."""
        subspaces = sample.subspaces(s, self.watch)
        return best_threshold(lambda delta: self._tried(sample, subspaces, delta))

    def best_s(self, sample: TradeoffRecords, delta: float) -> int:
        """Return the size of subspaces with the least UM + MPM on the sample."""
        return best_size(
            self.records.k, sample.total, lambda s: self._tried(sample, sample.subspaces(s, self.watch), delta)
        )

    def _neighbors(self, records: TradeoffRecords, clusters: TradeoffClusters) -> Any:
        more = int((clusters.cluster < 0).sum())
        return Neighbors(self.scale, records.quasi, records.ranks, clusters.standing(), more, WINDOW)

    def _placed(self, records: TradeoffRecords, clusters: TradeoffClusters) -> TradeoffClusters:
        """Return left-over records in the clusters that take them best (Algorithm 5); all in one if no cluster
        stands."""
        if not clusters.n:
            return replace(clusters, cluster=np.zeros(len(clusters.cluster), dtype=np.int64))
        rising = self.search.leftovers == "place"
        return clusters.placed(self._neighbors(records, clusters), self.watch, rising=rising)

    # What the model asks beyond size.

    def _hold(self) -> None:
        """Join failing groups to their best neighbor until all satisfy the model; if a single failing group remains,
        suppress failing groups within the budget."""
        self.clusters = self.clusters.renumbered(alike(self.records, self.clusters))
        failing = np.flatnonzero(~holding(self.records, self.clusters))
        if self.search.leftovers == "suppress":
            self.clusters = self._without(failing)
            failing = np.flatnonzero(~holding(self.records, self.clusters))
        suppressed = self._without(failing)
        while len(failing) and self.clusters.n > 1:
            self.clusters = self.clusters.renumbered(self._joined(failing))
            self.clusters = self.clusters.renumbered(alike(self.records, self.clusters))
            failing = np.flatnonzero(~holding(self.records, self.clusters))
        if len(failing) and holding(self.records, suppressed).all():
            self.clusters = suppressed
        self.details["groups"] = self.clusters.n

    def _joined(self, failing: Counts) -> Counts:
        """Return the number of each group; one that fails has that of a neighbor."""
        neighbors = self._neighbors(self.records, self.clusters)
        number = np.arange(self.clusters.n)
        met = np.zeros(self.clusters.n, dtype=np.bool_)
        for done, at in enumerate(failing.tolist()):
            if done % AT_A_TIME == 0:
                self.watch.tick(f"{len(failing) - done:,} of {self.clusters.n:,} groups do not satisfy the models yet")
            # Two that fail may hold together; one that another has joined is judged first.
            if not met[at]:
                nearest, _ = neighbors.nearest(at)
                number[at] = nearest
                met[nearest] = True
                neighbors.join(at, nearest)
        while (number != number[number]).any():
            number = number[number]
        return number

    def _without(self, failing: Counts) -> TradeoffClusters:
        """Return the clusters without failing groups, the smallest removed first, as far as the budget lasts."""
        left = self.records.problem.budget - self.clusters.left_over
        sizes = np.bincount(self.clusters.cluster + 1, weights=self.clusters.counts, minlength=1).astype(np.int64)[1:]
        order = failing[np.argsort(sizes[failing], kind="stable")]
        number = np.arange(self.clusters.n)
        number[order[np.cumsum(sizes[order]) <= left]] = -1
        return self.clusters.renumbered(number)

    def _finish(self) -> None:
        """Keep the groups that stand when stopped, and join all other records into one."""
        clusters = self._with_the_rest(self.clusters)
        clusters = clusters.renumbered(alike(self.records, clusters))
        failing = ~holding(self.records, clusters)
        while failing.any() and clusters.n > 1:
            # Those that fail join one that holds, where there is one.
            number = np.arange(clusters.n)
            number[failing] = np.flatnonzero(failing)[0] if failing.sum() > 1 else np.argmin(failing)
            clusters = clusters.renumbered(number)
            clusters = clusters.renumbered(alike(self.records, clusters))
            failing = ~holding(self.records, clusters)
        self.clusters = clusters

    def _with_the_rest(self, clusters: TradeoffClusters) -> TradeoffClusters:
        """Return all records that are in no cluster as one more, or in the first where they are too few."""
        made = np.zeros(len(self.records.counts), dtype=np.int64)
        np.add.at(made, clusters.position[clusters.cluster >= 0], clusters.counts[clusters.cluster >= 0])
        rest = self.records.counts - made
        there = np.flatnonzero(rest)
        number = clusters.n if int(rest.sum()) >= self.records.k or not clusters.n else 0
        keep = clusters.cluster >= 0
        return TradeoffClusters(
            np.concatenate([clusters.position[keep], there]),
            np.concatenate([clusters.counts[keep], rest[there]]),
            np.concatenate([clusters.cluster[keep], np.full(len(there), number)]),
        )

    def _published_groups(self) -> Groups | None:
        clusters = self.clusters
        if clusters.left_over > self.records.problem.budget:
            self.details["would_suppress"] = clusters.left_over
            return None
        if not holding(self.records, clusters).all():
            return None
        return clusters.groups(self.records)


MEANING = "weighs information loss against protection of sensitive values"
RANK = 18
