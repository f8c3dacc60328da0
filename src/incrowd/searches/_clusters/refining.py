"""Refining: neighboring clusters give records to each other wherever all of them together then cost less."""

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels import Clusters
from incrowd.searches._clusters.parting import parts
from incrowd.searches._clusters.pieces import Pieces
from incrowd.searches._clusters.records import ClusterRecords
from incrowd.searches._clusters.threads import finish
from incrowd.watch import Watch

WINDOW = 512
"""How many neighboring clusters look at each other: a round's work grows with the records, not with their square."""
SHARPEST = 3
"""In a round a column may count for up to 2**3 less in deciding who are neighbors, so that these change."""
PRICES = (8, 4, 2, 1)
"""By round, how many times its cost must be saved to leave a record out: those that save most are left out first."""

Counts = NDArray[np.int64]


class Refining:
    """Clusters that become better round by round, none of them smaller than k, or without the values that models ask
    for. Records are left out, as far as the limit allows, where that saves more than they cost."""

    def __init__(self, records: ClusterRecords, pieces: Pieces, k: int) -> None:
        self.pieces = pieces
        self.rounds = 0
        self._records, self._k = records, k
        self._out = np.zeros((2, 0), dtype=np.int64)
        self._inside = int(self._clusters(np.arange(pieces.n), 0, 0).cost())

    @property
    def cost(self) -> int:
        """Records times spread, over all clusters and all records that are left out."""
        return self._inside + self.left_out * self._records.measure.all_units

    @property
    def left_out(self) -> int:
        """How many records are left out."""
        return int(self._out[1].sum())

    def everything(self) -> Pieces:
        """Return all records, those that are left out as one more cluster, the last."""
        pieces, (position, counts) = self.pieces, self._out
        last = np.full(len(position), pieces.n, dtype=np.int64)
        return Pieces.sorted(
            np.append(pieces.position, position), np.append(pieces.counts, counts), np.append(pieces.cluster, last)
        )

    def run(self, rounds: int, watch: Watch) -> None:
        """Refine for some rounds, fewer if one changes nothing; clusters are whole whenever it is stopped."""
        for _ in range(rounds):
            before = self.cost
            self._round(watch)
            self.rounds += 1
            if self.cost == before and (self.rounds >= len(PRICES) or not self._room):
                return

    @property
    def _room(self) -> int:
        """How many more records may be left out."""
        return max(0, self._records.problem.budget - self.left_out)

    def _round(self, watch: Watch) -> None:
        records = self._records
        random = np.random.default_rng([records.problem.seed, self.rounds])
        weights = 2.0 ** (-SHARPEST * random.random(len(records.ranks)))
        ones = np.ones(self.pieces.n, dtype=np.int64)
        middles = self.pieces.middles(records.ranks)
        words, windows = f"{self.pieces.n} clusters, refined {self.rounds} times", []
        price = PRICES[min(self.rounds, len(PRICES) - 1)] * records.measure.all_units
        seen = given = 0
        for near in parts(records.measure, middles, ones, WINDOW, weights=weights):
            watch.tick(words)
            # Each window has its share of the records that may be left out.
            seen += int(self.pieces.sizes[near].sum())
            room = self._room * seen // max(1, records.total - self.left_out) - given
            given += room
            windows.append(self._clusters(near, room, price))
        try:
            finish(windows, watch, words)
        finally:
            self.pieces = Pieces.joined(window.pieces() for window in windows)
            self._inside = sum(window.cost() for window in windows)
            self._out = np.concatenate([self._out, *(np.stack(window.left_out()) for window in windows)], axis=1)

    def _clusters(self, which: Counts, room: int, price: int) -> Clusters:
        records = self._records
        positions, counts, starts = self.pieces.of(which)
        needs = records.judged(positions)
        return Clusters(records.measure.arrays, records.ranks, self._k, positions, counts, starts, *needs, room, price)
