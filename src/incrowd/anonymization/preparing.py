"""From a job and its source to the problem that a search solves: counted, laid along hierarchies, checked."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import pyarrow as pa

from incrowd.anonymization.axes import axes_of
from incrowd.anonymization.bounding import Floor, Within
from incrowd.anonymization.kept_columns import Determined, determined
from incrowd.anonymization.leaving_out import judged_for
from incrowd.anonymization.levels import allowed_levels, kept_levels, level_faults, needed_levels
from incrowd.anonymization.people import (
    CountedPeople,
    as_records,
    counted_in_people,
    counted_people,
    unknown_people,
)
from incrowd.anonymization.preparation import Preparation, asks_table, told
from incrowd.anonymization.repeated_people import Identified, counted_identifiers, identified, worth_counting
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet, aligned
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy
from incrowd.core.schema import WILDCARDS, Nulls, Role
from incrowd.engines.source import Source
from incrowd.errors import Fault, JobError, UsageError
from incrowd.jobs import Job
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.recodings import Form
from incrowd.release.ends import columns_of_ends
from incrowd.searches import ApartSearch, AxisSearch, LocalSearch, PartsSearch, Problem
from incrowd.watch import Watch

Lay = Callable[[pa.Array], Hierarchy]
"""Gives the hierarchy of a column for the values that it has."""

PUBLISHED = (Role.QUASI, Role.SENSITIVE, Role.KEEP)
"""The roles of columns that are published."""


_MOST_HELD = 1_000_000
"""Combinations that are held during the search to publish them from their counts, even if every record is one."""


@dataclass(frozen=True, eq=False, repr=False)
class Prepared(Brief):
    """The prepared input of a search."""

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
    """Hierarchies of sensitive columns that no model looks at; verification uses them to see which values are alike."""
    own_levels: tuple[tuple[int, ...], ...] = ()
    """For each level of each ladder which one of the column's hierarchy it is: if nothing is generalized a ladder lacks
    those between the value and the top."""
    determined: tuple[Determined, ...] = ()
    """Kept columns that determine a quasi-identifier, whatever will become of that."""
    whole: FrequencySet | None = None
    """The records counted by all published columns, if they were."""
    people: CountedPeople | None = None
    """The people of the table, if the job says which columns tell them."""
    identified: Identified | None = None
    """The people of the table, if the job does not say so and its identifiers show that they have several records."""
    proposed: Mapping[str, str] = field(default_factory=dict)
    """By column, why the table proposes its hierarchy, if the job leaves it to the table."""
    source: Source | None = None
    """The records as they were counted, which are to be published: with fewer values if there were too many."""
    floor: Floor = field(default_factory=Floor)
    """Where counting began."""


def prepare(
    preparation: Preparation, job: Job, hierarchies: Mapping[str, Lay], watch: Watch, publishes: bool = False
) -> Prepared:
    """Count what the models need and lay hierarchies along it: by what is given, or else as the job says.

    Where the run publishes what it finds, the kept columns are counted beside the quasi-identifiers in the same pass,
    which also shows whether identifiers repeat. Those that do are counted in one more.
    """
    source = preparation.source
    job.check_columns(source.columns)
    _check_ends(job, source.columns)
    model = counted_in_people(job, together(job))
    quasi = job.having(Role.QUASI)
    needed = dict.fromkeys(name for columns in model.needs for name in columns)
    needed |= dict.fromkeys(job.search.looks_at)
    # A quasi-identifier may tell the person too.
    needed = {name: None for name in needed if name not in quasi}
    if isinstance(job.search, LocalSearch) and job.search.needs_sensitive:
        needed |= dict.fromkeys(job.having(Role.SENSITIVE))
    alone = () if hierarchies else _unasked(job, needed)
    kept = job.having(Role.KEEP) if publishes else ()
    identifiers = counted_identifiers(job) if publishes else ()
    beside = [(*kept, *quasi)] if kept else []
    proposing = [told(job)] if asks_table(job) and not hierarchies else []
    sets = [(*quasi, *needed), *((name,) for name in alone), *proposing]
    lay = None if hierarchies else partial(_allowed, preparation, job)
    within = Within(preparation, job, tuple(needed), lay, watch)
    (counted, *others), of_kept, repeating = within.count(sets, beside, identifiers)
    whole = [counted, *others] if of_kept is None else [counted, *others, of_kept]
    preparation = within.preparation
    proposed = {} if hierarchies else preparation.propose(job, watch)
    telling = worth_counting(identifiers, repeating)
    repeated = within.identified((*quasi, *needed, *telling)) if telling else None
    unknown = unknown_people(job, counted)
    model, counted = as_records(job, model, counted)
    values = {name: each.values[0] for name, each in zip(alone, others, strict=False)}
    unasked = _built(preparation, job, values)
    population = _population(model, preparation, quasi, watch)
    if population is not None:
        counted, population = aligned(counted, population, quasi)
    judged = counted.complete(quasi) if job.nulls == Nulls.BASIC else counted
    published = [name for name in source.columns if name in job.columns and job.columns[name].role in PUBLISHED]
    apart = job.having(Role.SENSITIVE) if isinstance(job.search, ApartSearch) else ()
    measured = isinstance(job.search, AxisSearch) and not hierarchies
    laid = {} if measured else _laid(preparation, job, judged, hierarchies)
    floor = within.floor
    problem = _measured(preparation, job, judged, model) if measured else _full_domain(job, judged, model, laid, floor)
    return Prepared(
        problem=judged_for(
            job,
            replace(
                problem,
                priorities=tuple(job.columns[name].priority for name in quasi),
                population=population,
                nulls=Nulls.EXTENDED if job.nulls == Nulls.BASIC else job.nulls,
                seed=job.seed,
                can_part=source.can_part,
            ),
            model,
        ),
        counted=counted,
        set_aside=counted.records - judged.records,
        published=tuple(name for name in published if name not in apart),
        unmentioned=tuple(name for name in source.columns if name not in job.columns),
        not_published=tuple(name for name in source.columns if name not in published),
        unasked=unasked,
        own_levels=tuple(laid[name].own for name in quasi if name in laid),
        whole=_whole(whole, published),
        determined=determined(of_kept, kept, quasi) if of_kept is not None else (),
        people=counted_people(job, model, counted, unknown),
        identified=None if repeated is None else identified(repeated, telling),
        proposed={name: each.reason for name, each in proposed.items()},
        source=preparation.source,
        floor=floor,
    )


def _whole(counted: Sequence[FrequencySet], published: Collection[str]) -> FrequencySet | None:
    """Return the counts by all published columns; the first ones are held for the search in any case, others are not
    worth their memory if they are as large as the table."""
    for at, each in enumerate(counted):
        is_small = each.combinations <= _MOST_HELD or 2 * each.combinations <= each.records
        if set(each.names).issuperset(published) and (at == 0 or is_small):
            return each
    return None


def _check_ends(job: Job, existing: Sequence[str]) -> None:
    """Refuse columns whose ends would have the name of another column."""
    faults = [
        Fault(None, f"columns.{name}.form", f"the table has a column {new!r} already; rename it")
        for name in job.having(Role.QUASI)
        for new in columns_of_ends(name)
        if job.columns[name].form == Form.ENDS and new in existing
    ]
    if faults:
        raise JobError.of("the job", faults)


def _unasked(job: Job, needed: Collection[str]) -> tuple[str, ...]:
    """Return the sensitive columns with a hierarchy that no model looks at.

    Each is counted alone, so that the search does not pay for it.
    """
    sensitive = job.having(Role.SENSITIVE)
    return tuple(name for name in sensitive if name not in needed and job.columns[name].hierarchy is not None)


def _built(preparation: Preparation, job: Job, values: Mapping[str, pa.Array]) -> dict[str, Hierarchy]:
    """Return the hierarchies of columns over their values; all faults at once."""
    found: dict[str, Hierarchy] = {}
    faults: list[Fault] = []
    for name, of_column in values.items():
        try:
            found[name] = preparation.hierarchy(job, name, of_column)
        except UsageError as error:
            faults.append(Fault(None, f"columns.{name}.hierarchy", str(error)))
    if faults:
        raise JobError.of("the job", faults)
    return found


def _allowed(preparation: Preparation, job: Job, values: FrequencySet) -> dict[str, tuple[EncodedHierarchy, int, int]]:
    """Return the hierarchies along columns, with the lowest and the highest level of each."""
    laid = _laid(preparation, job, values, {})
    return {name: (each.ladder, *allowed_levels(job, name, each.own[-1])) for name, each in laid.items()}


def _full_domain(
    job: Job, judged: FrequencySet, model: PrivacyModel, laid: Mapping[str, "_Laid"], floor: Floor
) -> Problem:
    """Return the problem of a search along hierarchies."""
    quasi = job.having(Role.QUASI)
    levels = [allowed_levels(job, name, laid[name].own[-1]) for name in quasi]
    return Problem(
        frequencies=judged,
        ladders=tuple(laid[name].ladder for name in quasi),
        model=model,
        metric=job.metric,
        minimum=tuple(max(lowest, floor.levels.get(name, 0)) for name, (lowest, _) in zip(quasi, levels, strict=True)),
        limit=tuple(highest for _, highest in levels),
        sensitive={name: each.ladder for name, each in laid.items() if name not in quasi},
    )


def _measured(preparation: Preparation, job: Job, judged: FrequencySet, model: PrivacyModel) -> Problem:
    """Return the problem of a search on axes, which groups records or parts values."""
    axes, forms, sensitive = axes_of(preparation, job, judged)
    ladders = {name: axis.ladder for name, axis in sensitive.items() if axis.ladder is not None}
    return Problem(judged, (), model, job.metric, sensitive=ladders, axes=axes, sensitive_axes=sensitive, forms=forms)


def together(job: Job) -> PrivacyModel:
    """Return the job's models as one."""
    if isinstance(job.search, LocalSearch):
        _refuse_beyond_groups(job, "a local search")
    if isinstance(job.search, PartsSearch):
        _refuse_beyond_groups(job, "set-partitioning")
    if job.nulls in WILDCARDS and not all(isinstance(model, KAnonymity) for model in job.models):
        raise UsageError.invalid(
            f"nulls: {job.nulls}",
            "missing values that match everything do not form classes, so only k_anonymity can be checked",
            "choose nulls: extended, or drop the other models",
        )
    return job.models[0] if len(job.models) == 1 else All(job.models)


