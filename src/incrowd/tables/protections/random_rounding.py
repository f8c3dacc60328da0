"""Random rounding: every cell, margins too, goes up or down to a multiple of the base by chance, without bias."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from incrowd.parameters import number_from, whole_number
from incrowd.tables.audit import Knowledge
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.measure import MOST
from incrowd.tables.protections import Protected
from incrowd.watch import Watch


@dataclass(frozen=True)
class RandomRounding:
    """A value goes up with the probability that preserves its mean; parts may not add up to their total."""

    base: int = 5

    def __post_init__(self) -> None:
        whole_number("base of random_rounding", self.base)
        number_from("base of random_rounding", self.base, 1, MOST)

    def protect(self, cells: Cells, room: Numbers, chance: np.random.Generator, watch: Watch) -> Protected:
        """Round every cell by itself."""
        base = self.base * 10**cells.decimals
        published = cells.values // base * base + base * drawn(cells.values, base, chance)
        words = f"Every number is rounded at random to a multiple of {self.base}; parts may not add up to totals."
        return rounded(cells, published, base - 1, (words,))

    def remedy(self) -> str:
        """Return what to change."""
        return "round to a larger base, or suppress cells"


def drawn(values: Numbers, base: int, chance: np.random.Generator) -> Numbers:
    """Return 1 for values to round up, with probability remainder/base; never for a multiple of the base."""
    return (chance.integers(0, base, size=len(values)) < values % base).astype(np.int64)


def rounded(cells: Cells, published: Numbers, reach: int, words: tuple[str, ...]) -> Protected:
    """Return a rounded table whose readers know the largest distance of a number from the real one."""
    nothing = np.zeros(len(published), dtype=bool)
    known = Knowledge(np.maximum(cells.public_minimum, published - reach), published + reach)
    return Protected(published, nothing, known, words=words)


PROTECTION = RandomRounding
MEANING = "every number is rounded randomly; totals may not add up"
RANK = 3
LABELS = {"base": "Rounding base"}
