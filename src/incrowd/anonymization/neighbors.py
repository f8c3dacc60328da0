"""The nodes around a chosen one: what a step more or less of generalisation in one column would give."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from incrowd.anonymization.preparing import prepare
from incrowd.anonymization.run import Inputs
from incrowd.core.schema import Role
from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import METRICS
from incrowd.metrics import Levels
from incrowd.searches import Node, looks_at_axes
from incrowd.searches._lattice import Lattice
from incrowd.watch import Watch


@dataclass(frozen=True)
class Neighbour:
    """A node beside the chosen one, or the chosen one itself."""

    levels: dict[str, int]
    step: str
    """above, below or chosen."""
    column: str | None
    """The column in which it differs."""
    node: Node
    metric: str
    """What the score is."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; no score where the models or limits do not hold."""
        return {
            "levels": self.levels,
            "step": self.step,
            "column": self.column,
            "feasible": self.node.feasible,
            "suppressed": self.node.suppressed,
            "smallest": self.node.smallest,
            "classes": self.node.classes,
            "score": self.node.score if isfinite(self.node.score) else None,
        }


def neighbours(inputs: Inputs, job: Job, levels: Mapping[str, int], watch: Watch) -> list[Neighbour]:
    """The node at these levels, and those one level up or down in one column, each counted and scored."""
    if looks_at_axes(job.search):
        raise UsageError.senseless(
            "neighbours of a release", "its search chooses no level per column", "take a search such as optimal"
        )
    names = job.having(Role.QUASI)
    lattice = Lattice(prepare(inputs.source, job, inputs.population, {}, watch).problem)
    metric = METRICS.spell(job.metric)
    _refuse(levels, names, lattice)
    chosen = tuple(levels[name] for name in names)
    around = [("chosen", chosen), *(("below", each) for each in lattice.below(chosen))]
    around += (("above", each) for each in lattice.above(chosen))
    found: list[Neighbour] = []
    for step, at in around:
        watch.tick(f"{len(found)} of {len(around)} nodes counted", len(found) / len(around))
        differs = _differing(names, chosen, at)
        found.append(Neighbour(dict(zip(names, at, strict=True)), step, differs, lattice.count(at), metric))
    return found


def _refuse(levels: Mapping[str, int], names: tuple[str, ...], lattice: Lattice) -> None:
    """Levels that are no node of the lattice."""
    inside = set(levels) == set(names) and all(
        0 <= levels[name] <= highest for name, highest in zip(names, lattice.top, strict=True)
    )
    if not inside:
        raise UsageError.senseless(
            "the levels", "they are no node of the lattice", "give those of a release of the job"
        )


def _differing(names: tuple[str, ...], chosen: Levels, at: Levels) -> str | None:
    return next((name for name, here, there in zip(names, chosen, at, strict=True) if here != there), None)
