"""The kernel that makes clusters better, in NumPy."""

import numpy as np

from incrowd.core.kernels.numpy_clustering import NODES, VALUES, Codes, Counts, Measured, Pieces, Spreads
from incrowd.core.kernels.numpy_needs import Needs

NOWHERE, OUT = -1, -2
"""In place of a cluster: none pays, left out."""
TRIED = 4
"""Clusters that a piece may change places with."""


class Clusters(Spreads):
    """Clusters of k records or more, and what they cost; see the compiled twin."""

    def __init__(
        self,
        measure: Measured,
        ranks: Codes,
        k: int,
        positions: Counts,
        counts: Counts,
        starts: Counts,
        judged: Codes,
        least: Counts,
        room: int,
        price: int,
    ) -> None:
        super().__init__(*measure)
        self._needs = Needs(judged, least)
        if len(ranks) != len(self._columns):
            raise ValueError("clusters: lengths differ")
        if not len(positions) == len(counts) == starts[len(starts) - 1] == judged.shape[1]:
            raise ValueError("clusters: lengths differ")
        if k < 1:
            raise ValueError("clusters: no such k")
        self._ranks, self._k, self._n = ranks.astype(np.int64), k, len(starts) - 1
        most = self._n + int(counts.sum()) // k + 2
        self._rows(most)
        self._sizes, self._spreads = np.zeros(most, dtype=np.int64), np.zeros(most, dtype=np.int64)
        self._members: list[dict[int, int]] = [{} for _ in range(most)]
        self._turn = self._place = self._work = 0
        self._room, self._price = room, price
        self._out: list[tuple[int, int]] = []
        self._item = {at: p for p, at in enumerate(positions.tolist())}
        for b in range(self._n):
            for p in range(int(starts[b]), int(starts[b + 1])):
                self._append(b, int(positions[p]), int(counts[p]))

    def _enter(self, b: int, at: int, count: int) -> None:
        self._put(b, self._ranks[:, at])
        self._sizes[b] += count
        self._spreads[b] = self._spread(b)

    def _append(self, b: int, at: int, count: int) -> None:
        self._enter(b, at, count)
        self._members[b][at] = self._members[b].get(at, 0) + count

    def _empty(self, b: int) -> None:
        self._clear(b)
        self._sizes[b] = self._spreads[b] = 0

    def _make(self, b: int, members: dict[int, int]) -> None:
        """Measure a cluster afresh."""
        self._empty(b)
        for at, count in members.items():
            self._enter(b, at, count)

    def _cheapest(self, a: int, at: int, count: int, least: int) -> tuple[int, int]:
        self._work -= self._n
        every = slice(0, self._n)
        sizes, spreads = self._sizes[every], self._spreads[every]
        increase = (sizes + count) * self._spread(every, self._ranks[:, at]) - sizes * spreads
        increase[sizes == 0] = least
        increase[a] = least
        best = int(np.argmin(increase))
        found, cost = (best, int(increase[best])) if increase[best] < least else (NOWHERE, least)
        return (OUT, count * self._price) if count <= self._room and count * self._price < cost else (found, cost)

    def _give(self, a: int, chosen: list[int]) -> bool:
        """Give the chosen pieces of a cluster to others if that pays, else leave all as it is."""
        mine = self._members[a]
        staying = {at: count for at, count in mine.items() if at not in set(chosen)}
        if staying and not self._suffices(staying):
            return False
        rest = self._n
        self._make(rest, staying)
        gain = int(self._sizes[a] * self._spreads[a] - self._sizes[rest] * self._spreads[rest])
        targets: list[int] = []
        for at in chosen:
            best, increase = self._cheapest(a, at, mine[at], gain)
            if best == NOWHERE:
                break
            if best == OUT:
                self._room -= mine[at]
            else:
                self._enter(best, at, mine[at])
            targets.append(best)
            gain -= increase
        for b in {b for b in targets if b != OUT}:
            self._make(b, self._members[b])
        if len(targets) < len(chosen):
            self._room += sum(mine[at] for at, b in zip(chosen, targets, strict=False) if b == OUT)
            return False
        self._members[a] = staying
        self._copy(rest, a)
        self._sizes[a], self._spreads[a] = self._sizes[rest], self._spreads[rest]
        for at, b in zip(chosen, targets, strict=True):
            if b == OUT:
                self._out.insert(0, (at, mine[at]))
            else:
                self._append(b, at, mine[at])
        return True

    def _suffices(self, members: dict[int, int]) -> bool:
        """Return whether a cluster of these members has the values that it needs."""
        return self._needs.suffice({self._item[at]: count for at, count in members.items()})

    def _move(self, a: int) -> None:
        for at, count in list(self._members[a].items()):
            if self._spreads[a] and self._sizes[a] - count >= self._k:
                self._give(a, [at])

    def _narrow(self, a: int, c: int) -> None:
        """Remove the records that make a column wide while that pays."""
        while self._cost(c, a, None) and self._sizes[a] > self._k:
            if not any(self._confine(a, c, low, high) for low, high in self._narrower(a, c)):
                return

    def _narrower(self, a: int, c: int) -> list[tuple[int, int]]:
        values = sorted({int(self._ranks[c, at]) for at in self._members[a]})
        if self._kinds[c] == NODES:
            full = int(self._cost(c, a, None))
            found: list[tuple[int, int]] = []
            for value in values:
                if found and self._between(c, np.array(found[-1][0]), np.array(value)) < full:
                    found[-1] = (found[-1][0], value)
                else:
                    found.append((value, value))
            return found
        powers = [1 << power for power in range(len(values).bit_length()) if 1 << power < len(values)]
        return [ends for i in powers for ends in ((values[i], values[-1]), (values[0], values[-1 - i]))]

    def _confine(self, a: int, c: int, low: int, high: int) -> bool:
        chosen = [at for at in self._members[a] if not low <= self._ranks[c, at] <= high]
        leaving = sum(self._members[a][at] for at in chosen)
        return int(self._sizes[a]) - leaving >= self._k and self._give(a, chosen)

    def _cut(self, a: int) -> None:
        """Split the records nearest to an outer record off a cluster of 2 k or more if that pays."""
        mine, fresh = self._members[a], self._n
        if self._sizes[a] < 2 * self._k or self._spreads[a] == 0:
            return
        waiting, taken = list(mine), []
        self._empty(fresh)
        self._put(fresh, self._ranks[:, waiting[0]])
        best = int(np.argmax(self._spread(fresh, self._ranks[:, waiting])))
        self._empty(fresh)
        staying = int(self._sizes[a])
        while True:
            at = waiting.pop(best)
            taken.append(at)
            self._enter(fresh, at, mine[at])
            staying -= mine[at]
            enough = self._suffices({at: mine[at] for at in taken})
            if (self._sizes[fresh] >= self._k and enough) or staying < self._k:
                break
            best = int(np.argmin(self._spread(fresh, self._ranks[:, waiting])))
        if staying < self._k or self._sizes[fresh] < self._k or not enough:
            return
        if not self._suffices({at: mine[at] for at in waiting}):
            return
        before = self._sizes[a] * self._spreads[a]
        self._make(a, {at: mine[at] for at in waiting})
        if self._sizes[fresh] * self._spreads[fresh] + self._sizes[a] * self._spreads[a] >= before:
            self._make(a, mine)
            return
        self._members[a] = {at: mine[at] for at in waiting}
        self._members[fresh] = {at: mine[at] for at in taken}
        self._n += 1

    def _exchange(self, a: int) -> None:
        """Change single pieces for one of another cluster."""
        waiting = list(self._members[a])
        while waiting and self._spreads[a]:
            at = waiting.pop(0)
            came = self._swap(a, at) if self._shapes(a, at) else None
            if came is not None and came not in waiting:
                waiting.append(came)

    def _shapes(self, a: int, at: int) -> bool:
        """Return whether a cluster may spread less without a piece: no other one lies where it does."""
        others = np.array([other for other in self._members[a] if other != at], dtype=np.int64)
        for c in self._columns:
            rank = self._ranks[c, at]
            if self._kinds[c] != VALUES and self._low[c, a] < rank < self._high[c, a]:
                continue
            if not (self._ranks[c, others] == rank).any():
                return True
        return False

    def _swap(self, a: int, at: int) -> int | None:
        """Change a piece for one of the few clusters that it widens least; return what came, None if nothing pays."""
        self._work -= 2 * self._n
        mine, many = self._members[a], self._members[a][at]
        every = slice(0, self._n)
        wider = (self._spread(every, self._ranks[:, at]) - self._spreads[every]).astype(np.int64)
        wider[a] = np.iinfo(np.int64).max
        wider[self._sizes[every] == 0] = np.iinfo(np.int64).max
        near = [b for b in np.argsort(wider, kind="stable")[:TRIED].tolist() if wider[b] < np.iinfo(np.int64).max]
        rest = {each: count for each, count in mine.items() if each != at}
        most, best = 0, (-1, -1)
        for b in near:
            theirs = self._members[b]
            for q, count in theirs.items():
                one = {**rest, q: rest.get(q, 0) + count}
                other = {each: n for each, n in theirs.items() if each != q}
                other[at] = other.get(at, 0) + many
                if sum(one.values()) < self._k or sum(other.values()) < self._k:
                    continue
                gain = self._cost_of(mine) + self._cost_of(theirs) - self._cost_of(one) - self._cost_of(other)
                if gain > most and self._suffices(one) and self._suffices(other):
                    most, best = gain, (b, q)
        b, q = best
        if b < 0:
            return None
        theirs = self._members[b]
        count = theirs.pop(q)
        self._members[a] = {**rest, q: rest.get(q, 0) + count}
        self._members[b] = {**theirs, at: theirs.get(at, 0) + many}
        self._make(a, self._members[a])
        self._make(b, self._members[b])
        return q

    def _cost_of(self, members: dict[int, int]) -> int:
        row = self._n + 1
        self._make(row, members)
        return int(self._sizes[row] * self._spreads[row])

    def run(self, work: int) -> bool:
        """Go on for about so many steps; return whether all five turns are over."""
        self._work = work
        while self._turn < 5 and self._work > 0:
            if self._place == self._n:
                self._turn, self._place = self._turn + 1, 0
                continue
            self._work -= len(self._columns)
            a = self._place
            if self._turn == 0 and self._spreads[a]:
                self._give(a, list(self._members[a]))
            elif self._turn == 1:
                self._move(a)
            elif self._turn == 2:
                for c in self._columns:
                    self._narrow(a, c)
            elif self._turn == 3:
                self._cut(a)
            elif self._turn == 4:
                self._exchange(a)
            self._place += 1
        return self._turn == 5

    def nearest(self, which: Counts) -> tuple[Counts, Counts, Counts]:
        """Return for some clusters the first one that is cheapest to join, the extra cost, and the cost alone; there
        must be another."""
        costs = (self._sizes * self._spreads)[: self._n]
        neighbors, increases = np.zeros((2, len(which)), dtype=np.int64)
        for i, a in enumerate(which):
            together = np.sum([self._union(c, int(a)) for c in self._columns], axis=0, dtype=np.int64)
            increase = (self._sizes[a] + self._sizes[: self._n]) * together - costs[a] - costs
            increase[a] = np.iinfo(np.int64).max
            neighbors[i] = np.argmin(increase)
            increases[i] = increase[neighbors[i]]
        return neighbors, increases, costs[which]

    def _union(self, c: int, a: int) -> Counts:
        """Return the span of a column in each cluster joined with one of them."""
        every = slice(0, self._n)
        if self._kinds[c] != VALUES:
            low = np.minimum(self._low[c, every], self._low[c, a])
            return self._between(c, low, np.maximum(self._high[c, every], self._high[c, a]))
        present = self._present[c][every] | self._present[c][a]
        return self._values_cost(c, present[:, 1:].sum(axis=1), present[:, 0])

    def cost(self) -> int:
        """Return the cost of all clusters."""
        return int((self._sizes[: self._n] * self._spreads[: self._n]).sum())

    def left_out(self) -> tuple[Counts, Counts]:
        """Return the combination and the count of each piece that is left out."""
        columns = np.array(self._out, dtype=np.int64).reshape(-1, 2).T
        return columns[0], columns[1]

    def pieces(self) -> Pieces:
        """Return the combination, the count and the cluster of each piece; clusters that were dissolved have no
        number."""
        alive = [members for members in self._members[: self._n] if members]
        found = [(at, count, number) for number, members in enumerate(alive) for at, count in members.items()]
        columns = np.array(found, dtype=np.int64).reshape(-1, 3).T
        return columns[0], columns[1], columns[2]
