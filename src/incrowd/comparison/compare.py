"""Releases of one table side by side: every metric for each of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.comparison.columns import Column, settled
from incrowd.comparison.cross_tables import CrossTable, cross_table
from incrowd.comparison.metadata import ReleaseMetadata
from incrowd.comparison.tables import Original
from incrowd.core.brief import Brief
from incrowd.core.schema import Role
from incrowd.engines.source import Source, chosen_columns, count
from incrowd.errors import SourceError, UsageError
from incrowd.jobs.families import JobFamily
from incrowd.release_metrics.contract import Reading, Side, nothing
from incrowd.release_metrics.query_error import QueryError
from incrowd.release_metrics.released import Released
from incrowd.results import Result
from incrowd.watch import Stopped, Watch

if TYPE_CHECKING:
    from incrowd.charts import Chart
    from incrowd.release_metrics.contract import ReleaseMetric

YARDSTICKS = JobFamily("release_metrics", "RELEASE_METRIC", "metric")


@dataclass(frozen=True)
class ComparisonOptions:
    """The options of a comparison."""

    columns: Mapping[str, Column] = field(default_factory=dict)
    label: str | None = None
    queries: Source | None = None
    yardsticks: Mapping[str, ReleaseMetric] = field(default_factory=dict)
    """By the text that names them."""
    seed: int = 0
    pair: tuple[str, ...] = ()
    """Two columns to cross-tabulate, before and after."""


@dataclass(frozen=True)
class GivenRelease:
    """A release to measure."""

    name: str
    source: Source
    beside: ReleaseMetadata = field(default_factory=ReleaseMetadata)


@dataclass(frozen=True, repr=False)
class Measured(Brief):
    """One release with the values of the metrics."""

    name: str
    records: int
    classes: int
    smallest: int
    """Records of the smallest class."""
    readings: Mapping[str, Reading]
    table: CrossTable | None = None
    """Two columns against each other, if a pair is asked for."""


@dataclass(frozen=True, repr=False)
class Comparison(Brief, Result):
    """Several releases of one table, measured by the same metrics."""

    original: str
    records: int
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    label: str | None
    releases: tuple[Measured, ...]
    yardsticks: Mapping[str, ReleaseMetric]
    notes: tuple[str, ...] = ()
    stopped: str | None = None
    """The reason why it ended early, if it did."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "original": {"name": self.original, "records": self.records},
            "quasi": list(self.quasi),
            "sensitive": list(self.sensitive),
            "label": self.label,
            "yardsticks": {name: _described(each) for name, each in self.yardsticks.items()},
            "releases": [
                {
                    "name": release.name,
                    "records": release.records,
                    "classes": release.classes,
                    "smallest": release.smallest,
                    "readings": {name: _plain(reading) for name, reading in release.readings.items()},
                    **({} if release.table is None else {"table": release.table.to_dict()}),
                }
                for release in self.releases
            ],
            "notes": list(self.notes),
            "stopped": self.stopped,
        }

    def to_json(self) -> str:
        """Return the same as a JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def map(self, path: str | Path, x: str = "loss", y: str = "risk", replace: bool = False) -> None:
        """Draw the risk-utility map into a file: SVG, PNG or HTML, by its ending.

        `x` and `y` name metrics; `risk` is 1 / smallest class. An existing file is kept unless `replace`.
        """
        from incrowd.comparison.picture import draw

        draw(self, Path(path), x, y, replace)

    def plot(self, x: str = "loss", y: str = "risk") -> Chart:
        """Return the risk-utility map; `x` and `y` are as for `map`."""
        from incrowd.charts import risk_map
        from incrowd.comparison.picture import map_of

        return risk_map(map_of(self, x, y))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each release, with a column for each metric."""
        return [
            {
                "release": each.name,
                "records": each.records,
                "classes": each.classes,
                "smallest": each.smallest,
                **{name: reading.value for name, reading in each.readings.items()},
            }
            for each in self.releases
        ]

    def parts(self) -> list[str]:
        """Return the metrics of each release as tables, and what they mean."""
        from incrowd.comparison.wording import parts, tables

        return [*parts(self), *tables(self)]

    def look(self) -> list[str]:
        """Return the same without tables of two columns: they show values of records."""
        from incrowd.comparison.wording import parts

        return parts(self)


def chosen(only: Sequence[Any] = (), without: Sequence[str] = ()) -> dict[str, ReleaseMetric]:
    """Return the chosen metrics: all of them or those named, without the excluded ones."""
    known = YARDSTICKS.known()
    for name in without:
        if name not in known:
            raise UsageError.not_one_of("excluded metric", name, sorted(known))
    wanted = list(only) or sorted(known, key=lambda name: (known[name].side != Side.UTILITY, name))
    try:
        made = [YARDSTICKS.member(each) for each in wanted]
    except ValueError as error:
        raise UsageError(str(error)) from None
    found = {YARDSTICKS.spell(each): each for each in made if _name(each) not in without}
    if not found:
        raise UsageError.invalid("metrics", "all of them are excluded", "exclude fewer")
    return found


