"""The grid of Samarati's lecture on one's own data: every point of it side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
from incrowd.results import Result, flat
from incrowd.watch import Show

if TYPE_CHECKING:
    from incrowd.charts import Chart


@dataclass(frozen=True, eq=False, repr=False)
class PointRun(Brief):
    """The job on one point of the grid."""

    point: Point
    run: FrontierRun | None
    """None if the job excludes this point, or it was interrupted before."""
    why_not: str | None = None
    """Why the job cannot be on this point."""

    @property
    def release(self) -> Candidate | None:
        """Return the release of the point; None if there is none."""
        return None if self.run is None else self.run.release

    @property
    def reason(self) -> str | None:
        """Return why there is no release."""
        return self.why_not if self.run is None else self.run.reason

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        found: dict[str, Any] = {"feasible": False} if self.run is None else self.run.to_dict()
        found.pop("k", None)
        settings = {"generalize": str(self.point.generalize), "suppress": str(self.point.suppress)}
        return {"point": str(self.point), "words": self.point.words, **settings, **found, "reason": self.reason}


@dataclass(frozen=True, eq=False, repr=False)
class Grid(Brief, Result):
    """A job on every point of the grid."""

    source: str
    records: int
    """The number of records counted."""
    columns: int
    """The number of quasi-identifiers."""
    points: tuple[PointRun, ...]
    """All of them, in the order of the lecture."""
    has_command: bool = True
    """True if the data are those that the job names; then a command can publish them."""

    def __getitem__(self, point: str) -> PointRun:
        return next(each for each in self.points if each.point == point)

    @property
    def least_loss(self) -> PointRun | None:
        """Return the point whose release loses least; of equal ones the first."""
        found = [(each.release.loss, at) for at, each in enumerate(self.points) if each.release is not None]
        return self.points[min(found)[1]] if found else None

    def command(self, point: PointRun) -> str | None:
        """Return the command that publishes a point; None if it has no release or the data have no name."""
        return publishing(point.run.job) if self.has_command and point.run and point.release else None

    @property
    def stopped(self) -> str | None:
        """Return 'interrupted' if not every point was run."""
        left = any(each.run is None and each.why_not is None for each in self.points)
        interrupted = any(each.release is not None and each.release.stopped == "interrupted" for each in self.points)
        return "interrupted" if left or interrupted else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "source": self.source,
            "records": self.records,
            "quasi_identifiers": self.columns,
            "points": [{**each.to_dict(), "command": self.command(each)} for each in self.points],
            "least_loss": None if self.least_loss is None else str(self.least_loss.point),
            "stopped": self.stopped,
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each point of the grid."""
        return [flat({**each.to_dict(), "command": self.command(each)}) for each in self.points]

    def parts(self) -> list[str]:
        """Return the releases of the points as a table, and how to publish the one that loses least."""
        return grid_wording.parts(self)

    def plot(self) -> Chart:
        """Return a picture of the information loss of each point."""
        from incrowd.charts import bars

        losses = [(str(each.point), each.release.loss) for each in self.points if each.release is not None]
        return bars(losses, "information loss", share=True)


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
        raise UsageError.invalid("the grid", "the models of the job exclude every point", "change the models")
    runs, records = run_all(inputs, list(variants.values()), progress)
    found = dict(zip(variants, runs, strict=False))
    return Grid(
        source=inputs.source.name,
        records=records,
        columns=len(job.having(Role.QUASI)),
        points=tuple(PointRun(point, found.get(point), refused.get(point)) for point in Point),
        has_command=has_command,
    )
