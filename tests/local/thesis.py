"""The algorithms of Loukides' thesis, transcribed line by line: plain Python over records, one at a time, exact.

A record is the position of an equal record in the order of the tables; tables are lists of positions in that order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from incrowd.core.axes import Axis, Kind

Records = list[int]
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Columns:
    """Quasi-identifiers and sensitive columns: how they are measured, and the code of each record in them."""

    quasi: Sequence[Axis]
    sensitive: Sequence[Axis]
    codes: Sequence[Sequence[int]]
    """Columns, the quasi-identifiers first, x positions."""

    def qd(self, c: int, records: Records) -> Fraction:
        """Q-diversity (definition 3.1.1)."""
        axis = [*self.quasi, *self.sensitive][c]
        codes = np.array([self.codes[c][record] for record in records], dtype=np.int32)
        return Fraction(float(axis.cells(codes, np.zeros(len(codes), dtype=np.int32), 1).spread[0]))

    def mean_qd(self, records: Records) -> Fraction:
        """Over the quasi-identifiers."""
        return sum((self.qd(c, records) for c in range(len(self.quasi))), Fraction(0)) / len(self.quasi)

    def mean_sd(self, records: Records) -> Fraction:
        """S-diversity (definition 3.1.3) over the sensitive columns."""
        every = range(len(self.quasi), len(self.codes))
        return sum((1 - self.qd(c, records) for c in every), Fraction(0)) / max(1, len(every))

    def mr_wtd(self, records: Records, protection: Fraction) -> Fraction:
        """Max-range weighted tuple diversity (definition 3.2.1)."""
        weight = protection if self.sensitive else Fraction(0)
        return (1 - weight) * self.mean_qd(records) + weight * self.mean_sd(records)

    def quality(self, clusters: list[Records], protection: Fraction) -> Fraction | None:
        """UM + MPM (definitions 3.1.2 and 3.1.4), or as much of each as it weighs."""
        if not clusters:
            return None
        um = sum(map(self.mean_qd, clusters), Fraction(0)) / len(clusters)
        mpm = sum(map(self.mean_sd, clusters), Fraction(0)) / len(clusters)
        return 2 * (1 - protection) * um + 2 * protection * mpm if self.sensitive else 2 * um


Diversity = Callable[[Records], Fraction]
Chosen = tuple[Fraction, int]
"""Delta and s."""
Sizes = tuple[Fraction, int]
"""Epsilon and how often s is doubled."""


def algorithm_1(table: Records, mr_wtd: Diversity, delta: Fraction) -> list[Records]:
    """Greedy clustering: all clusters, in order; those with fewer than k are to be suppressed."""
    found = []
    table = list(table)
    while table:
        seed = table.pop(0)
        cluster = [seed]
        while table:
            nearest = min(table, key=lambda other: (mr_wtd([seed, other]), table.index(other)))
            if mr_wtd([*cluster, nearest]) > delta:
                break
            cluster.append(nearest)
            table.remove(nearest)
        found.append(cluster)
    return found


def algorithm_2(table: Records, columns: Columns, s: int) -> list[Records]:
    """Median-based pre-partitioning; ties go half to the left, in order, the odd one too.

    Equal records are not parted further: where a column is halved they would be, down to s.
    """
    ranges = [_range(columns, c, table) for c in range(len(columns.quasi))]
    if max(ranges) == 0:
        return [table]
    c = ranges.index(max(ranges))
    rank = [int(columns.quasi[c].rank[columns.codes[c][record]]) for record in table]
    ordered = sorted(rank)
    median = Fraction(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2], 2)
    ties = [record for record, at in zip(table, rank, strict=True) if at == median]
    to_left = (len(ties) + 1) // 2
    left, right = [], []
    for record, at in zip(table, rank, strict=True):
        if at < median or (at == median and to_left > 0):
            to_left -= at == median
            left.append(record)
        else:
            right.append(record)
    if len(left) >= s and len(right) >= s:
        return [*algorithm_2(left, columns, s), *algorithm_2(right, columns, s)]
    return [table]


def _range(columns: Columns, c: int, table: Records) -> Fraction:
    """The largest normalized domain is split (section 3.2.2): what is spanned, as a share of the column's domain."""
    axis = columns.quasi[c]
    codes = [columns.codes[c][record] for record in table]
    domain = Fraction(axis.span or 1.0)
    if axis.kind in (Kind.TREE, Kind.SET):
        return (len(set(codes)) - 1) / domain
    places = [Fraction(float(axis.places[axis.rank[code]])) for code in codes if code]
    if not places:
        return Fraction(0)
    return Fraction(1) if len(places) < len(codes) else (max(places) - min(places)) / domain


