"""Yardsticks: what a release is worth, and how well it protects, whoever made it. One a file, found by the registry.

A module declares RELEASE_METRIC, a frozen dataclass whose fields are its options and whose class attributes say how its
number is read. A metric steers a search through one kind of recoding; a yardstick measures any release afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from incrowd.release_metrics.reference import ReferenceRelease
    from incrowd.release_metrics.released import Released

Bounds = tuple[float, float]
SHARE: Bounds = (0.0, 1.0)
ANY: Bounds = (0.0, inf)


class Goal(StrEnum):
    """Which end of a yardstick is the better one."""

    LOW = "low"
    HIGH = "high"


class Side(StrEnum):
    """Whose interest it measures."""

    UTILITY = "utility"
    """That of those who work with the data."""
    PROTECTION = "protection"
    """That of those whom the data are about."""


@dataclass(frozen=True)
class Reading:
    """What a yardstick says about one release."""

    value: float | None
    """None where it says nothing."""
    parts: Mapping[str, Any] = field(default_factory=dict)
    """What the number is made of, by name: per column, per quantile."""
    why: str = ""
    """Why it says nothing."""


def nothing(why: str) -> Reading:
    """A yardstick does not fit this release."""
    return Reading(None, why=why)


NO_CLASS = nothing("nothing is published")
NO_SENSITIVE = nothing("no sensitive column is named")


class ReleaseMetric(Protocol):
    """A number for a whole release."""

    side: ClassVar[Side]
    goal: ClassVar[Goal]
    bounds: ClassVar[Bounds]
    meaning: ClassVar[str]
    """The number in words, as short as a line."""

    def measure(self, released: "Released") -> Reading:
        """What it says about a release."""
        ...

    def textbook(self, page: "ReferenceRelease") -> float | None:
        """The definition, record by record; None where it says nothing."""
        ...
