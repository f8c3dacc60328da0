"""The manifest and the private record of several tables, from the facts of a run."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from time import perf_counter
from typing import Any

import pyarrow as pa

from incrowd.anonymization.claims import installed
from incrowd.core.brief import Brief
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.knowledge import Known, Knows
from incrowd.core.schema import Role
from incrowd.formats.connections import without_secrets
from incrowd.hierarchies import declares_levels
from incrowd.jobs.families import METRICS
from incrowd.jobs.linked import LinkedJob
from incrowd.jobs.model import as_data
from incrowd.linked.reading import LinkedData
from incrowd.models import PrivacyModel, to_dict
from incrowd.models.k_anonymity import KAnonymity
from incrowd.release import Data, Figures, PublishedQuasi, PublishedSearch, RecodedQuasi, SearchFacts
from incrowd.release.tables import LinkedManifest, LinkedRecord, PublishedTable
from incrowd.searches import LevelsOutcome


@dataclass(frozen=True, eq=False, repr=False)
class LinkedFound(Brief):
    """The result of a search for several tables."""

    job: LinkedJob
    data: LinkedData
    ladders: Mapping[str, tuple[EncodedHierarchy, ...]]
    """By table."""
    outcome: LevelsOutcome
    levels: Mapping[str, int]
    """By `table.column`."""
    suppressed: int
    """People who are left out."""
    budget: int
    smallest: int
    """The fewest people of whom anything is true that an attacker may know."""
    people_in: Mapping[str, int]
    """By table how many people are published with a record in it."""
    tables: Mapping[str, pa.Table]
    started: float


def manifest_of(found: LinkedFound, data: Mapping[str, Data]) -> LinkedManifest:
    """Return the claims of the release; `data` says where each table is."""
    settings = found.job.settings
    return LinkedManifest(
        incrowd=installed("incrowd"),
        tables=tuple(_published(found, name, data[name]) for name in found.job.tables),
        models=tuple(to_dict(model) for model in settings.models),
        promises=tuple(promise(model, found.job.knows) for model in settings.models),
        knows=str(found.job.knows),
        input_people=found.data.people,
        suppressed=found.suppressed,
        suppress_limit=found.budget,
        smallest=found.smallest,
        search=PublishedSearch(found.outcome.search),
        normalized=settings.normalizing,
    )


def promise(model: PrivacyModel, knows: Knows) -> str:
    """Return what a model promises of people in several tables."""
    known = f"the record of a person and {words(knows)}"
    if isinstance(model, KAnonymity):
        return f"Anyone who knows {known} finds at least {model.k:,} people of whom that is true."
    return f"Among the people of whom the same may be known ({known}), each once for a value: {model.promise()}"


def words(knows: Knows) -> str:
    """Return what is known of a person in the other tables."""
    if knows == Known.HISTORY:
        return "all of the person's records in every other table"
    return "one record of each other table" if knows in (Known.RECORD, 1) else f"{knows} records of each other table"


def _published(found: LinkedFound, name: str, data: Data) -> PublishedTable:
    part = found.job.tables[name]

    def having(role: Role) -> tuple[str, ...]:
        return tuple(column for column, of in part.columns.items() if of.role == role)

    return PublishedTable(
        name=name,
        data=data,
        key=found.job.key_published(name),
        of=part.of,
        on=found.job.above_published(name),
        people=found.people_in[name],
        quasi=tuple(_quasi(found, name, ladder) for ladder in found.ladders[name]),
        sensitive=having(Role.SENSITIVE),
        kept=having(Role.KEEP),
    )


def _quasi(found: LinkedFound, table: str, ladder: EncodedHierarchy) -> PublishedQuasi:
    """Return the lowest level with all labels that are published, if the job declares the levels."""
    column = ladder.name.partition(".")[2]
    level = found.levels[ladder.name]
    spec = found.job.tables[table].columns[column].spec(column)
    lowest: int | None = 0
    if level:
        texts = {text for text in found.tables[table][column].unique().to_pylist() if text is not None}
        labels = enumerate(ladder.hierarchy.labels)
        lowest = next((at for at, known in labels if texts.issubset(known)), None)
    if declares_levels(spec, column):
        return PublishedQuasi(column, lowest, ladder.height)
    return PublishedQuasi(column, 0 if lowest == 0 else None, None)


def record_of(found: LinkedFound, manifest: LinkedManifest) -> LinkedRecord:
    """Return the private record of the release."""
    outcome = found.outcome
    return LinkedRecord(
        release=manifest.fingerprint,
        job=_job(found.job),
        quasi=tuple(_recoded(found, ladder) for ladders in found.ladders.values() for ladder in ladders),
        not_published=tuple(
            f"{name}.{column}"
            for name, table in found.data.tables.items()
            for column in (*table.unmentioned, *_withheld(found.job, name))
        ),
        seconds=round(perf_counter() - found.started, 3),
        versions={
            "python": platform.python_version(),
            **{name: installed(name) for name in ("incrowd", "numpy", "pyarrow", "narwhals")},
        },
        figures=Figures(
            scores={METRICS.name_of(found.job.settings.metric): _rounded(outcome.node.score)},
            losses={},
            search=SearchFacts(
                outcome.search,
                str(outcome.guarantee),
                outcome.optimal,
                None if outcome.gap is None else _rounded(outcome.gap),
                outcome.counted,
                outcome.lattice or None,
                None if outcome.stopped == "done" else outcome.stopped,
            ),
        ),
    )


def _withheld(job: LinkedJob, table: str) -> list[str]:
    columns = job.tables[table].columns
    return [name for name, of in columns.items() if of.role in (Role.IDENTIFIER, Role.DROP)]


def _recoded(found: LinkedFound, ladder: EncodedHierarchy) -> RecodedQuasi:
    hierarchy = ladder.hierarchy
    rows: list[tuple[str | None, ...]] = list(hierarchy.rows)
    if hierarchy.lists_missing:
        rows.append(tuple(hierarchy.missing_row))
    return RecodedQuasi(ladder.name, found.levels[ladder.name], hierarchy.losses, tuple(rows))


def _job(job: LinkedJob) -> dict[str, object]:
    """Return the job as it was written, without any password, and with data that are found from any folder."""

    def cleaned(value: object) -> object:
        if isinstance(value, Mapping):
            return {str(key): cleaned(of) for key, of in value.items()}
        if isinstance(value, list | tuple):
            return [cleaned(each) for each in value]
        if isinstance(value, str) and "://" in value and "${" not in value:
            return without_secrets(value)
        return value if isinstance(value, bool | int | float | str | None) else str(value)

    tables = {
        name: {**part, **_data(job, name), "columns": _columns(part.get("columns") or {})}
        for name, part in job.written["tables"].items()
    }
    return {key: cleaned(of) for key, of in {**job.written, "tables": tables}.items()}


def _columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return columns without hierarchies that are objects of Python: the private record has their rows."""

    def told(key: str, of: object) -> bool:
        return key != "hierarchy" or isinstance(of, str | PathLike | None) or (isinstance(of, Mapping) and _plain(of))

    return {
        name: {key: of for key, of in column.items() if told(key, of)} if isinstance(column, Mapping) else column
        for name, column in columns.items()
    }


