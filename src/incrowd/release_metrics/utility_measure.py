"""Utility measure (Loukides' UM): which share of their domains the cells of a class cover, mean over classes."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics.contract import NO_CLASS, SHARE, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease, spread
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class UtilityMeasure:
    """Mean over classes of the mean Q-diversity over the quasi-identifiers; every class counts the same."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "share of the column's domain that a cell covers, mean over classes (UM)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and for each column."""
        if not released.classes:
            return NO_CLASS
        by_column = released.spreads.mean(axis=1)
        names = released.original.names[: released.quasi]
        return Reading(float(released.spread.mean()), dict(zip(names, by_column.tolist(), strict=True)))

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (Loukides 3.1.2), class by class."""
        means = [class_spread(page, at) for at in range(len(page.classes))]
        return sum(means) / len(means) if means else None


def class_spread(page: ReferenceRelease, at: int) -> float:
    """Return the mean Q-diversity of a class over the quasi-identifiers."""
    cells = page.classes[at].cells
    return sum(spread(cell, base) for cell, base in zip(cells, page.bases, strict=False)) / page.quasi


RELEASE_METRIC = UtilityMeasure
