"""For who knows everybody: rows are widened until k released records may be anybody's own (global (1,k)-anonymity)."""

from functools import reduce
from operator import and_

import numpy as np
from numpy.typing import NDArray

from incrowd.core.components import Bits, members, strong_components
from incrowd.searches._consistent.people import around
from incrowd.searches._consistent.rows import Mask, Met, OwnLevels, Rows
from incrowd.watch import Stopped, Watch


class Matches:
    """Which released records may be whose, in sets of combinations.

    Every record is matched with its own row. So a row that fits somebody else may be theirs where, going from people to
    the rows that fit them and from a row to whose it is, some way leads back: both are in one strongly connected
    component.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        labels = [up[of, codes] for up, of, codes in zip(rows.up, rows.levels, rows.codes, strict=True)]
        self._fits = [
            [_bits(up[of, code] == label) for code in range(up.shape[1])]
            for up, of, label in zip(rows.up, rows.levels, labels, strict=True)
        ]
        """Per column and code whose rows cover the value."""
        most = int(rows.counts.max(initial=0))
        self._planes = [_bits(rows.counts >> bit & 1 == 1) for bit in range(most.bit_length())]
        self._component = strong_components(len(rows), self.fitting, self._covered)
        self._members: dict[int, Bits] = {}
        for at, number in enumerate(self._component):
            self._members[number] = self._members.get(number, 0) | 1 << at

    def fitting(self, at: int) -> Bits:
        """Return the combinations whose rows cover a combination."""
        columns = zip(self._fits, self._rows.codes[:, at].tolist(), strict=True)
        found: Bits = reduce(and_, [fits[code] for fits, code in columns])
        return found

    def _covered(self, at: int) -> Bits:
        """Return the combinations that the row of a combination covers."""
        return _bits(self._rows.covered(self._rows.met(at), self._rows.levels[:, at]))

    def own(self, at: int) -> Bits:
        """Return the rows that may be those of a combination."""
        return self.fitting(at) & self._members[self._component[at]]

    def records(self, rows: Bits) -> int:
        """Return how many released records some rows are."""
        return sum((rows & plane).bit_count() << bit for bit, plane in enumerate(self._planes))

    def widen(self, at: int, levels: NDArray[np.int16]) -> None:
        """Widen a row, and join it with the combinations that cover it and that it covers now."""
        rows, before = self._rows, self._rows.levels[:, at].copy()
        rows.widen(at, levels)
        for column in np.flatnonzero(rows.levels[:, at] > before).tolist():
            labels = rows.up[column][rows.levels[column, at]]
            for code in np.flatnonzero(labels == labels[rows.codes[column, at]]).tolist():
                self._fits[column][code] |= 1 << at

    def join(self, at: int) -> None:
        """Join the combinations that cover a combination and are covered by its row into one component."""
        mine = self._component[at]
        others = self._covered(at) & self.fitting(at) & ~self._members[mine]
        for number in {self._component[other] for other in members(others)}:
            joined = self._members.pop(number)
            self._members[mine] |= joined
            for other in members(joined):
                self._component[other] = mine


def matched(rows: Rows, boxes: OwnLevels, k: int, watch: Watch) -> str:
    """Widen the row of each record with too few matches to cover a record whose row fits it (algorithm 6).

    The two may then change places, and the row of the other is one more match. Every combination must be consistent
    with k rows. Stopped, the rows of all in the box of k records around a combination are widened to cover it.
    """
    matches = Matches(rows)
    reason = "done"
    order = np.argsort(rows.cost(boxes), kind="stable")
    for number, at in enumerate(order.tolist()):
        try:
            if reason == "done":
                watch.tick(f"{number} of {len(rows)} combinations have enough matches", number / len(rows))
        except Stopped as stop:
            reason = stop.reason
        while matches.records(matches.own(at)) < k:
            met = rows.met(at)
            if reason == "done":
                others = np.array(members(matches.fitting(at) & ~matches.own(at)), dtype=np.int64)
                matches.widen(at, met[rows.places[_cheapest(rows, met, at, others)]])
            else:
                for other in around(rows, met, boxes[:, at]).tolist():
                    matches.widen(other, met[rows.places[other]])
            matches.join(at)
    return reason


def least_matches(rows: Rows) -> int:
    """Return the fewest matches that anybody has, counted anew; 0 if nothing is published."""
    if not len(rows):
        return 0
    matches = Matches(rows)
    return min(matches.records(matches.own(at)) for at in range(len(rows)))


def _cheapest(rows: Rows, met: Met, at: int, others: NDArray[np.int64]) -> int:
    """Return the one of some combinations that a row covers at the least cost."""
    levels = np.maximum(rows.levels[:, at, None], met[rows.places[others]].T)
    cost = np.zeros(len(others))
    for price, of, code in zip(rows.prices, levels, rows.codes[:, at], strict=True):
        cost += price[of, code]
    return int(others[np.argmin(cost)])


def _bits(mask: Mask) -> Bits:
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")
