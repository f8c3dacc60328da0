"""One run, from a job to a release that was verified: count, search, publish, re-read."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from incrowd.anonymization.applying import AtLevels, hierarchies_of, levels_of
from incrowd.anonymization.claims import SearchResult
from incrowd.anonymization.infeasible import nothing_found
from incrowd.anonymization.kept_columns import Determined, determined
from incrowd.anonymization.local import found_groups, no_groups
from incrowd.anonymization.nulls import with_nulls
from incrowd.anonymization.output_paths import OutputPaths
from incrowd.anonymization.preparing import Lay, Prepared, prepare
from incrowd.anonymization.recoding import (
    kept_combinations,
    published_classes,
    published_levels,
    published_parts,
    recoding_of,
    scores_of,
    shown_wiped,
)
from incrowd.anonymization.result import AnonymizationResult
from incrowd.anonymization.two_tables import found_apart
from incrowd.anonymization.writing import framed, placed
from incrowd.core.schema import Order, Role
from incrowd.engines.frames import FrameSource, like
from incrowd.engines.order import arranged
from incrowd.engines.publish import Published, publish
from incrowd.engines.source import Source, Steps, count
from incrowd.errors import Interrupted, UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import METRICS
from incrowd.release import Record
from incrowd.searches import Outcome, Search, is_apart, is_local, partitions
from incrowd.searches._lattice import Lattice
from incrowd.verification import Verdict
from incrowd.watch import Show, Stopped, Watch


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a run reads."""

    source: Source
    is_frame: bool = False
    """Whether the source was handed over as a frame, so that the release can be one."""
    population: Source | None = None
    population_file: str | None = None

    def normalized(self, steps: Steps) -> "Inputs":
        """The same records with some columns in their normal form; a frame must be here, since it comes back."""
        if not steps:
            return self
        if self.is_frame and isinstance(self.source, FrameSource) and self.source.is_lazy:
            raise UsageError.senseless(
                "normalize of a lazy frame",
                "its rows stay in their engine, and none spells texts as Unicode defines it",
                "collect it into pandas, Polars or PyArrow first, or let the job read the table and write a file",
            )
        people = None if self.population is None else self.population.normalized(steps)
        return replace(self, source=self.source.normalized(steps), population=people)


def anonymize(inputs: Inputs, job: Job, progress: Show | None = None) -> AnonymizationResult:
    """Find the best release within the job's limits, publish it and verify what was published.

    The first interruption (Ctrl-C, or the job's time) ends the search alone: the best release found so far is still
    published. While rows are read or written, an interruption ends the run and leaves nothing behind.
    """
    return _run(inputs, job, job.search, {}, progress)


def apply(inputs: Inputs, record: Record, job: Job, progress: Show | None = None) -> AnonymizationResult:
    """The recoding of an earlier release on new data, with the hierarchies that it was made with."""
    return _run(inputs, job, AtLevels(levels_of(record)), hierarchies_of(record, job), progress)


def _run(
    inputs: Inputs, job: Job, search: Search, hierarchies: Mapping[str, Lay], progress: Show | None
) -> AnonymizationResult:
    started = perf_counter()
    place = None if job.output is None else OutputPaths.of(job)
    if place is None and not inputs.is_frame:
        raise UsageError.senseless("the job", "it does not say where the release goes", "name a file (-o FILE)")
    with Watch(progress=progress) as watch, _nothing_left("the data were being read"):
        prepared = prepare(inputs.source, job, inputs.population, hierarchies, watch)
        # An interruption after the last batch would be forgotten.
        watch.tick("all records counted")
    with Watch(job.time, progress) as watch, _nothing_left("the recoding was being chosen"):
        outcome = search.run(prepared.problem, watch)
    found = with_nulls(found_by(job, prepared, outcome, started), None if place is None else place.kind)
    with Watch(progress=progress) as watch, _nothing_left("the kept columns were being counted"):
        found = replace(found, determined=_determined(inputs.source, found, watch))
    # Where no model compares with it, it is there for the report alone.
    people = inputs.population_file if any(model.needs_population for model in job.models) else None
    with Watch(progress=progress) as watch, _nothing_left("the release was being written"):
        published = publish(inputs.source, found.recoding, prepared.published, watch)
        if job.order == Order.SORTED:
            published = arranged(published, watch)
        with _discarded_unless_verified(published):
            # Before anything is written or judged: then all of that is about the same records.
            frame = published.frame() if inputs.is_frame else None
            apart = None if frame is None or found.apart is None else like(frame, found.apart)
            if place is None:
                made = framed(found, frame, apart, people)
            else:
                made = placed(found, published, place, people, watch)
    return AnonymizationResult(
        made.manifest,
        made.record,
        _with_order(made.verdict, job.order),
        prepared.unmentioned,
        round(perf_counter() - started, 3),
        made.output,
        made.manifest_file,
        made.record_file,
        made.mapping_file,
        frame,
        _plain(outcome.details),
        made.sensitive_file,
        apart,
    )


