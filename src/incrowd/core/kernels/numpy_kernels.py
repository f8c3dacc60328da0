"""The kernels in NumPy: what `compiled.pyx` is tested against, and what serves if nothing was compiled."""

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels.numpy_averaging import Averager as Averager
from incrowd.core.kernels.numpy_clustering import Grower as Grower
from incrowd.core.kernels.numpy_covering import Covering as Covering
from incrowd.core.kernels.numpy_cutting import Cutter as Cutter
from incrowd.core.kernels.numpy_guided import Contributing as Contributing
from incrowd.core.kernels.numpy_guided import NearCluster as NearCluster
from incrowd.core.kernels.numpy_improving import Clusters as Clusters
from incrowd.core.kernels.numpy_neighbors import Neighbors as Neighbors
from incrowd.core.kernels.numpy_tradeoff import MedianPartitioner as MedianPartitioner
from incrowd.core.kernels.numpy_tradeoff import NearSeed as NearSeed

Keys = NDArray[np.uint64]
Codes = NDArray[np.int32]
Counts = NDArray[np.int64]


def _first_appearance(keys: Keys) -> tuple[Keys, Codes]:
    """Return distinct keys in order of first appearance, and the number of each key."""
    distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return distinct[order], rank[inverse]


class Tally:
    """How often each 64-bit key was seen."""

    def __init__(self) -> None:
        self._keys: Keys = np.empty(0, dtype=np.uint64)
        self._counts: Counts = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, keys: Keys, weights: Counts | None = None) -> None:
        """Count every key once, or `weights[i]` (positive) times."""
        if weights is None:
            weights = np.ones(len(keys), dtype=np.int64)
        if len(weights) != len(keys):
            raise ValueError("add: lengths differ")
        keys = np.concatenate([self._keys, keys])
        weights = np.concatenate([self._counts, weights])
        self._keys, inverse = np.unique(keys, return_inverse=True)
        self._counts = np.zeros(len(self._keys), dtype=np.int64)
        np.add.at(self._counts, inverse, weights)

    def items(self) -> tuple[Keys, Counts]:
        """Return the distinct keys and their counts."""
        return self._keys, self._counts


class Numbering:
    """Numbers distinct 64-bit keys 0, 1, 2, ... in order of first appearance, over any number of calls."""

    def __init__(self) -> None:
        self._keys: Keys = np.empty(0, dtype=np.uint64)

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, keys: Keys) -> Codes:
        """Return the number of every key; new keys get the next numbers."""
        known = len(self._keys)
        self._keys, numbers = _first_appearance(np.concatenate([self._keys, keys]))
        return numbers[known:]

    def keys(self) -> Keys:
        """Return the distinct keys, in the order of their numbers."""
        return self._keys