def parted(clusters: list[Records], k: int) -> tuple[list[Records], Records]:
    """The clusters with k records, and all others' records in order of arrival (steps 9 to 14 of Algorithm 5)."""
    kept = [cluster for cluster in clusters if len(cluster) >= k]
    return kept, [record for cluster in clusters if len(cluster) < k for record in cluster]


def algorithm_5(clusters: list[Records], k: int, mr_wtd: Diversity, rising: bool) -> list[Records]:
    """Left-over records go to the cluster whose diversity rises least (so the text), or to the one that then
    has the smallest (step 16)."""
    kept, left = parted([list(cluster) for cluster in clusters], k)
    for record in left if kept else ():
        best = min(kept, key=lambda cluster: mr_wtd([*cluster, record]) - (mr_wtd(cluster) if rising else 0))
        best.append(record)
    return kept


def joined_in_a_round(clusters: list[Records], mr_wtd: Diversity) -> list[Records]:
    """Clusters, the worst first, each with the one with which it is best, where that is better than the worse of both
    and the average falls (ours, for definition 3.2.2); no cluster takes part twice."""
    now: list[Records | None] = [list(cluster) for cluster in clusters]
    worth = [mr_wtd(cluster) for cluster in clusters]
    paired: set[int] = set()
    for at in sorted(range(len(clusters)), key=lambda c: (-worth[c], c)):
        standing = [c for c, cluster in enumerate(now) if cluster is not None]
        mean = sum((mr_wtd(now[c] or []) for c in standing), Fraction(0)) / len(standing)
        others = [c for c in standing if c != at]
        if at in paired or not others:
            continue
        other = min(others, key=lambda c: (mr_wtd([*clusters[at], *(now[c] or [])]), c))
        both = [*clusters[at], *(now[other] or [])]
        together = mr_wtd(both)
        if other in paired or together >= max(worth[at], worth[other]) or together >= worth[at] + worth[other] - mean:
            continue
        now[other], now[at] = both, None
        paired |= {at, other}
    return [cluster for cluster in now if cluster is not None]


@dataclass(frozen=True)
class Choice:
    """Algorithms 3 and 4: thresholds from a sample."""

    columns: Columns
    protection: Fraction
    k: int
    leftovers: str

    def mr_wtd(self, records: Records) -> Fraction:
        """With these weights."""
        return self.columns.mr_wtd(records, self.protection)

    def tried(self, subspaces: list[Records], delta: Fraction) -> Fraction | None:
        """UM + MPM of a clustering, left-over records placed or suppressed as in the method itself."""
        clusters = [cluster for part in subspaces for cluster in algorithm_1(part, self.mr_wtd, delta)]
        if self.leftovers == "suppress":
            kept, _ = parted(clusters, self.k)
        else:
            kept = algorithm_5(clusters, self.k, self.mr_wtd, self.leftovers == "place")
        return self.columns.quality(kept, self.protection)

    def thresholds(
        self, sample: Records, rounds: int, halvings: tuple[int, int], sizes: tuple[Fraction, int]
    ) -> Chosen:
        """Algorithms 3 and 4 by turns, from s = k on, until s stays."""
        s = self.k
        for _ in range(rounds):
            subspaces, before = algorithm_2(sample, self.columns, s), s
            delta = algorithm_3(lambda delta: self.tried(subspaces, delta), *halvings)  # noqa: B023
            s = algorithm_4(
                self.k,
                len(sample),
                lambda s: self.tried(algorithm_2(sample, self.columns, s), delta),  # noqa: B023
                *sizes,
            )
            if s == before:
                break
        return delta, s


