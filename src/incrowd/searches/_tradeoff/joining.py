"""Clusters of k records, joined two by two while they get better on average (Loukides 2008, definition 3.2.2)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from incrowd.core.kernels import Neighbors
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import NothingFound
from incrowd.searches._tradeoff.clusters import AT_A_TIME, TradeoffClusters
from incrowd.searches._tradeoff.quality import spans
from incrowd.searches._tradeoff.records import TradeoffRecords
from incrowd.searches._tradeoff.scales import Scale
from incrowd.searches.k_members import KMembers
from incrowd.watch import Watch

NEAR = 128
"""How many clusters, those made before and after it, a cluster looks at for another; all if there are no more."""


def of_k(records: TradeoffRecords, watch: Watch) -> tuple[TradeoffClusters, str]:
    """Return clusters of k records that span little, and why the search for them ended; one if records are too few.

    Of many equal records all but 2k are a cluster by themselves, which spans nothing, so that the work does not grow
    with their number.
    """
    problem, k = records.problem, records.k
    apart = np.where(records.counts >= 3 * k, records.counts - 2 * k, 0)
    counts = np.empty_like(records.counts)
    counts[records.order] = records.counts - apart
    few = replace(problem.frequencies, counts=counts)
    begun = KMembers().run(replace(problem, frequencies=few, model=KAnonymity(k), budget=0), watch)
    every = np.arange(len(records.counts))
    if isinstance(begun, NothingFound):
        return TradeoffClusters(every, records.counts, np.zeros_like(every)), begun.stopped
    position = np.empty_like(every)
    position[records.order] = every
    groups, own = begun.groups, np.flatnonzero(apart)
    clusters = TradeoffClusters(
        np.append(position[groups.combination], own),
        np.append(groups.counts, apart[own]),
        np.append(groups.group.astype(np.int64), groups.n + np.arange(len(own))),
    )
    return clusters, begun.stopped


def joined(
    records: TradeoffRecords, clusters: TradeoffClusters, each: Sequence[int], scale: Scale, watch: Watch
) -> tuple[TradeoffClusters, list[int]]:
    """Return the clusters after one round, and the diversity of each of them.

    A cluster, the worst first, joins the one with which it is best, where both together are better than it is alone and
    the average of all falls. No cluster joins two others in a round, so that none swallows all.
    """
    each = list(each)
    neighbors = Neighbors(scale, records.quasi, records.ranks, clusters.standing(), 0, NEAR)
    number, left = np.arange(clusters.n), clusters.n
    paired = np.zeros(clusters.n, dtype=np.bool_)
    total = sum(each)
    for done, at in enumerate(sorted(range(clusters.n), key=lambda c: (-each[c], c))):
        if done % AT_A_TIME == 0:
            watch.tick(f"{left:,} clusters; merging while that improves them")
        if paired[at]:
            continue
        other, both = neighbors.nearest(at)
        if other < 0 or paired[other] or both >= max(each[at], each[other]):
            continue
        if left * (each[at] + each[other] - both) <= total:
            continue
        total, left = total - each[at] - each[other] + both, left - 1
        number[at], paired[at], paired[other] = other, True, True
        each[other] = both
        neighbors.join(at, other)
    return clusters.renumbered(number), [each[c] for c in np.unique(number).tolist()]


def diversities(records: TradeoffRecords, clusters: TradeoffClusters, scale: Scale) -> list[int]:
    """Return the max-range weighted tuple diversity of each cluster, in units of the scale."""
    found = spans(records, clusters, scale)
    lacking = scale[2][records.quasi :, np.newaxis] - found[records.quasi :]
    units: list[int] = (found[: records.quasi].sum(axis=0) + lacking.sum(axis=0)).tolist()
    return units
