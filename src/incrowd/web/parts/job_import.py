"""Import of a job file or an ANON definition into the draft of a table."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from math import ceil
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from incrowd.core.grid import Suppress, allowed_by
from incrowd.core.schema import Role
from incrowd.errors import JobError, UsageError
from incrowd.formats import outputs
from incrowd.formats.options import OF_FILES
from incrowd.service.path_sandbox import confined
from incrowd.service.references import Find, References
from incrowd.web.parts import words
from incrowd.web.parts.draft import KNOWS, METRIC, SCORED, SEARCH, Draft, spell_column

if TYPE_CHECKING:
    from incrowd.jobs import Job

LARGEST = 4_000_000
"""Largest job file (bytes); values of hierarchies may make it long."""
_BY_COLUMN = {
    "limit": "limits",
    "minimum": "minimums",
    "priority": "priorities",
    "normalize": "normalize",
    "missing": "missing_in",
    "person": "also_person",
}
_DETAILS = ("form", "scale", "domain", "bounds", "losses")
_EXPERT = ("generalize", "nulls", "order", "wiped", "seed")


class JobImport:
    """A job file in terms of the pages, with notes about what they cannot take over."""

    def __init__(self, draft: Draft, find: Find) -> None:
        self.draft, self.find = draft, find
        self.notes: list[str] = []

    def fill(self, text: str, name: str) -> Draft:
        """Change the draft to match the file; a file with faults changes no column, model or setting."""
        plain = self._without_places(_read(text, name))
        for key in ("columns", "models"):
            if isinstance(plain.get(key), Mapping | list):
                plain[key] = getattr(self, f"_{key}")(plain[key])
        from incrowd.jobs import Job

        data = plain.get("data")
        checked = confined({**plain, "data": {"source": self.draft.file}}, References(self.find), publishes=False)
        self._take(Job.from_dict(checked), plain, data)
        return self.draft

    def _without_places(self, plain: Mapping[str, Any]) -> dict[str, Any]:
        """Return the job without its output path; a population must be a stored table."""
        output, population = plain.get("output"), plain.get("population")
        found = {key: value for key, value in plain.items() if key not in ("output", "population")}
        to = output.get("to") if isinstance(output, Mapping) else output
        ending = PurePath(str(to)).suffix.lower()
        if ending in outputs():
            self.draft.output = ending
        if isinstance(output, Mapping):
            self.draft.spreadsheet_safe = output.get("spreadsheet_safe") is True
        if population is not None:
            source = _sources(population)[0] if isinstance(population, Mapping) else population
            held = self.find(PurePath(str(source)).name)
            if held is None:
                self.notes.append("Population not found: open it as a table, then choose it under Expert settings.")
            else:
                found["population"] = held.id
        return found

    def _columns(self, columns: Any) -> Any:
        return {name: self._column(name, column) for name, column in columns.items()}

    def _column(self, name: str, column: Any) -> Any:
        """Return a column whose hierarchy file is named by its id, if it was uploaded."""
        from incrowd.hierarchies import settled

        if not isinstance(column, Mapping) or column.get("hierarchy") is None:
            return column
        try:
            builder, options = settled(_parse_hierarchy(column["hierarchy"]), name)
        except UsageError:
            return column
        if "path" not in options:
            return column
        file = PurePath(str(options["path"])).name
        held = self.find(file)
        if held is None:
            self.notes.append(f"Hierarchy of {name} not found: open {file} on the Hierarchies page.")
            return {key: value for key, value in column.items() if key != "hierarchy"}
        return {**column, "hierarchy": {builder: {**options, "path": held.id}}}

    def _models(self, models: Any) -> Any:
        return [each for each in (models if isinstance(models, list) else []) if self._is_whole(each)]

    def _is_whole(self, model: Any) -> bool:
        """Return whether a model needs no file; add a note if it does, because paths are not read here."""
        from incrowd.models import read

        try:
            given = read(model) if isinstance(model, str) else model
        except UsageError:
            return True
        inside = [of for of in given.values() if isinstance(of, Mapping)] if isinstance(given, Mapping) else []
        if not any(isinstance(of.get("policy"), str) for of in inside):
            return True
        self.notes.append("Model with a policy file skipped: add it under Sensitive values on the Privacy page.")
        return False

    def _take(self, job: Job, plain: Mapping[str, Any], data: Any) -> None:
        draft, settings = self.draft, job.to_dict()
        for name in ("missing", "names", "widths"):
            setattr(draft, name, [])
        draft.prepare = {}
        reading = data if isinstance(data, Mapping) else {}
        for name in OF_FILES:
            if reading.get(name) is not None and len(_sources(reading)) == 1:
                value = reading[name]
                setattr(draft, name, [value] if name == "missing" and isinstance(value, str) else deepcopy(value))
        if isinstance(reading.get("missing"), list):
            draft.missing = [str(text) for text in reading["missing"]]
        if len(_sources(reading if reading else {"source": data})) > 1:
            self.notes.append("The file names several sources; it was applied to this table only.")
        self._take_columns(settings["columns"], plain["columns"])
        self._take_models(job)
        self._take_settings(job, settings, plain.get("population"))

    def _take_columns(self, columns: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        draft = self.draft
        existing = list(draft.roles)
        lacking = [name for name in columns if existing and name not in existing]
        if lacking:
            self.notes.append(f"Columns not in the table: {', '.join(lacking)}.")
        # Columns that a definition does not mention are not published (ANON: the same as ignore).
        draft.roles = {name: columns[name]["role"] if name in columns else str(Role.DROP) for name in existing} or {
            name: column["role"] for name, column in columns.items()
        }
        draft.hierarchies = {
            name: _parse_hierarchy(given[name]["hierarchy"])
            for name, of in columns.items()
            if of.get("hierarchy") is not None
        }
        for key, field in _BY_COLUMN.items():
            setattr(draft, field, {name: of[key] for name, of in columns.items() if key in of})
        details = {name: {key: of[key] for key in _DETAILS if key in of} for name, of in columns.items()}
        draft.details = {name: of for name, of in details.items() if of}

    def _take_models(self, job: Job) -> None:
        from incrowd.models import spell, to_dict

        draft = self.draft
        plain = [to_dict(model) for model in job.models]
        asked = [each["k_anonymity"]["k"] for each in plain if "k_anonymity" in each]
        draft.k = max(asked, default=2)
        if not asked and not any("consistent_k" in each for each in plain):
            self.notes.append("No k-anonymity in the file: k = 2 was added.")
        others = [(model, each) for model, each in zip(job.models, plain, strict=True) if "k_anonymity" not in each]
        draft.models = [_on_column(each) for _, each in others if _is_offered(each)]
        draft.protected = draft.columns_in_role(Role.SENSITIVE)
        further = [spell(model) for model, each in others if not _is_offered(each)]
        draft.expert = {"models": further} if further else {}

    def _take_settings(self, job: Job, settings: Mapping[str, Any], population: str | None) -> None:
        from incrowd.jobs.families import METRICS, SEARCHES

        draft = self.draft
        draft.expert |= {key: settings[key] for key in _EXPERT if key in settings}
        draft.expert |= {"population": population} if population is not None else {}
        draft.time = settings.get("time")
        draft.suppress = self._share(self._unit(settings.get("suppress", 0)))
        draft.knows = str(settings.get("knows", KNOWS))
        draft.search, draft.scored, draft.metric = SEARCH, {}, METRIC
        search, metric = settings.get("search"), settings.get("metric")
        if isinstance(search, str) and search in words.searches():
            draft.search = search
        elif isinstance(search, Mapping) and SCORED in search:
            draft.search, draft.scored = SCORED, dict(search[SCORED])
        elif search is not None:
            draft.expert["search"] = SEARCHES.spell(job.search)
        if isinstance(metric, str) and metric in words.metrics():
            draft.metric = metric
        elif metric is not None:
            draft.expert["metric"] = METRICS.spell(job.metric)

    def _unit(self, suppress: Any) -> Any:
        """Take over what the limit counts; return its share or number."""
        given = suppress if isinstance(suppress, Mapping) else {}
        self.draft.suppress_of, self.draft.suppress_whole = given.get("of", "records"), given.get("whole", False)
        return given.get("share", given.get("number")) if given else suppress

    def _share(self, suppress: Any) -> float:
        """Return the suppression limit as a share; a number of records is divided by those of the table."""
        from incrowd.jobs.suppression import suppression

        amount = suppression(suppress)
        if isinstance(amount, Suppress):
            self.draft.expert["suppress"] = suppress
            return 0.0
        records = (self.draft.inspection or {}).get("records", 0)
        if isinstance(amount, int) and amount:
            return min(1.0, ceil(amount / records * 10**9) / 10**9) if records else 0.0
        return float(allowed_by(amount))


def _read(text: str, name: str) -> dict[str, Any]:
    """Return the plain data of a job file by its extension; raise JobError with all its faults."""
    from incrowd.jobs import json_file, xml_file, yaml_file

    readers = {".yaml": yaml_file.read, ".yml": yaml_file.read, ".json": json_file.read, ".xml": xml_file.read}
    ending = PurePath(name).suffix.lower()
    if ending not in readers:
        raise UsageError.not_one_of("the extension of a job file", ending, readers)
    written = readers[ending](text, name)
    if written.faults:
        raise JobError.of(name, written.faults)
    if not isinstance(written.plain, dict) or not isinstance(written.plain.get("columns"), Mapping):
        raise UsageError.invalid(name, "it describes no columns", "open a job file or an ANON definition")
    return written.plain


def _parse_hierarchy(hierarchy: Any) -> Any:
    from incrowd.hierarchies import parse

    return parse(hierarchy) if isinstance(hierarchy, str) else hierarchy


def _sources(reading: Mapping[str, Any]) -> list[Any]:
    given = reading.get("source")
    return list(given) if isinstance(given, list | tuple) else [given]


def _is_offered(model: Mapping[str, Any]) -> bool:
    """Return whether the page offers a model for a sensitive column."""
    [(name, options)] = model.items()
    column = options.get("column")
    return name in words.models() and (isinstance(column, str) or (isinstance(column, list) and len(column) == 1))


def _on_column(model: Mapping[str, Any]) -> dict[str, Any]:
    [(name, options)] = model.items()
    column = options["column"]
    return {name: {**options, "column": spell_column(column if isinstance(column, str) else column[0])}}
