"""Confine jobs from outside: they name files of the workspace and write into the folder of the run."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from incrowd.errors import Fault, IncrowdError, JobError, UsageError
from incrowd.families import FORMATS, METRICS
from incrowd.hierarchies import parse
from incrowd.jobs.document import Place, Written, spelled
from incrowd.service.references import RELEASE, References

_NO_QUERY = "only a database on a server is asked by query; leave it out"


class _Confining:
    """One walk through the plain data of a job; faults are gathered, as those of a job are."""

    def __init__(self, files: References) -> None:
        self.files = files
        self.faults: list[Fault] = []

    def job(self, given: Mapping[str, Any]) -> dict[str, Any]:
        job = deepcopy(dict(given))
        for key in ("data", "population"):
            if job.get(key) is not None:
                job[key] = self.records(job[key], (key,))
        job["output"] = self.output(job.get("output"))
        return {**job, **self.columns(job, ()), **self.settings(job)}

    def job_of_tables(self, given: Mapping[str, Any]) -> dict[str, Any]:
        job = deepcopy(dict(given))
        tables = job.get("tables")
        if isinstance(tables, Mapping):
            job["tables"] = {name: self.table(str(name), table) for name, table in tables.items()}
        return {**job, "output": self.folder(job.get("output")), **self.settings(job)}

    def table(self, name: str, given: Any) -> Any:
        """Return one of several tables, its data as a file of the workspace."""
        if not isinstance(given, Mapping):
            return given
        place = ("tables", name)
        if given.get("data") is None:
            self.fault(place, "'data' is missing; name a file of the workspace by its id")
            return {**given, **self.columns(given, place)}
        return {**given, "data": self.records(given["data"], (*place, "data")), **self.columns(given, place)}

    def columns(self, given: Mapping[str, Any], place: Place) -> dict[str, Any]:
        columns = given.get("columns")
        if not isinstance(columns, Mapping):
            return {}
        of_columns = (*place, "columns")
        return {"columns": {name: self.column(of, (*of_columns, str(name))) for name, of in columns.items()}}

    def settings(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Return the metric and the models of a job, the files that they name as those of the workspace."""
        found: dict[str, Any] = {}
        if job.get("metric") is not None:
            found["metric"] = self.metric(job["metric"])
        models = job.get("models")
        if isinstance(models, list | tuple):
            found["models"] = [self.model(each, ("models", at)) for at, each in enumerate(models)]
        return found

    def records(self, given: Any, place: Place) -> Any:
        part = dict(given) if isinstance(given, Mapping) else {"source": given}
        sources = part.get("source")
        several = list(sources) if isinstance(sources, list | tuple) else [sources]
        described = [dict(each) if isinstance(each, Mapping) else {"file": each} for each in several]
        found = [self.located(each, place) for each in described]
        if not any(found):
            return None
        located = [each for each in found if each is not None]
        if part.get("query") is not None and not all(self.is_on_server(each) for each in located):
            self.fault((*place, "query"), _NO_QUERY)
        if len(located) > 1 and any(each.get(name) for each in located for name in ("table", "query")):
            return self.each_its_own(part, located)
        if any(isinstance(each, Mapping) for each in several):
            return {**part, "source": [_described(each) for each in located]}
        told = {name: located[0][name] for name in ("table", "query") if located[0].get(name) and name not in part}
        if "query" in part and "table" not in part:
            told.pop("table", None)
        return {**told, **part, "source": [each["source"] for each in located]}

    def located(self, described: dict[str, Any], place: Place) -> dict[str, Any] | None:
        """Return the location of a source with its own reading options; never a URL from outside."""
        if "url" in described:
            self.fault((*place, "source"), "a database is connected first, and named by its id as 'file'")
            return None
        try:
            found = self.files.source(described.pop("file", None))
        except UsageError as error:
            self.fault(place, error)
            return None
        if described.get("query") is not None and not self.is_on_server(found):
            self.fault((*place, "query"), _NO_QUERY)
        if any(described.get(name) is not None for name in ("table", "query")):
            found |= {"table": None, "query": None}
        return {**found, **described}

    def is_on_server(self, found: Mapping[str, Any]) -> bool:
        return found["source"] in self.files.secrets

    def each_its_own(self, part: dict[str, Any], located: list[dict[str, Any]]) -> dict[str, Any]:
        """Return several sources of which some have a table or query, each with the options of all."""
        of_all = {name: value for name, value in part.items() if name not in ("source", "missing")}
        named = {name for name in ("table", "query") if of_all.get(name) is not None}
        sources = []
        for each in located:
            own = {name: value for name, value in each.items() if not (named and name in ("table", "query"))}
            sources.append(_described({**of_all, **{name: of for name, of in own.items() if of is not None}}))
        return {"source": sources, **({"missing": part["missing"]} if "missing" in part else {})}

    def output(self, given: Any) -> dict[str, Any]:
        """Return the output of a run: only the extension counts, all other places are fixed."""
        part = self.target(given)
        wanted = part.get("to")
        if wanted is not None and not isinstance(wanted, str):
            return part
        from incrowd.formats.writing import written_format, written_suffix

        suffix = written_suffix(wanted) if wanted else ".csv"
        if suffix is None:
            self.fault(("output", "to"), "its extension is not that of a format that can be written")
            suffix = ".csv"
        kept = {key: value for key, value in part.items() if key not in ("to", "record", "mapping", "table", "replace")}
        options = FORMATS.module(written_format(suffix)).WRITE_OPTIONS
        if part.get("table") is not None and "table" in options:
            kept["table"] = part["table"]
        return {**kept, "to": f"{RELEASE}{suffix}", **({"mapping": "mapping.csv"} if part.get("mapping") else {})}

    def folder(self, given: Any) -> dict[str, Any]:
        """Return the output of several tables: only the format of their files counts."""
        from incrowd.formats.writing import written_suffix

        kept = {key: value for key, value in self.target(given).items() if key not in ("record", "replace")}
        wanted = kept.get("format")
        if isinstance(wanted, str):
            suffix = written_suffix(f"{RELEASE}.{wanted.lstrip('.')}")
            if suffix is None:
                self.fault(("output", "format"), "there is no such format to write; give csv or parquet")
            kept["format"] = (suffix or ".csv").lstrip(".")
        return {**kept, "to": RELEASE}

    def target(self, given: Any) -> dict[str, Any]:
        """Return an output as a mapping of its keys; refuse folders."""
        part = dict(given) if isinstance(given, Mapping) else {} if given is None else {"to": given}
        for key in ("to", "record", "mapping"):
            if isinstance(part.get(key), str) and any(sign in part[key] for sign in ("/", "\\", "://", "\0")):
                self.fault(("output", key), "a name without folders is enough: all that a run makes is kept with it")
        return part

    def column(self, given: Any, place: Place) -> Any:
        if not isinstance(given, Mapping) or given.get("hierarchy") is None:
            return given
        return {**given, "hierarchy": self.hierarchy(given["hierarchy"], (*place, "hierarchy"))}

    def hierarchy(self, given: Any, place: Place) -> Any:
        from incrowd.hierarchies import by_suffix

        if isinstance(given, str):
            try:
                read = parse(given)
            except UsageError:
                return given
            if read is None or isinstance(read, str):
                is_file = self.files.find(given) is not None or Path(given).suffix.lower() in by_suffix()
                return self.path(given, place) if is_file else given
            given = read
        if not isinstance(given, Mapping):
            return given
        return {
            builder: {**options, "path": self.path(options["path"], place)}
            if isinstance(options, Mapping) and options.get("path") is not None
            else options
            for builder, options in given.items()
        }

    def path(self, given: Any, place: Place) -> Any:
        try:
            return self.files.path(given, "hierarchy", "hierarchy", "delimited")
        except UsageError as error:
            self.fault(place, error)
            return None

    def metric(self, given: Any) -> Any:
        """Return a metric whose workload is an uploaded text file."""
        try:
            read = METRICS.read(given) if isinstance(given, str) else given
        except UsageError:
            return given
        if not isinstance(read, Mapping):
            return given
        return {
            name: {**options, "workload": self.workload(options["workload"])}
            if isinstance(options, Mapping) and options.get("workload") is not None
            else options
            for name, options in read.items()
        }

    def workload(self, given: Any) -> Any:
        try:
            return self.files.path(given, "workload", "delimited")
        except UsageError as error:
            self.fault(("metric",), error)
            return None

    def model(self, given: Any, place: Place) -> Any:
        """Put a policy file into the job, because models read theirs as soon as they are made."""
        from incrowd.models import read

        if isinstance(given, str):
            try:
                given = read(given)
            except UsageError:
                return given
        if not isinstance(given, Mapping):
            return given
        return {
            name: {**options, "policy": self.policy(options["policy"], place)}
            if isinstance(options, Mapping) and isinstance(options.get("policy"), str)
            else options
            for name, options in given.items()
        }

    def policy(self, given: str, place: Place) -> Any:
        try:
            held = self.files.held(given, "policy")
            with held.path.open(encoding="utf-8-sig", newline="") as file:
                return [row for row in csv.reader(file) if row]
        except IncrowdError as error:
            self.fault(place, error)
        except (OSError, ValueError, csv.Error):
            self.fault(place, "the policy is not a CSV file of value,low,high or value,label")
        return []

    def fault(self, place: Place, what: object) -> None:
        self.faults.append(Fault(None, spelled(place), str(what)))


