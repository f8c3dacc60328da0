"""Sampling: the table counts a random sample of the records, so nobody knows who is in it."""

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
            raise UsageError.invalid("sampling", "a share of 1 is the whole table", "choose a share below 1")

    def protect(self, cells: Cells, room: Numbers, chance: np.random.Generator, watch: Watch) -> Protected:
        """Return the table of the sample; all that is known of the whole is that it includes the sample."""
        records = cells.records.each()
        number = records.leaves.shape[1]
        kept = np.sort(chance.permutation(number)[: round(self.share * number)])
        amounts = None if records.amounts is None else records.amounts[kept]
        drawn = cells.of_records(type(records)(records.leaves[:, kept], records.counts[kept], amounts))
        sample = drawn.values
        upper = sample + (number - len(kept) if records.amounts is None else ceiling(cells, room))
        known = Knowledge(np.maximum(cells.public_minimum, sample), upper)
        if records.amounts is None:
            # How many records there are is told.
            known.lower[-1] = known.upper[-1] = number
        words = f"The table counts a random sample of {len(kept):,} of {number:,} records."
        return Protected(sample, np.zeros(len(sample), dtype=bool), known, counts=drawn.counts, words=(words,))

    def remedy(self) -> str:
        """Return what to change."""
        return "draw a smaller share, or suppress cells"


PROTECTION = Sampling
MEANING = "the table is made from a random sample of the records"
RANK = 5
LABELS = {"share": "Share of records"}
