"""Releases of several tables, measured against the original ones: every table by itself, and the people of all."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from incrowd.comparison import Comparison, ComparisonOptions, GivenRelease, compare
from incrowd.comparison.columns import Column
from incrowd.comparison.metadata import ReleaseMetadata, known_column
from incrowd.comparison.wording import BETTER, measured_by, shown
from incrowd.core.brief import Brief
from incrowd.core.schema import Role
from incrowd.engines.source import Source
from incrowd.errors import UsageError
from incrowd.formats import read
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.applying import reading_alike
from incrowd.linked.given import tables_given
from incrowd.linked.originals import named_files
from incrowd.linked.reading import LinkedData, open_tables, read_tables
from incrowd.linked.released import ReleasedSet, reading_release
from incrowd.release.tables import PublishedTable
from incrowd.results import Result
from incrowd.text import Cell, number, percent, printable, table
from incrowd.watch import Stopped, Watch


@dataclass(frozen=True, repr=False)
class SetMeasured(Brief):
    """The people and records of one set of tables."""

    name: str
    people: int
    people_in: Mapping[str, int]
    """By table how many people have a record in it."""
    records: Mapping[str, int]
    """By table."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "name": self.name,
            "people": self.people,
            "tables": {each: {"records": self.records[each], "people": self.people_in[each]} for each in self.records},
        }


