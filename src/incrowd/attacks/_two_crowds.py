"""The people behind classes of two releases at once, from the original table of both."""

from __future__ import annotations

import numpy as np

from incrowd.attacks._candidates import Candidates
from incrowd.attacks._crowd import distinct_pairs
from incrowd.attacks._overlap import spread
from incrowd.attacks._target import People
from incrowd.core.histograms import Counts

_MOST = 20_000_000
"""Pairs of classes that are held at once."""


def people_behind(people: People, views: tuple[Candidates, Candidates], pairs: Counts, of: Counts) -> Counts | None:
    """Return per pair of views how many people have a record that may be in a class of each of the two.

    `of` is the pair of each combination of the people. None if there are too many pairs of classes. Records that were
    left out may fit too, so there may be fewer people, never more.
    """
    pair, cell = _pairs_of_classes(views, pairs)
    if pair is None or cell is None:
        return None
    # Whoever has a record of a pair may be behind all pairs of views that share a pair of classes with it.
    begin = np.searchsorted(pair, of[people.of])
    lengths = np.searchsorted(pair, of[people.of], side="right") - begin
    cells, who = distinct_pairs(cell[spread(begin, lengths)], np.repeat(people.person, lengths))
    start = np.searchsorted(cells, cell)
    several = np.searchsorted(cells, cell, side="right") - start
    if int(several.sum()) > _MOST:
        return None
    owner, _ = distinct_pairs(np.repeat(pair, several), who[spread(start, several)])
    return np.bincount(owner, minlength=pairs.shape[1]).astype(np.int64)


def _pairs_of_classes(views: tuple[Candidates, Candidates], pairs: Counts) -> tuple[Counts, Counts] | tuple[None, None]:
    """Return the pair of views and the pair of classes, as one number, of each of their pairs; by pair of views."""
    one, other = (np.diff(view.starts)[pairs[at]] for at, view in enumerate(views))
    if int((one * other).sum()) > _MOST:
        return None, None
    # Every class of the first view, and for each of them every class of the second.
    first = views[0].classes[spread(views[0].starts[pairs[0]], one)]
    of_first = np.repeat(np.arange(pairs.shape[1]), one)
    second = views[1].classes[spread(views[1].starts[pairs[1]][of_first], other[of_first])]
    width = np.int64(1 + int(views[1].classes.max(initial=0)))
    return np.repeat(of_first, other[of_first]), np.repeat(first, other[of_first]) * width + second
