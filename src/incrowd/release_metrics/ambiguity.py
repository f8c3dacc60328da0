"""Ambiguity (AM of Nergiz and Clifton): how many of all possible records a published one could be."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics.contract import SHARE, Bounds, Goal, Reading, Side
from incrowd.release_metrics.reference import ReferenceRelease, covered
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class AmbiguityOfRelease:
    """Mean over records of the product over columns of base values covered / base values; 1 for a suppressed one."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "share of all possible records that a published record covers (AM)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release."""
        columns = released.columns[: released.quasi]
        shares = released.by_class([covers.count / max(1, covers.scale.size) for covers in columns])
        left_open = float(shares.prod(axis=0) @ released.sizes)
        return Reading((left_open + released.suppressed) / max(1, released.records))

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, record by record."""
        total = float(page.suppressed)
        for group in page.classes:
            possible = 1.0
            for cell, base in zip(group.cells, page.bases, strict=False):
                possible *= covered(cell, base) / max(1, len(base.values))
            total += possible * len(group.others)
        return total / len(page.original) if page.original else 0.0


RELEASE_METRIC = AmbiguityOfRelease
