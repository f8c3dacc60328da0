"""Wildcards: missing values that count as matching everything can be distinguished (Ciglic, Eder, Koncilia 2014)."""

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
    "suppressed cells count as wildcards, and an attacker who knows a person's values can rule out records that match "
    "only through them; run the attack with the people (--with FILE), or suppress cells with wiped=own"
)


@dataclass(frozen=True)
class Wildcards:
    """A set of k or more matching records reaches k only because missing values match everything.

    A missing value hides a record only as long as the attacker does not know that it is missing. People who answered
    every question have no missing value, and people who refused have one: an attacker who knows which finds the equal
    records, missing values included.
    """

    k: int = 2
    """The smallest number of records that must be equal."""

    needs = Needs.NOTHING

    def __post_init__(self) -> None:
        whole_number("k of wildcards", self.k)

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """Yield the classes that reach k only by missing values; suppressed cells need an outside table."""
        found = self.of_cells(target.cells, target.quasi, target.nulls)
        yield replace(found, records=None, classes=None, worst=None, why=_WIPED) if target.wiped else found

    def of_cells(self, cells: FrequencySet, quasi: Sequence[str], nulls: Nulls) -> Exposure:
        """Return the exposure of published quasi-identifiers."""
        equal, _ = numbered(cells, quasi)
        matching = matching_records(equal, quasi, nulls if nulls in WILDCARDS else Nulls.MAYBE)
        found = (equal.counts < self.k) & (matching >= self.k)
        where, worst = np.flatnonzero(found), None
        if len(where):
            at = int(where[np.argmax(matching[where] - equal.counts[where])])
            size = int(equal.counts[at])
            worst = Worst(at + 1, size, f"{count(int(matching[at]), 'record')} match it, and {size:,} equal it")
        return Exposure(
            "A person seems hidden among records with missing values, but is not, because the attacker knows which of "
            "the person's values are missing.",
            "a person's quasi-identifiers, and which of them are missing in the release",
            int(equal.counts[found].sum()),
            len(where),
            worst=worst,
            stopped_by=f"{models.spell(KAnonymity(k=self.k))} with missing values as values (nulls: extended)",
        )

    def textbook(self, records: Sequence[Sequence[str | None]]) -> int:
        """Return the number of exposed records, by records that equal and records that match each (maybe)."""
        exposed = 0
        for own in records:
            equal = sum(other == own for other in records)
            matching = sum(
                all(a == b or a is None or b is None for a, b in zip(own, other, strict=True)) for other in records
            )
            exposed += equal < self.k <= matching
        return exposed


ATTACK = Wildcards