def _plain(value: object) -> bool:
    """Return whether a value is one of JSON."""
    if isinstance(value, Mapping):
        return all(_plain(each) for each in value.values())
    if isinstance(value, list | tuple):
        return all(map(_plain, value))
    return isinstance(value, bool | int | float | str | PathLike | None)


def _data(job: LinkedJob, table: str) -> dict[str, object]:
    """Return where the data of a table were read; of a frame only the markers of missing cells are known."""
    written = as_data(job.written["tables"][table].get("data"))
    if job.frames is None:
        return {} if written is None else {"data": _from_anywhere(written, job)}
    given = job.frames[table]
    markers = {"missing": written["missing"]} if written is not None and "missing" in written else {}
    if isinstance(given, str | PathLike | Mapping):
        return {"data": {**markers, **_from_anywhere({"source": given}, None)}}
    return {"data": markers or None}


def _from_anywhere(part: Mapping[str, Any], job: LinkedJob | None) -> dict[str, Any]:
    """Return a part of a job with absolute paths; one that an environment variable names stays as it is written."""
    found = dict(part)
    for key in {"source", "file", "url"} & part.keys():
        several = part[key] if isinstance(part[key], list | tuple) else [part[key]]
        moved = [
            _from_anywhere(each, job) if isinstance(each, Mapping) else _absolute(fspath(each), job) for each in several
        ]
        found[key] = moved if isinstance(part[key], list | tuple) else moved[0]
    return found


def _absolute(location: str, job: LinkedJob | None) -> str:
    if "${" in location:
        return location
    if job is None:
        return location if "://" in location else str(Path.cwd() / location)
    return job.located(location, absolute=True)


def _rounded(number: float) -> float:
    return float(f"{number:.12g}")