def confined(given: Any, files: References, publishes: bool = True) -> dict[str, Any]:
    """Return the plain data of a job as the folder of the run sees it; raise all faults at once."""
    walk = _Confining(files)
    job = walk.job(_checked(given))
    if job.get("data") is None and "tables" not in job and not walk.faults:
        walk.fault(("data",), "it is missing; name a file of the workspace by its id")
    if not publishes:
        del job["output"]
    from incrowd.jobs import Job

    # Refused now, with every fault, rather than when its turn comes.
    Job.from_written(Written("the job", job, faults=walk.faults), Path())
    return job


def confined_tables(given: Any, files: References, publishes: bool = True) -> dict[str, Any]:
    """Return the job of several tables, each a file of the workspace; raise all faults at once."""
    from incrowd.jobs import Changes
    from incrowd.jobs.linked import LinkedJob

    walk = _Confining(files)
    job = walk.job_of_tables(_checked(given))
    if not publishes:
        del job["output"]
    LinkedJob.from_written(Written("the job", job, faults=walk.faults), Path(), Changes())
    return job


def _checked(given: Any) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise JobError.of("the job", [Fault(None, "", "not a mapping of keys to values")])
    return given


def _described(located: Mapping[str, Any]) -> dict[str, Any]:
    """Return a source as a job describes it."""
    own = {name: value for name, value in located.items() if name != "source" and value is not None}
    return {"url" if "://" in located["source"] else "file": located["source"], **own}


def hierarchy_within(given: Any, files: References) -> Any:
    """Return the description of a hierarchy as the folder of the run sees it."""
    walk = _Confining(files)
    found = walk.hierarchy(given, ())
    if walk.faults:
        raise UsageError.invalid("the hierarchy", walk.faults[0].what, "or name a builder, such as intervals")
    return found
