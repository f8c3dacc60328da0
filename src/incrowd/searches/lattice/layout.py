"""Prefix-bit keys: a value is coded as its path from the top of its ladder, so generalizing is `key & mask`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.table import Codes

Keys = NDArray[np.uint64]

_WORD = 64


@dataclass(frozen=True, eq=False)
class LatticeLayout:
    """Which bits hold each step of each column's path, and which of them stay on each level."""

    words: int
    paths: tuple[tuple[tuple[int, Keys], ...], ...]
    """Per column, for each word that holds a part of its path: the word, and that part for each of its codes."""
    masks: Keys
    """Columns x levels x words: the bits that stay."""

    @classmethod
    def of(cls, ladders: Sequence[EncodedHierarchy]) -> "LatticeLayout":
        """Return the layout: steps go into words in order, none across two."""
        word, used = 0, 0
        paths: list[dict[int, Keys]] = []
        steps: list[tuple[int, int, int, int]] = []
        for column, ladder in enumerate(ladders):
            path: dict[int, Keys] = {}
            for level in range(ladder.height):
                child = _child_numbers(ladder.up[level], ladder.up[level + 1])
                width = int(child.max(initial=0)).bit_length()
                if used + width > _WORD:
                    word, used = word + 1, 0
                part = child << np.uint64(used) if width else child
                path[word] = path.get(word, np.uint64(0)) | part
                steps.append((column, level, word, ((1 << width) - 1) << used))
                used += width
            paths.append(path)
        levels = max((ladder.height for ladder in ladders), default=0) + 1
        masks = np.zeros((len(ladders), levels, word + 1), dtype=np.uint64)
        for column, level, at, bits in steps:
            # On a level the steps from there upwards stay.
            masks[column, : level + 1, at] |= np.uint64(bits)
        return cls(word + 1, tuple(tuple(path.items()) for path in paths), masks)

    def keys(self, codes: NDArray[np.int32]) -> Keys:
        """Return combinations x words, from codes (columns x combinations)."""
        keys = np.zeros((codes.shape[1], self.words), dtype=np.uint64)
        for column, path in enumerate(self.paths):
            for word, part in path:
                keys[:, word] |= part[codes[column]]
        return keys

    def mask(self, levels: Sequence[int]) -> Keys:
        """Return the bits of a key that a node keeps."""
        kept: Keys = np.bitwise_or.reduce(self.masks[np.arange(len(levels)), levels], axis=0)
        return kept


def _child_numbers(codes: Codes, parents: Codes) -> Keys:
    """Return for each code of the column the number of its label among the children of its parent."""
    labels = np.flatnonzero(np.bincount(codes))
    parent = np.empty(int(codes.max()) + 1, dtype=np.int64)
    parent[codes] = parents
    order = labels[np.argsort(parent[labels], kind="stable")]
    children = np.bincount(parent[labels])
    number = np.empty(len(parent), dtype=np.uint64)
    number[order] = np.arange(len(order)) - (np.cumsum(children) - children)[parent[order]]
    numbers: Keys = number[codes]
    return numbers
