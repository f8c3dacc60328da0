"""Half-way frequency sets that nodes are rolled up from, within a limit on memory.

A node is reached in steps: first the column that merges most is taken to its level, then the others that merge much,
then all. Nodes that agree on the first columns share the first steps, whatever order a search visits them in.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence

from incrowd.metrics import Levels
from incrowd.searches.lattice.blocks import Blocks

_ROWS = 8_000_000
"""How many classes, and entries of their histograms, the kept sets may have together."""

Roll = Callable[[Blocks, Levels], Blocks]


class Store:
    """The bottom of the lattice for ever, and the half-way sets that were used last."""

    def __init__(self, bottom: Levels, blocks: Blocks, first: Sequence[int], roll: Roll) -> None:
        """`first` are the columns that merge much, the one that merges most first."""
        self._bottom = bottom
        self._ground = blocks
        # Measured on Adult: with one step for the first column 1.7 million keys are hashed in a search, without 2.0.
        self._steps = [first[:1], first] if len(first) > 1 else [first]
        self._roll = roll
        self._kept: OrderedDict[Levels, Blocks] = OrderedDict()
        self._rows = 0

    def blocks(self, levels: Levels) -> Blocks:
        """Return the classes at a node."""
        below = self.below(levels)
        return below if self._half_way(levels, self._steps[-1]) == levels else self._roll(below, levels)

    def below(self, levels: Levels) -> Blocks:
        """Return the classes half-way to a node."""
        at = self._half_way(levels, self._steps[-1])
        if at in self._kept:
            self._kept.move_to_end(at)
            return self._kept[at]
        blocks = self._ground
        for columns in self._steps:
            at = self._half_way(levels, columns)
            if at != self._bottom:
                blocks = self._kept[at] if at in self._kept else self._keep(at, self._roll(blocks, at))
        return blocks

    def forget(self) -> None:
        """Keep nothing but the bottom."""
        self._kept.clear()
        self._rows = 0

    def _half_way(self, levels: Levels, columns: Sequence[int]) -> Levels:
        at = list(self._bottom)
        for column in columns:
            at[column] = levels[column]
        return tuple(at)

    def _keep(self, at: Levels, blocks: Blocks) -> Blocks:
        self._kept[at] = blocks
        self._rows += blocks.entries
        while self._rows > _ROWS and len(self._kept) > 1:
            self._rows -= self._kept.popitem(last=False)[1].entries
        return blocks
