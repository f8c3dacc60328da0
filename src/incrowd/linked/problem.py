"""The problem of a search over several tables: hierarchies along every table, one lattice for all of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from incrowd.anonymization.levels import level_faults
from incrowd.anonymization.preparing import Lay
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.kernels import total
from incrowd.core.keys import number_combinations
from incrowd.core.people import TableOfPeople
from incrowd.core.schema import Role
from incrowd.engines.publish import integers
from incrowd.errors import Fault, JobError, UsageError
from incrowd.hierarchies import build
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.reading import LinkedData, PeopleTable, Rows, flat
from incrowd.models.conjunction import All
from incrowd.searches import LinkedTable, People, Problem

PERSON = "(person)"
"""The column with the number of the person; those of the tables are named `table.column`."""


@dataclass(frozen=True, eq=False, repr=False)
class LinkedProblem(Brief):
    """The problem, and where the quasi-identifiers of each table are in it."""

    problem: Problem
    ladders: dict[str, tuple[EncodedHierarchy, ...]]
    """By table."""


def linked_problem(
    job: LinkedJob, data: LinkedData, hierarchies: Mapping[str, Lay] = MappingProxyType({})
) -> LinkedProblem:
    """Return the problem of all tables; `hierarchies` of some columns, by `table.column`, are not built by the job."""
    settings = job.settings
    ladders = _ladders(job, data, hierarchies)
    model = settings.models[0] if len(settings.models) == 1 else All(settings.models)
    tables = people_tables(job, data, ladders, {name for columns in model.needs for name in columns})
    every = [ladder for name in data.tables for ladder in ladders[name]]
    columns = [settings.columns[ladder.name] for ladder in every]
    problem = Problem(
        frequencies=tables[0].people.frequencies,
        ladders=tuple(every),
        model=model,
        metric=settings.metric,
        budget=settings.budget(data.people),
        minimum=tuple(column.minimum for column in columns),
        limit=tuple(
            ladder.height if column.limit is None else column.limit
            for ladder, column in zip(every, columns, strict=True)
        ),
        priorities=tuple(column.priority for column in columns),
        seed=settings.seed,
        people=People(tables, job.knows, whole=True, of_people=True),
    )
    return LinkedProblem(problem, ladders)


def people_tables(
    job: LinkedJob,
    data: LinkedData,
    ladders: Mapping[str, Sequence[EncodedHierarchy]] | None = None,
    needed: Collection[str] = (),
) -> tuple[LinkedTable, ...]:
    """Return what people have in every table: the quasi-identifiers, and the sensitive columns that are needed."""
    entries = {name: _entry_of(table, job, needed, _is_parent(job, name)) for name, table in data.tables.items()}
    return tuple(_linked(name, job, data, ladders[name] if ladders else (), entries) for name in data.tables)


def _is_parent(job: LinkedJob, name: str) -> bool:
    return name != job.root and bool(job.key_of(name))


@dataclass(frozen=True, eq=False)
class _Entries:
    """The records of people in one table, as a search looks at them."""

    frequencies: FrequencySet
    of: Rows
    """The entry of each combination that was counted."""
    first: Rows
    """One such combination of each entry."""


def _entry_of(table: PeopleTable, job: LinkedJob, needed: Collection[str], is_parent: bool) -> _Entries:
    """Return the distinct combinations of quasi-identifiers, of what the models need, and of the person.

    Records that others hang on stay apart, each with those that hang on it.
    """
    part = job.tables[table.name]
    chosen = tuple(
        column
        for column in part.columns
        if part.columns[column].role == Role.QUASI or f"{table.name}.{column}" in needed
    )
    records = _with_person(flat(table, chosen), table)
    if is_parent:
        rows = np.arange(records.combinations)
        return _Entries(records, rows, rows)
    hangs = table.above is not None and part.of != job.root
    apart = [table.above.astype(np.int32)] if hangs and table.above is not None else []
    codes = [*records.codes, *apart]
    sizes = [*records.cardinalities, *(int(each.max(initial=0)) + 1 for each in apart)]
    of, n = number_combinations(codes, sizes)
    first = np.empty(n, dtype=np.int64)
    first[of[::-1]] = np.arange(len(of) - 1, -1, -1)
    found = FrequencySet(
        records.names, records.values, np.ascontiguousarray(records.codes[:, first]), total(of, n, records.counts)
    )
    return _Entries(found, of.astype(np.int64), first)


def _with_person(records: FrequencySet, table: PeopleTable) -> FrequencySet:
    """Add the number of the person as a column, as if every table had it."""
    codes = (table.person + np.int32(1)).astype(np.int32)
    numbers = np.arange(1, int(codes.max(initial=0)) + 1, dtype=np.int32)
    return FrequencySet(
        (*records.names, PERSON),
        (*records.values, integers(numbers)),
        np.ascontiguousarray(np.vstack([records.codes, codes])),
        records.counts,
    )


def _linked(
    name: str,
    job: LinkedJob,
    data: LinkedData,
    ladders: Sequence[EncodedHierarchy],
    entries: dict[str, _Entries],
) -> LinkedTable:
    own, table, part = entries[name], data.tables[name], job.tables[name]
    person = table.person[own.first]
    rows = np.arange(own.frequencies.combinations)
    people = TableOfPeople(own.frequencies, (PERSON,), rows, person, own.frequencies.counts, data.people)
    priorities = tuple(job.settings.columns[ladder.name].priority for ladder in ladders)
    parent, above = None, None
    if part.of is not None and part.of != job.root and table.above is not None:
        parent, above = list(data.tables).index(part.of), entries[part.of].of[table.above[own.first]]
    return LinkedTable(people, tuple(ladders), priorities, parent, above)


def _ladders(
    job: LinkedJob, data: LinkedData, hierarchies: Mapping[str, Lay]
) -> dict[str, tuple[EncodedHierarchy, ...]]:
    """Return the hierarchies of the quasi-identifiers, by table; all faults at once."""
    found: dict[str, tuple[EncodedHierarchy, ...]] = {}
    faults: list[Fault] = []
    for name, table in data.tables.items():
        part = job.tables[name]
        laid: list[EncodedHierarchy] = []
        for column, of in part.columns.items():
            if of.role != Role.QUASI:
                continue
            full, place = f"{name}.{column}", f"tables.{name}.columns.{column}"
            values = table.records.values[table.records.names.index(column)]
            try:
                if full in hierarchies:
                    hierarchy = hierarchies[full](values)
                else:
                    hierarchy = build(of.spec(column), values, full, job.base, of.steps, table.missing)
                wrong = level_faults(job.settings, full, hierarchy)
                faults += [fault._replace(where=f"{place}.{fault.where.rpartition('.')[2]}") for fault in wrong]
                laid.append(hierarchy.along(full, values))
            except UsageError as error:
                faults.append(Fault(None, f"{place}.hierarchy", str(error)))
        found[name] = tuple(laid)
    if faults:
        raise JobError.of("the job", faults)
    return found
