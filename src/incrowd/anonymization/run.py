"""One run, from a job to a release that was verified: count, search, publish, re-read."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa

from incrowd.anonymization.applying import AtLevels, hierarchies_of, levels_of
from incrowd.anonymization.choosing import choose
from incrowd.anonymization.claims import SearchResult
from incrowd.anonymization.costliest import SECONDS, costliest
from incrowd.anonymization.ends import with_ends
from incrowd.anonymization.kept_columns import Determined
from incrowd.anonymization.nulls import with_nulls
from incrowd.anonymization.output_paths import OutputPaths
from incrowd.anonymization.preparation import Preparation
from incrowd.anonymization.preparing import Lay, Prepared
from incrowd.anonymization.repeated_people import RepeatedPeople, repeated_people
from incrowd.anonymization.result import AnonymizationResult
from incrowd.anonymization.searching import NOTHING_LEFT, Searched, found_by, run_search
from incrowd.anonymization.unread import unread
from incrowd.anonymization.writing import Against, framed, placed
from incrowd.core.schema import Order, Role
from incrowd.engines.order import arranged
from incrowd.engines.publish import publish
from incrowd.engines.source import Source, Steps
from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.models.class_size import smallest_class_size
from incrowd.models.consistent_k import ConsistentK
from incrowd.release import Record
from incrowd.searches import ChoosingSearch, Search
from incrowd.verification import Original, Verdict
from incrowd.watch import Show, Watch, all_or_nothing


@dataclass(frozen=True, eq=False)
class Inputs:
    """The inputs of a run."""

    source: Source
    is_frame: bool = False
    """True if the source was passed as a frame; then the release may be one."""
    population: Source | None = None
    population_file: Any = None
    """Where verification reads the population: a path, a URL or a frame."""

    def original(self, job: Job) -> Original | None:
        """Return the table in which verification counts people again, if the job names the columns of the person."""
        return Original(self.source.columns, self.source.cells, job.missing) if job.person else None

    def normalized(self, steps: Steps) -> "Inputs":
        """Return the same records with some columns in their normal form; a frame must be here, since it comes back."""
        if not steps:
            return self
        if self.is_frame and getattr(self.source, "is_lazy", False):
            raise UsageError.invalid(
                "normalize or missing of a column of a lazy frame",
                "its rows stay in their engine, and no engine normalizes text as Unicode defines it",
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
    """Return the recoding of an earlier release on new data, with the hierarchies that it was made with."""
    return _run(inputs, job, AtLevels(levels_of(record)), hierarchies_of(record, job), progress)


def _run(
    inputs: Inputs, job: Job, search: Search, hierarchies: Mapping[str, Lay], progress: Show | None
) -> AnonymizationResult:
    started = perf_counter()
    place = None if job.output is None else OutputPaths.of(job)
    if place is None and not inputs.is_frame:
        raise UsageError.invalid("the job", "it names no output", "name a file (-o FILE)")
    if isinstance(search, ChoosingSearch):
        searched = choose(Preparation(inputs.source, inputs.population), job, search, progress, started)
    else:
        limit = search.time_limit(job.time)
        searched = run_search(Preparation(inputs.source, inputs.population), job, search, hierarchies, progress, limit)
    job, prepared, outcome = searched.job, searched.prepared, searched.outcome
    found = with_nulls(found_by(job, prepared, outcome, started), None if place is None else place.kind)
    most = None if hierarchies else _costliest(found, searched.seconds, progress)
    found = with_ends(found)
    found = replace(found, determined=_determined(prepared, found), repeated=_repeated(prepared, found))
    # Where no model compares with it, it is there for the report alone.
    population = inputs.population_file if any(model.needs_population for model in job.models) else None
    against = Against(population, inputs.original(job), inputs.is_frame or population is not None)
    with Watch(progress=progress) as watch, all_or_nothing("the release was being written", NOTHING_LEFT):
        source = found.prepared.source or inputs.source
        published = publish(source, found.recoding, found.prepared.published, watch)
        if job.order == Order.SORTED:
            published = arranged(published, watch, found.prepared.whole)
        with ExitStack() as held:
            held.enter_context(_unless_verified(published.discard))
            # Before anything is written or judged: then all of that is about the same records.
            frame = published.frame() if inputs.is_frame else None
            apart = None
            if frame is not None and found.apart is not None:
                apart, discard = _second_table(frame, found.apart)
                held.enter_context(_unless_verified(discard))
            if place is None:
                made = framed(found, frame, apart, against)
            else:
                made = placed(found, published, place, against, watch)
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
        _plain({**outcome.details, **_beside(_details(searched, most))}),
        made.sensitive_file,
        apart,
        (*job.notes, *unread(job, prepared.problem.frequencies), *prepared.floor.notes),
        searched.previews,
    )


def _second_table(frame: Any, table: pa.Table) -> tuple[Any, Callable[[], object]]:
    """Return a table as a frame of the same kind as another, and what removes it."""
    from incrowd.engines.second_tables import second_table

    return second_table(frame, table)


def _costliest(found: SearchResult, spent: float, progress: Show | None) -> Mapping[str, Any] | None:
    """Return the column that costs most, if the time that the job names suffices to find it."""
    seconds = SECONDS if found.job.time is None else max(0.0, min(SECONDS, float(found.job.time) - spent))
    with Watch(seconds, progress) as watch:
        return costliest(found, watch)


def _details(searched: Searched, most: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what the run found out beside the search."""
    return {"tried": searched.tried, "costliest": most, "proposed": searched.prepared.proposed}


def _beside(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details that there are."""
    return {name: of for name, of in details.items() if of}


def _determined(prepared: Prepared, found: SearchResult) -> tuple[Determined, ...]:
    """Return the kept columns that determine a quasi-identifier that is not published as it is."""
    named = zip(found.job.having(Role.QUASI), found.recoding.columns, strict=False)
    hidden = {name for name, column in named if column is not None}
    return tuple(each for each in prepared.determined if each.quasi in hidden)


def _repeated(prepared: Prepared, found: SearchResult) -> RepeatedPeople | None:
    """Return the classes with too few people, if records are counted and the identifiers tell people apart."""
    if prepared.identified is None or not found.classes:
        return None
    k = smallest_class_size(prepared.problem.model)
    loose = bool(found.wiped) or any(isinstance(model, ConsistentK) for model in found.job.models)
    return repeated_people(prepared.identified, found.job, found.recoding, loose, k)


def _with_order(verdict: Verdict, order: Order) -> Verdict:
    """Add a warning for the publisher; the manifest does not mention the order, because recipients need not know it."""
    if order == Order.SORTED or not verdict.records:
        return verdict
    warning = (
        "the records are in the order of the source, which may disclose what their cells hide: if the source is sorted "
        "by date of birth, the position of a record discloses the date. With order=sorted it discloses nothing."
    )
    return replace(verdict, warnings=(*verdict.warnings, warning))


@contextmanager
def _unless_verified(discard: Callable[[], object]) -> Iterator[None]:
    """Discard a frame in its engine if it is not returned."""
    try:
        yield
    except BaseException:
        # What went wrong may be the engine itself.
        with suppress(Exception):
            discard()
        raise


def _plain(value: Any) -> Any:
    """Return details of a search as JSON types."""
    if isinstance(value, Mapping):
        return {str(key): _plain(of) for key, of in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value
