"""From a job and its source to the problem that a search solves: counted, laid along hierarchies, checked."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import pyarrow as pa

from incrowd.anonymization.axes import axes_of
from incrowd.anonymization.levels import allowed_levels, kept_levels, level_faults, needed_levels
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet, aligned
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy
from incrowd.core.schema import WILDCARDS, Nulls, Role
from incrowd.engines.source import Source, count, count_population
from incrowd.errors import Fault, JobError, UsageError
from incrowd.hierarchies import build
from incrowd.jobs import Job
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Problem, is_apart, is_local, looks_at, looks_at_axes, needs_sensitive, partitions
from incrowd.watch import Watch

Lay = Callable[[pa.Array], Hierarchy]
"""Gives the hierarchy of a column for the values that it has."""

PUBLISHED = (Role.QUASI, Role.SENSITIVE, Role.KEEP)
"""The roles of columns that are published."""


@dataclass(frozen=True, eq=False, repr=False)
class Prepared(Brief):
    """All that comes before the search."""

    problem: Problem
    counted: FrequencySet
    """Everything that was counted, records that are set aside included."""
    set_aside: int
    """Records with a missing quasi-identifier where those match nothing (nulls: basic)."""
    published: tuple[str, ...]
    """The columns of the release, in the order of the source; not those that are published apart from the records."""
    unmentioned: tuple[str, ...]
    """Columns that the job does not mention and that are therefore not published."""
    not_published: tuple[str, ...]
    """Those, and the columns that the job says are not to be published."""
    unasked: Mapping[str, Hierarchy] = field(default_factory=dict)
    """Hierarchies of sensitive columns that no model looks at; by them it is told afterwards which values are alike."""
    own_levels: tuple[tuple[int, ...], ...] = ()
    """For each level of each ladder which one of the column's hierarchy it is: where nothing is generalised a ladder
    lacks those between the value and the top."""


def prepare(
    source: Source, job: Job, population: Source | None, hierarchies: Mapping[str, Lay], watch: Watch
) -> Prepared:
    """Count what the models need and lay hierarchies along it: by what is given, or else as the job says."""
    job.check_columns(source.columns)
    model = together(job)
    quasi = job.having(Role.QUASI)
    needed = dict.fromkeys(name for columns in model.needs for name in columns)
    needed |= dict.fromkeys(looks_at(job.search))
    if needs_sensitive(job.search):
        needed |= dict.fromkeys(job.having(Role.SENSITIVE))
    counted = count(source, (*quasi, *needed), watch)
    unasked = {} if hierarchies else _unasked(source, job, needed, watch)
    people = _people(model, population, quasi, watch)
    if people is not None:
        counted, people = aligned(counted, people, quasi)
    judged = counted.complete(quasi) if job.nulls == Nulls.BASIC else counted
    published = [name for name in source.columns if name in job.columns and job.columns[name].role in PUBLISHED]
    apart = job.having(Role.SENSITIVE) if is_apart(job.search) else ()
    measured = looks_at_axes(job.search) and not hierarchies
    laid = {} if measured else _laid(job, judged, hierarchies)
    problem = _measured(job, judged, model) if measured else _full_domain(job, judged, model, laid)
    return Prepared(
        problem=replace(
            problem,
            budget=job.budget(judged.records),
            priorities=tuple(job.columns[name].priority for name in quasi),
            population=people,
            nulls=Nulls.EXTENDED if job.nulls == Nulls.BASIC else job.nulls,
            seed=job.seed,
            can_part=source.can_part,
        ),
        counted=counted,
        set_aside=counted.records - judged.records,
        published=tuple(name for name in published if name not in apart),
        unmentioned=tuple(name for name in source.columns if name not in job.columns),
        not_published=tuple(name for name in source.columns if name not in published),
        unasked=unasked,
        own_levels=tuple(laid[name].own for name in quasi if name in laid),
    )


def _unasked(source: Source, job: Job, needed: Collection[str], watch: Watch) -> dict[str, Hierarchy]:
    """Each counted alone, so that the search does not pay for it."""
    found: dict[str, Hierarchy] = {}
    faults: list[Fault] = []
    for name in job.having(Role.SENSITIVE):
        column = job.columns[name]
        if name not in needed and column.hierarchy is not None:
            try:
                values = count(source, (name,), watch).values[0]
                found[name] = build(column.spec(name), values, name, job.base, column.normalize, job.missing)
            except UsageError as error:
                faults.append(Fault(None, f"columns.{name}.hierarchy", str(error)))
    if faults:
        raise JobError.of("the job", faults)
    return found


def _full_domain(job: Job, judged: FrequencySet, model: PrivacyModel, laid: Mapping[str, "_Laid"]) -> Problem:
    """Every column goes up a ladder."""
    quasi = job.having(Role.QUASI)
    levels = [allowed_levels(job, name, laid[name].own[-1]) for name in quasi]
    return Problem(
        frequencies=judged,
        ladders=tuple(laid[name].ladder for name in quasi),
        model=model,
        metric=job.metric,
        minimum=tuple(lowest for lowest, _ in levels),
        limit=tuple(highest for _, highest in levels),
        sensitive={name: each.ladder for name, each in laid.items() if name not in quasi},
    )


def _measured(job: Job, judged: FrequencySet, model: PrivacyModel) -> Problem:
    """Records are parted into groups, or values into parts, and columns are measured along axes."""
    axes, forms, sensitive = axes_of(job, judged)
    ladders = {name: axis.ladder for name, axis in sensitive.items() if axis.ladder is not None}
    return Problem(judged, (), model, job.metric, sensitive=ladders, axes=axes, sensitive_axes=sensitive, forms=forms)


def together(job: Job) -> PrivacyModel:
    """The job's models as one."""
    if is_local(job.search):
        _refuse_beyond_groups(job, "a local search")
    if partitions(job.search):
        _refuse_beyond_groups(job, "set-partitioning")
    if job.nulls in WILDCARDS and not all(isinstance(model, KAnonymity) for model in job.models):
        raise UsageError.senseless(
            f"nulls: {job.nulls}",
            "missing cells that match everything make no classes, so only k_anonymity can be judged",
            "choose nulls: extended, or leave out the other models",
        )
    return job.models[0] if len(job.models) == 1 else All(job.models)