def algorithm_3(score: Callable[[Fraction], Fraction | None], iterations: int, finer: int) -> Fraction:
    """The best of the middles of 2, 4, .. equal parts of [0, 1], then of the parts beside the best alone; a threshold
    without a score is skipped, of equals the first is taken."""
    found: list[tuple[Fraction, int, Fraction]] = []
    for i in range(1, iterations + finer + 1):
        middles = [Fraction(2 * at + 1, 2 ** (i + 1)) for at in range(2**i)]
        if i > iterations:
            middles = [each for each in middles if found and abs(each - min(found)[2]) == Fraction(1, 2 ** (i + 1))]
        for delta in middles:
            scored = score(delta)
            if scored is not None:
                found.append((scored, len(found), delta))
    return min(found)[2] if found else Fraction(1)


def algorithm_4(
    k: int, records: int, score: Callable[[int], Fraction | None], epsilon: Fraction, doublings: int
) -> int:
    """k, 2k, 4k, .. until the score falls by less than epsilon; the best one tested, a size without a score is none."""
    tested: list[tuple[int, Fraction | None]] = []
    for doubled in range(doublings + 1):
        tested.append((k * 2**doubled, score(k * 2**doubled)))
        scores = [found for _, found in tested[-2:]]
        if k * 2**doubled >= records:
            break
        if len(scores) == 2 and None not in scores and scores[0] - scores[1] < epsilon:  # type: ignore[operator]
            break
    scored = [(found, s) for s, found in tested if found is not None]
    return min(scored)[1] if scored else k


@dataclass(frozen=True)
class Guaranteed:
    """Algorithm 6: greedy clustering with group diversity."""

    columns: Columns
    rd: Sequence[Diversity]
    """Range Diversity of each judged column."""
    limits: Sequence[Fraction]
    """P of each."""
    utility: Fraction
    """U."""
    k: int
    rounded: Callable[[Fraction, list[Fraction], int], int] | None = None
    """Group diversity from its parts and the size of the group, where it is compared after rounding."""

    def group_diversity(self, records: Records) -> Fraction | int:
        """Definition 5.2.4; the mean where several columns are judged."""
        told = [each(records) for each in self.rd]
        if self.rounded is not None:
            return self.rounded(self.columns.mean_qd(records), told, len(records))
        return HALF * self.columns.mean_qd(records) + HALF * sum(told, Fraction(0)) / len(told)

    def useful(self, records: Records) -> bool:
        """U holds."""
        return self.columns.mean_qd(records) <= self.utility

    def safe(self, records: Records) -> bool:
        """P holds."""
        return all(each(records) <= limit for each, limit in zip(self.rd, self.limits, strict=True))

    def clusters(self, subspaces: list[Records]) -> list[Records]:
        """Steps 2 to 10."""
        found = []
        for subspace in subspaces:
            table = list(subspace)
            while table:
                cluster = [table.pop(0)]
                while table:
                    nearest = min(
                        table, key=lambda other: (self.group_diversity([*cluster, other]), table.index(other))
                    )
                    more = [*cluster, nearest]
                    if not (self.useful(more) and (len(more) < self.k or self.safe(more))):
                        break
                    cluster = more
                    table.remove(nearest)
                found.append(cluster)
        return found

    def run(self, subspaces: list[Records]) -> tuple[list[Records], Records]:
        """All steps: the groups, and what is suppressed."""
        clusters = self.clusters(subspaces)
        stand = [len(cluster) >= self.k and self.safe(cluster) for cluster in clusters]
        kept = [list(cluster) for cluster, stands in zip(clusters, stand, strict=True) if stands]
        left = [record for cluster, stands in zip(clusters, stand, strict=True) if not stands for record in cluster]
        suppressed = []
        for record in left:
            fitting = [cluster for cluster in kept if self.useful([*cluster, record]) and self.safe([*cluster, record])]
            if fitting:
                min(fitting, key=lambda cluster: self.group_diversity([*cluster, record])).append(record)
            else:
                suppressed.append(record)
        return kept, suppressed
