"""Half-way frequency sets that nodes are rolled up from, within a limit on memory.

A node is reached in two steps: first only the columns that merge most are taken to their levels, then the others. Nodes
that agree on the first columns share the first step, whatever order a search visits them in.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence

from incrowd.metrics import Levels
from incrowd.searches._lattice.blocks import Blocks

_ROWS = 8_000_000
"""How many classes the kept sets may have together."""

Roll = Callable[[Blocks, Levels], Blocks]


class Store:
    """The bottom of the lattice for ever, and the half-way sets that were used last."""

    def __init__(self, bottom: Levels, blocks: Blocks, first: Sequence[int], roll: Roll) -> None:
        self._bottom = bottom
        self._ground = blocks
        self._first = tuple(first)
        self._roll = roll
        self._kept: OrderedDict[Levels, Blocks] = OrderedDict()
        self._rows = 0

    def blocks(self, levels: Levels) -> Blocks:
        """The classes at a node."""
        at = self._on_the_way(levels)
        return self._half_way(at) if at == levels else self._roll(self._half_way(at), levels)

    def below(self, levels: Levels) -> Blocks:
        """The classes half-way to a node."""
        return self._half_way(self._on_the_way(levels))

    def _on_the_way(self, levels: Levels) -> Levels:
        half_way = list(self._bottom)
        for column in self._first:
            half_way[column] = levels[column]
        return tuple(half_way)

    def _half_way(self, at: Levels) -> Blocks:
        if at == self._bottom:
            return self._ground
        blocks = self._kept.get(at)
        if blocks is not None:
            self._kept.move_to_end(at)
            return blocks
        blocks = self._roll(self._ground, at)
        self._kept[at] = blocks
        self._rows += len(blocks)
        while self._rows > _ROWS and len(self._kept) > 1:
            self._rows -= len(self._kept.popitem(last=False)[1])
        return blocks
