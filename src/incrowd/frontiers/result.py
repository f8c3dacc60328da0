"""The result of a frontier: every run, the front, and the recommended release."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.core.brief import Brief
from incrowd.core.grid import Allowed
from incrowd.frontiers import wording
from incrowd.frontiers.options import Risk
from incrowd.frontiers.pareto import Point, front, knee, most_for_its_risk
from incrowd.frontiers.variants import publishing
from incrowd.jobs import Job
from incrowd.results import Result

if TYPE_CHECKING:
    from incrowd.charts import Chart


@dataclass(frozen=True)
class Candidate:
    """A release that could be published."""

    smallest: int
    """The k that is reached: the smallest class, or what consistent_k asks for."""
    classes: int
    records: int
    """The number of published records."""
    suppressed: int
    loss: float
    """The mean over all cells of the share of its column's domain that a cell leaves open; 1 for a suppressed one."""
    highest_risk: float
    """Highest risk of a record: 1 / smallest class, or 1 / fewest records consistent with a person."""
    average_risk: float | None
    """The mean over the published records: classes / records; None if there are no such classes."""
    cells_kept: float
    """The share of all cells of quasi-identifiers that are published as they were."""
    cells_wiped: float
    """The share that is suppressed: in suppressed records, or at the top of the hierarchy."""
    guarantee: str
    """The guarantee of the search: optimal, minimal or heuristic."""
    stopped: str | None = None
    """'time' or 'interrupted' where the search ended early: a better release may exist."""

    @property
    def worth(self) -> tuple[float, float, float | None]:
        """Its loss and both risks: releases that agree in them are worth the same."""
        return self.loss, self.highest_risk, self.average_risk

    def point(self, risk: Risk) -> Point:
        """Return loss and risk; a risk that cannot be computed was refused before."""
        found = self.highest_risk if risk == Risk.HIGHEST else self.average_risk
        assert found is not None
        return Point(self.loss, found)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "k_reached": self.smallest,
            "classes": self.classes,
            "records": self.records,
            "suppressed": self.suppressed,
            "loss": self.loss,
            "highest_risk": self.highest_risk,
            "average_risk": self.average_risk,
            "cells_kept": self.cells_kept,
            "cells_wiped": self.cells_wiped,
            "guarantee": self.guarantee,
            "stopped": self.stopped,
        }


