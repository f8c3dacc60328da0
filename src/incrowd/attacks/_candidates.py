"""Candidates: the classes that are consistent with each person, in every column.

Persons and classes are sorted column by column into two tries, which are walked together: a pair of prefixes that does
not match is never visited again. So the cost depends on matching pairs, not on all pairs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.attacks._overlap import Relation, spread
from incrowd.core.histograms import Histogram
from incrowd.core.kernels import total
from incrowd.core.table import Codes
from incrowd.release_metrics.scale import Counts
from incrowd.watch import Watch

_MOST = 6_000_000
"""Pairs that are held at once; where there are more, half of the persons wait."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The classes that each person may be in. Persons with the same ones share a view."""

    view: Counts
    """Per person the view."""
    starts: Counts
    """The classes of view v are classes[starts[v]] up to classes[starts[v + 1]]."""
    classes: Counts
    fitting: Counts
    """Per class how many persons may be in it."""
    unmatched: Mapping[str, int] = field(default_factory=dict)
    """By column the number of distinct cells that match nobody, if they may be unreadable."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def owner(self) -> Counts:
        """Return the view of each of the classes."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def of_persons(self) -> Counts:
        """Return the classes of the first person, then those of the next, and so on."""
        return self.classes[spread(self.starts[self.view], np.diff(self.starts)[self.view])]

    def sizes(self, of_classes: Counts) -> Counts:
        """Return how many records each view has."""
        found: Counts = total(self.owner.astype(np.int32), len(self), of_classes[self.classes])
        return found

    def values(self, histogram: Histogram, group: Counts) -> tuple[Counts, Counts, Counts]:
        """Return view, value and count of what occurs in each view; `group` maps classes to the histogram."""
        owner, wanted = self.owner, group[self.classes]
        if (np.diff(group) <= 0).any():
            # Classes of one group share its values, which are there once.
            groups = np.int64(len(histogram))
            owner, wanted = np.divmod(np.unique(owner * groups + wanted), groups)
        lengths = histogram.distinct[wanted]
        entries = spread(histogram.starts[wanted], lengths)
        width = np.int64(max(1, len(histogram.domain.whole)))
        keys = np.repeat(owner, lengths) * width + histogram.values[entries]
        found, number = np.unique(keys, return_inverse=True)
        counts = total(number.astype(np.int32), len(found), histogram.counts[entries])
        return found // width, found % width, counts


def candidates(
    persons: Codes, counts: Counts, classes: Codes, relations: Sequence[Relation], watch: Watch
) -> Candidates:
    """Return the candidates of every person: both are columns x combinations; a column's relation pairs their cells."""
    order = sorted(range(len(relations)), key=lambda at: relations[at].density)
    sorted_relations = [relations[at] for at in order]
    right = _Trie.of(classes[order])
    pending = [np.lexsort(persons[order][::-1])] if persons.shape[1] else []
    views: dict[bytes, int] = {}
    view = np.zeros(persons.shape[1], dtype=np.int64)
    fitting = np.zeros(classes.shape[1], dtype=np.int64)
    done = 0
    while pending:
        part = pending.pop()
        watch.tick(f"{done:,} combinations of the outside table linked", done / persons.shape[1])
        pairs = _joined(_Trie.of(persons[order][:, part]), right, sorted_relations, len(part) > 1)
        if pairs is None:
            pending += np.array_split(part, 2)
            continue
        person, at = part[pairs[0]], pairs[1]
        fitting += np.bincount(at, weights=counts[person], minlength=len(fitting)).astype(np.int64)
        _number(part, person, at, views, view)
        done += len(part)
    listed = [np.frombuffer(key, dtype=np.int64) for key in views]
    starts = np.append(0, np.cumsum([len(each) for each in listed], dtype=np.int64))
    return Candidates(view, starts, np.concatenate([*listed, np.zeros(0, dtype=np.int64)]), fitting)


