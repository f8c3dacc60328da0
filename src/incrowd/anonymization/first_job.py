"""Draft a first job for a table: likely roles, proposed hierarchies, and notes on both."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from incrowd.anonymization.first_models import FirstModels, first_models
from incrowd.anonymization.model_costs import Losses
from incrowd.core.brief import Brief
from incrowd.core.schema import Normalize, Role
from incrowd.diagnosis.inspection import ColumnReport, Inspection
from incrowd.diagnosis.people import RepeatedPeople
from incrowd.engines.source import Source, count_each
from incrowd.errors import UsageError
from incrowd.files.whole import PUBLIC, write_text
from incrowd.hierarchies.automatic import Proposed, propose_each
from incrowd.jobs import Job
from incrowd.jobs.parts import steps_of
from incrowd.noticing.wording import sentence
from incrowd.profiles import PROFILES
from incrowd.profiles import profile as profile_of
from incrowd.proposing.facts import Sureness
from incrowd.results import Result
from incrowd.text import count as in_number
from incrowd.text import table
from incrowd.watch import Watch, all_or_nothing


@dataclass(frozen=True, repr=False)
class FirstJob(Brief, Result):
    """A first job for a table, to be corrected by what you know."""

    job: Job
    inspection: Inspection
    """The basis of the suggestions."""
    further: FirstModels = field(default_factory=FirstModels)
    """The models for the sensitive columns, and the columns that have none."""
    proposed: Mapping[str, Proposed] = field(default_factory=dict)
    """The hierarchy of each quasi-identifier, and why."""
    profile: str | None = None
    """The profile that the job starts from."""

    def to_dict(self) -> dict[str, Any]:
        """Return the job as plain data."""
        return self.job.to_dict()

    def to_yaml(self, file: str = "job.yaml") -> str:
        """Return the job as YAML with comments; `file` is the name that it will have."""
        described = {f"columns.{column.name}": self._described(column) for column in self.inspection.columns}
        return self.job.to_yaml({**_notes(self, file), **described})

    def _about_levels(self, column: str) -> list[str]:
        """Return why a column has its hierarchy."""
        return [f"hierarchy: {self.proposed[column].reason}"] if column in self.proposed else []

    def write(self, path: str | PathLike[str], replace: bool = False) -> None:
        """Write the job with comments to a YAML file."""
        write_text(Path(path), self.to_yaml(Path(path).name), PUBLIC, replace)

    def _described(self, column: ColumnReport) -> str:
        noticed = [sentence(notice) for notice in self.inspection.noticed if notice.column == column.name]
        return "\n".join([describe(column), *noticed, *self._about_levels(column.name)])

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each column: its role in the job, why, and the builder of its hierarchy."""
        settings = self.to_dict()["columns"]
        return [
            {
                "column": column.name,
                "role": str(settings[column.name]["role"]) if column.name in settings else None,
                "hierarchy": _builder(settings.get(column.name, {}).get("hierarchy")),
                "sureness": str(column.sureness),
                "reason": column.reason,
            }
            for column in self.inspection.columns
        ]

    def parts(self) -> list[str]:
        """Return the job as YAML with comments."""
        return [self.to_yaml()]

    def look(self) -> list[str]:
        """Return the roles, the unsure ones first, and what to do next."""
        rows = sorted(self.to_rows(), key=lambda row: row["sureness"] != Sureness.UNSURE)
        unsure = sum(row["sureness"] == Sureness.UNSURE for row in rows)
        size = f"A first job for {in_number(self.inspection.records, 'record')}: {in_number(unsure, 'unsure role')}."
        lines = (
            "Correct the roles: a quasi-identifier is anything an attacker may know about a person.\n"
            "  incrowd.anonymize(source, first.job) creates the release\n"
            "  first.write('job.yaml') writes the job, to edit it"
        )
        return [size, table(tuple(rows[0]), [tuple(row.values()) for row in rows]), lines]


