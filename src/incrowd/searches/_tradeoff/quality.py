"""How good a clustering is: UM + MPM, what groups span of the quasi-identifiers and lack of the sensitive columns."""

from fractions import Fraction
from math import ceil

import numpy as np

from incrowd.searches._tradeoff.clusters import TradeoffClusters
from incrowd.searches._tradeoff.records import Counts, TradeoffRecords
from incrowd.searches._tradeoff.scales import IN_SET, IN_TREE, UNITS, Scale


def spans(records: TradeoffRecords, clusters: TradeoffClusters, scale: Scale | None = None) -> Counts:
    """Return columns x clusters: what each spans of each column, in units of the scale; of its domain where none is
    given."""
    position, _, starts = clusters.standing()
    group = np.repeat(np.arange(clusters.n), np.diff(starts))
    found = np.zeros((len(records.ranks), clusters.n), dtype=np.int64)
    kinds, widths, full, begins, units = records.shares if scale is None else scale
    for c, ranks in enumerate(records.ranks):
        own, table = ranks[position].astype(np.int64), units[begins[c] :]
        missing = np.zeros(clusters.n, dtype=np.bool_)
        of = group
        if kinds[c] != IN_TREE:
            missing[group[own == 0]] = True
            of, own = group[own > 0], own[own > 0]
        low, high = np.full(clusters.n, widths[c], dtype=np.int64), np.full(clusters.n, -1, dtype=np.int64)
        np.minimum.at(low, of, own)
        np.maximum.at(high, of, own)
        known = high >= 0
        low, high = np.where(known, low, 0), np.where(known, high, 0)
        if kinds[c] == IN_TREE:
            jump = np.frexp(np.maximum(1, high - low))[1].astype(np.int64) - 1
            one, other = (table[jump * widths[c] + at] for at in (low, np.maximum(high - (1 << jump), 0)))
            wide = np.where(low == high, 0, np.maximum(one, other))
        elif kinds[c] == IN_SET:
            different = np.unique(of * widths[c] + own) // max(1, int(widths[c]))
            wide = table[np.bincount(different, minlength=clusters.n)]
        else:
            wide = table[high] - table[low]
        found[c] = np.where(known & missing, full[c], np.where(known, wide, 0))
    return found


def published_spans(records: TradeoffRecords, clusters: TradeoffClusters) -> Counts:
    """Return the same in units of the domains, as published: ranges of a column with bounds end further out."""
    found = spans(records, clusters)
    position, _, starts = clusters.standing()
    for c, axis in enumerate(records.problem.axes):
        for at in range(clusters.n) if axis.bounds is not None else ():
            ranks = records.ranks[c][position[starts[at] : starts[at + 1]]]
            # A single value is published as it is, and one that is missing in part spans everything.
            if found[c, at] and ranks.min() > 0:
                low, high = axis.ends(int(ranks.min()), int(ranks.max()))
                found[c, at] = ceil(Fraction(high - low) / Fraction(axis.span or 1) * UNITS)
    return found


def quality(records: TradeoffRecords, clusters: TradeoffClusters, protection: float = 0.5) -> Fraction | None:
    """Return UM + MPM (Loukides 3.1.2 and 3.1.4), lower is better; None if no cluster stands.

    That is twice their mean; where protection weighs more or less than utility, twice their weighted mean.
    """
    if not clusters.n:
        return None
    found = spans(records, clusters).sum(axis=1)
    utility = _mean([int(each) for each in found[: records.quasi]], clusters.n)
    sensitive = [clusters.n * UNITS - int(each) for each in found[records.quasi :]]
    weight = Fraction(protection) if sensitive else Fraction(0)
    return 2 * ((1 - weight) * utility + weight * _mean(sensitive, clusters.n))


def _mean(sums: list[int], n: int) -> Fraction:
    return Fraction(sum(sums), n * len(sums) * UNITS) if sums else Fraction(0)
