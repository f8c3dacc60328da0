"""The grid of Samarati's lecture on one's own data: every point of it side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from incrowd.anonymization.run import Inputs
from incrowd.core.brief import Brief
from incrowd.core.grid import Point
from incrowd.core.schema import Role
from incrowd.errors import JobError, UsageError
from incrowd.frontiers import grid_wording
from incrowd.frontiers.result import Candidate, FrontierRun
from incrowd.frontiers.run import run_all
from incrowd.frontiers.variants import Variant, on_point, publishing
from incrowd.jobs import Job
from incrowd.watch import Show


@dataclass(frozen=True, eq=False, repr=False)
class PointRun(Brief):
    """The job on one point of the grid."""

    point: Point
    run: FrontierRun | None
    """None where the job cannot be on this point, or an interruption left no time for it."""
    why_not: str | None = None
    """Why the job cannot be on this point."""

    @property
    def release(self) -> Candidate | None:
        """What could be published; None where there is nothing."""
        return None if self.run is None else self.run.release

    @property
    def reason(self) -> str | None:
        """Why there is no release."""
        return self.why_not if self.run is None else self.run.reason

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        found: dict[str, Any] = {"feasible": False} if self.run is None else self.run.to_dict()
        found.pop("k", None)
        settings = {"generalize": str(self.point.generalize), "suppress": str(self.point.suppress)}
        return {"point": str(self.point), "words": self.point.words, **settings, **found, "reason": self.reason}


@dataclass(frozen=True, eq=False, repr=False)
class Grid(Brief):
    """A job on every point of the grid."""

    source: str
    records: int
    """How many were counted."""
    columns: int
    """How many quasi-identifiers there are."""
    points: tuple[PointRun, ...]
    """All of them, in the order of the lecture."""
    has_command: bool = True
    """Whether the data are those that the job names, so that a command can publish them."""

    def __getitem__(self, point: str) -> PointRun:
        return next(each for each in self.points if each.point == point)

    @property
    def least_loss(self) -> PointRun | None:
        """The point whose release loses least; of equal ones the first."""
        found = [(each.release.loss, at) for at, each in enumerate(self.points) if each.release is not None]
        return self.points[min(found)[1]] if found else None

    def command(self, point: PointRun) -> str | None:
        """What publishes the release of a point; None where there is none, or the data have no name."""
        return publishing(point.run.job) if self.has_command and point.run and point.release else None

    @property
    def stopped(self) -> str | None:
        """'interrupted' where not everything was looked at."""
        left = any(each.run is None and each.why_not is None for each in self.points)
        interrupted = any(each.release is not None and each.release.stopped == "interrupted" for each in self.points)
        return "interrupted" if left or interrupted else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "source": self.source,
            "records": self.records,
            "quasi_identifiers": self.columns,
            "points": [{**each.to_dict(), "command": self.command(each)} for each in self.points],
            "least_loss": None if self.least_loss is None else str(self.least_loss.point),
            "stopped": self.stopped,
        }

    def __str__(self) -> str:
        return grid_wording.report(self)


def sweep_grid(
    inputs: Inputs, job: Job, time: float | None = None, progress: Show | None = None, has_command: bool = True
) -> Grid:
    """Run the job on every point of the grid; an interruption ends it with what is known by then."""
    variants: dict[Point, Variant] = {}
    refused: dict[Point, str] = {}
    for point in Point:
        try:
            variants[point] = on_point(job, point, time)
        except JobError as error:
            refused[point] = "; ".join(map(str, error.faults))
    if not variants:
        raise UsageError.senseless("the grid", "the job can be on none of its points", "look at its models")
    runs, records = run_all(inputs, list(variants.values()), progress)
    found = dict(zip(variants, runs, strict=False))
    return Grid(
        source=inputs.source.name,
        records=records,
        columns=len(job.having(Role.QUASI)),
        points=tuple(PointRun(point, found.get(point), refused.get(point)) for point in Point),
        has_command=has_command,
    )
