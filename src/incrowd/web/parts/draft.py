"""The draft of a job: the choices made for one table, stored in the workspace."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from incrowd.anonymization.first_models import MOST
from incrowd.core.grid import Unit
from incrowd.core.knowledge import Known
from incrowd.core.schema import Role
from incrowd.formats.options import OF_FILES
from incrowd.profiles import USUAL, Profile
from incrowd.web.parts import history

if TYPE_CHECKING:
    from incrowd.service import Workspace

_EACH = 10
"""Every sensitive column has a model by default while they are at most so many; of more, those that cost little."""
K, SUPPRESS = 5, 0.02
"""Defaults of k and of the suppression limit."""
KNOWS = str(Known.RECORD)
"""Default of what an attacker knows of a person."""
SEARCH = "auto"
SCORED = "scored"
"""The search whose options have fields of their own."""
METRIC = "default"
"""Stands for the default metric of a job."""
_OLD_METRIC = "usual"
"""The same in drafts of version 0.1.0."""
FOUND = ("file", "inspection", "proposed", "opened", "question", "explored")
"""Found out or only looked at; everything else is a setting, which can be undone."""


@dataclass
class Draft:
    """All choices for a table; empty means the default."""

    file: str
    missing: list[str] = field(default_factory=list)
    """Missing-value markers."""
    delimiter: str = ""
    encoding: str = ""
    """Of a text file; detected if empty."""
    header: bool | None = None
    """True if the first line is a header; None if not decided."""
    names: list[str] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    """Characters of each column of a text file without delimiters."""
    prepare: dict[str, Any] = field(default_factory=dict)
    """Changes to the table as it is read, as the data of a job have them."""
    inspection: dict[str, Any] | None = None
    """Result of `inspect`."""
    roles: dict[str, str] = field(default_factory=dict)
    chosen: dict[str, bool] | None = None
    """The columns whose role was chosen, each with True; other roles follow the suggestions. None: all that have one,
    as in drafts of older versions and in opened jobs."""
    also_person: dict[str, bool] = field(default_factory=dict)
    """The quasi-identifiers that tell the person too, each with True."""
    hierarchies: dict[str, Any] = field(default_factory=dict)
    """By column, as a job has them; files of the workspace by id."""
    proposed: dict[str, Any] = field(default_factory=dict)
    """Hierarchies proposed for columns without one of their own: `reading` that they are for, and `by_column`."""
    limits: dict[str, int] = field(default_factory=dict)
    minimums: dict[str, int] = field(default_factory=dict)
    priorities: dict[str, float] = field(default_factory=dict)
    details: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Optional settings by column: form, scale, domain, bounds, losses."""
    normalize: dict[str, list[str]] = field(default_factory=dict)
    """Steps that merge spellings of a value, or say how numbers and dates are written, by column."""
    missing_in: dict[str, list[str]] = field(default_factory=dict)
    """Codes for missing, by column."""
    k: int = K
    models: list[dict[str, Any]] = field(default_factory=list)
    """Models of sensitive columns, beside k-anonymity."""
    protected: list[str] = field(default_factory=list)
    """Sensitive columns that got their default model; a removed one is not added again."""
    knows: str = KNOWS
    """How much an attacker knows of a person: record, a number or history; if a column tells the person."""
    suppress: float = SUPPRESS
    suppress_of: str = Unit.RECORDS
    """The unit of the suppression limit: records, or people if a column tells the person."""
    suppress_whole: bool = False
    """True if a person who loses a record loses all of them."""
    metric: str = METRIC
    search: Any = SEARCH
    scored: dict[str, Any] = field(default_factory=dict)
    """Options of the search `scored`, as a job has them."""
    time: float | None = None
    output: str = ".csv"
    """File extension of the release."""
    spreadsheet_safe: bool = False
    expert: dict[str, Any] = field(default_factory=dict)
    """Optional keys of a job; `models` holds further ones in their short form."""
    opened: list[str] | None = None
    """Notes of an opened job file; None if none was opened."""
    question: dict[str, Any] = field(default_factory=dict)
    explored: list[str] = field(default_factory=list)
    """The set of columns explored last."""

    def __post_init__(self) -> None:
        self._read: dict[str, Any] = {}

    @classmethod
    def load(cls, space: Workspace, owner: str, file: str) -> Draft:
        """Return the stored draft of a table."""
        known = {each.name for each in fields(cls)}
        kept = space.notes(owner).get(_key(file)) or {}
        draft = cls(**{"file": file, **{name: value for name, value in kept.items() if name in known}})
        draft._read = draft._copied()
        return draft

    def keep(self, space: Workspace, owner: str, is_choice: bool = True) -> None:
        """Store the changes made here; changes made in other windows stay. What somebody chose can be undone."""
        if self._read.get("roles") != self.roles:
            self.protect()
        mine, theirs = self._copied(), Draft.load(space, owner, self.file)._read
        merged = {name: _merge(self._read.get(name), value, theirs[name]) for name, value in mine.items()}
        space.notes(owner).put(_key(self.file), merged)
        self._read = mine
        if is_choice:
            history.record(space, owner, self.file, history.changes(theirs, merged, settings()))

    def _copied(self) -> dict[str, Any]:
        """Return all choices as plain data of their own; with many columns `asdict` would take too long."""
        copied: dict[str, Any] = pickle.loads(
            pickle.dumps({each.name: getattr(self, each.name) for each in fields(self)})
        )
        return copied

    def turn(self, step: history.Step, is_undo: bool) -> list[history.Path]:
        """Undo a step, or do it again; return the settings that were changed again since, if there are any.

        Then nothing is changed here. A table that is read otherwise now is inspected anew.
        """
        plain, read = self._copied(), self.reading_columns
        if clashes := history.clashes(plain, step, is_undo):
            return clashes
        for name, value in history.changed(plain, step, is_undo).items():
            setattr(self, name, value)
        if self.reading_columns != read:
            self.inspection = None
        return []

    @property
    def proposals(self) -> dict[str, Any]:
        """Return the hierarchies proposed for the table as it is read now, by column."""
        return self.proposed["by_column"] if self.proposed.get("reading") == self.reading else {}

    def propose(self, by_column: Mapping[str, Any]) -> None:
        """Take proposals for columns; those for another reading of the table are forgotten."""
        self.proposed = {"reading": self.reading, "by_column": {**self.proposals, **by_column}}

    def columns_in_role(self, role: Role) -> list[str]:
        """Return the columns with a role in table order."""
        return [name for name, given in self.roles.items() if given == role]

    @property
    def quasi(self) -> list[str]:
        """Return the quasi-identifiers."""
        return self.columns_in_role(Role.QUASI)

    @property
    def person(self) -> list[str]:
        """Return the columns that together tell which person a record is about; none if records are counted."""
        return [name for name, role in self.roles.items() if _tells(role, name in self.also_person)]

    @property
    def reading(self) -> dict[str, Any]:
        """Return the table and its reading options as a request has them."""
        options = {name: getattr(self, name) for name in OF_FILES}
        return {
            "file": self.file,
            **{name: value for name, value in options.items() if value not in (None, "", [], {})},
        }

    @property
    def reading_columns(self) -> dict[str, Any]:
        """Return the same, with how columns are read, as requests have it that look at values."""
        given = {"normalize": self.normalize, "missing_in": self.missing_in}
        return {**self.reading, **{key: by_column for key, by_column in given.items() if by_column}}

    @property
    def data(self) -> dict[str, Any]:
        """Return the table and its reading options as a job has them."""
        reading = self.reading
        return {"source": reading.pop("file"), **reading}

    def protect(self) -> None:
        """Add a default model for each new sensitive column; remove models of columns that no longer are."""
        sensitive = self.columns_in_role(Role.SENSITIVE)
        kept = [each for each in self.models or () if model_column(each) in sensitive]
        known = {*self.protected, *map(model_column, kept)}
        # No model can protect a column of one value.
        added = [name for name in sensitive if name not in known and self.different_values(name) != 1]
        if len(kept) + len(added) > _EACH:
            added = self._cheapest(added, sum(self._chance(model_column(each)) for each in kept))
        self.models = [*kept, *map(self._default_model, added)]
        self.protected = sensitive

    def _cheapest(self, columns: list[str], expected: float) -> list[str]:
        """Return the columns whose models few classes break by chance, all models together, as in a first job."""
        found = set()
        for name in sorted(columns, key=self._chance):
            expected += self._chance(name)
            if expected > MOST:
                break
            found.add(name)
        return [name for name in columns if name in found]

    def _chance(self, column: str) -> float:
        """Return the share of classes that break the default model of a column by chance."""
        inspection, found = self.inspection or {}, self._inspected(column)
        # An inspection by an older version does not have them.
        chance = inspection.get("range_chances", {}).get(column)
        return float((found or {}).get("alike", 0.0) if chance is None else chance)

    def _default_model(self, column: str, least: int = USUAL.l) -> dict[str, Any]:
        """Return distinct l-diversity, so that no class discloses its sensitive value. Of numbers that are nearly all
        different that promises nothing, and there are ranges for them."""
        ranges = (self.inspection or {}).get("ranges", {}).get(column)
        name, options = ("distinct_l", {"l": least}) if ranges is None else ("range_diversity", ranges)
        return {name: {**options, "column": spell_column(column)}}

    def different_values(self, column: str) -> int | None:
        """Return how many different values a column has, missing counted as one; None if that is not known."""
        found = self._inspected(column)
        return None if found is None else int(found["distinct"]) + (found["missing"] > 0)

    def largest_share(self, column: str) -> float | None:
        """Return the share of records with the most frequent value of a column; None if that is not known."""
        found, records = self._inspected(column), (self.inspection or {}).get("records")
        # An inspection by an older version does not have it.
        return found["most_frequent"] / records if found and records and "most_frequent" in found else None

    def _inspected(self, column: str) -> dict[str, Any] | None:
        columns = (self.inspection or {}).get("columns", ())
        return next((each for each in columns if each["name"] == column), None)

    def start_from(self, profile: Profile) -> None:
        """Take k, the suppression limit and the models of sensitive columns from a profile."""
        self.k, self.suppress, self.suppress_of, self.suppress_whole = profile.k, profile.suppress, Unit.RECORDS, False
        self.models = self.models_of(profile)
        self.protected = self.columns_in_role(Role.SENSITIVE)

    def follows(self, profile: Profile) -> bool:
        """Return whether k, the suppression limit and the models are those of a profile."""
        return (self.k, self.suppress, self.models) == (profile.k, profile.suppress, self.models_of(profile))

    def models_of(self, profile: Profile) -> list[dict[str, Any]]:
        """Return the models of a profile: as many different values as it asks for, or as there are."""
        found = {name: self.different_values(name) for name in self.columns_in_role(Role.SENSITIVE)}
        least = {name: profile.l if values is None else min(profile.l, values) for name, values in found.items()}
        return [self._default_model(name, number) for name, number in least.items() if number > 1]

    def job(self) -> dict[str, Any]:
        """Return the job as plain data."""
        self.protect()
        # The default metric is omitted: it depends on declared losses, and some searches have a cost of their own.
        metric = None if self.metric in (METRIC, _OLD_METRIC) else self.metric
        settings = {"suppress": self.suppress, "metric": metric, "search": self._search(), "time": self.time}
        settings |= self._people()
        if "generalize" in self.expert and self.search == SEARCH:
            # Each kind of generalization has its own default search.
            del settings["search"]
        return {
            "data": self.data,
            "output": {"to": f"release{self.output}", **({"spreadsheet_safe": True} if self.spreadsheet_safe else {})},
            "columns": {name: self.column(name, role) for name, role in self.roles.items()},
            **{key: value for key, value in (settings | self.expert).items() if value not in (None, "")},
            "models": self._models(),
        }

    def _people(self) -> dict[str, Any]:
        """Return what the job says of people; nothing if no column tells the person."""
        if not self.person:
            return {}
        found: dict[str, Any] = {} if self.knows == KNOWS else {"knows": self.knows}
        if self.suppress_of != Unit.RECORDS or self.suppress_whole:
            found["suppress"] = {"share": self.suppress, "of": self.suppress_of, "whole": self.suppress_whole}
        return found

    def _search(self) -> Any:
        """Return the search with its options, without levels of columns that no longer are quasi-identifiers."""
        if self.search != SCORED or not self.scored:
            return self.search
        levels = {name: of for name, of in self.scored.get("sample_levels", {}).items() if name in self.quasi}
        options = {name: value for name, value in self.scored.items() if name != "sample_levels"}
        return {SCORED: {**options, **({"sample_levels": levels} if levels else {})}}

    def _models(self) -> list[Any]:
        """Return k-anonymity and the other models; consistent_k replaces k-anonymity."""
        others = [*self.models, *self.expert.get("models", ())]
        revisited = any(isinstance(each, Mapping) and "consistent_k" in each for each in others)
        return others if revisited else [{"k_anonymity": {"k": self.k}}, *others]

    def column(self, name: str, role: str) -> dict[str, Any]:
        """Return the settings of a column as a job has them."""
        common = {"hierarchy": self.hierarchies, "normalize": self.normalize, "missing": self.missing_in}
        if role == Role.SENSITIVE:
            return {"role": role, **{key: by_name[name] for key, by_name in common.items() if name in by_name}}
        if role != Role.QUASI:
            return {"role": role}
        chosen: dict[str, Mapping[str, Any]] = {
            **common,
            "hierarchy": {**self.proposals, **self.hierarchies},
            "limit": self.limits,
            "minimum": self.minimums,
            "priority": self.priorities,
            "person": self.also_person,
        }
        settings = {key: by_name[name] for key, by_name in chosen.items() if name in by_name}
        return {"role": role, **settings, **self.details.get(name, {})}


