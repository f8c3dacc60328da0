"""Cuts that are judged before they are made."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.searches._splits.rows import Numbers, Segments

Stand = Callable[[Numbers, Numbers, Numbers], NDArray[np.bool_]]
"""Of segments given by where they start, are cut and end: which of these cuts are to be made."""


def judged_splits(cutter: Any, stand: Stand) -> Iterator[str]:
    """Split segments side by side, all splits judged at once; a segment that is not split tries another column."""
    open_segments = cutter.open_segments
    tries = [0] * len(open_segments)
    while open_segments:
        yield f"{len(cutter.leaves):,} groups that cannot be cut, {len(open_segments):,} that may be"
        starts, ends = np.array(open_segments, dtype=np.int64).T
        middles = cutter.cuts(np.ascontiguousarray(starts), np.ascontiguousarray(ends), np.array(tries, dtype=np.int32))
        there = np.flatnonzero(middles >= 0)
        stands = np.zeros(len(middles), dtype=np.bool_)
        stands[there] = stand(starts[there], middles[there], ends[there])
        following: list[tuple[int, int]] = []
        again: list[int] = []
        for at, (start, middle, end) in enumerate(zip(starts.tolist(), middles.tolist(), ends.tolist(), strict=True)):
            if stands[at]:
                following += [(start, middle), (middle, end)]
                again += [0, 0]
            elif middle >= 0:
                following.append((start, end))
                again.append(tries[at] + 1)
            else:
                cutter.leaves.append((start, end))
        open_segments, tries = following, again
        cutter.open_segments = open_segments


def halves(cutter: Any, starts: Numbers, middles: Numbers, ends: Numbers) -> Segments:
    """Return the two halves of each segment, one after the other."""
    begins, stops = (np.stack(each, axis=1).reshape(-1) for each in ((starts, middles), (middles, ends)))
    return segments(cutter, begins, stops)


def segments(cutter: Any, begins: Numbers, ends: Numbers) -> Segments:
    """Return the rows of each segment as a class."""
    lengths = ends - begins
    offsets = np.append(0, np.cumsum(lengths))
    places = np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], lengths)
    numbers = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    return Segments(cutter.arranged()[places], numbers, len(lengths))
