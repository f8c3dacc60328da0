"""Holding: clusters that fail the model join their nearest neighbor, or are left out, until all of them hold."""

import numpy as np
from numpy.typing import NDArray

from incrowd.core.groups import Groups
from incrowd.core.kernels import Clusters
from incrowd.searches._clusters.parting import parts
from incrowd.searches._clusters.pieces import Pieces
from incrowd.searches._clusters.records import ClusterRecords, no_needs
from incrowd.searches._clusters.refining import SHARPEST, WINDOW
from incrowd.watch import Stopped, Watch

PATIENT = 32
"""How many rounds long a cluster waits for the next one rather than making three of two."""

Mask = NDArray[np.bool_]
Counts = NDArray[np.int64]


class Holding:
    """Clusters on their way to satisfying the model."""

    def __init__(self, records: ClusterRecords, pieces: Pieces, last_is_out: bool = False) -> None:
        self.pieces = pieces
        self.left_out = np.zeros(pieces.n, dtype=np.bool_)
        self.left_out[pieces.n - last_is_out :] = True
        self.joined = 0
        self._records, self._round = records, 0

    def run(self, watch: Watch) -> None:
        """Join and leave out until all hold, or a single cluster is left; if stopped, all that fail are joined at
        once."""
        try:
            while len(failing := np.flatnonzero(self.failing())) and int((~self.left_out).sum()) > 1:
                watch.tick(f"{len(failing)} of {self.pieces.n} groups do not satisfy the models yet")
                self._step(failing)
                self._round += 1
        except Stopped:
            failing = np.flatnonzero(self.failing())
            self._join(np.where(np.isin(np.arange(self.pieces.n), failing), failing[0], np.arange(self.pieces.n)))
            raise

    def groups(self) -> Groups | None:
        """Return groups that satisfy the model within the budget: the clusters, else all in one; None if there are
        none."""
        if not self.failing().any():
            return self._records.groups(self.pieces, self.left_out)
        self._join(np.zeros(self.pieces.n, dtype=np.int64))
        if self.failing().any() and self._records.total <= self._records.problem.budget:
            self.left_out[:] = True
        return None if self.failing().any() else self._records.groups(self.pieces, self.left_out)

    def failing(self) -> Mask:
        """Return which clusters must not be published as they are."""
        problem, found = self._records.problem, self.left_out.copy()
        groups = self._records.groups(self.pieces, self.left_out)
        found[~self.left_out] = problem.model.holds(groups.classes(problem.model.needs, problem.sensitive))
        return ~(found | self.left_out)

    def _step(self, failing: Counts) -> None:
        neighbor, increase, cost = self._nearest(failing)
        gone = self._leave_out(failing, increase, cost)
        holds = ~np.isin(np.arange(self.pieces.n), failing)
        number, taken = np.arange(self.pieces.n), np.zeros(self.pieces.n, dtype=np.bool_)
        for a, b in zip(failing[~gone].tolist(), neighbor[~gone].tolist(), strict=True):
            # Two that fail may hold together; a third one waits and sees. A cluster that holds takes any number.
            if not taken[a] and not self.left_out[b] and (holds[b] or not taken[b] or self._round > PATIENT):
                number[number == number[a]] = number[b]
                taken[a] = taken[b] = True
        self.joined += self.pieces.n - len(np.unique(number))
        self._join(number)

    def _nearest(self, failing: Counts) -> NDArray[np.int64]:
        """Return for each failing cluster the cheapest neighbor to join, the extra cost, and its own cost."""
        records = self._records
        random = np.random.default_rng([records.problem.seed, self._round])
        weights = 2.0 ** (-SHARPEST * random.random(len(records.ranks)))
        middles = self.pieces.middles(records.ranks)
        found = np.zeros((3, self.pieces.n), dtype=np.int64)
        there = np.flatnonzero(~self.left_out)
        asked = np.isin(np.arange(self.pieces.n), failing)
        ones = np.ones(len(there), dtype=np.int64)
        for near in parts(records.measure, middles[:, there], ones, WINDOW, weights=weights):
            window = there[near]
            if asked[window].any():
                pieces = self.pieces.of(window)
                clusters = Clusters(records.measure.arrays, records.ranks, 1, *pieces, *no_needs(len(pieces[0])), 0, 0)
                which = np.flatnonzero(asked[window])
                neighbor, increase, cost = clusters.nearest(which)
                found[:, window[which]] = window[neighbor], increase, cost
        return found[:, failing]

    def _leave_out(self, failing: Counts, increase: Counts, cost: Counts) -> Mask:
        """Return which clusters are left out: it is cheaper than to join them, and the budget lasts; where most is
        saved first."""
        records = self._records
        sizes = self.pieces.sizes[failing]
        saved = increase - (sizes * records.measure.all_units - cost)
        left = records.problem.budget - int(self.pieces.sizes[self.left_out].sum())
        gone = np.zeros(len(failing), dtype=np.bool_)
        for at in np.argsort(-saved, kind="stable") if left else ():
            if saved[at] > 0 and sizes[at] <= left:
                gone[at] = True
                left -= int(sizes[at])
        self.left_out[failing[gone]] = True
        return gone

    def _join(self, number: Counts) -> None:
        """Join clusters with the same number; suppressed ones stay suppressed."""
        numbers, of = np.unique(number, return_inverse=True)
        out = np.ones(len(numbers), dtype=np.bool_)
        np.logical_and.at(out, of.reshape(-1), self.left_out)
        pieces = self.pieces
        self.pieces = Pieces.sorted(pieces.position, pieces.counts, of.reshape(-1)[pieces.cluster].astype(np.int64))
        self.left_out = out