@dataclass(frozen=True, eq=False, repr=False)
class LinkedComparison(Brief, Result):
    """Releases of the same tables, measured by the same metrics."""

    original: SetMeasured
    releases: tuple[SetMeasured, ...]
    tables: Mapping[str, Comparison]
    """The metrics of each table that has quasi-identifiers: records are counted."""
    without: tuple[str, ...] = ()
    """Tables without quasi-identifiers, of which records and people alone are counted."""
    stopped: str | None = None
    """The reason why it ended early, if it did."""
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "original": self.original.to_dict(),
            "releases": [each.to_dict() for each in self.releases],
            "tables": {name: each.to_dict() for name, each in self.tables.items()},
            "without": list(self.without),
            "stopped": self.stopped,
            "notes": list(self.notes),
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each release and table that has quasi-identifiers."""
        return [{"table": name, **row} for name, found in self.tables.items() for row in found.to_rows()]

    def parts(self) -> list[str]:
        """Return what is kept of each table, and the metrics of each release as tables."""
        parts = ["\n".join(self._sentences()), self._kept()]
        parts += [part for at in range(len(self.releases)) if self.tables for part in self._metrics(at)]
        meanings = {name: each.meaning for found in self.tables.values() for name, each in measured_by(found).items()}
        if meanings:
            parts.append("\n".join(["Metrics:", "", *(f"  {name}: {words}" for name, words in meanings.items())]))
        return [*parts, *(f"Note: {note}." for note in self.notes)]

    def _sentences(self) -> Iterator[str]:
        yield f"Original: {printable(self.original.name)}, {number(self.original.people)} people."
        yield "People are those who are published; metrics are of the records of each table."
        if self.without:
            yield f"Without quasi-identifiers, so without metrics: {', '.join(self.without)}."
        if self.stopped is not None:
            yield f"Partial result: {'time limit reached' if self.stopped == 'time' else 'interrupted'}."

    def _kept(self) -> str:
        rows: list[Sequence[Cell]] = []
        for release in self.releases:
            name = printable(release.name)
            for each, people in release.people_in.items():
                records, before = release.records[each], self.original.records[each]
                kept = _share(people, self.original.people_in[each])
                rows.append([name, each, people, kept, records, _share(records, before)])
        return table(("release", "table", "people", "of people", "records", "of records"), rows)

    def _metrics(self, at: int) -> list[str]:
        """Return the value of each metric of one release in every table."""
        metrics = {name: each for found in self.tables.values() for name, each in measured_by(found).items()}
        rows: list[Sequence[Cell]] = [
            [
                name,
                BETTER[each.goal],
                *(shown(found.releases[at].readings[name].value) for found in self.tables.values()),
            ]
            for name, each in metrics.items()
        ]
        heading = [] if len(self.releases) == 1 else [f"{printable(self.releases[at].name)}:"]
        return [*heading, table(("metric", "better", *self.tables), rows)]


def _share(part: int, whole: int) -> str:
    return percent(part / whole) if whole else "-"


def measure_sets(
    original: Any, releases: Mapping[str, ReleasedSet], metrics: Mapping[str, Any], seed: int, watch: Watch
) -> LinkedComparison:
    """Measure releases of several tables; stopped, the tables that were measured by then."""
    first = next(iter(releases.values()))
    names = [each.name for each in first.manifest.tables]
    for name, each in releases.items():
        if [of.name for of in each.manifest.tables] != names:
            raise UsageError.invalid(f"release {name}", "it has other tables than the first", "measure it by itself")
    job, before = _originals(original, first)
    counted = read_tables(job, before, watch)
    found: dict[str, Comparison] = {}
    stopped: str | None = None
    without = tuple(each.name for each in first.manifest.tables if not each.quasi)
    try:
        for name in names:
            if stopped is None and name not in without:
                watch.tick(f"table {name}")
                found[name] = _of_table(
                    name, before[name], releases, ComparisonOptions(yardsticks=metrics, seed=seed), watch
                )
                stopped = found[name].stopped
    except Stopped as stop:
        stopped = stop.reason
    with_all = [_measured(name, each.read(Watch())) for name, each in releases.items()]
    return LinkedComparison(
        _measured(_name(original), counted), tuple(with_all), found, without, stopped, tuple(_notes(releases))
    )


def _name(original: Any) -> str:
    return str(original) if not isinstance(original, Mapping) and original is not None else "the original tables"


def _notes(releases: Mapping[str, ReleasedSet]) -> Iterator[str]:
    for name, each in releases.items():
        if each.record is None:
            yield f"the private record of {printable(name)} was not found, so its hierarchies are not known"


def _originals(given: Any, release: ReleasedSet) -> tuple[LinkedJob, dict[str, Source]]:
    """Return the original tables and how they hang together: as the private record says, if there is one."""
    if release.record is None:
        tables = tables_given(given, [each.name for each in release.manifest.tables])
        sources = {name: read(each) for name, each in tables.items()}
        return reading_release(release.manifest, sources), sources
    named = named_files(release.record) if given is None else given
    if named is None:
        raise UsageError.invalid(
            "the original tables", "they are not where the private record says", "name them: a folder or a job file"
        )
    job = reading_alike(release.record, named)
    return job, open_tables(job, job.frames)


def _measured(name: str, data: LinkedData) -> SetMeasured:
    return SetMeasured(
        name,
        data.people,
        {each: len(np.unique(of.person)) for each, of in data.tables.items()},
        {each: of.records.records for each, of in data.tables.items()},
    )


def _of_table(
    name: str, original: Source, releases: Mapping[str, ReleasedSet], options: ComparisonOptions, watch: Watch
) -> Comparison:
    given = [
        GivenRelease(each, open_tables(of.job, of.tables)[name], _metadata(of, _claimed(of, name)))
        for each, of in releases.items()
    ]
    return compare(original, given, options, watch)


def _claimed(release: ReleasedSet, name: str) -> PublishedTable:
    return next(each for each in release.manifest.tables if each.name == name)


def _metadata(release: ReleasedSet, claimed: PublishedTable) -> ReleaseMetadata:
    """Return what is known of a table; k is not, since it is of people and not of the records of a class."""
    columns = {each.name: Column(Role.QUASI) for each in claimed.quasi}
    columns |= {each: Column(Role.SENSITIVE) for each in claimed.sensitive}
    steps = {
        each: release.manifest.normalized[f"{claimed.name}.{each}"]
        for each in columns
        if f"{claimed.name}.{each}" in release.manifest.normalized
    }
    if release.record is None:
        return ReleaseMetadata(columns, normalized=steps)
    rows = {each.name: each.rows for each in release.record.quasi}
    written = release.record.job["tables"][claimed.name].get("columns", {})
    settings = {each: of for each, of in written.items() if isinstance(of, Mapping)}
    known = {
        each: known_column(each, of.role, rows.get(f"{claimed.name}.{each}", ()), settings.get(each, {}))
        for each, of in columns.items()
    }
    return ReleaseMetadata(known, normalized=steps)
