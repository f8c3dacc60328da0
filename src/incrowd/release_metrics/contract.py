"""Metrics of releases: utility and protection of a release of any tool. One per file, found by the registry.

A module declares RELEASE_METRIC, a frozen dataclass whose fields are its options and whose class attributes describe
its number. A metric in `metrics` guides a search; a metric here measures any release afterwards.
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
    """The better end of a metric."""

    LOW = "low"
    HIGH = "high"


class Side(StrEnum):
    """The side that a metric measures."""

    UTILITY = "utility"
    """Utility for the users of the data."""
    PROTECTION = "protection"
    """Protection of the people in the data."""


@dataclass(frozen=True)
class Reading:
    """The value of a metric for one release."""

    value: float | None
    """None if there is none."""
    parts: Mapping[str, Any] = field(default_factory=dict)
    """The parts of the number, by name: per column, per quantile."""
    why: str = ""
    """Why it says nothing."""


def nothing(why: str) -> Reading:
    """Return a reading without a value, if the metric does not apply to this release."""
    return Reading(None, why=why)


NO_CLASS = nothing("nothing is published")
NO_SENSITIVE = nothing("no sensitive column is declared")


class ReleaseMetric(Protocol):
    """A number for a whole release."""

    side: ClassVar[Side]
    goal: ClassVar[Goal]
    bounds: ClassVar[Bounds]
    meaning: ClassVar[str]
    """The number in words, as short as a line."""

    def measure(self, released: "Released") -> Reading:
        """Return the value for a release."""
        ...

    def textbook(self, page: "ReferenceRelease") -> float | None:
        """Return the definition, record by record; None if it has no value."""
        ...
