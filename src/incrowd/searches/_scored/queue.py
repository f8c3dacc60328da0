"""The moves that may be made, best first."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

from incrowd.searches._scored.splitting import Part

Rank = Callable[[int, int], tuple[float, int]]
"""From column and gain: the higher, the earlier."""

Heap = list[tuple[int, int, Part]]
"""First record, a number that tells equal ones apart, part."""


class Queue:
    """Moves in heaps by column and gain: all of a heap lead to the same score. Within one the first record decides."""

    def __init__(self, rank: Rank) -> None:
        self._rank = rank
        self._heaps: dict[tuple[int, int], Heap] = {}
        self._ranking: list[list[tuple[Heap, int, int]]] | None = None
        self._serial = count()

    def put(self, part: Part, column: int, gain: int) -> None:
        """Add a move, or move it to another gain."""
        if part.queued.get(column) == gain:
            return
        part.queued[column] = gain
        if (column, gain) not in self._heaps:
            self._heaps[column, gain] = []
            self.reorder()
        heappush(self._heaps[column, gain], (int(part.members[0]), next(self._serial), part))

    def reorder(self) -> None:
        """Put moves in order again after scores have changed."""
        self._ranking = None

    def best(self) -> tuple[Part, int, int] | None:
        """Return the best move: its part, column and gain; it stays where it is."""
        if self._ranking is None:
            self._ranking = self._ranked()
        for equal in self._ranking:
            first: tuple[tuple[int, int, Part], int, int] | None = None
            for heap, column, gain in equal:
                if heap and _current(heap, column, gain) and (first is None or heap[0] < first[0]):
                    first = heap[0], column, gain
            if first is not None:
                return first[0][2], first[1], first[2]
        return None

    def _ranked(self) -> list[list[tuple[Heap, int, int]]]:
        by_rank: dict[tuple[float, int], list[tuple[Heap, int, int]]] = {}
        for (column, gain), heap in self._heaps.items():
            by_rank.setdefault(self._rank(column, gain), []).append((heap, column, gain))
        return [by_rank[rank] for rank in sorted(by_rank, reverse=True)]


def _current(heap: Heap, column: int, gain: int) -> bool:
    """Return whether there is a move still to be made; those before it are thrown away."""
    while heap and not (heap[0][2].alive and heap[0][2].queued.get(column) == gain):
        heappop(heap)
    return bool(heap)
