"""The kernels in NumPy: what `compiled.pyx` is tested against, and what serves where nothing was compiled."""

import numpy as np
from numpy.typing import NDArray

from incrowd.core._kernels.plain_cutting import Cutter as Cutter
from incrowd.core._kernels.plain_guided import Contributing as Contributing
from incrowd.core._kernels.plain_guided import NearCluster as NearCluster
from incrowd.core._kernels.plain_neighbours import Neighbours as Neighbours
from incrowd.core._kernels.plain_tradeoff import Halves as Halves
from incrowd.core._kernels.plain_tradeoff import NearSeed as NearSeed

Keys = NDArray[np.uint64]
Codes = NDArray[np.int32]
Counts = NDArray[np.int64]


def _first_appearance(keys: Keys) -> tuple[Keys, Codes]:
    """Distinct keys in order of first appearance, and the number of each key."""
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
        """The distinct keys and their counts."""
        return self._keys, self._counts


class Numbering:
    """Numbers distinct 64-bit keys 0, 1, 2, ... in order of first appearance, over any number of calls."""

    def __init__(self) -> None:
        self._keys: Keys = np.empty(0, dtype=np.uint64)

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, keys: Keys) -> Codes:
        """The number of every key; new keys get the next numbers."""
        known = len(self._keys)
        self._keys, numbers = _first_appearance(np.concatenate([self._keys, keys]))
        return numbers[known:]

    def keys(self) -> Keys:
        """The distinct keys, in the order of their numbers."""
        return self._keys


def scatter(keys: Keys, codes: Codes, lookup: Keys) -> None:
    """keys |= lookup[codes]: one column's share of the packed keys, renumbered on the way."""
    if len(codes) != len(keys):
        raise ValueError("scatter: lengths differ")
    keys |= lookup[codes]


def _pairs(classes: Codes, codes: Codes, n_codes: int) -> Keys:
    return classes.astype(np.uint64) * np.uint64(n_codes) + codes.astype(np.uint64)


class Refiner:
    """Splits classes by one more column."""

    def sizes(self, classes: Codes, n_classes: int, codes: Codes, n_codes: int, weights: Codes | None = None) -> Counts:
        """Sizes of the new classes, in no order; the weights (1 each when None) add up to less than 2^31."""
        if len(codes) != len(classes) or (weights is not None and len(weights) != len(classes)):
            raise ValueError("sizes: lengths differ")
        tally = Tally()
        tally.add(_pairs(classes, codes, n_codes), None if weights is None else weights.astype(np.int64))
        return tally.items()[1]

    def refine(self, classes: Codes, n_classes: int, codes: Codes, n_codes: int) -> tuple[Codes, int]:
        """The new class of each combination, numbered in order of first appearance, and how many there are."""
        if len(codes) != len(classes):
            raise ValueError("refine: lengths differ")
        distinct, refined = _first_appearance(_pairs(classes, codes, n_codes))
        return refined, len(distinct)


def total(numbers: Codes, n_numbers: int, counts: Counts) -> Counts:
    """Sum of the counts that carry each number."""
    if len(counts) != len(numbers):
        raise ValueError("total: lengths differ")
    sums = np.zeros(n_numbers, dtype=np.int64)
    np.add.at(sums, numbers, counts)
    return sums


