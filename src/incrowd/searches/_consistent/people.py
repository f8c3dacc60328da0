"""Everybody's side: rows are widened until every original is consistent with k of them."""

from collections.abc import Iterator
from math import inf

import numpy as np
from numpy.typing import NDArray

from incrowd.core.histograms import Counts
from incrowd.searches._consistent.boxes import Nodes
from incrowd.searches._consistent.rows import Mask, Met, OwnLevels, Rows
from incrowd.watch import Stopped, Watch


def least_of_rows(nodes: Nodes, rows: Rows) -> int:
    """Return the fewest records that a row covers; 0 if there is none."""
    found = [int(sizes[of[here]].min()) for sizes, of, here in _by_levels(nodes, rows)]
    return min(found, default=0)


def fitting(nodes: Nodes, rows: Rows) -> Counts:
    """Return per combination how many released records are consistent with it."""
    found = np.zeros(len(rows), dtype=np.int64)
    for sizes, of, here in _by_levels(nodes, rows):
        found += np.bincount(of[here], rows.counts[here], len(sizes)).astype(np.int64)[of]
    return found


def _by_levels(nodes: Nodes, rows: Rows) -> Iterator[tuple[Counts, Counts, Mask]]:
    """Yield for all rows on the same levels the sizes of classes, the class of each combination, and the rows."""
    vectors, of_vector = np.unique(rows.levels, axis=1, return_inverse=True)
    for number, vector in enumerate(vectors.T):
        yield *nodes.classes(vector.tolist()), of_vector.reshape(-1) == number


def widened(nodes: Nodes, rows: Rows, boxes: OwnLevels, k: int, watch: Watch) -> str:
    """Widen the cheapest rows for each record that is consistent with too few (Gionis et al., algorithm 5).

    Those with near neighbors come first. The other way round costs less: the rows of a few who stand apart are soon so
    wide that they cover everybody, which the definition takes for enough, and which hides nobody from who looks twice.
    Stopped, the rows of everybody in the box of k records around a combination are widened to cover it.
    """
    fits = fitting(nodes, rows)
    order = np.argsort(rows.cost(boxes), kind="stable")
    reason = "done"
    for number, at in enumerate(order.tolist()):
        lacking = k - int(fits[at])
        if lacking <= 0:
            continue
        try:
            if reason == "done":
                watch.tick(f"{number} of {len(order)} combinations fit enough rows", number / len(order))
        except Stopped as stop:
            reason = stop.reason
        met = rows.met(at)
        wanted = _cheapest(rows, met, lacking) if reason == "done" else around(rows, met, boxes[:, at])
        for each in wanted.tolist():
            fits[rows.widen(each, met[rows.places[each]])] += rows.counts[each]
    return reason


def _cheapest(rows: Rows, met: Met, lacking: int) -> Counts:
    """Return the combinations whose rows cover one more at the least cost a record, as many as it takes."""
    dearer = rows.dearer(met, lacking)
    candidates = np.flatnonzero(dearer < inf)
    candidates = candidates[np.argsort(dearer[candidates], kind="stable")]
    enough = np.searchsorted(np.cumsum(rows.counts[candidates]), lacking)
    return candidates[: enough + 1]


def around(rows: Rows, met: Met, box: NDArray[np.int16]) -> Counts:
    """Return the combinations in the box of one whose rows do not cover it."""
    inside = np.flatnonzero(rows.covered(met, box))
    return inside[(rows.levels[:, inside] < met[rows.places[inside]].T).any(axis=0)]