class ValueNumbering:
    """Numbers distinct strings of bytes 0, 1, 2, ... in order of first appearance, over any number of calls."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, starts: Counts, text: NDArray[np.uint8], there: NDArray[np.uint8]) -> tuple[Codes, Counts]:
        """Return the number of every string that is there, -1 of the others, and where new ones came first.

        String i is text[starts[i]:starts[i + 1]]."""
        if len(starts) != len(there) + 1:
            raise ValueError("add: lengths differ")
        if starts[0] < 0 or (np.diff(starts) < 0).any() or starts[-1] > len(text):
            raise ValueError("add: beyond the text")
        whole, ends = text.tobytes(), starts.tolist()
        numbers = np.full(len(there), -1, dtype=np.int32)
        fresh = []
        for at in np.flatnonzero(there).tolist():
            string = whole[ends[at] : ends[at + 1]]
            if string not in self._numbers:
                self._numbers[string] = len(self._numbers)
                fresh.append(at)
            numbers[at] = self._numbers[string]
        return numbers, np.array(fresh, dtype=np.int64)


def scatter(keys: Keys, codes: Codes, lookup: Keys) -> None:
    """Add a column to the packed keys, renumbered on the way: keys |= lookup[codes]."""
    if len(codes) != len(keys):
        raise ValueError("scatter: lengths differ")
    keys |= lookup[codes]


def _pairs(classes: Codes, codes: Codes, n_codes: int) -> Keys:
    return classes.astype(np.uint64) * np.uint64(n_codes) + codes.astype(np.uint64)


class Refiner:
    """Splits classes by one more column."""

    def sizes(self, classes: Codes, n_classes: int, codes: Codes, n_codes: int, weights: Codes | None = None) -> Counts:
        """Return sizes of the new classes, in no order; the weights (1 each when None) add up to less than 2^31."""
        if len(codes) != len(classes) or (weights is not None and len(weights) != len(classes)):
            raise ValueError("sizes: lengths differ")
        tally = Tally()
        tally.add(_pairs(classes, codes, n_codes), None if weights is None else weights.astype(np.int64))
        return tally.items()[1]

    def refine(self, classes: Codes, n_classes: int, codes: Codes, n_codes: int) -> tuple[Codes, int]:
        """Return the new class of each combination, numbered in order of first appearance, and how many there are."""
        if len(codes) != len(classes):
            raise ValueError("refine: lengths differ")
        distinct, refined = _first_appearance(_pairs(classes, codes, n_codes))
        return refined, len(distinct)


def total(numbers: Codes, n_numbers: int, counts: Counts) -> Counts:
    """Return the sum of the counts that carry each number."""
    if len(counts) != len(numbers):
        raise ValueError("total: lengths differ")
    sums = np.zeros(n_numbers, dtype=np.int64)
    np.add.at(sums, numbers, counts)
    return sums


class Grouper:
    """Groups masked keys."""

    def group(self, keys: Keys, mask: Keys, counts: Counts, assign: bool) -> tuple[Keys, Counts, Codes, Codes]:
        """Return keys, counts and first members of the groups of keys that are equal under the mask. On demand also the
        group of each key: then they are in order of first appearance, else in any."""
        if len(counts) != len(keys) or len(mask) != keys.shape[1] or not len(mask):
            raise ValueError("group: lengths differ")
        masked = keys & mask
        numbers = np.unique(masked, axis=0, return_inverse=True)[1].reshape(-1)
        distinct, of = _first_appearance(numbers.astype(np.uint64))
        first = np.empty(len(distinct), dtype=np.int32)
        first[of[::-1]] = np.arange(len(keys) - 1, -1, -1, dtype=np.int32)
        return masked[first], total(of, len(distinct), counts), first, of if assign else of[:0]


def regroup(
    of: Codes, n_groups: int, starts: Counts, values: Codes, counts: Counts, n_values: int, most: int = 2**63 - 1
) -> tuple[Counts, Codes, Counts]:
    """Return the histograms of groups: member i has the entries from starts[i] to starts[i + 1] and is in group of[i].

    A group is looked at until it has `most` different values; what follows is not counted."""
    if len(starts) != len(of) + 1 or len(values) != len(counts):
        raise ValueError("regroup: lengths differ")
    if most < 1:
        raise ValueError("regroup: no value at all")
    owner = np.repeat(of, np.diff(starts)).astype(np.uint64)
    # Entries in order of their members' groups, as the compiled twin meets them.
    order = np.argsort(owner, kind="stable")
    pairs, numbers = _first_appearance((owner * np.uint64(n_values) + values.astype(np.uint64))[order])
    group = (pairs // np.uint64(n_values)).astype(np.int64)
    rank = np.arange(len(pairs)) - np.searchsorted(group, group)
    # Pairs come in order, so the newest one so far tells how many values the group has by then. The first entry of the
    # last value that it may have is the last that counts.
    newest = np.maximum.accumulate(numbers)
    fresh = np.diff(newest, prepend=-1) > 0
    stays = (rank[newest] < most - 1) | (fresh & (rank[newest] == most - 1))
    kept = rank < most
    sums = total(numbers[stays], len(pairs), counts[order][stays])[kept]
    new_starts = np.zeros(n_groups + 1, dtype=np.int64)
    np.add.at(new_starts, group[kept] + 1, 1)
    return np.cumsum(new_starts), (pairs[kept] % np.uint64(n_values)).astype(np.int32), sums


def surplus_and_deficit(
    starts: Counts, values: Codes, counts: Counts, labels: Codes, shares: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return per class, as a mean over the levels, what its nodes have too much, and the share of those that it lacks.

    Class c has the entries from starts[c] to starts[c + 1]. A value belongs on each level to the node labels[level,
    value], whose share in the whole table is shares[level, node]."""
    if len(values) != len(counts) or len(shares) != len(labels) or not len(starts):
        raise ValueError("surplus_and_deficit: lengths differ")
    classes, nodes = len(starts) - 1, shares.shape[1]
    owner = np.repeat(np.arange(classes, dtype=np.int64), np.diff(starts))
    sizes = np.bincount(owner, weights=counts, minlength=classes)
    surplus, lack = np.zeros(classes), np.full(classes, float(len(labels)))
    for of, share in zip(labels, shares, strict=True):
        pairs, number = np.unique(owner * nodes + of[values], return_inverse=True)
        at, node = pairs // nodes, pairs % nodes
        records = total(number.astype(np.int32), len(pairs), counts)
        more = np.maximum(records / sizes[at] - share[node], 0.0)
        surplus += np.bincount(at, weights=more, minlength=classes)
        lack -= np.bincount(at, weights=share[node], minlength=classes)
    return surplus / len(labels), lack / len(labels)


