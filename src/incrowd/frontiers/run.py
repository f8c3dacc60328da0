"""A frontier: count and build hierarchies once, then search under every k. Nothing is published or written."""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

from incrowd.anonymization.claims import SearchResult
from incrowd.anonymization.leaving_out import judged_for
from incrowd.anonymization.preparation import Preparation
from incrowd.anonymization.preparing import Prepared, prepare, together
from incrowd.anonymization.run import Inputs
from incrowd.anonymization.searching import found_by
from incrowd.anonymization.unsatisfiable import unsatisfiable
from incrowd.core.grid import allowed_by
from incrowd.core.knowledge import Known
from incrowd.core.schema import WILDCARDS
from incrowd.errors import Interrupted, JobError, UsageError
from incrowd.frontiers.cells import cell_shares
from incrowd.frontiers.options import FrontierOptions
from incrowd.frontiers.result import Candidate, Frontier, FrontierRun
from incrowd.frontiers.variants import Kind, Variant, variants_of
from incrowd.jobs import Job
from incrowd.models.consistent_k import ConsistentK
from incrowd.searches import CellsSearch, NothingFound, Outcome, Problem
from incrowd.text import count, number
from incrowd.watch import Progress, Show, Stopped, Watch

Counted = Prepared | UsageError
"""A table as counted for a kind of search, or the error why such searches cannot use it."""


def sweep(
    inputs: Inputs, job: Job, options: FrontierOptions, progress: Show | None = None, has_command: bool = True
) -> Frontier:
    """Return the frontier of a job under every k, search and suppression limit.

    The first interruption ends the frontier with its results so far; the interrupted search gives its best so far.
    """
    variants = list(variants_of(job, options))
    runs, records = run_all(inputs, variants, progress)
    return Frontier(
        source=inputs.source.name,
        records=records,
        risk=options.risk,
        runs=tuple(runs),
        not_run=tuple((variant.search, variant.k) for variant in variants[len(runs) :]),
        has_command=has_command,
    )


def run_all(inputs: Inputs, variants: Sequence[Variant], progress: Show | None) -> tuple[list[FrontierRun], int]:
    """Return the runs of variants in order, fewer after an interruption; and the number of records."""
    counted: dict[Kind, Counted] = {}
    preparation = Preparation(inputs.source, inputs.population)
    runs: list[FrontierRun] = []
    with Watch(progress=progress) as watch:
        try:
            for at, variant in enumerate(variants):
                if variant.kind not in counted:
                    counted[variant.kind] = _counted(preparation, variant.job, watch)
                watch.tick(str(variant), at / len(variants))
                run, interrupted = _run(variant, counted[variant.kind], _within(progress, variant, at, len(variants)))
                runs.append(run)
                if interrupted:
                    break
        except Interrupted:
            if not runs:
                raise
        except Stopped:
            if not runs:
                raise Interrupted("interrupted without a result") from None
    return runs, _at_least_one(list(counted.values())).counted.records


def _counted(preparation: Preparation, job: Job, watch: Watch) -> Counted:
    """Return the counts that a kind of search needs; errors of the job itself end the frontier."""
    try:
        return prepare(preparation, job, {}, watch)
    except JobError:
        raise
    except UsageError as error:
        return error


def _at_least_one(counted: list[Counted]) -> Prepared:
    """Return one that can be searched; raise the error if none can."""
    for each in counted:
        if isinstance(each, Prepared):
            return each
    raise next(each for each in counted if isinstance(each, UsageError))


def _within(progress: Show | None, variant: Variant, at: int, of: int) -> Show | None:
    """Return the progress of one search as progress of the frontier."""
    if progress is None:
        return None

    def show(event: Progress) -> None:
        progress(Progress((at + (event.share or 0.0)) / of, f"run {at + 1} of {of}, {variant}: {event.words}"))

    return show


