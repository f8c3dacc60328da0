"""The facts of a report on a release of several tables, as plain data; an external report has those of the release."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from incrowd.core.brief import Brief
from incrowd.core.knowledge import Known
from incrowd.core.table import MISSING
from incrowd.errors import IncrowdError
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.applying import reading_alike
from incrowd.linked.counting import RiskOfPeople, risk_of_people
from incrowd.linked.originals import named_files, originals_of
from incrowd.linked.problem import people_tables
from incrowd.linked.reading import LinkedData, PeopleTable, open_tables, read_tables
from incrowd.linked.released import ReleasedSet
from incrowd.release import Plain
from incrowd.release.tables import PublishedTable
from incrowd.reports.release_facts import CheckFacts, ModelFacts, ScoreFacts, meaning_of, model_facts
from incrowd.verification import LinkedVerdict, verify_linked
from incrowd.watch import Watch


@dataclass(frozen=True, repr=False)
class LinkedColumnFacts(Brief):
    """A quasi-identifier of one of the tables."""

    name: str
    level: int | None
    height: int | None
    published: int
    """Different published cells."""


@dataclass(frozen=True, repr=False)
class TableFacts(Brief):
    """One of the tables."""

    name: str
    of: str | None
    """The table that it belongs to."""
    on: str | None
    records: int
    people: int
    """People who have a record in it."""
    columns: tuple[LinkedColumnFacts, ...]
    sensitive: tuple[str, ...]
    kept: tuple[str, ...]
    input_records: int | None = None
    input_people: int | None = None


@dataclass(frozen=True, repr=False)
class LinkedFacts(Brief):
    """Everything about one release of several tables."""

    name: str
    incrowd: str
    knows: str
    input_people: int
    people: int
    suppressed: int
    suppress_limit: int
    smallest: int
    """The fewest people of whom anything is true that may be known, as the release assumes."""
    tables: tuple[TableFacts, ...]
    models: tuple[ModelFacts, ...]
    scores: tuple[ScoreFacts, ...]
    search: Plain
    risk_after: tuple[RiskOfPeople, ...]
    """From attackers who know more and more of a person."""
    risk_before: tuple[RiskOfPeople, ...]
    verdict: str | None
    checks: int | None
    details: tuple[CheckFacts, ...] = ()
    not_published: tuple[str, ...] | None = None
    job: Plain | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """Kept and sensitive columns that are nearly unique."""
    kind: str = field(default="linked", init=False)

    def to_dict(self) -> Plain:
        """Return plain data for JSON."""
        return asdict(self)


def linked_facts(given: ReleasedSet, is_private: bool, original: Any, watch: Watch) -> LinkedFacts:
    """Return the facts of a release; for an internal report the original tables are counted too, if they are there."""
    claims, record = given.manifest, given.record if is_private else None
    notes: list[str] = []
    after = given.read(watch)
    job = _original_job(given, original, notes) if is_private else None
    before = None if job is None else read_tables(job, open_tables(job, job.frames), watch)
    verdict = _verdict(given, is_private, job, notes)
    levels = {} if record is None else {column.name: (column.level, column.height) for column in record.quasi}
    figures = None if record is None else record.figures
    return LinkedFacts(
        name=given.name if is_private or given.folder is None else given.folder.name,
        incrowd=claims.incrowd,
        knows=claims.knows,
        input_people=claims.input_people,
        people=claims.people,
        suppressed=claims.suppressed,
        suppress_limit=claims.suppress_limit,
        smallest=claims.smallest,
        tables=tuple(
            _table(table, levels, after.tables[table.name], None if before is None else before.tables[table.name])
            for table in claims.tables
        ),
        models=tuple(model_facts(*each) for each in zip(claims.models, claims.promises, strict=False)),
        scores=()
        if figures is None
        else tuple(ScoreFacts(name, value, meaning_of(name)) for name, value in figures.scores.items()),
        search={"name": claims.search.name} if figures is None else asdict(figures.search),
        risk_after=_risks(given.job, after, notes, watch),
        risk_before=() if job is None or before is None else _risks(job, before, notes, watch),
        verdict=None if verdict is None else verdict.value,
        checks=len(verdict.checks) if is_private and verdict is not None else None,
        details=() if verdict is None or not is_private else tuple(CheckFacts(*check) for check in verdict.checks),
        warnings=() if verdict is None else verdict.warnings,
        not_published=None if record is None else record.not_published,
        job=None if record is None else record.job,
        notes=tuple(dict.fromkeys(notes)) if is_private else (),
    )


def _original_job(given: ReleasedSet, original: Any, notes: list[str]) -> LinkedJob | None:
    """Return the job that reads the original tables: those that are given, or that the private record names."""
    if given.record is None:
        notes.append("The private record was not given: figures that need it are omitted.")
        return None
    named = named_files(given.record) if original is None else original
    if named is None:
        notes.append("The original tables were not found: figures that need them are omitted. Name them (--original).")
        return None
    return reading_alike(given.record, named)


def _verdict(given: ReleasedSet, is_private: bool, job: LinkedJob | None, notes: list[str]) -> LinkedVerdict | None:
    place = given.tables if given.folder is None else given.folder
    record = given.record if is_private else None
    if given.verdict is not None and (record is None or job is None):
        return given.verdict
    try:
        originals = None if record is None or job is None else originals_of(record, job)
        return verify_linked(place, given.manifest, record, originals)
    except IncrowdError:
        notes.append("The release could not be verified here. Run incrowd verify.")
        return None


def _risks(job: LinkedJob, data: LinkedData, notes: list[str], watch: Watch) -> tuple[RiskOfPeople, ...]:
    """Return the risk from one who knows a record of each table, from one as the release assumes, and from one who
    knows all."""
    tables = people_tables(job, data)
    found = []
    for knows in dict.fromkeys([Known.RECORD, job.knows, Known.HISTORY]):
        watch.tick(f"risk, {knows}")
        try:
            found.append(risk_of_people(job, tables, knows))
        except IncrowdError as error:
            notes.append(f"The risk if {knows} records are known is omitted: {error}.")
    return tuple(found)


def _table(
    table: PublishedTable,
    levels: Mapping[str, tuple[int | None, int | None]],
    after: PeopleTable,
    before: PeopleTable | None,
) -> TableFacts:
    columns = []
    for column in table.quasi:
        codes = after.records.codes[after.records.names.index(column.name)]
        level, height = levels.get(f"{table.name}.{column.name}", (column.level, column.height))
        columns.append(LinkedColumnFacts(column.name, level, height, len(np.unique(codes[codes != MISSING]))))
    return TableFacts(
        table.name,
        table.of,
        table.on,
        after.records.records,
        len(np.unique(after.person)),
        tuple(columns),
        table.sensitive,
        table.kept,
        None if before is None else before.records.records,
        None if before is None else len(np.unique(before.person)),
    )
