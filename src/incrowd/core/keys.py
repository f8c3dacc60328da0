"""Packing a combination of codes into 64-bit keys.

Each column takes as many bits as its codes need. Where one word does not suffice, the combinations of the first word
are numbered, and their number (32 bits) is packed with the next 32 bits of codes, and so on: however wide a
combination is, the hash tables only ever see 64-bit keys.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels import Numbering, scatter
from incrowd.core.table import Codes

Keys = NDArray[np.uint64]

_FIRST_WORD = 64
_LATER_WORD = 32


@dataclass(frozen=True)
class Layout:
    """Which bits of which word hold each column."""

    widths: tuple[int, ...]
    """Bits per column."""

    words: tuple[tuple[tuple[int, int], ...], ...]
    """For each word its (column, shift) pairs."""

    @classmethod
    def for_widths(cls, widths: Sequence[int]) -> "Layout":
        """Fill words in column order."""
        words: list[list[tuple[int, int]]] = [[]]
        used = 0
        for column, width in enumerate(widths):
            if used + width > (_FIRST_WORD if len(words) == 1 else _LATER_WORD):
                words.append([])
                used = 0
            words[-1].append((column, used))
            used += width
        return cls(tuple(widths), tuple(tuple(word) for word in words))

    @classmethod
    def for_cardinalities(cls, cardinalities: Sequence[int]) -> "Layout":
        """Return the narrowest layout for codes 0..cardinality-1."""
        return cls.for_widths([bits(cardinality) for cardinality in cardinalities])

    def word(self, number: int, cells: Sequence[tuple[Codes, Codes]], rows: int) -> Keys:
        """Return one word's keys; `cells` holds for every column its local codes and the code of each local code."""
        keys = np.zeros(rows, dtype=np.uint64)
        for column, shift in self.words[number]:
            local, lookup = cells[column]
            scatter(keys, local, lookup.astype(np.uint64) << np.uint64(shift))
        return keys

    def unpack(self, number: int, keys: Keys, codes: NDArray[np.int32]) -> None:
        """Write the codes that one word holds into the rows of `codes` (columns x combinations)."""
        # Made once: fresh memory for every column would take longer than the work.
        shifted = np.empty_like(keys)
        for column, shift in self.words[number]:
            np.right_shift(keys, np.uint64(shift), out=shifted)
            np.bitwise_and(shifted, np.uint64((1 << self.widths[column]) - 1), out=shifted)
            codes[column] = shifted


def bits(cardinality: int) -> int:
    """Return how many bits codes 0..cardinality-1 need."""
    return max(1, (cardinality - 1).bit_length())


def chain(numbers: Codes, keys: Keys) -> Keys:
    """Return the number of the words so far, packed with the next word."""
    return (numbers.astype(np.uint64) << np.uint64(_LATER_WORD)) | keys


class Packed:
    """Rows packed once, so that their combinations of any columns are numbered by masking."""

    def __init__(self, codes: Sequence[Codes], cardinalities: Sequence[int]) -> None:
        """Columns as their codes."""
        self._layout = Layout.for_cardinalities(cardinalities)
        cells = [(row, np.arange(size, dtype=np.int32)) for row, size in zip(codes, cardinalities, strict=True)]
        self._words = [self._layout.word(at, cells, len(codes[0])) for at in range(len(self._layout.words))]

    def number(self, columns: Collection[int], rows: NDArray[np.int64] | slice = slice(None)) -> tuple[Codes, int]:
        """Number the distinct combinations of some columns in some rows, as they first appear, and say how many."""
        masks = [self._mask(word, columns) for word in self._layout.words]
        # Words of which nothing is asked for tell no rows apart.
        asked = [at for at, mask in enumerate(masks) if mask] or [0]
        numbers, n = None, 0
        for at in asked:
            keys = self._words[at][rows] & np.uint64(masks[at])
            numbering = Numbering()
            numbers = numbering.add(keys if numbers is None else chain(numbers, keys))
            n = len(numbering)
        assert numbers is not None
        return numbers, n

    def _mask(self, word: tuple[tuple[int, int], ...], columns: Collection[int]) -> int:
        """Return the bits of a word that these columns take."""
        return sum(((1 << self._layout.widths[column]) - 1) << shift for column, shift in word if column in columns)


def number_combinations(codes: Sequence[Codes], cardinalities: Sequence[int]) -> tuple[Codes, int]:
    """Number the distinct combinations of columns, each given as its codes, and say how many there are."""
    return Packed(codes, cardinalities).number(range(len(codes)))


def different(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the different numbers, sorted; np.unique hashes them, which takes ten times as long for millions."""
    ordered = np.sort(numbers)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def among_used(numbers: NDArray[np.integer], below: int) -> tuple[NDArray[np.int64], Codes]:
    """Return the different numbers, sorted, and the position of each number among them; all are from 0 on and `below`
    another. Sorting, as np.unique does, takes longer unless that is much more than there are numbers."""
    if below > 4 * len(numbers) + 1024:
        used, positions = np.unique(numbers, return_inverse=True)
        return used.astype(np.int64), positions.reshape(-1).astype(np.int32)
    there = np.zeros(below, dtype=np.bool_)
    there[numbers] = True
    return np.flatnonzero(there), (np.cumsum(there, dtype=np.int32) - np.int32(1))[numbers]
