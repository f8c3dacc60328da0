"""Wildcards: missing cells that were taken to match everything are told apart (Ciglic, Eder, Koncilia 2014)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from incrowd import models
from incrowd.attacks._contract import Exposure, Needs, Worst
from incrowd.attacks._target import Target, numbered
from incrowd.core.frequencies import FrequencySet
from incrowd.core.matching import matching_records
from incrowd.core.schema import WILDCARDS, Nulls
from incrowd.models.k_anonymity import KAnonymity
from incrowd.parameters import whole_number
from incrowd.text import count
from incrowd.watch import Watch

_WIPED = (
    "wiped cells were taken to match anything, and who knows a person's values can rule out records that match only "
    "so; attack it with the people themselves (--with FILE), or wipe cells with wiped=own"
)


@dataclass(frozen=True)
class Wildcards:
    """A crowd of k or more has members only because missing cells match everything; without these it is below k.

    A missing cell hides among values only as long as nobody knows that it is missing. Whoever was asked everything has
    no missing cell, and whoever refused to answer has one: an attacker who knows which, finds the records that are
    equal, missing cells included.
    """

    k: int = 2
    """How many records must be equal at least."""

    needs = Needs.NOTHING

    def __post_init__(self) -> None:
        whole_number("k of wildcards", self.k)

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """Which classes are crowds by their missing cells alone; wiped cells hide values that only people tell."""
        found = self.of_cells(target.cells, target.quasi, target.nulls)
        yield replace(found, records=None, classes=None, worst=None, why=_WIPED) if target.wiped else found

    def of_cells(self, cells: FrequencySet, quasi: Sequence[str], nulls: Nulls) -> Exposure:
        """The same of published quasi-identifiers."""
        equal, _ = numbered(cells, quasi)
        matching = matching_records(equal, quasi, nulls if nulls in WILDCARDS else Nulls.MAYBE)
        found = (equal.counts < self.k) & (matching >= self.k)
        where, worst = np.flatnonzero(found), None
        if len(where):
            at = int(where[np.argmax(matching[where] - equal.counts[where])])
            size = int(equal.counts[at])
            worst = Worst(at + 1, size, f"{count(int(matching[at]), 'record')} match it, and {size:,} equal it")
        return Exposure(
            "A person seems hidden among records with missing cells, and is not, because it is known which cells of "
            "the person are missing.",
            "a person's quasi-identifiers, and which of them are missing in the release",
            int(equal.counts[found].sum()),
            len(where),
            worst=worst,
            stopped_by=f"{models.spell(KAnonymity(k=self.k))} with missing cells as values (nulls: extended)",
        )

    def textbook(self, records: Sequence[Sequence[str | None]]) -> int:
        """For every person: who equals it, and who matches it when missing matches everything (maybe)."""
        exposed = 0
        for own in records:
            equal = sum(other == own for other in records)
            matching = sum(
                all(a == b or a is None or b is None for a, b in zip(own, other, strict=True)) for other in records
            )
            exposed += equal < self.k <= matching
        return exposed


ATTACK = Wildcards
