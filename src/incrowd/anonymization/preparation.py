"""Counts by their columns, and hierarchies by their specification, made once for any number of runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import Role
from incrowd.engines.source import Source, count_and_compare, count_each, count_population
from incrowd.hierarchies import Spec, build, by_table, settled
from incrowd.hierarchies.automatic import Proposed, propose_each
from incrowd.jobs import Job
from incrowd.watch import Watch

Columns = tuple[str, ...]
Description = tuple[object, ...]


@dataclass(eq=False)
class Preparation:
    """A source, its population, and what is known of them."""

    source: Source
    population: Source | None = None
    whole: FrequencySet | None = None
    """The counts of all columns that will be asked for, if these were counted already: nothing is read again then."""
    _counts: dict[Columns, FrequencySet] = field(default_factory=dict)
    _people: dict[Columns, FrequencySet] = field(default_factory=dict)
    _repeating: dict[Columns, Columns] = field(default_factory=dict)
    _hierarchies: dict[str, list[tuple[Description, pa.Array, Hierarchy]]] = field(default_factory=dict)
    _proposed: dict[Columns, Mapping[str, Proposed]] = field(default_factory=dict)

    def count(self, sets: Sequence[Columns], watch: Watch) -> list[FrequencySet]:
        """Return the counts of sets of columns; those that are not known yet are counted in one pass."""
        unknown = [columns for columns in dict.fromkeys(sets) if columns not in self._counts]
        if unknown and self.whole is not None:
            self._counts |= {columns: self.whole.project(columns) for columns in unknown}
        elif unknown:
            self._counts |= zip(unknown, count_each(self.source, unknown, watch), strict=True)
        return [self._counts[columns] for columns in sets]

    def count_and_compare(
        self, sets: Sequence[Columns], identifiers: Columns, watch: Watch
    ) -> tuple[list[FrequencySet], Columns]:
        """Return the same, and the identifiers whose values may repeat; nothing is read again for them but in
        databases."""
        if not identifiers or identifiers in self._repeating:
            return self.count(sets, watch), self._repeating.get(identifiers, ())
        distinct = list(dict.fromkeys(sets))
        counted, self._repeating[identifiers] = count_and_compare(self.source, distinct, identifiers, watch)
        self._counts |= zip(distinct, counted, strict=True)
        return [self._counts[columns] for columns in sets], self._repeating[identifiers]

    def count_people(self, population: Source, columns: Columns, watch: Watch) -> FrequencySet:
        """Return the counts of the population."""
        if columns not in self._people:
            self._people[columns] = count_population(population, columns, watch)
        return self._people[columns]

    def propose(self, job: Job, watch: Watch) -> Mapping[str, Proposed]:
        """Return the hierarchies that the table proposes for columns whose job leaves them to it."""
        asked = asks_table(job)
        if not asked:
            return {}
        known = told(job)
        if known not in self._proposed:
            [counted] = self.count([known], watch)
            self._proposed[known] = propose_each(counted, known)
        return {name: self._proposed[known][name] for name in asked}

    def spec(self, job: Job, name: str) -> Spec:
        """Return the description of a column's hierarchy; what the table proposes in place of its name."""
        spec = job.columns[name].spec(name)
        proposed = self._proposed.get(told(job), {}).get(name) if by_table(spec, name) else None
        if proposed is None or proposed.spec is None:
            return spec
        ((builder, options),) = proposed.spec.items()
        return {builder: {**options, **settled(spec, name)[1]}}

    def hierarchy(self, job: Job, name: str, values: pa.Array) -> Hierarchy:
        """Return the hierarchy of a column over its values, as a job describes it."""
        column = job.columns[name]
        spec = self.spec(job, name)
        description = (spec, column.steps, job.missing, job.base)
        known = self._hierarchies.setdefault(name, [])
        for described, over, hierarchy in known:
            if described == description and over.equals(values):
                return hierarchy
        built = build(spec, values, name, job.base, column.steps, job.missing)
        known.append((description, values, built))
        return built


def asks_table(job: Job) -> Columns:
    """Return the columns whose hierarchy is what the table proposes."""
    return tuple(name for name in told(job) if by_table(job.columns[name].spec(name), name))


def told(job: Job) -> Columns:
    """Return the columns that are published, from which hierarchies are proposed."""
    published = (Role.QUASI, Role.SENSITIVE, Role.KEEP)
    return tuple(name for name, column in job.columns.items() if column.role in published)