def _number(part: Counts, person: Counts, at: Counts, views: dict[bytes, int], view: Counts) -> None:
    """Give each person of the part the number of the classes that it has."""
    by_person = np.lexsort((at, person))
    person, at = person[by_person], at[by_person]
    wanted = np.sort(part)
    first, last = (np.searchsorted(person, wanted, side).tolist() for side in ("left", "right"))
    for each, begin, end in zip(wanted.tolist(), first, last, strict=True):
        view[each] = views.setdefault(at[begin:end].tobytes(), len(views))


@dataclass(frozen=True, eq=False)
class _Level:
    """The nodes of a trie in one depth, those of one parent together and by their cells."""

    starts: Counts
    """The children of parent p are from starts[p] to starts[p + 1]."""
    cells: Counts

    @cached_property
    def parents(self) -> Counts:
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


@dataclass(frozen=True, eq=False)
class _Trie:
    """Combinations sorted by the first column, then by the next; equal ones stay apart at the end."""

    order: Counts
    """Per leaf its combination."""
    levels: tuple[_Level, ...]

    @classmethod
    def of(cls, codes: Codes) -> "_Trie":
        order = np.lexsort(codes[::-1])
        n = len(order)
        new = np.zeros(n, dtype=np.bool_)
        new[:1] = True
        above = np.zeros(n, dtype=np.int64)
        levels = []
        for depth, column in enumerate(codes):
            cells = column[order].astype(np.int64)
            new[1:] |= cells[1:] != cells[:-1]
            # Of equal combinations each is a leaf of its own.
            first = np.arange(n) if depth == len(codes) - 1 else np.flatnonzero(new)
            starts = np.append(0, np.cumsum(np.bincount(above[first], minlength=1))).astype(np.int64)
            levels.append(_Level(starts, cells[first]))
            above = np.cumsum(new) - 1
        return cls(order, tuple(levels))


def _joined(left: _Trie, right: _Trie, relations: Sequence[Relation], may_wait: bool) -> tuple[Counts, Counts] | None:
    """Return all pairs of combinations that match; None if there would be too many."""
    pairs: tuple[Counts, Counts] | None = (np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    for mine, others, relation in zip(left.levels, right.levels, relations, strict=True):
        assert pairs is not None
        pairs = _down(mine, others, relation, *pairs, may_wait)
        if pairs is None:
            return None
    assert pairs is not None
    return left.order[pairs[0]], right.order[pairs[1]]


def _down(
    mine: _Level, others: _Level, relation: Relation, left: Counts, right: Counts, may_wait: bool
) -> tuple[Counts, Counts] | None:
    """Return the matching pairs of children of pairs of parents."""
    lengths = np.diff(mine.starts)[left]
    if may_wait and lengths.sum() > _MOST:
        return None
    child, beside = spread(mine.starts[left], lengths), np.repeat(right, lengths)
    cell = mine.cells[child]
    partners, children = np.diff(relation.starts)[cell], np.diff(others.starts)[beside]
    if may_wait and min(partners.sum(), children.sum()) > _MOST:
        return None
    if partners.sum() < children.sum():
        wanted = (
            np.repeat(beside, partners) * np.int64(relation.width)
            + relation.cells[spread(relation.starts[cell], partners)]
        )
        keys = others.parents * np.int64(relation.width) + others.cells
        first, last = (np.searchsorted(keys, wanted, side) for side in ("left", "right"))
        return np.repeat(np.repeat(child, partners), last - first), spread(first, last - first)
    found = spread(others.starts[beside], children)
    wanted = np.repeat(cell, children) * np.int64(relation.width) + others.cells[found]
    fits = _among(relation.keys, wanted)
    return np.repeat(child, children)[fits], found[fits]


def _among(keys: Counts, wanted: Counts) -> NDArray[np.bool_]:
    """Return which numbers are among the keys, which ascend."""
    if not len(keys):
        return np.zeros(len(wanted), dtype=np.bool_)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    found: NDArray[np.bool_] = keys[at] == wanted
    return found
