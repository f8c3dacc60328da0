"""Generalization cost (GENC of Aggarwal et al.): how far up their hierarchies the published cells are."""

from dataclasses import dataclass
from typing import ClassVar

from incrowd.release_metrics.contract import ANY, Bounds, Goal, Reading, Side, nothing
from incrowd.release_metrics.reference import ReferenceRelease, level_of
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class GeneralizationCost:
    """Sum over cells of level / height of the hierarchy; a suppressed cell costs 1.

    Columns without a hierarchy do not count.
    """

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "level of a cell as a share of the hierarchy's height, summed over cells (GENC)"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and for each column that has a hierarchy."""
        costs = {}
        for at, covers in enumerate(released.columns[: released.quasi]):
            ladder = covers.scale.ladder
            if ladder is not None:
                steps = int(covers.level[released.cells[at]] @ released.counts)
                costs[covers.scale.name] = steps / ladder.height + released.suppressed
        return Reading(sum(costs.values()), costs) if costs else nothing("no quasi-identifier has a hierarchy")

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (Loukides 2.1.4), cell by cell."""
        known = [at for at in range(page.quasi) if page.bases[at].paths is not None]
        cost = float(page.suppressed * len(known))
        for group in page.classes:
            for at in known:
                paths = page.bases[at].paths or {}
                height = len(next(iter(paths.values())))
                cost += len(group.others) * level_of(group.cells[at], page.bases[at]) / height
        return cost if known else None


RELEASE_METRIC = GeneralizationCost
