"""Verbs before a release is made: a first job, and the releases that could be made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, overload

from incrowd.api.linked import refuse_tables
from incrowd.api.tables import inspect, open_source
from incrowd.watch import Show, Watch

if TYPE_CHECKING:
    from incrowd.anonymization.first_job import FirstJob
    from incrowd.anonymization.lattice_nodes import LatticeNodes
    from incrowd.anonymization.model_costs import ModelCosts
    from incrowd.anonymization.neighbors import Neighbors
    from incrowd.frontiers import Frontier, Grid
    from incrowd.jobs import Job

__all__ = ["costs", "frontier", "init", "lattice", "neighbors"]

Location = str | PathLike[str]


def init(
    source: Any,
    k: int | None = None,
    suppress: float | str | None = None,
    missing: Sequence[str] = (),
    time: float | None = None,
    progress: Show | None = None,
    normalize: Mapping[str, Sequence[str] | str] | None = None,
    missing_in: Mapping[str, Sequence[str | int]] | None = None,
    profile: str | None = None,
) -> FirstJob:
    """Draft a first job for a table: the likely role of every column, and hierarchies for the quasi-identifiers.

    The job asks for k-anonymity with `k` (default: 5), and `suppress` is the share (0.01, "1%", the default) or number
    (1) of records that may be suppressed. A `profile` (internal, research, public) has other defaults, and says how
    many different values of each sensitive column a class must have. The job says how columns are read: as `normalize`
    and `missing_in` do, and where codes for missing or notations are likely; `inspection.noticed` has the rest. Correct
    what you know better, then `anonymize(source, drafted.job)`.
    """
    from incrowd.anonymization.first_job import first_job
    from incrowd.diagnosis.inspection import inspect as inspect_source
    from incrowd.jobs.parts import steps_of
    from incrowd.noticing import likely_settings, together
    from incrowd.profiles import profile as profile_of

    # Refused before the table is read.
    profile_of(profile)
    opened = open_source(source, missing)
    data = {"data": {"source": source, "missing": list(missing)}} if isinstance(source, str | PathLike) else {}
    found = inspect(opened, time=time, progress=progress, normalize=normalize, missing_in=missing_in)
    readings = together(likely_settings(found.noticed), normalize or {}, missing_in or {})
    if readings:
        with Watch(time, progress) as watch:
            found = inspect_source(opened, watch, readings=steps_of(readings))
    with Watch(None, progress) as watch:
        return first_job(opened, found, watch, k=k, suppress=suppress, places=data, readings=readings, profile=profile)


@overload
def frontier(
    source: Any = None,
    job: Job | Mapping[str, Any] | Location | None = None,
    k: Sequence[int | str] | int | None = None,
    searches: Sequence[Any] | str | None = None,
    suppress: Sequence[float | str] | float | str | None = None,
    risk: str = "highest",
    time: float | None = None,
    progress: Show | None = None,
    grid: Literal[False] = False,
) -> Frontier: ...


@overload
def frontier(
    source: Any = None,
    job: Job | Mapping[str, Any] | Location | None = None,
    *,
    time: float | None = None,
    progress: Show | None = None,
    grid: Literal[True],
) -> Grid: ...


def frontier(
    source: Any = None,
    job: Job | Mapping[str, Any] | Location | None = None,
    k: Sequence[int | str] | int | None = None,
    searches: Sequence[Any] | str | None = None,
    suppress: Sequence[float | str] | float | str | None = None,
    risk: str = "highest",
    time: float | None = None,
    progress: Show | None = None,
    grid: bool = False,
) -> Frontier | Grid:
    """Run the job under every `k` with every search, and recommend one of the Pareto-optimal releases.

    Nothing is published. `source` and `job` are as for `anonymize`; `k` is 2, 5, 10, 25 and 50 by default, `searches`
    that of the job, optimal and mondrian, and `suppress` that of the job. `risk` is weighed against the loss: the
    highest risk of a record, or the average. `time` is the limit for each search. With `grid`, run the job as it is on
    every point of the grid of generalization and suppression instead.
    """
    from incrowd.anonymization.opening import job_and_inputs
    from incrowd.frontiers import FrontierOptions, sweep, sweep_grid
    from incrowd.frontiers.options import alone

    refuse_tables("frontier", job, source)
    if grid:
        alone(k=k, searches=searches, suppress=suppress, risk=None if risk == "highest" else risk)
    wanted, inputs = job_and_inputs(source, job, "frontier", publishes=False)
    if grid:
        return sweep_grid(inputs, wanted, time, progress, has_command=source is None)
    asked = FrontierOptions.of(wanted, k, searches, suppress, risk, time)
    return sweep(inputs, wanted, asked, progress, has_command=source is None)


def neighbors(
    source: Any = None,
    job: Job | Mapping[str, Any] | Location | None = None,
    levels: Mapping[str, int] | None = None,
    progress: Show | None = None,
    time: float | None = None,
    rows: int = 0,
) -> Neighbors:
    """Count and score the releases around one: its levels, and those one step up or down in one column.

    `source` and `job` are as for `anonymize`; `levels` are those of a release, as `anonymize(...).levels` has them.
    With `rows`, `sample` has so many different records before and as that release publishes them.
    """
    from incrowd.anonymization.neighbors import neighbors as count_neighbors
    from incrowd.anonymization.opening import job_and_inputs

    refuse_tables("neighbors", job, source)
    wanted, inputs = job_and_inputs(source, job, "neighbors", publishes=False)
    with Watch(time, progress) as watch:
        return count_neighbors(inputs, wanted, levels or {}, watch, rows)


def lattice(
    source: Any = None,
    job: Job | Mapping[str, Any] | Location | None = None,
    progress: Show | None = None,
    time: float | None = None,
) -> LatticeNodes:
    """List every release with one level for each column: whether it satisfies the models, its score, its classes.

    Nothing is published. `source` and `job` are as for `anonymize`. Nodes are counted until the score of each that
    satisfies the models is known; after `time` seconds of that, the rest stays unknown, with a bound of its score. More
    than 200,000 nodes are refused: narrow the levels of the columns (`limit` and `minimum` in the job).
    """
    from incrowd.anonymization.lattice_counting import lattice_nodes
    from incrowd.anonymization.opening import job_and_inputs

    refuse_tables("lattice", job, source)
    wanted, inputs = job_and_inputs(source, job, "lattice", publishes=False)
    return lattice_nodes(inputs, wanted, time, progress)


def costs(
    source: Any = None,
    job: Job | Mapping[str, Any] | Location | None = None,
    progress: Show | None = None,
) -> ModelCosts:
    """Measure what the models of a job cost: the information loss with k-anonymity alone, with all models, and with
    each.

    Nothing is published. `source` and `job` are as for `anonymize`. A quick local search clusters the records, or a
    sample of about 2,000 (fewer if there are many columns and models), so releases of other searches lose more or less.
    """
    from incrowd.anonymization.model_costs import model_costs
    from incrowd.anonymization.opening import job_and_inputs

    refuse_tables("costs", job, source)
    wanted, inputs = job_and_inputs(source, job, "costs", publishes=False)
    return model_costs(inputs, wanted, progress)