def _refuse_beyond_groups(job: Job, search: str) -> None:
    """What groups of records cannot have."""
    if job.nulls in WILDCARDS:
        raise UsageError.senseless(
            f"{search} with nulls: {job.nulls}",
            "groups are equal records, and missing cells that match everything make none",
            "choose nulls: extended or basic",
        )
    if any(model.needs_population for model in job.models):
        raise UsageError.senseless(
            f"{search} with a model that compares with the population",
            "who else would be in a group is not defined",
            "choose the search optimal, or another model",
        )


def _people(
    model: PrivacyModel, population: Source | None, quasi: tuple[str, ...], watch: Watch
) -> FrequencySet | None:
    if not model.needs_population:
        return None
    if population is None:
        raise UsageError.senseless(
            "a model that compares with the population",
            "the job names no population",
            "name a file with all people and the same quasi-identifiers (population: FILE, or --population)",
        )
    return count_population(population, quasi, watch)


class _Laid(NamedTuple):
    """A hierarchy along a column."""

    ladder: EncodedHierarchy
    own: tuple[int, ...]
    """Which level of the hierarchy each one of the ladder is."""


def _laid(job: Job, frequencies: FrequencySet, given: Mapping[str, Lay]) -> dict[str, _Laid]:
    """The hierarchies of the quasi-identifiers and of sensitive columns that have one; all faults at once."""
    found: dict[str, _Laid] = {}
    faults: list[Fault] = []
    for name, values in zip(frequencies.names, frequencies.values, strict=True):
        column = job.columns[name]
        if column.role != Role.QUASI and column.hierarchy is None:
            continue
        try:
            if name in given:
                # Of an earlier release, which had the levels that it needed.
                ladder = given[name](values).along(name, values)
                found[name] = _Laid(ladder, tuple(range(ladder.height + 1)))
                continue
            hierarchy = build(column.spec(name), values, name, job.base, column.normalize, job.missing)
            wrong = level_faults(job, name, hierarchy)
            faults += wrong
            used = hierarchy if wrong else needed_levels(job, name, hierarchy)
            own = kept_levels(job, name, hierarchy.height)
            found[name] = _Laid(used.along(name, values), tuple(own))
        except UsageError as error:
            faults.append(Fault(None, f"columns.{name}.hierarchy", str(error)))
    if faults:
        raise JobError.of("the job", faults)
    return found
