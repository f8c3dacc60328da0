"""Which original records are consistent with which released ones (Gionis, Mazza and Tassa 2008).

A released record is consistent with an original one where each of its cells covers the original value. Nobody needs to
know which released record is whose. Equal records count as one node with a number, on both sides.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from incrowd.core.table import MISSING, Codes
from incrowd.release_metrics.contract import NO_CLASS, Reading, nothing
from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.scale import Counts, Numbers

if TYPE_CHECKING:
    from incrowd.release_metrics.released import Released

Bits = NDArray[np.uint64]
"""Sets of combinations, 64 to a word, the first one in the lowest bit."""

_WORD = np.dtype("<u8")
_AT_ONCE = 1 << 19
"""The number of words of sets to process at once."""
MOST_PAIRS = 1 << 33
"""The largest number of pairs of combinations to compare."""
MOST_EDGES = 1 << 24
"""The largest number of consistent pairs to match."""


@dataclass(frozen=True, eq=False)
class Side:
    """Originals, or released combinations, each with its number, and per column which of the others fit."""

    cells: Codes
    """Columns x combinations: the code, or the cell, of a combination in a column."""
    fits: tuple[Bits, ...]
    """Per column and code, or cell, which combinations of the other side fit it."""
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)

    def blocks(self) -> Iterator[tuple[slice, Bits]]:
        """Yield the consistent combinations of the other side, for some of this side at a time."""
        step = max(1, _AT_ONCE // max(1, self.fits[0].shape[1]))
        for begin in range(0, len(self), step):
            within = slice(begin, min(len(self), begin + step))
            first, *others = zip(self.fits, self.cells, strict=True)
            bits = first[0][first[1][within]]
            for of, cells in others:
                np.bitwise_and(bits, of[cells[within]], out=bits)
            yield within, bits


@dataclass(frozen=True, eq=False)
class Consistency:
    """The distinct originals and the distinct released combinations, and which are consistent."""

    people: Side
    rows: Side

    @classmethod
    def of(cls, released: "Released") -> "Consistency":
        """Return the consistency of a release with its original table."""
        names = released.original.names[: released.quasi]
        given = released.original.project(names)
        columns = list(zip(released.columns, given.codes, released.class_cells, strict=False))
        covered = [_covered(covers, codes) for covers, codes, _ in columns]
        return cls(
            Side(given.codes, tuple(_covering(covers, cells) for covers, _, cells in columns), given.counts),
            Side(released.class_cells, tuple(covered), released.sizes),
        )

    @cached_property
    def of_people(self) -> Counts:
        """Return per original how many released records are consistent with it."""
        if self.edges is None:
            return _sums(self.people, self.rows.counts)
        people, rows = self.edges
        return _total(people, self.rows.counts[rows], len(self.people))

    @cached_property
    def of_rows(self) -> Counts:
        """Return per released combination how many originals are consistent with it."""
        if self.edges is None:
            return _sums(self.rows, self.people.counts)
        people, rows = self.edges
        return _total(rows, self.people.counts[people], len(self.rows))

    @cached_property
    def pairs(self) -> int:
        """Return how many pairs of distinct combinations are consistent."""
        if self.edges is not None:
            return len(self.edges[0])
        return sum(int(np.bitwise_count(bits).sum()) for _, bits in self.people.blocks())

    @cached_property
    def edges(self) -> tuple[Counts, Counts] | None:
        """Return the consistent pairs: originals and released combinations; None if there are very many."""
        people, rows, found = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], 0
        for within, bits in self.people.blocks():
            row, place = _members(bits)
            found += len(row)
            if found > MOST_EDGES:
                return None
            people.append(row + within.start)
            rows.append(place)
        return np.concatenate(people), np.concatenate(rows)

    @property
    def spare(self) -> int:
        """Return the number of originals beyond the released records: these were suppressed."""
        return int(self.people.counts.sum() - self.rows.counts.sum())

    @property
    def least_of_people(self) -> int:
        """Return the fewest released records consistent with an original, suppressed ones excluded (see `_least`)."""
        found = self.of_people
        # More are without any than were suppressed: the cells do not cover what they stand for.
        return 0 if self.people.counts[found == 0].sum() > self.spare else _least(found)

    @property
    def least_of_rows(self) -> int:
        """Return the fewest originals that are consistent with a released record."""
        return int(self.of_rows.min())

    @cached_property
    def least_matches(self) -> int:
        """Return the fewest matches of an original; 0 if the released records cannot be of different originals.

        A match is a consistent pair that is part of some assignment of all released records to different originals.
        """
        assert self.edges is not None
        people, rows = self.edges
        flow = _assignment(people, rows, self.people.counts, self.rows.counts)
        if flow is None:
            return 0
        n, spare = len(self.people), self.spare
        if spare:
            # Whoever is in nobody's place was suppressed: one more row that fits everybody.
            left = self.people.counts - np.bincount(people, weights=flow, minlength=n).astype(np.int64)
            people, rows = np.append(people, np.arange(n)), np.append(rows, np.full(n, len(self.rows)))
            flow = np.append(flow, left)
        component = _components(people, n + rows, flow, n + len(self.rows) + bool(spare))
        allowed = (flow > 0) | (component[people] == component[n + rows])
        # Those that are suppressed have no released record.
        records = np.append(self.rows.counts, 0)[rows]
        return _least(np.bincount(people[allowed], weights=records[allowed], minlength=n).astype(np.int64))


def _least(found: Counts) -> int:
    """Return the smallest nonzero count, or 0 if there is none: originals with 0 were not released."""
    there = found[found > 0]
    return int(there.min()) if len(there) else 0


def of_release(released: "Released") -> Consistency | Reading:
    """Return the consistency of a release, or the reason why it cannot be measured."""
    if not released.classes:
        return NO_CLASS
    given = released.original.project(released.original.names[: released.quasi])
    if given.combinations * released.classes > MOST_PAIRS:
        pairs = f"{given.combinations:,} x {released.classes:,}"
        return nothing(f"too many distinct records to compare each original with each released one ({pairs})")
    return released.consistency


def matched(released: "Released") -> Reading:
    """Return the fewest matches of an original, or the reason why there is no value."""
    found = of_release(released)
    if isinstance(found, Reading):
        return found
    if find_spec("scipy") is None:
        return nothing("matching needs SciPy; install incrowd[table]")
    if found.edges is None:
        return nothing(f"too many consistent pairs of distinct records to match ({found.pairs:,})")
    if released.records > np.iinfo(np.int32).max:
        return nothing("too many records to match")
    return Reading(float(found.least_matches))


def _sums(side: Side, others: Counts) -> Counts:
    """Return, per combination of one side, the number of consistent records of the other."""
    planes = [_packed(others >> bit & 1 == 1) for bit in range(int(others.max()).bit_length())]
    found = np.zeros(len(side), dtype=np.int64)
    for within, bits in side.blocks():
        for bit, plane in enumerate(planes):
            found[within] += np.bitwise_count(bits & plane).sum(axis=1, dtype=np.int64) << bit
    return found


def _packed(mask: NDArray[np.bool_]) -> Bits:
    """Return a set; bits beyond the last member are 0."""
    whole = np.zeros(-(-len(mask) // 64) * 64, dtype=np.bool_)
    whole[: len(mask)] = mask
    return np.packbits(whole, bitorder="little").view(_WORD)


def _members(sets: Bits) -> tuple[Counts, Counts]:
    """Return the number of the set and the place in it of every member. Most words of most sets are empty."""
    some = np.flatnonzero(sets.reshape(-1))
    words = np.ascontiguousarray(sets.reshape(-1)[some], dtype=_WORD).view(np.uint8).reshape(-1, 8)
    word, place = np.nonzero(np.unpackbits(words, axis=1, bitorder="little").view(np.bool_))
    number, at = np.divmod(some[word], sets.shape[1])
    return number, at * 64 + place


def _total(numbers: Counts, counts: Counts, n: int) -> Counts:
    """Return the sum of the counts with each number."""
    found = np.zeros(n, dtype=np.int64)
    np.add.at(found, numbers, counts)
    return found


def _covering(covers: Covers, cells: Codes) -> Bits:
    """Return per code of a column which of some cells cover its value."""
    used, at = np.unique(cells, return_inverse=True)
    some = covers.take(used)
    at = at.reshape(-1)
    found = [_inside(some.low, some.high, some.missing, place) for place in covers.scale.positions.tolist()]
    for cell in some.scattered_cells:
        members = set(some.members_of(cell).tolist())
        for code, place in enumerate(covers.scale.positions.tolist()):
            found[code][cell] &= code == MISSING or place in members
    return np.array([_packed(mask[at]) for mask in found])


def _covered(covers: Covers, codes: Codes) -> Bits:
    """Return per cell of a column which of some values it covers."""
    places = covers.scale.positions
    found = []
    for cell in range(len(covers)):
        mask = np.isin(places, covers.members_of(cell)) if covers.scattered[cell] else None
        if mask is None:
            with np.errstate(invalid="ignore"):
                mask = (covers.low[cell] <= places) & (places <= covers.high[cell])
        mask[MISSING] = covers.missing[cell]
        found.append(_packed(mask[codes]))
    return np.array(found)


def _inside(low: Numbers, high: Numbers, missing: NDArray[np.bool_], place: float) -> NDArray[np.bool_]:
    """Return which cells cover a position; NaN is the position of missing."""
    if isnan(place):
        return missing.copy()
    with np.errstate(invalid="ignore"):
        found: NDArray[np.bool_] = (low <= place) & (place <= high)
    return found


def _assignment(people: Counts, rows: Counts, of_people: Counts, of_rows: Counts) -> Counts | None:
    """Return, per pair, how many originals are assigned to how many released records, so all are served; or None."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    n, m = len(of_people), len(of_rows)
    first, source, sink = n, n + m, n + m + 1
    tails = np.concatenate([people, np.full(n, source), first + np.arange(m)])
    heads = np.concatenate([first + rows, np.arange(n), np.full(m, sink)])
    most = np.minimum(of_people[people], of_rows[rows])
    capacity = np.concatenate([most, of_people, of_rows]).astype(np.int32)
    graph = csr_array((capacity, (tails, heads)), shape=(sink + 1, sink + 1))
    found = maximum_flow(graph, source, sink)
    if found.flow_value < of_rows.sum():
        return None
    flow = found.flow.tocsr()
    return np.asarray(flow[people, first + rows]).reshape(-1).astype(np.int64)


def _components(people: Counts, rows: Counts, flow: Counts, n: int) -> NDArray[np.int64]:
    """Return the components of the graph of originals, records consistent with them, and assignments back."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    taken = flow > 0
    tails, heads = np.concatenate([people, rows[taken]]), np.concatenate([rows, people[taken]])
    graph = csr_array((np.ones(len(tails), dtype=np.int8), (tails, heads)), shape=(n, n))
    return np.asarray(connected_components(graph, connection="strong")[1], dtype=np.int64)
