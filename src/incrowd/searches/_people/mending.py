"""Mending: clusters that publish the same cells are one class, which may violate a model that each of them satisfies.

Of each lot the clusters of exposed people are joined; a single one publishes all of its records as one group; and if
that does not help either, all lots do so together. Each step leaves fewer groups, and the last one is all there is.
"""

import numpy as np
from numpy.typing import NDArray

from incrowd.core.groups import Groups
from incrowd.core.knowledge import Holdings, views
from incrowd.core.table import Codes
from incrowd.models.on_views import OnViews
from incrowd.recodings.by_group import by_group
from incrowd.searches._people.clusters import NOBODY, Clusters
from incrowd.searches.problem import Problem

Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64]


def mended(clusters: Clusters, judge: OnViews) -> Clusters | None:
    """Return clusters whose release satisfies the models; None if there are none."""
    while True:
        bad = exposed(clusters, judge)
        if not bad.any():
            return clusters
        if len(np.unique(clusters.group())) - int((clusters.cluster == NOBODY).any()) == 1:
            return None
        clusters = _joined(clusters, bad)


def exposed(clusters: Clusters, judge: OnViews) -> Mask:
    """Return who is exposed by the release."""
    table = clusters.records.table
    of = published_classes(clusters.records.problem, clusters.groups(), clusters.group(), table.row)
    there = clusters.cluster[table.person] != NOBODY
    held = Holdings.joined(of[there], table.person[there], table.counts[there], table.people)
    seen = views(held, judge.knows)
    found = seen.exposed(judge.at([of])([held], seen), table.people)
    also = judge.in_classes([of])
    return found if also is None else found | also([held])


def published_classes(problem: Problem, groups: Groups, group: Numbers, row: Numbers) -> Codes:
    """Return the class of each record as it is published, given its group and its combination."""
    recoding = by_group(groups, problem.axes, problem.forms)
    classes = np.zeros(len(recoding.kept), dtype=np.int32)
    classes[recoding.kept] = recoding.classes(len(problem.axes)).of
    if recoding.pieces is None:
        whole = recoding.combinations.names == groups.frequencies.names
        found: Codes = classes[row if whole else groups.frequencies.classes(problem.quasi).of[row]]
        return found
    of_group = np.zeros(groups.n, dtype=np.int32)
    of_group[groups.group[groups.kept]] = classes[groups.kept]
    return np.where(group < 0, 0, of_group[np.maximum(group, 0)]).astype(np.int32)


def _joined(clusters: Clusters, bad: Mask) -> Clusters:
    """Return fewer groups: the next step for each lot with exposed people."""
    cluster, slot = clusters.cluster.copy(), clusters.slot.copy()
    person = clusters.records.table.person
    for lot in np.unique(clusters.lot[bad]).tolist():
        mine = (clusters.lot == lot) & (cluster != NOBODY)
        own = np.unique(cluster[mine])
        if len(own) > 1:
            failing = np.unique(cluster[bad & mine])
            other = own[np.searchsorted(own, failing[-1]) - 1]
            cluster[np.isin(cluster, np.append(failing, other))] = failing[0]
        elif slot[mine[person]].any():
            slot[mine[person]] = 0
        else:
            # Nothing less helps.
            return clusters.renumbered(np.where(cluster == NOBODY, NOBODY, 0), np.zeros_like(slot))
    return clusters.renumbered(cluster, slot)
