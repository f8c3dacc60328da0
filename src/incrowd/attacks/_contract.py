"""The interface of an attack and of its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.histograms import Histogram

if TYPE_CHECKING:
    from incrowd.attacks._target import Target
    from incrowd.watch import Watch

Mask = NDArray[np.bool_]

PERSON = "that a person is in the release, and the person's quasi-identifiers"
"""The knowledge of nearly every attacker."""


class Needs(StrEnum):
    """The needs of an attack besides the quasi-identifiers of a release."""

    NOTHING = ""
    SENSITIVE = "a sensitive column (-s COLUMN)"
    OUTSIDE = "an outside table (--with FILE)"
    OTHER = "another release of the same people (--other FILE) with the same sensitive columns"
    KNOWLEDGE = "knowledge of the attacker (--knows STATEMENT)"


@dataclass(frozen=True)
class Worst:
    """The class that an attack hits hardest; counts alone, no values."""

    number: int
    """Counted from 1, classes sorted by their published cells as text."""
    size: int
    """Its records."""
    told: str
    """The reason why it is the worst."""


@dataclass(frozen=True, repr=False)
class Exposure(Brief):
    """The result of an attack on a release."""

    story: str
    """The attack in one sentence."""
    knows: str
    """The knowledge of the attacker."""
    records: int | None
    """The number of exposed records, or people of an outside table; None if not assessed."""
    classes: int | None
    """The number of classes they are in."""
    column: str | None = None
    """The sensitive column that is learned, where it is about one."""
    worst: Worst | None = None
    stopped_by: str = ""
    """The model that would have stopped it; empty if nobody is exposed, who would need none."""
    among: int | None = None
    """The number of people searched for, if that is not all records."""
    at_most: int | None = None
    """The number that may be exposed, if `records` counts only the certain ones."""
    details: Mapping[str, int] = field(default_factory=dict)
    """Further numbers, by what they count."""
    people: tuple[str, ...] = ()
    """The names of those re-identified, if the column with names is given."""
    note: str = ""
    """A remark needed to read the numbers."""
    why: str = ""
    """The reason why it is not assessed."""
    attack: str = ""
    """Its name, with the options that are not the usual ones."""

    def __post_init__(self) -> None:
        if not self.records and not self.at_most:
            object.__setattr__(self, "stopped_by", "")


@runtime_checkable
class JudgesColumn(Protocol):
    """An attack on one sensitive column, which reports show for every release."""

    def of_column(self, histogram: Histogram) -> Exposure:
        """Return what it finds in one column."""
        ...


class Attack(Protocol):
    """One way to learn something about a person."""

    @property
    def needs(self) -> Needs:
        """Return what the attack needs."""
        ...

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """Yield the exposures of a release."""
        ...