def _builder(hierarchy: Any) -> str | None:
    """Return the name of a builder without its options, which may hold values."""
    return next(iter(hierarchy), None) if isinstance(hierarchy, Mapping) else None if hierarchy is None else "file"


def first_job(
    source: Source,
    inspection: Inspection,
    watch: Watch,
    roles: Mapping[str, Role] | None = None,
    k: int | None = None,
    suppress: float | str | None = None,
    merged: Collection[str] = (),
    places: Mapping[str, Any] | None = None,
    base: Path | None = None,
    readings: Mapping[str, Mapping[str, list[str]]] | None = None,
    profile: str | None = None,
) -> FirstJob:
    """Return a job with the roles given, or else those suggested, and a hierarchy for every quasi-identifier.

    All spellings of a value become one in the `merged` columns; `places` are the data and the output of the job;
    `readings` are settings by column that say how its values are read; k and what may be suppressed are those of the
    profile, if they are not given.
    """
    chosen = profile_of(profile)
    k = chosen.k if k is None else k
    known = roles or {column.name: column.role for column in inspection.columns}
    quasi = [name for name, role in known.items() if role == Role.QUASI]
    if not quasi:
        raise UsageError.invalid(
            "no job was written", "no column is a quasi-identifier", "give at least one column the role quasi"
        )
    read = {name: of for name, of in (readings or {}).items() if known.get(name) in (Role.QUASI, Role.SENSITIVE)}
    told = [name for name, role in known.items() if role in (Role.QUASI, Role.SENSITIVE, Role.KEEP)]
    steps = {name: steps for name, steps in steps_of(read).items() if name in told}
    as_read = source.normalized(steps) if steps else source
    protected = [name for name, role in known.items() if role in (Role.QUASI, Role.SENSITIVE, Role.PERSON)]
    seen, counted = count_each(as_read, [tuple(told), tuple(protected)], watch)
    proposed = propose_each(seen, quasi)
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
    sensitive = [counted.project([name]) for name, role in known.items() if role == Role.SENSITIVE]
    hidden = [{"k_anonymity": {"k": k}}]
    plain = {"columns": columns, "models": hidden, "suppress": chosen.suppress if suppress is None else suppress}

    def measure(models: Sequence[Mapping[str, Any]]) -> Losses:
        own = {name: columns[name] for name in protected}
        job = Job.from_dict({**plain, "columns": own, "models": [*hidden, *models]}, base or Path())
        return Losses(as_read, counted, job, watch)

    with all_or_nothing("the models were being measured"):
        further = first_models(sensitive, k, chosen.l, measure)
    plain["models"] = [*hidden, *further.models]
    job = Job.from_dict({**(places or {}), **plain}, base or Path())
    return FirstJob(job, inspection, further, proposed, profile)


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


_MODELS = "Every equivalence class must satisfy these models."


def _about_profile(name: str | None) -> list[str]:
    """Return what a profile is for, and why it has its settings."""
    if name is None:
        return []
    reasons = profile_of(name).reasons
    return [
        f"Profile {name}: {PROFILES.meaning(name)}",
        *(f"{setting}: {reasons[setting].why} ({reasons[setting].source})" for setting in ("k", "suppress", "l")),
    ]


def _notes(drafted: FirstJob, file: str) -> dict[str, str]:
    job, people = drafted.job, drafted.inspection.people
    run = f"A first job. Correct it, then run: incrowd anonymize {shlex.quote(file)}"
    return {
        **({} if job.data is None else {"data": run}),
        "columns": "identifier and drop: not published, nor are columns that are not listed. quasi: quasi-identifier, "
        "generalized.\nsensitive: protected by the models that name it. keep: published unchanged."
        + (f"\n{_about_people(job, people)}" if job.person and people is not None else ""),
        "models": "\n".join([_MODELS, *_about_profile(drafted.profile), *drafted.further.words]),
        "suppress": "Suppression limit: the share of records that may be suppressed to generalize the others less.",
    }