class Judge:
    """Judges nodes by k-anonymity, of records or of people, and a cost of cells while they are counted, without listing
    their classes.

    For each column and level: the bits of a key that stay (of each word), what the level costs, and (of the first
    columns alone) where in `gaps` it begins what a lost cell costs beyond that, by its code. The codes are
    combinations x columns, since those of one combination are looked up together.
    """

    def __init__(
        self,
        grouper: Grouper,
        k: int,
        budget: int,
        masks: NDArray[np.uint64],
        parts: NDArray[np.float64],
        codes: Codes,
        gaps: NDArray[np.float64],
        begins: Counts,
    ) -> None:
        if parts.shape != masks.shape[:2] or len(begins) > codes.shape[1]:
            raise ValueError("judge: columns differ")
        self._grouper, self._k, self._budget = grouper, k, budget
        self._masks, self._parts, self._codes, self._gaps, self._begins = masks, parts, codes, gaps, begins

    def judge(
        self, levels: tuple[int, ...], keys: Keys, counts: Counts, origins: Codes
    ) -> tuple[int, int, int, float, float]:
        """Return records in classes of fewer than k, classes of k or more, the smallest of those (0 for none), what the
        levels cost, and what losing those records adds. That is 0 if more records than the budget would be lost.

        The keys are those of classes below the node, each with an original combination that it holds."""
        mask = self._mask(levels, keys, counts, origins)
        _, sums, first, _ = self._grouper.group(keys, mask, counts, False)
        return self._told(levels, sums, sums < self._k, origins[first])

    def judge_people(
        self,
        levels: tuple[int, ...],
        keys: Keys,
        counts: Counts,
        origins: Codes,
        starts: Counts,
        people: Codes,
        records: Counts,
        n_people: int,
        nobody: int,
    ) -> tuple[int, int, int, float, float]:
        """Return the same for classes of fewer than k people, and those of k or more.

        Of class i below the node the people are those from starts[i] to starts[i + 1], each once with its records; of
        more than k any k of them do. `nobody` stands for as many people as it has records."""
        mask = self._mask(levels, keys, counts, origins)
        if len(starts) != len(keys) + 1 or len(people) != len(records):
            raise ValueError("judge_people: lengths differ")
        _, sums, first, of = self._grouper.group(keys, mask, counts, True)
        owner, alone = np.repeat(of, np.diff(starts)), people == nobody
        pairs = np.unique(_pairs(owner[~alone], people[~alone], max(1, n_people)))
        found = np.bincount((pairs // np.uint64(max(1, n_people))).astype(np.int64), minlength=len(sums))
        found += total(owner[alone], len(sums), records[alone])
        return self._told(levels, sums, found < self._k, origins[first])

    def _mask(self, levels: tuple[int, ...], keys: Keys, counts: Counts, origins: Codes) -> Keys:
        if len(levels) != len(self._masks):
            raise ValueError("judge: another number of columns")
        if any(not 0 <= level < self._masks.shape[1] for level in levels):
            raise ValueError("judge: no such level")
        if len(origins) != len(keys) or len(counts) != len(keys) or keys.shape[1] != self._masks.shape[2]:
            raise ValueError("judge: lengths differ")
        mask: Keys = np.bitwise_or.reduce(self._masks[np.arange(len(levels)), levels], axis=0)
        return mask

    def _told(
        self, levels: tuple[int, ...], sums: Counts, small: NDArray[np.bool_], origins: Codes
    ) -> tuple[int, int, int, float, float]:
        lost, kept = int(sums[small].sum()), sums[~small]
        lost_cost = 0.0
        if lost <= self._budget:
            members = origins[small]
            each = np.zeros(len(members))
            for begins, level, row in zip(self._begins, levels, self._codes[members].T, strict=False):
                each += self._gaps[begins[level] + row]
            lost_cost = float(each @ sums[small])
        columns = np.arange(len(levels))
        # One after the other, as the compiled twin adds them.
        plain = sum(self._parts[columns, levels].tolist())
        return lost, len(kept), int(kept.min()) if len(kept) else 0, plain, lost_cost


class NodeSchedule:
    """The nodes of a listed lattice, visited in a given order: which are still open, and the least that each can score.

    A node is a tuple of levels, each from its column's lowest on; nodes are numbered as the places of an array of the
    given shape are, the last column running fastest.
    """

    def __init__(self, bound: NDArray[np.float64], order: Counts, shape: Counts, low: Counts) -> None:
        if np.prod(shape) != len(bound) or len(order) != len(bound) or len(low) != len(shape):
            raise ValueError("board: lengths differ")
        self._bound, self._order, self._shape, self._low = bound, order, tuple(shape.tolist()), low
        self._extra = np.zeros(len(bound))
        self._closed = np.zeros(len(bound), dtype=np.bool_)
        self._place = 0

    def next(self, best: float) -> tuple[int, ...] | None:
        """Return the next open node that may score less than the best, closed by being given out; None if there is
        none."""
        while self._place < len(self._order):
            at = int(self._order[self._place])
            self._place += 1
            if not self._closed[at]:
                self._closed[at] = True
                if self._bound[at] + self._extra[at] < best:
                    return tuple((np.array(np.unravel_index(at, self._shape)) + self._low).tolist())
        return None

    def prune(self, node: tuple[int, ...], dead: bool, extra: float) -> None:
        """Note that all nodes at or below the given one are closed, or score at least their bound plus this."""
        if len(node) != len(self._shape):
            raise ValueError("board: another number of columns")
        heights = (np.array(node) - self._low).tolist()
        if any(not 0 <= height < size for height, size in zip(heights, self._shape, strict=True)):
            raise ValueError("board: no such node")
        below = tuple(slice(0, height + 1) for height in heights)
        if dead:
            self._closed.reshape(self._shape)[below] = True
        else:
            part = self._extra.reshape(self._shape)[below]
            np.maximum(part, extra, out=part)

    def floor(self) -> float:
        """Return a score that no open node undercuts; infinite if none is open."""
        return float((self._bound + self._extra)[~self._closed].min(initial=np.inf))
