"""The sweep: count once for each kind of search, then search under every k. No row is published, no file written."""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

from incrowd.anonymization.claims import SearchResult
from incrowd.anonymization.preparing import Prepared, prepare, together
from incrowd.anonymization.run import Inputs, found_by
from incrowd.core.schema import WILDCARDS
from incrowd.errors import Interrupted, JobError, UsageError
from incrowd.frontiers.cells import cell_shares
from incrowd.frontiers.options import FrontierOptions
from incrowd.frontiers.result import Candidate, Frontier, FrontierRun
from incrowd.frontiers.variants import Kind, Variant, variants_of
from incrowd.jobs import Job
from incrowd.models.consistent_k import ConsistentK
from incrowd.searches import Outcome, Problem, is_consistent
from incrowd.text import count, number
from incrowd.watch import Progress, Show, Stopped, Watch

Counted = Prepared | UsageError
"""A table as a kind of search sees it, or why such searches cannot look at it."""


def sweep(
    inputs: Inputs, job: Job, asked: FrontierOptions, progress: Show | None = None, has_command: bool = True
) -> Frontier:
    """Run the job under everything that is asked for.

    The first interruption ends the sweep with what is known by then: the search that it came in gives its best so far.
    """
    variants = list(variants_of(job, asked))
    runs, records = run_all(inputs, variants, progress)
    return Frontier(
        source=inputs.source.name,
        records=records,
        risk=asked.risk,
        runs=tuple(runs),
        not_run=tuple((variant.search, variant.k) for variant in variants[len(runs) :]),
        has_command=has_command,
    )


def run_all(inputs: Inputs, variants: Sequence[Variant], progress: Show | None) -> tuple[list[FrontierRun], int]:
    """The runs of variants, in their order and fewer after an interruption; and how many records there are."""
    counted: dict[Kind, Counted] = {}
    runs: list[FrontierRun] = []
    with Watch(progress=progress) as watch:
        try:
            for at, variant in enumerate(variants):
                if variant.kind not in counted:
                    counted[variant.kind] = _counted(inputs, variant.job, watch)
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
                raise Interrupted("interrupted before anything was found") from None
    return runs, _at_least_one(list(counted.values())).counted.records


def _counted(inputs: Inputs, job: Job, watch: Watch) -> Counted:
    """What a kind of search looks at; faults of the job itself end the sweep."""
    try:
        return prepare(inputs.source, job, inputs.population, {}, watch)
    except JobError:
        raise
    except UsageError as error:
        return error


def _at_least_one(counted: list[Counted]) -> Prepared:
    """One that could be searched; where none could, what was asked for makes no sense."""
    for each in counted:
        if isinstance(each, Prepared):
            return each
    raise next(each for each in counted if isinstance(each, UsageError))


def _within(progress: Show | None, variant: Variant, at: int, of: int) -> Show | None:
    """Progress of one search as progress of the sweep."""
    if progress is None:
        return None

    def show(event: Progress) -> None:
        progress(Progress((at + (event.share or 0.0)) / of, f"run {at + 1} of {of}, {variant}: {event.words}"))

    return show


def _run(variant: Variant, counted: Counted, progress: Show | None) -> tuple[FrontierRun, bool]:
    """One run, and whether it was interrupted."""
    started = perf_counter()
    release, reason, interrupted = None, None, False
    try:
        if isinstance(counted, UsageError):
            raise counted
        prepared = _prepared(variant.job, counted)
        reason = _hopeless(variant.k, prepared.problem.frequencies.records)
        if reason is None:
            with Watch(variant.job.time, progress) as watch:
                outcome = variant.job.search.run(prepared.problem, watch)
                interrupted = _is_interrupted(watch)
            release, reason = _judged(variant.job, prepared, outcome, started)
    except UsageError as error:
        reason = str(error)
    run = FrontierRun(
        search=variant.search,
        k=variant.k,
        suppress=variant.job.suppress,
        job=variant.job,
        left_out=variant.left_out,
        release=release,
        reason=reason,
        seconds=round(perf_counter() - started, 3),
    )
    return run, interrupted


def _prepared(job: Job, counted: Prepared) -> Prepared:
    """What was counted, with the models of a job and what it may suppress."""
    budget = job.budget(counted.problem.frequencies.records)
    return replace(counted, problem=replace(counted.problem, model=together(job), budget=budget))


def _is_interrupted(watch: Watch) -> bool:
    """Whether Ctrl-C came, also after the search last looked."""
    try:
        watch.tick("found")
    except Stopped as stop:
        return stop.reason == "interrupted"
    return False


def _hopeless(k: int, records: int) -> str | None:
    """Why no search is needed to know that there is no release."""
    if not records:
        return "there is no record"
    return f"k is larger than the table ({count(records, 'record')})" if k > records else None


def _judged(job: Job, prepared: Prepared, outcome: Outcome, started: float) -> tuple[Candidate | None, str | None]:
    """The release that a search found, or why there is none."""
    if outcome.node is None and outcome.groups is None:
        return None, _no_release(prepared.problem, outcome)
    found = _candidate(found_by(job, prepared, outcome, started))
    return (found, None) if found.records else (None, "every record would have to be suppressed")


def _no_release(problem: Problem, outcome: Outcome) -> str:
    """Why a search found nothing. What would open a release is not looked for, since that may take longer than all."""
    if outcome.stopped != "done":
        return f"{'the time was up' if outcome.stopped == 'time' else 'interrupted'} before any release was found"
    nearest = outcome.nearest.suppressed if outcome.nearest is not None else outcome.details.get("would_suppress")
    found = "" if nearest is None else f"; the nearest miss that was seen would suppress {number(int(nearest))}"
    return f"no release is within the limits ({count(problem.budget, 'record')} may be suppressed{found})"


class _Reached(NamedTuple):
    """What a release gets to."""

    k: int
    """Of what was asked for."""
    people: int
    """Among how many records anybody is hidden."""


def _reached(found: SearchResult) -> _Reached:
    """The smallest class; where records hide among others that are not alike, what fits whom, as the search counted."""
    if not is_consistent(found.job.search):
        return _Reached(found.smallest, found.smallest)
    [model] = found.job.models
    assert isinstance(model, ConsistentK)
    people, rows = (int(found.outcome.details[side]) for side in ("people", "rows"))
    sides = [people] * model.of_people + [rows] * model.of_rows
    return _Reached(min(sides), people)


def _candidate(found: SearchResult) -> Candidate:
    records, outcome = found.recoding.records, found.outcome
    reached = _reached(found)
    by_classes = found.job.nulls not in WILDCARDS and not found.wiped and not is_consistent(found.job.search)
    cells = cell_shares(found)
    return Candidate(
        smallest=reached.k,
        classes=found.classes,
        records=records,
        suppressed=found.suppressed,
        loss=float(f"{found.scores['loss']:.12g}"),
        highest_risk=1 / max(1, reached.people),
        average_risk=found.classes / max(1, records) if by_classes else None,
        cells_kept=float(f"{cells.kept:.12g}"),
        cells_wiped=float(f"{cells.wiped:.12g}"),
        guarantee=str(outcome.guarantee),
        stopped=None if outcome.stopped == "done" else outcome.stopped,
    )
