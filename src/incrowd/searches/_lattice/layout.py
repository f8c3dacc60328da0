"""Prefix-bit keys: a value is coded as its path from the top of its ladder, so generalising is `key & mask`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import Ladder
from incrowd.core.table import Codes

Keys = NDArray[np.uint64]

_WORD = 64


@dataclass(frozen=True, eq=False)
class Layout:
    """Which bits hold each step of each column's path, and which of them stay on each level."""

    words: int
    paths: tuple[tuple[tuple[int, Keys], ...], ...]
    """Per column, for each word that holds a part of its path: the word, and that part for each of its codes."""
    masks: tuple[tuple[tuple[int, ...], ...], ...]
    """Per column and level the bits that stay of each word."""

    @classmethod
    def of(cls, ladders: Sequence[Ladder]) -> "Layout":
        """Steps go into words in order, none across two."""
        word, used = 0, 0
        paths: list[dict[int, Keys]] = []
        kept: list[list[tuple[int, int, int]]] = []
        for ladder in ladders:
            path: dict[int, Keys] = {}
            bits = []
            for level in range(ladder.height):
                child = _child_numbers(ladder.up[level], ladder.up[level + 1])
                width = int(child.max(initial=0)).bit_length()
                if used + width > _WORD:
                    word, used = word + 1, 0
                part = child << np.uint64(used) if width else child
                path[word] = path.get(word, np.uint64(0)) | part
                bits.append((level, word, ((1 << width) - 1) << used))
                used += width
            paths.append(path)
            kept.append(bits)
        masks = [_masks(bits, ladder.height, word + 1) for bits, ladder in zip(kept, ladders, strict=True)]
        return cls(word + 1, tuple(tuple(path.items()) for path in paths), tuple(masks))

    def keys(self, codes: NDArray[np.int32]) -> Keys:
        """Combinations x words, from codes (columns x combinations)."""
        keys = np.zeros((codes.shape[1], self.words), dtype=np.uint64)
        for column, path in enumerate(self.paths):
            for word, part in path:
                keys[:, word] |= part[codes[column]]
        return keys

    def mask(self, levels: Sequence[int]) -> Keys:
        """What stays of a key at a node."""
        kept = [0] * self.words
        for mask, level in zip(self.masks, levels, strict=True):
            for word, bits in enumerate(mask[level]):
                kept[word] |= bits
        return np.array(kept, dtype=np.uint64)


def _masks(bits: Sequence[tuple[int, int, int]], height: int, words: int) -> tuple[tuple[int, ...], ...]:
    """On level l the steps from l upwards stay."""
    masks = [[0] * words for _ in range(height + 1)]
    for step, word, mask in bits:
        for level in range(step + 1):
            masks[level][word] |= mask
    return tuple(map(tuple, masks))


def _child_numbers(codes: Codes, parents: Codes) -> Keys:
    """For each code of the column the number of its label among the children of its parent."""
    pairs = parents.astype(np.int64) << 32 | codes
    distinct, of = np.unique(pairs, return_inverse=True)
    parent = distinct >> 32
    positions = np.arange(len(distinct))
    begins = np.append(True, parent[1:] != parent[:-1])
    number = (positions - np.maximum.accumulate(np.where(begins, positions, 0))).astype(np.uint64)
    numbers: Keys = number[of.reshape(-1)]
    return numbers