@dataclass(frozen=True, eq=False, repr=False)
class FrontierRun(Brief):
    """One search under one k."""

    search: str
    """With its options, as `mondrian:column=loss`."""
    k: int
    """The k of the run's model."""
    suppress: Allowed
    """The suppression limit: a number or share of records, or of people if the job counts them, or the kind of
    suppression."""
    job: Job
    """The job that publishes this release: `incrowd.anonymize(source, run.job)`."""
    left_out: tuple[str, ...]
    """Settings of the given job that this search does not understand, as `columns.age.limit`."""
    release: Candidate | None
    """None if there is no release."""
    reason: str | None
    """The reason why there is no release."""
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        found = {} if self.release is None else self.release.to_dict()
        return {
            "search": self.search,
            "k": self.k,
            "suppress": float(self.suppress) if isinstance(self.suppress, Decimal) else self.suppress,
            "feasible": self.release is not None,
            **found,
            "reason": self.reason,
            "left_out": list(self.left_out),
            "seconds": self.seconds,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Frontier(Brief, Result):
    """The runs of a frontier, and which of their releases are Pareto-optimal."""

    source: str
    records: int
    """The number of records counted."""
    risk: Risk
    """The risk to weigh against loss."""
    runs: tuple[FrontierRun, ...]
    """In the order in which they were made."""
    not_run: tuple[tuple[str, int], ...] = ()
    """Searches and k that an interruption left no time for."""
    has_command: bool = True
    """True if the data are those that the job names; then a command can publish them."""

    @cached_property
    def _points(self) -> list[tuple[FrontierRun, Point]]:
        """Return the runs with a release; of equal releases the strongest guarantee first."""
        found = [(run, run.release.point(self.risk)) for run in self.runs if run.release is not None]
        return sorted(found, key=lambda pair: (-pair[0].k, _weakness(pair[0])))

    @cached_property
    def _worths(self) -> dict[tuple[Any, ...], list[FrontierRun]]:
        """Return the runs with a release by what these are worth; of equal ones the strongest guarantee first."""
        found: dict[tuple[Any, ...], list[FrontierRun]] = {}
        for run, _ in self._points:
            assert run.release is not None
            found.setdefault(run.release.worth, []).append(run)
        return found

    @cached_property
    def distinct(self) -> tuple[FrontierRun, ...]:
        """Return the runs with a release in the order in which they were made; one of those of equal worth."""
        first = {id(equal[0]) for equal in self._worths.values()}
        return tuple(run for run in self.runs if id(run) in first)

    def same_as(self, run: FrontierRun) -> FrontierRun | None:
        """Return the run that stands for one of equal worth; None if that is the run itself, or it has no release."""
        stands = None if run.release is None else self._worths[run.release.worth][0]
        return None if stands is run else stands

    def equal_to(self, run: FrontierRun) -> tuple[FrontierRun, ...]:
        """Return the other runs whose release has the same loss and the same risks."""
        equal = () if run.release is None else self._worths[run.release.worth]
        return tuple(other for other in equal if other is not run)

    @cached_property
    def front(self) -> tuple[FrontierRun, ...]:
        """Return the runs whose release no other dominates, by rising loss and falling risk; of equal worth one."""
        distinct = set(map(id, self.distinct))
        points = [(run, point) for run, point in self._points if id(run) in distinct]
        return tuple(points[at][0] for at in front([point for _, point in points]))

    @cached_property
    def _steps(self) -> dict[Point, FrontierRun]:
        """Return the distinct points of the front, each with one run."""
        steps: dict[Point, FrontierRun] = {}
        for run in self.front:
            assert run.release is not None
            steps.setdefault(run.release.point(self.risk), run)
        return steps

    @cached_property
    def has_knee(self) -> bool:
        """Return whether some release of the front lies below the line between its ends."""
        return knee(list(self._steps)) is not None

    @cached_property
    def recommended(self) -> FrontierRun | None:
        """Return the knee of the front or, if it has none, the release that loses least for its risk."""
        points = list(self._steps)
        if not points:
            return None
        at = knee(points)
        return list(self._steps.values())[most_for_its_risk(points) if at is None else at]

    @property
    def why(self) -> str:
        """Return why the release is recommended, or that there is none."""
        if self.recommended is None:
            return wording.why_none(self.runs, self.records)
        return wording.why(self.recommended, self._steps, self.has_knee, self.risk)

    @property
    def command(self) -> str | None:
        """Return the command that publishes the recommended release; None if there is none or the data have no name."""
        return None if self.recommended is None or not self.has_command else publishing(self.recommended.job)

    @property
    def stopped(self) -> str | None:
        """Return 'interrupted' if not every run was made."""
        interrupted = any(run.release is not None and run.release.stopped == "interrupted" for run in self.runs)
        return "interrupted" if self.not_run or interrupted else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; runs of the front, the recommended one and equal ones by their position."""
        return {
            "source": self.source,
            "records": self.records,
            "risk": str(self.risk),
            "runs": [{**run.to_dict(), "same_as": self._position(self.same_as(run))} for run in self.runs],
            "front": [self._position(run) for run in self.front],
            "recommended": self._position(self.recommended),
            "knee": self.has_knee,
            "why": self.why,
            "command": self.command,
            "stopped": self.stopped,
            "not_run": [{"search": search, "k": k} for search, k in self.not_run],
        }

    def _position(self, run: FrontierRun | None) -> int | None:
        return next((at for at, other in enumerate(self.runs) if other is run), None)

    def map(self, path: str | Path, replace: bool = False) -> None:
        """Draw the releases by loss and risk into a file: SVG, PNG or HTML, by its ending.

        A file that exists stays, unless it may be replaced.
        """
        from incrowd.frontiers.picture import draw

        draw(self, path, replace)

    def plot(self) -> Chart:
        """Return the risk-utility map."""
        from incrowd.charts import risk_map
        from incrowd.frontiers.picture import map_of

        return risk_map(map_of(self))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each run, in the order in which they were made."""
        on_front, best = set(map(id, self.front)), id(self.recommended)
        marks = [
            {
                "pareto_optimal": id(run) in on_front,
                "recommended": id(run) == best,
                "same_as": self._position(self.same_as(run)),
            }
            for run in self.runs
        ]
        return [{**run.to_dict(), **mark} for run, mark in zip(self.runs, marks, strict=True)]

    def parts(self) -> list[str]:
        """Return the releases as a table, the recommended one and why."""
        return wording.parts(self)


def _weakness(run: FrontierRun) -> int:
    """Return a rank of how little is proven about a better release."""
    assert run.release is not None
    return 3 if run.release.stopped else ("optimal", "minimal", "heuristic").index(run.release.guarantee)