def compare(original: Source, releases: Sequence[GivenRelease], options: ComparisonOptions, watch: Watch) -> Comparison:
    """Count the original and every release, read the releases' cells, and measure."""
    _refuse_none(releases)
    columns = settled(options.columns, [given.beside.columns for given in releases])
    names = list(columns)
    if options.label is not None and options.label not in columns:
        names.append(options.label)
    chosen_columns(names, original.columns, "measure")
    _refuse_pair(options.pair, names)
    for given in releases:
        chosen_columns(names, given.source.columns, given.name)
    if steps := {name: of for given in releases for name, of in given.beside.normalized.items()}:
        original = original.normalized(steps)
    table = Original.of(count(original, names, watch), columns, options.label)
    made = [
        table.released(given.name, count(given.source, names, watch), given.beside.columns, given.beside.k)
        for given in releases
    ]
    made = _with_queries(table, made, options, watch)
    readings, stopped = _readings(made, [given.name for given in releases], options.yardsticks, watch)
    return Comparison(
        original.name,
        table.frequencies.records,
        tuple(name for name in columns if columns[name].role == Role.QUASI),
        tuple(name for name in columns if columns[name].role == Role.SENSITIVE),
        options.label,
        tuple(
            Measured(
                given.name,
                release.published,
                release.classes,
                release.smallest,
                read,
                cross_table(release, options.pair) if options.pair else None,
            )
            for given, release, read in zip(releases, made, readings, strict=True)
        ),
        options.yardsticks,
        tuple(given.beside.note for given in releases if given.beside.note),
        stopped,
    )


def _refuse_none(releases: Sequence[GivenRelease]) -> None:
    if not releases:
        raise UsageError.invalid("nothing to measure", "no release given", "name at least one")
    names = [given.name for given in releases]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise UsageError.invalid("releases", f"{len(twice)} named twice", "name each once")


def _refuse_pair(pair: Sequence[str], names: Sequence[str]) -> None:
    if not pair:
        return
    if len(set(pair)) != 2 or len(pair) != 2:
        raise UsageError.invalid("the pair of columns", f"{len(pair)} are named", "name two different columns")
    strangers = [name for name in pair if name not in names]
    if strangers:
        raise UsageError.unknown_columns(strangers, names)


def _with_queries(
    table: Original, made: Sequence[Released], options: ComparisonOptions, watch: Watch
) -> list[Released]:
    """Return the releases with the queries that all of them answer."""
    seeded = [replace(each, seed=options.seed) for each in made]
    errors = [each for each in options.yardsticks.values() if isinstance(each, QueryError)]
    if options.queries is not None:
        strangers = [name for name in options.queries.columns if name not in table.frequencies.names]
        if strangers:
            raise UsageError.unknown_columns(strangers, table.frequencies.names)
        own = table.workload(options.queries.name, count(options.queries, options.queries.columns, watch))
        if not len(own):
            raise SourceError.of(
                options.queries.name,
                "no query matches a record of the original table",
                "give queries that match records",
            )
        return [replace(each, workloads={"own queries": own}) for each in seeded]
    # Drawn once: what queries are is the same for all releases.
    drawn = errors[0].workloads(seeded[0]) if len(errors) == 1 and table.frequencies.records else {}
    return [replace(each, workloads=drawn) for each in seeded]


def _readings(
    made: Sequence[Released], names: Sequence[str], yardsticks: Mapping[str, ReleaseMetric], watch: Watch
) -> tuple[list[dict[str, Reading]], str | None]:
    """Return the value of each metric for each release; if stopped, the values so far."""
    found: list[dict[str, Reading]] = [{} for _ in made]
    steps, done = max(1, len(made) * len(yardsticks)), 0
    try:
        for name, yardstick in yardsticks.items():
            for at, release in enumerate(made):
                watch.tick(f"{name} of {names[at]}", done / steps)
                found[at][name] = yardstick.measure(release)
                done += 1
    except Stopped as stop:
        left = nothing("stopped before it was computed")
        return [{**dict.fromkeys(yardsticks, left), **read} for read in found], stop.reason
    return found, None


def _name(yardstick: ReleaseMetric) -> str:
    return next(name for name, kind in YARDSTICKS.known().items() if type(yardstick) is kind)


def _described(yardstick: ReleaseMetric) -> dict[str, Any]:
    low, high = yardstick.bounds
    return {
        "side": str(yardstick.side),
        "better": str(yardstick.goal),
        "bounds": [low, None if high == inf else high],
        "meaning": yardstick.meaning,
    }


def _plain(reading: Reading) -> dict[str, Any]:
    return {"value": reading.value, **({"parts": dict(reading.parts)} if reading.parts else {}), **_why(reading)}


def _why(reading: Reading) -> dict[str, str]:
    return {"why": reading.why} if reading.why else {}