def settings() -> list[str]:
    """Return the names of what can be undone."""
    return [each.name for each in fields(Draft) if each.name not in FOUND]


def _tells(role: str, also_person: bool) -> bool:
    return role == Role.PERSON or (role == Role.QUASI and also_person)


def spell_column(column: str) -> str | list[str]:
    """Return a column as a model names it: a plus sign would join several names."""
    return [column] if "+" in column else column


def model_column(model: Mapping[str, Any]) -> str:
    """Return the sensitive column of a model."""
    [options] = model.values()
    column = options["column"]
    return str(column[0] if isinstance(column, list) else column)


def _merge(before: Any, mine: Any, theirs: Any) -> Any:
    """Three-way merge; dicts key by key, my changes win."""
    if mine == before:
        return theirs
    if not (isinstance(before, dict) and isinstance(mine, dict) and isinstance(theirs, dict)):
        return mine
    names = [*theirs, *(name for name in mine if name not in theirs)]
    chosen = {name: mine if mine.get(name) != before.get(name) else theirs for name in names}
    return {name: of[name] for name, of in chosen.items() if name in of}


def saved_draft(space: Workspace, owner: str, file: str) -> Any:
    """Return the stored draft of a table as plain data."""
    return space.notes(owner).get(_key(file))


def _key(file: str) -> str:
    return f"draft-{file}"
