"""Sampling: the table is made of some records, drawn by chance, so that nobody knows who is in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from incrowd.errors import UsageError
from incrowd.parameters import number_above_zero
from incrowd.tables.audit import Knowledge, ceiling
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.protections import Protected
from incrowd.watch import Watch


@dataclass(frozen=True)
class Sampling:
    """A share of the records, without replacement; the cells hold the sample's own numbers."""

    share: float = 0.1

    def __post_init__(self) -> None:
        number_above_zero("share of sampling", self.share, most=1)
        if self.share == 1:
            raise UsageError.senseless("sampling", "a share of 1 leaves nobody out", "let share be below 1")

    def protect(self, cells: Cells, room: Numbers, chance: np.random.Generator, watch: Watch) -> Protected:
        """The table of the sample; of all records no more is known than that the sample is among them."""
        records = cells.records.each()
        number = records.leaves.shape[1]
        kept = np.sort(chance.permutation(number)[: round(self.share * number)])
        amounts = None if records.amounts is None else records.amounts[kept]
        drawn = cells.of_records(type(records)(records.leaves[:, kept], records.counts[kept], amounts))
        sample = drawn.values
        upper = sample + (number - len(kept) if records.amounts is None else ceiling(cells, room))
        known = Knowledge(np.maximum(cells.told, sample), upper)
        if records.amounts is None:
            # How many records there are is told.
            known.lower[-1] = known.upper[-1] = number
        words = f"The table is of {len(kept):,} records, drawn by chance from {number:,}."
        return Protected(sample, np.zeros(len(sample), dtype=bool), known, counts=drawn.counts, words=(words,))

    def remedy(self) -> str:
        """What to change."""
        return "draw a smaller share, or suppress cells"


PROTECTION = Sampling
