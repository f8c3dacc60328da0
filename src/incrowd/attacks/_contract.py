"""What an attack is, and what it tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief

if TYPE_CHECKING:
    from incrowd.attacks._target import Target
    from incrowd.watch import Watch

Mask = NDArray[np.bool_]

PERSON = "that a person is in the release, and the person's quasi-identifiers"
"""What nearly every attacker knows."""


class Needs(StrEnum):
    """What an attack needs besides the quasi-identifiers of a release."""

    NOTHING = ""
    SENSITIVE = "a sensitive column (-s COLUMN)"
    OUTSIDE = "an outside table (--with FILE)"
    OTHER = "another release of the same people (--other FILE) with the same sensitive columns"
    KNOWLEDGE = "something that the attacker knows (--knows STATEMENT)"


@dataclass(frozen=True)
class Worst:
    """The class that an attack hits hardest; counts alone, no values."""

    number: int
    """Counted from 1, classes sorted by their published cells as text."""
    size: int
    """Its records."""
    told: str
    """What makes it the worst."""


@dataclass(frozen=True, repr=False)
class Exposure(Brief):
    """What an attack finds in a release."""

    story: str
    """The attack in one sentence."""
    knows: str
    """What the attacker knows."""
    records: int | None
    """How many records are exposed, or people of an outside table; None where it cannot be told."""
    classes: int | None
    """How many classes they are in."""
    column: str | None = None
    """The sensitive column that is learned, where it is about one."""
    worst: Worst | None = None
    stopped_by: str = ""
    """The model that would have stopped it."""
    among: int | None = None
    """How many people were looked for, where that is not all records."""
    at_most: int | None = None
    """How many may be exposed, where `records` is what is certain alone."""
    details: Mapping[str, int] = field(default_factory=dict)
    """Further numbers, by what they count."""
    people: tuple[str, ...] = ()
    """Who is found, where the column with their names is given."""
    note: str = ""
    """What has to be known to read the numbers."""
    why: str = ""
    """Why it cannot be told, where it cannot."""
    attack: str = ""
    """Its name, with the options that are not the usual ones."""


class Attack(Protocol):
    """One way to learn something about a person."""

    @property
    def needs(self) -> Needs:
        """What it needs."""
        ...

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """What it finds."""
        ...