def _run(variant: Variant, counted: Counted, progress: Show | None) -> tuple[FrontierRun, bool]:
    """Return one run, and whether it was interrupted."""
    started = perf_counter()
    release, reason, interrupted = None, None, False
    try:
        if isinstance(counted, UsageError):
            raise counted
        prepared = _prepared(variant.job, counted)
        reason = _hopeless(variant.k, prepared.problem.frequencies.records)
        if reason is None:
            with Watch(variant.job.search.time_limit(variant.job.time), progress) as watch:
                outcome = variant.job.search.run(prepared.problem, watch)
                interrupted = watch.cancelled
            release, reason = _judged(variant.job, prepared, outcome, started)
    except UsageError as error:
        reason = str(error)
    run = FrontierRun(
        search=variant.search,
        k=variant.k,
        suppress=allowed_by(variant.job.suppress),
        job=variant.job,
        left_out=variant.left_out,
        release=release,
        reason=reason,
        seconds=round(perf_counter() - started, 3),
    )
    return run, interrupted


def _prepared(job: Job, counted: Prepared) -> Prepared:
    """Return the counts with the models and the suppression limit of a job."""
    return replace(counted, problem=judged_for(job, counted.problem, together(job)))


def _hopeless(k: int, records: int) -> str | None:
    """Return why there can be no release, if that is known without a search."""
    if not records:
        return "the table has no records"
    return f"k is larger than the table ({count(records, 'record')})" if k > records else None


def _judged(job: Job, prepared: Prepared, outcome: Outcome, started: float) -> tuple[Candidate | None, str | None]:
    """Return the release that a search found, or why there is none."""
    if isinstance(outcome, NothingFound):
        return None, _no_release(prepared.problem, outcome)
    found = _candidate(found_by(job, prepared, outcome, started))
    return (found, None) if found.records else (None, "every record would be suppressed")


def _no_release(problem: Problem, outcome: NothingFound) -> str:
    """Return why a search found nothing. Changes that would help are not searched for: that may take too long."""
    if outcome.stopped != "done":
        return f"{'timed out' if outcome.stopped == 'time' else 'interrupted'} without finding a release"
    if never := unsatisfiable(problem):
        return never
    nearest = outcome.nearest.suppressed if outcome.nearest is not None else outcome.details.get("would_suppress")
    found = "" if nearest is None else f"; the best recoding seen would suppress {number(int(nearest))}"
    of_people = problem.people is not None and problem.people.of_people
    limit = count(problem.budget, "person" if of_people else "record")
    return f"no release within the limits (suppression limit: {limit}{found})"


class _Reached(NamedTuple):
    """The k that a release reaches."""

    k: int
    """The k of the model."""
    people: int
    """The number of records, or of people if the job says who they are, that each record is hidden among."""


def _reached(found: SearchResult) -> _Reached:
    """Return the smallest class, or the fewest people of whom all is true that may be known; with consistent records,
    the fewest records consistent with a person."""
    if not _is_consistent(found):
        smallest = found.smallest if found.people is None else found.people.alike or found.people.smallest
        return _Reached(smallest, smallest)
    [model] = found.job.models
    assert isinstance(model, ConsistentK)
    people, rows = (int(found.outcome.details[side]) for side in ("people", "rows"))
    sides = [people] * model.of_people + [rows] * model.of_rows
    return _Reached(min(sides), people)


def _is_consistent(found: SearchResult) -> bool:
    """Return whether records hide among others that do not look alike."""
    return isinstance(found.job.search, CellsSearch) and found.job.search.consistent


def _candidate(found: SearchResult) -> Candidate:
    records, outcome = found.recoding.records, found.outcome
    reached = _reached(found)
    by_classes = found.job.nulls not in WILDCARDS and not found.wiped and not _is_consistent(found)
    by_classes = by_classes and found.job.knows == Known.RECORD
    cells = cell_shares(found)
    return Candidate(
        smallest=reached.k,
        classes=found.classes,
        records=records,
        suppressed=found.suppressed,
        loss=float(f"{found.scores['loss']:.12g}"),
        highest_risk=1 / max(1, reached.people),
        average_risk=found.classes / max(1, int(found.people_by_class.sum())) if by_classes else None,
        cells_kept=float(f"{cells.kept:.12g}"),
        cells_wiped=float(f"{cells.wiped:.12g}"),
        guarantee=str(outcome.guarantee),
        stopped=None if outcome.stopped == "done" else outcome.stopped,
    )
