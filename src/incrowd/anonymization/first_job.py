"""Draft a first job for a table: likely roles, proposed hierarchies, and notes on both."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from incrowd.core.brief import Brief
from incrowd.core.schema import Normalize, Role
from incrowd.diagnosis.inspection import ColumnReport, Inspection
from incrowd.diagnosis.people import RepeatedPeople
from incrowd.engines.source import Source, count
from incrowd.errors import UsageError
from incrowd.files.whole import PUBLIC, write_text
from incrowd.hierarchies.automatic import Proposed, propose_each
from incrowd.jobs import Job
from incrowd.jobs.parts import steps_of
from incrowd.noticing.wording import sentence
from incrowd.proposing.facts import Sureness
from incrowd.watch import Watch

K = 5
SUPPRESS = 0.01


@dataclass(frozen=True, repr=False)
class FirstJob(Brief):
    """A first job for a table, to be corrected by what you know."""

    job: Job
    inspection: Inspection
    """What the suggestions are based on."""
    proposed: Mapping[str, Proposed] = field(default_factory=dict)
    """The hierarchy of each quasi-identifier, and why."""

    def to_dict(self) -> dict[str, Any]:
        """Return the job as plain data."""
        return self.job.to_dict()

    def to_yaml(self, file: str = "job.yaml") -> str:
        """Return the job as YAML with comments; `file` is the name that it will have."""
        described = {f"columns.{column.name}": self._described(column) for column in self.inspection.columns}
        return self.job.to_yaml({**_notes(self.job, file, self.inspection.people), **described})

    def _about_levels(self, column: str) -> list[str]:
        """Return why a column has its hierarchy."""
        return [f"hierarchy: {self.proposed[column].reason}"] if column in self.proposed else []

    def write(self, path: str | PathLike[str], replace: bool = False) -> None:
        """Write the job with comments to a YAML file."""
        write_text(Path(path), self.to_yaml(Path(path).name), PUBLIC, replace)

    def _described(self, column: ColumnReport) -> str:
        noticed = [sentence(notice) for notice in self.inspection.noticed if notice.column == column.name]
        return "\n".join([describe(column), *noticed, *self._about_levels(column.name)])

    def __str__(self) -> str:
        return self.to_yaml()


def first_job(
    source: Source,
    inspection: Inspection,
    watch: Watch,
    roles: Mapping[str, Role] | None = None,
    k: int = K,
    suppress: float = SUPPRESS,
    merged: Collection[str] = (),
    places: Mapping[str, Any] | None = None,
    base: Path | None = None,
    readings: Mapping[str, Mapping[str, list[str]]] | None = None,
) -> FirstJob:
    """Return a job with the roles given, or else those suggested, and a hierarchy for every quasi-identifier.

    All spellings of a value become one in the `merged` columns; `places` are the data and the output of the job;
    `readings` are settings by column that say how its values are read.
    """
    known = roles or {column.name: column.role for column in inspection.columns}
    quasi = [name for name, role in known.items() if role == Role.QUASI]
    if not quasi:
        raise UsageError.invalid(
            "no job was written", "no column is a quasi-identifier", "give at least one column the role quasi"
        )
    read = {name: of for name, of in (readings or {}).items() if known.get(name) in (Role.QUASI, Role.SENSITIVE)}
    told = [name for name, role in known.items() if role in (Role.QUASI, Role.SENSITIVE, Role.KEEP)]
    steps = {name: steps for name, steps in steps_of(read).items() if name in told}
    proposed = propose_each(count(source.normalized(steps) if steps else source, told, watch), quasi)
    person = _person(inspection, known)
    columns = {
        name: {
            "role": role,
            **({"person": True} if name in person else {}),
            **({} if name not in proposed or proposed[name].spec is None else {"hierarchy": proposed[name].spec}),
            **_reading(read.get(name, {}), name in merged),
        }
        for name, role in known.items()
    }
    plain = {"columns": columns, "models": [{"k_anonymity": {"k": k}}], "suppress": suppress}
    return FirstJob(Job.from_dict({**(places or {}), **plain}, base or Path()), inspection, proposed)


def _reading(settings: Mapping[str, list[str]], merged: bool) -> dict[str, list[str]]:
    """Return how a column is read; all its spellings of a value are one if `merged`."""
    if not merged:
        return dict(settings)
    return {**settings, "normalize": [*dict.fromkeys([*settings.get("normalize", ()), *Normalize])]}


def _person(inspection: Inspection, roles: Mapping[str, Role]) -> list[str]:
    """Return the quasi-identifiers that tell the person too, if the others that tell it have the role person."""
    found = [column.name for column in inspection.columns if column.person]
    quasi = [name for name in found if roles[name] == Role.QUASI]
    return quasi if all(roles[name] == Role.PERSON for name in found if name not in quasi) else []


def describe(column: ColumnReport) -> str:
    """Return in words what a column holds and which role is suggested for it."""
    values = "1 value" if column.distinct == 1 else f"{column.distinct:,} different values"
    sure = " (unsure)" if column.sureness is Sureness.UNSURE else ""
    return f"{column.type}, {values}; suggested {column.role}{sure}: {column.reason}"


def _about_people(job: Job, people: RepeatedPeople) -> str:
    """Return a note on the columns that tell the person; job.person may have been corrected."""
    means = "person: tells which person a record is about, not published; people are counted, not records."
    return f"{means}\n{people.sentence()}" if set(job.person) == set(people.columns) else means


def _notes(job: Job, file: str, people: RepeatedPeople | None) -> dict[str, str]:
    run = f"A first job. Correct it, then run: incrowd anonymize {shlex.quote(file)}"
    return {
        **({} if job.data is None else {"data": run}),
        "columns": "identifier and drop: not published, nor are columns that are not listed. quasi: quasi-identifier, "
        "generalized.\nsensitive: protected by the models. keep: published unchanged."
        + (f"\n{_about_people(job, people)}" if job.person and people is not None else ""),
        "models": _about_models(job),
        "suppress": "Suppression limit: the share of records that may be suppressed to generalize the others less.",
    }


def _about_models(job: Job) -> str:
    lines = ["Every equivalence class must satisfy these models."]
    # A name that needs quotes would need them here too.
    plain = [name for name in job.having(Role.SENSITIVE) if name.isidentifier()]
    lines += [
        f"A class whose records share one {name} discloses it; to prevent that: {_diverse(name)}" for name in plain
    ]
    return "\n".join(lines)


def _diverse(column: str) -> str:
    return f"- {{distinct_l: {{l: 2, column: {column}}}}}"
