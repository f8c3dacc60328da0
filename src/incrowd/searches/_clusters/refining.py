"""Refining: neighboring clusters give records to each other wherever all of them together then cost less."""

import numpy as np

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


class Refining:
    """Clusters that become better round by round, none of them smaller than k, or without the values that models ask for."""

    def __init__(self, records: ClusterRecords, pieces: Pieces, k: int) -> None:
        self.pieces = pieces
        self.rounds = 0
        self._records, self._k = records, k
        self.cost = int(self._clusters(np.arange(pieces.n)).cost())
        """Records times spread, over all clusters."""

    def run(self, rounds: int, watch: Watch) -> None:
        """Refine for some rounds, fewer if one changes nothing; clusters are whole whenever it is stopped."""
        for _ in range(rounds):
            before = self.cost
            self._round(watch)
            self.rounds += 1
            if self.cost == before:
                return

    def _round(self, watch: Watch) -> None:
        records = self._records
        random = np.random.default_rng([records.problem.seed, self.rounds])
        weights = 2.0 ** (-SHARPEST * random.random(len(records.ranks)))
        ones = np.ones(self.pieces.n, dtype=np.int64)
        middles = self.pieces.middles(records.ranks)
        words, windows = f"{self.pieces.n} clusters, refined {self.rounds} times", []
        for near in parts(records.measure, middles, ones, WINDOW, weights=weights):
            watch.tick(words)
            windows.append(self._clusters(near))
        try:
            finish(windows, watch, words)
        finally:
            self.pieces = Pieces.joined(window.pieces() for window in windows)
            self.cost = sum(window.cost() for window in windows)

    def _clusters(self, which: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Clusters:
        records = self._records
        positions, counts, starts = self.pieces.of(which)
        needs = records.judged(positions)
        return Clusters(records.measure.arrays, records.ranks, self._k, positions, counts, starts, *needs)
