"""The NumPy twin of cutting.pxi: cuts of Mondrian, segment by segment."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_SET, _TREE, _LEAVES = 1, 2, 3

_Extent = tuple[int, int, int]
"""The lowest and the highest rank, and how many different ones there are."""


class Cutter:
    """Rows of ranks with counts, kept so that every segment lies together (see cutting.pxi)."""

    def __init__(
        self,
        rows: NDArray[np.int32],
        counts: NDArray[np.int64],
        axes: tuple[NDArray[Any], ...],
        k: int,
        by_loss: bool,
        whole: bool,
    ) -> None:
        self._kinds, self._ranks, self._levels, self._begins, self._places, self._above = axes
        if len(counts) != len(rows) or len(self._kinds) != rows.shape[1]:
            raise ValueError("Cutter: lengths differ")
        self._rows, self._counts = rows.copy(), counts.copy()
        self._order = np.arange(len(rows), dtype=np.int32)
        self._k, self._by_loss, self._whole = k, by_loss, whole
        self._people: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], int] | None = None
        self.open_segments: list[tuple[int, int]] = [(0, len(rows))] if len(rows) else []
        self.leaves: list[tuple[int, int]] = []

    def count_people(
        self,
        starts: NDArray[np.int64],
        people: NDArray[np.int32],
        records: NDArray[np.int64],
        n_people: int,
        nobody: int,
    ) -> None:
        """Take k for a number of people from now on. Those of row i are from starts[i] to starts[i + 1], each once with
        its records; of more than k any k of them do. `nobody` stands for as many people as it has records."""
        if len(starts) != len(self._rows) + 1 or len(people) != len(records):
            raise ValueError("count_people: lengths differ")
        self._people = starts, people, records, nobody

    def work(self, rows: int) -> bool:
        """Cut open segments as far as k allows, until about so many rows have been looked at; return whether any are
        open."""
        seen = 0
        while self.open_segments and seen < rows:
            start, end = self.open_segments.pop()
            seen += end - start
            middle = self._first_cut(start, end)
            if middle < 0:
                self.leaves.append((start, end))
            else:
                self.open_segments += [(middle, end), (start, middle)]
        return bool(self.open_segments)

    def _first_cut(self, start: int, end: int) -> int:
        """Make the first cut, in order of preference, that leaves k on both sides."""
        tries = 0
        while (middle := self._cut(start, end, tries)) >= 0:
            if self._enough(start, middle) and self._enough(middle, end):
                return middle
            tries += 1
        return -1

    def _enough(self, start: int, end: int) -> bool:
        """Return whether these rows have k people, if people are counted; the cut has looked after the records."""
        if self._people is None:
            return True
        starts, people, records, nobody = self._people
        entries = np.concatenate([np.arange(starts[row], starts[row + 1]) for row in self._order[start:end]])
        alone = people[entries] == nobody
        return int(records[entries][alone].sum()) + len(np.unique(people[entries][~alone])) >= self._k

    def cuts(self, starts: NDArray[np.int64], ends: NDArray[np.int64], tries: NDArray[np.int32]) -> NDArray[np.int64]:
        """Make the cut of each segment that comes at place `tries`; where its parts meet, or -1."""
        if not len(starts) == len(ends) == len(tries):
            raise ValueError("cuts: lengths differ")
        wanted = zip(starts.tolist(), ends.tolist(), tries.tolist(), strict=True)
        return np.array([self._cut(start, end, at) for start, end, at in wanted], dtype=np.int64)

    def groups(self) -> tuple[NDArray[np.int32], int]:
        """Return the number of each row's segment, as they are now, and how many there are."""
        segments = sorted(self.leaves + self.open_segments)
        found = np.empty(len(self._rows), dtype=np.int32)
        for number, (start, end) in enumerate(segments):
            found[self._order[start:end]] = number
        return found, len(segments)

    def arranged(self) -> NDArray[np.int32]:
        """Return the rows in their present order, by their first numbers."""
        return self._order.copy()

    def _extents(self, rows: NDArray[np.int32]) -> list[_Extent]:
        return [
            (int(column.min()), int(column.max()), len(np.unique(column)) if self._kinds[a] == _SET else 0)
            for a, column in enumerate(rows.T)
        ]

    def _table(self, a: int, of: NDArray[Any]) -> NDArray[Any]:
        """Return levels x ranks of a column."""
        begin, ranks, levels = int(self._begins[a]), int(self._ranks[a]), int(self._levels[a])
        return of[begin : begin + levels * ranks].reshape(levels, ranks)

    def _ancestor(self, a: int, extent: _Extent) -> int:
        above = self._table(a, self._above)
        return int(np.flatnonzero(above[1:, extent[0]] == above[1:, extent[1]])[0]) + 1

    def _span(self, a: int, extent: _Extent) -> float:
        low, high, distinct = extent
        places = self._table(a, self._places)
        if low >= high:
            return 0.0
        if self._kinds[a] >= _TREE:
            return float(places[self._ancestor(a, extent), low])
        if low == 0:
            return float(places[0, 0])
        if self._kinds[a] == _SET:
            return float(places[0, 0]) * (distinct - 1) / max(1, int(self._ranks[a]) - 2)
        return float(places[0, high] - places[0, low])

    def _parts(self, a: int, extent: _Extent, low: int, high: int) -> bool:
        if self._kinds[a] == _TREE:
            level = self._table(a, self._above)[self._ancestor(a, extent) - 1]
            return bool(level[low] != level[high])
        return bool(self._kinds[a] == _LEAVES or extent[0] != 0 or low == 0)

    def _best_bound(self, a: int, extent: _Extent, start: int, end: int) -> int:
        ranks, of = np.unique(self._rows[start:end, a], return_inverse=True)
        left = np.cumsum(np.bincount(of.reshape(-1), weights=self._counts[start:end])).astype(np.int64).tolist()
        found, least = -1, 0
        for at, (low, high) in enumerate(zip(ranks[:-1].tolist(), ranks[1:].tolist(), strict=True)):
            off = abs(2 * left[at] - left[-1])
            enough = min(left[at], left[-1] - left[at]) >= self._k
            if enough and self._parts(a, extent, low, high) and (found < 0 or off < least):
                found, least = low, off
        return found

    def _loss_of(self, a: int, bound: int, start: int, end: int) -> float:
        lower = self._rows[start:end, a] <= bound
        sums = []
        for part in (lower, ~lower):
            spans = 0.0
            for b, extent in enumerate(self._extents(self._rows[start:end][part])):
                spans += self._span(b, extent)
            sums.append(spans * int(self._counts[start:end][part].sum()))
        return sums[0] + sums[1]

    def _cut(self, start: int, end: int, tries: int) -> int:
        size = int(self._counts[start:end].sum())
        if size < 2 * self._k:
            return -1
        extents = self._extents(self._rows[start:end])
        cost = {a: -self._span(a, extent) for a, extent in enumerate(extents)}
        wide = [a for a in cost if cost[a] < 0]
        if not self._whole:
            by_width = sorted(wide, key=lambda a: (cost[a], a))
            return self._halved(by_width[tries], start, end, size) if tries < len(by_width) else -1
        bounds = {a: self._best_bound(a, extents[a], start, end) for a in wide}
        if self._by_loss:
            cost = {a: self._loss_of(a, bound, start, end) for a, bound in bounds.items() if bound >= 0}
        preferred = sorted((a for a in wide if bounds[a] >= 0), key=lambda a: (cost[a], a))
        if tries >= len(preferred):
            return -1
        lower = self._rows[start:end, preferred[tries]] <= bounds[preferred[tries]]
        self._arrange(start, np.concatenate([np.flatnonzero(lower), np.flatnonzero(~lower)]))
        return start + int(np.count_nonzero(lower))

    def _halved(self, a: int, start: int, end: int, size: int) -> int:
        """Return the middle of relaxed splits: every row is one record, and half of them are on each side."""
        column, half = self._rows[start:end, a], size // 2
        middle = np.sort(column)[half]
        ranked = np.where(column < middle, 0, np.where(column == middle, 1, 2))
        self._arrange(start, np.argsort(ranked, kind="stable"))
        return start + half

    def _arrange(self, start: int, order: NDArray[np.intp]) -> None:
        for rows in (self._rows, self._counts, self._order):
            rows[start : start + len(order)] = rows[start : start + len(order)][order]
