"""Counted nodes that later ones can be rolled up from, within a limit on memory."""

from dataclasses import dataclass

import numpy as np

from incrowd.metrics import Levels
from incrowd.searches._lattice.blocks import Blocks

_NODES = 512
"""How many nodes are kept: looking through them must stay cheap beside counting one."""

_ROWS = 4_000_000
"""How many classes the kept nodes may have together."""


@dataclass(frozen=True, eq=False)
class Known:
    """A node whose classes are at hand."""

    levels: Levels
    blocks: Blocks


class Store:
    """The bottom of the lattice for ever, and of the other counted nodes the newest."""

    def __init__(self, bottom: Levels, blocks: Blocks) -> None:
        self._bottom = Known(bottom, blocks)
        self._known: dict[int, Known] = {}
        self._levels = np.zeros((_NODES, len(bottom)), dtype=np.int32)
        self._sizes = np.full(_NODES, np.iinfo(np.int64).max, dtype=np.int64)
        self._next = 0
        self._rows = 0

    def nearest(self, levels: Levels) -> Known:
        """The smallest kept node below (or at) the given one."""
        below = (self._levels <= np.array(levels, dtype=np.int32)).all(axis=1)
        sizes = np.where(below, self._sizes, np.iinfo(np.int64).max)
        at = int(sizes.argmin())
        return self._known[at] if sizes[at] < len(self._bottom.blocks) else self._bottom

    def keep(self, levels: Levels, blocks: Blocks) -> None:
        """Keep a node; the oldest ones make room."""
        if len(blocks) * 2 > len(self._bottom.blocks) or len(blocks) > _ROWS // 2:
            return
        while True:
            old = self._known.pop(self._next, None)
            if old is not None:
                self._rows -= len(old.blocks)
            if self._rows + len(blocks) <= _ROWS:
                break
            self._sizes[self._next] = np.iinfo(np.int64).max
            self._next = (self._next + 1) % _NODES
        self._known[self._next] = Known(levels, blocks)
        self._levels[self._next] = levels
        self._sizes[self._next] = len(blocks)
        self._rows += len(blocks)
        self._next = (self._next + 1) % _NODES