def _refuse_beyond_groups(job: Job, search: str) -> None:
    """Refuse missing values that match everything, and models that compare with a population."""
    if job.nulls in WILDCARDS:
        raise UsageError.invalid(
            f"{search} with nulls: {job.nulls}",
            "groups are equal records, and missing values that match everything do not form any",
            "choose nulls: extended or basic",
        )
    if any(model.needs_population for model in job.models):
        raise UsageError.invalid(
            f"{search} with a model that compares with the population",
            "the group of a person of the population is not defined",
            "choose the search optimal, or another model",
        )


def _population(
    model: PrivacyModel, preparation: Preparation, quasi: tuple[str, ...], watch: Watch
) -> FrequencySet | None:
    if not model.needs_population:
        return None
    if preparation.population is None:
        raise UsageError.invalid(
            "a model that compares with the population",
            "the job names no population",
            "name a file with the same quasi-identifiers (population: FILE, or --population)",
        )
    return preparation.count_people(preparation.population, quasi, watch)


class _Laid(NamedTuple):
    """A hierarchy along a column."""

    ladder: EncodedHierarchy
    own: tuple[int, ...]
    """Which level of the hierarchy each one of the ladder is."""


def _laid(preparation: Preparation, job: Job, frequencies: FrequencySet, given: Mapping[str, Lay]) -> dict[str, _Laid]:
    """Return the hierarchies of the quasi-identifiers and of sensitive columns that have one; all faults at once."""
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
            hierarchy = preparation.hierarchy(job, name, values)
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