def _determined(source: Source, found: SearchResult, watch: Watch) -> tuple[Determined, ...]:
    """Kept columns beside the quasi-identifiers that are not published as they are; counted in a pass of their own."""
    kept, columns = found.job.having(Role.KEEP), found.recoding.columns
    quasi = [name for name, column in zip(found.job.having(Role.QUASI), columns, strict=False) if column is not None]
    return determined(count(source, (*kept, *quasi), watch), kept, quasi) if kept and quasi else ()


def _with_order(verdict: Verdict, order: Order) -> Verdict:
    """With a warning for whoever publishes; the manifest says nothing, because who gets the data need not be told."""
    if order == Order.SORTED or not verdict.records:
        return verdict
    warning = (
        "the records are in the order of the source, which may tell what their cells hide: where it is sorted by day "
        "of birth, the place of a record tells its day. With order=sorted it tells nothing."
    )
    return replace(verdict, warnings=(*verdict.warnings, warning))


@contextmanager
def _discarded_unless_verified(published: Published) -> Iterator[None]:
    """A frame that is not given must not stay in its engine."""
    try:
        yield
    except BaseException:
        # What went wrong may be the engine itself.
        with suppress(Exception):
            published.discard()
        raise


@contextmanager
def _nothing_left(doing: str) -> Iterator[None]:
    """An interruption at which there is nothing to go on with."""
    try:
        yield
    except Stopped as stop:
        why = "the time was up" if stop.reason == "time" else "interrupted"
        raise Interrupted(f"{why} while {doing}; nothing was left behind") from None


def found_by(job: Job, prepared: Prepared, outcome: Outcome, started: float) -> SearchResult:
    """What a search found, with its classes and scores; an error where it found no release."""
    if outcome.groups is not None:
        return (found_apart if is_apart(job.search) else found_groups)(job, prepared, outcome, outcome.groups, started)
    if is_local(job.search) or (outcome.node is None and partitions(job.search)):
        raise no_groups(prepared.problem, outcome)
    if outcome.node is None:
        raise nothing_found(job, prepared, outcome)
    lattice = outcome.found_on or Lattice(prepared.problem)
    kept = kept_combinations(lattice, outcome)
    if outcome.found_on is not None and partitions(job.search):
        prepared = replace(prepared, problem=published_parts(prepared.problem, lattice, kept))
    levels = published_levels(outcome, kept)
    recoding = recoding_of(prepared, lattice, outcome, levels, kept)
    wiped = shown_wiped(recoding, outcome)
    sizes, smallest = published_classes(recoding, job.nulls, len(levels), wiped)
    chosen = outcome.scored_by or METRICS.name_of(job.metric)
    ladders, frequencies = prepared.problem.ladders, prepared.problem.frequencies
    return SearchResult(
        job=job,
        prepared=prepared,
        outcome=outcome,
        levels=levels,
        recoding=recoding,
        scores=scores_of(lattice, ladders, outcome, kept, chosen if isinstance(chosen, str) else next(iter(chosen))),
        sizes=sizes,
        smallest=smallest,
        suppressed=outcome.node.suppressed,
        started=started,
        published=kept[frequencies.classes(prepared.problem.quasi).of],
        wiped={prepared.problem.quasi[at]: text for at, text in wiped.items()},
    )


def _plain(value: Any) -> Any:
    """Details of a search as JSON has them."""
    if isinstance(value, Mapping):
        return {str(key): _plain(of) for key, of in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value