class Grouper:
    """Groups masked keys."""

    def group(self, keys: Keys, mask: Keys, counts: Counts, assign: bool) -> tuple[Keys, Counts, Codes, Codes]:
        """Keys, counts and first members of the groups in order of first appearance, and (on demand) the group of
        each key; a group is what is equal under the mask."""
        if len(counts) != len(keys) or len(mask) != keys.shape[1] or not len(mask):
            raise ValueError("group: lengths differ")
        masked = keys & mask
        numbers = np.unique(masked, axis=0, return_inverse=True)[1].reshape(-1)
        distinct, of = _first_appearance(numbers.astype(np.uint64))
        first = np.empty(len(distinct), dtype=np.int32)
        first[of[::-1]] = np.arange(len(keys) - 1, -1, -1, dtype=np.int32)
        return masked[first], total(of, len(distinct), counts), first, of if assign else of[:0]

    def judge(
        self,
        keys: Keys,
        mask: Keys,
        counts: Counts,
        k: int,
        budget: int,
        origins: Counts,
        codes: Codes,
        costs: NDArray[np.float64],
        begins: Counts,
    ) -> tuple[int, int, int, float]:
        """What k-anonymity makes of the groups, without listing them: records in groups of fewer than k, groups of k or
        more, the smallest of those (0 for none), and what losing those records costs: costs[begins[c] + code] for
        each column c. That is 0 where more records than the budget would be lost."""
        if len(origins) != len(keys):
            raise ValueError("judge: lengths differ")
        if len(begins) > len(codes):
            raise ValueError("judge: more columns than codes")
        _, sums, first, _ = self.group(keys, mask, counts, False)
        small = sums < k
        lost, kept = int(sums[small].sum()), sums[~small]
        cost = 0.0
        if lost <= budget:
            members = origins[first[small]]
            each = np.zeros(len(members))
            for begin, row in zip(begins, codes, strict=False):
                each += costs[begin + row[members]]
            cost = float(each @ sums[small])
        return lost, len(kept), int(kept.min()) if len(kept) else 0, cost


def regroup(
    of: Codes, n_groups: int, starts: Counts, values: Codes, counts: Counts, n_values: int
) -> tuple[Counts, Codes, Counts]:
    """The histograms of groups: member i has the entries from starts[i] to starts[i + 1] and is in group of[i]."""
    if len(starts) != len(of) + 1 or len(values) != len(counts):
        raise ValueError("regroup: lengths differ")
    owner = np.repeat(of, np.diff(starts)).astype(np.uint64)
    # Entries in order of their members' groups, as the compiled twin meets them.
    order = np.argsort(owner, kind="stable")
    pairs, numbers = _first_appearance((owner * np.uint64(n_values) + values.astype(np.uint64))[order])
    sums = total(numbers, len(pairs), counts[order])
    new_starts = np.zeros(n_groups + 1, dtype=np.int64)
    np.add.at(new_starts, (pairs // np.uint64(n_values)).astype(np.int64) + 1, 1)
    return np.cumsum(new_starts), (pairs % np.uint64(n_values)).astype(np.int32), sums


class Board:
    """The nodes of a listed lattice, visited in a given order: which are still open, and the least that each can score.

    A node's number is its place in an array of the given shape, the last column running fastest.
    """

    def __init__(self, bound: NDArray[np.float64], order: Counts, shape: Counts) -> None:
        if np.prod(shape) != len(bound) or len(order) != len(bound):
            raise ValueError("board: lengths differ")
        self._bound, self._order, self._shape = bound, order, tuple(shape.tolist())
        self._extra = np.zeros(len(bound))
        self._closed = np.zeros(len(bound), dtype=np.bool_)
        self._place = 0

    def next(self, best: float) -> int:
        """The next open node that may score less than the best, closed by being given out; -1 where there is none."""
        while self._place < len(self._order):
            at = int(self._order[self._place])
            self._place += 1
            if not self._closed[at]:
                self._closed[at] = True
                if self._bound[at] + self._extra[at] < best:
                    return at
        return -1

    def tell(self, node: Counts, dead: bool, extra: float) -> None:
        """Of all nodes below or at the given one: that they are closed, or score at least their bound plus this."""
        if len(node) != len(self._shape):
            raise ValueError("board: another number of columns")
        if any(not 0 <= level < size for level, size in zip(node, self._shape, strict=True)):
            raise ValueError("board: no such node")
        below = tuple(slice(0, int(level) + 1) for level in node)
        if dead:
            self._closed.reshape(self._shape)[below] = True
        else:
            part = self._extra.reshape(self._shape)[below]
            np.maximum(part, extra, out=part)

    def floor(self) -> float:
        """No open node scores less; infinite where none is open."""
        return float((self._bound + self._extra)[~self._closed].min(initial=np.inf))
