"""A client with one method for each verb of Incrowd, and `start` for the verbs of other packages."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, Unpack

import httpx

from incrowd.client.resources import (
    AttackOptions,
    DiagnoseOptions,
    ExploreOptions,
    File,
    FrontierOptions,
    HeadOptions,
    HierarchyOptions,
    InitOptions,
    InspectOptions,
    LatticeOptions,
    MeasureOptions,
    NeighborsOptions,
    RecordsOptions,
    ReportOptions,
    RiskOptions,
    RunStatus,
    ServiceError,
    TableOptions,
    VerifyOptions,
)

_LOOK = 20
"""Seconds that the service may wait before it answers."""
_TYPES = {"yaml": "application/yaml", "json": "application/json", "xml": "application/xml"}
Name = str | File | RunStatus
"""A file or a run, or its id; a run stands for its release."""


class Client:
    """A service at an address; a full queue is asked again for `patience` seconds."""

    def __init__(self, address: str, key: str | None = None, patience: float = 60, timeout: float = 90) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.Client(base_url=f"{address.rstrip('/')}/v1/", headers=headers, timeout=timeout)
        self._patience = patience

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def about(self) -> dict[str, Any]:
        """Return the version of the service, its kinds of runs and its limits."""
        return dict(self._json("GET", "about"))

    # Files

    def upload(
        self,
        content: str | PathLike[str] | IO[bytes] | bytes,
        name: str | None = None,
        purpose: Literal["data", "hierarchy", "manifest", "record"] = "data",
    ) -> File:
        """Upload a file by its path, or its content under a name."""
        if isinstance(content, str | PathLike):
            with Path(content).open("rb") as file:
                return self.upload(file, name or Path(content).name, purpose)
        files = {"file": (name or "upload", content)}
        return File.of(self._json("POST", "files", files=files, data={"purpose": purpose}))

    def source(self, url: str, table: str | None = None, query: str | None = None) -> File:
        """Register a table or a query of a database on a server."""
        return File.of(self._json("POST", "sources", json={"url": url, "table": table, "query": query}))

    def files(self) -> list[File]:
        """Return all files, newest first."""
        return [File.of(each) for each in self._json("GET", "files")]

    def file(self, id: str) -> File:
        """Return one file."""
        return File.of(self._json("GET", f"files/{id}"))

    def delete_file(self, file: str | File) -> None:
        """Delete a file permanently."""
        self._asked("DELETE", f"files/{_id(file)}")

    def export_project(
        self, file: str | File, to: str | PathLike[str], table: bool = True, private_records: bool = True
    ) -> Path:
        """Save a table with its settings, hierarchies and runs as one private file."""
        asked = {"table": table, "private_records": private_records}
        return self._saved(f"files/{_id(file)}/project", Path(to), asked)

    def import_project(self, content: str | PathLike[str], table: str | File | None = None) -> File:
        """Take a project file into the workspace, and return its table; one without its table needs `table`."""
        with Path(content).open("rb") as file:
            data = {} if table is None else {"table": _id(table)}
            return File.of(self._json("POST", "projects", files={"file": (Path(content).name, file)}, data=data))

    # Runs

    def inspect(self, file: Name, **options: Unpack[InspectOptions]) -> RunStatus:
        """Describe every column: its values, and its likely role."""
        return self._run("inspect", file=_id(file), **options)

    def diagnose(self, file: Name | Mapping[str, Any], **options: Unpack[DiagnoseOptions]) -> RunStatus:
        """Ask which sets of columns single people out: of a file, or of several tables, whose job is given instead."""
        if isinstance(file, Mapping):
            return self._run("diagnose", job=dict(file), **options)
        return self._run("diagnose", file=_id(file), **options)

    def risk(
        self, file: Name | Mapping[str, Any], quasi: Sequence[str] = (), **options: Unpack[RiskOptions]
    ) -> RunStatus:
        """Measure the re-identification risk from an attacker who knows these columns: of a file, or of several tables,
        whose job is given instead, or of their release: a run, or its files by their names, with `manifest`."""
        if isinstance(file, Mapping) and "manifest" in options:
            return self._run("risk", tables=_ids(file), quasi=list(quasi), **options)
        if isinstance(file, Mapping):
            return self._run("risk", job=dict(file), quasi=list(quasi), **options)
        return self._run("risk", file=_id(file), quasi=list(quasi), **options)

    def hierarchy(self, file: Name, column: str, **options: Unpack[HierarchyOptions]) -> RunStatus:
        """Build the hierarchy of a column and describe its levels."""
        return self._run("hierarchy", file=_id(file), column=column, **options)

    def anonymize(self, job: Mapping[str, Any] | str, form: Literal["json", "yaml", "xml"] = "yaml") -> RunStatus:
        """Create a release; the job is plain data, or a text in the given form."""
        if isinstance(job, str):
            body: dict[str, Any] = {"content": job.encode(), "headers": {"Content-Type": _TYPES[form]}}
        else:
            body = {"json": dict(job)}
        return RunStatus.of(self._json("POST", "anonymize", **body))

    def apply(
        self,
        record: Name,
        file: Name | Mapping[str, Name],
        output: str = "csv",
        spreadsheet_safe: bool = False,
    ) -> RunStatus:
        """Publish new data with the recoding of an earlier release: a table, or several by their names."""
        if isinstance(file, Mapping):
            safe = {"spreadsheet_safe": True} if spreadsheet_safe else {}
            return self._run("apply", record=_id(record), tables=_ids(file), output=output, **safe)
        return self._run("apply", record=_id(record), file=_id(file), output=output, spreadsheet_safe=spreadsheet_safe)

    def frontier(self, job: Mapping[str, Any], **options: Unpack[FrontierOptions]) -> RunStatus:
        """Run a job under many k and searches, and recommend a release."""
        return self._run("frontier", job=dict(job), **options)

    def verify(self, release: Name | Mapping[str, Name], **options: Unpack[VerifyOptions]) -> RunStatus:
        """Verify a release against its manifest: a file, a run, or the files of several tables by their names."""
        if isinstance(release, Mapping):
            return self._run("verify", tables=_ids(release), **options)
        return self._run("verify", file=_id(release), **options)

    def measure(
        self,
        original: Name | Mapping[str, Name] | None,
        releases: Sequence[Name | Mapping[str, Any]],
        **options: Unpack[MeasureOptions],
    ) -> RunStatus:
        """Compare the utility and protection of releases.

        Of several tables, `original` has a file for each, or is None for those of the run, and a release is a run, or
        has `tables` by their names, their `manifest` and, if there is one, their private `record`.
        """
        before = _ids(original) if isinstance(original, Mapping) else None if original is None else _id(original)
        given = [_released(each) if isinstance(each, Mapping) else _id(each) for each in releases]
        return self._run("measure", original=before, releases=given, **options)

    def attack(self, release: Name | Mapping[str, Name], **options: Unpack[AttackOptions]) -> RunStatus:
        """Attack a release as somebody who has it could: a file, a run, or several tables by their names."""
        if isinstance(release, Mapping):
            return self._run("attack", tables=_ids(release), **options)
        return self._run("attack", release=_id(release), **options)

    def report(self, file: Name | Mapping[str, Name], **options: Unpack[ReportOptions]) -> RunStatus:
        """Report on a release or a table: a file, a run, or the files of several tables by their names."""
        if isinstance(file, Mapping):
            return self._run("report", tables=_ids(file), **options)
        return self._run("report", file=_id(file), **options)

    def table(self, file: Name, by: Sequence[str], **options: Unpack[TableOptions]) -> RunStatus:
        """Publish a table of numbers whose sensitive cells cannot be derived."""
        return self._run("table", file=_id(file), by=list(by), **options)

    def head(self, file: Name, **options: Unpack[HeadOptions]) -> RunStatus:
        """Show the first records of a table."""
        return self._run("head", file=_id(file), **options)

    def explore(self, file: Name, quasi: Sequence[str], **options: Unpack[ExploreOptions]) -> RunStatus:
        """Compare a set of columns with those that have one column more or less."""
        return self._run("explore", file=_id(file), quasi=list(quasi), **options)

    def neighbors(
        self, job: Mapping[str, Any], levels: Mapping[str, int], **options: Unpack[NeighborsOptions]
    ) -> RunStatus:
        """Count and score the releases around one: one level more or less in one column."""
        return self._run("neighbors", job=dict(job), levels=dict(levels), **options)

    neighbours = neighbors
    """The British spelling, kept as an alias."""

    def costs(self, job: Mapping[str, Any]) -> RunStatus:
        """Measure what the models of a job cost in information loss."""
        return self._run("costs", job=dict(job))

    def lattice(self, job: Mapping[str, Any], **options: Unpack[LatticeOptions]) -> RunStatus:
        """List every release with one level for each column; the nodes are in the file `nodes.parquet` of the run."""
        return self._run("lattice", job=dict(job), **options)

    def records(self, release: str | RunStatus, **options: Unpack[RecordsOptions]) -> RunStatus:
        """List original records beside what a run published of them, smallest classes first."""
        return self._run("records", release=_id(release), **options)

    def init(self, file: Name, **options: Unpack[InitOptions]) -> RunStatus:
        """Draft a first job for a table."""
        return self._run("init", file=_id(file), **options)

    def start(self, kind: str, **request: Any) -> RunStatus:
        """Start a run of any kind in `about()`, such as one of another package; the request may hold files and runs."""
        return self._run(kind, **{name: _plain(given) for name, given in request.items()})

    def run(self, run: str | RunStatus, wait: float = 0) -> RunStatus:
        """Return a run, once it is over or after so many seconds."""
        return RunStatus.of(self._json("GET", f"runs/{_id(run)}", params={"wait": wait}))

    def progress(self, run: str | RunStatus, wait: float = 0) -> RunStatus:
        """Return the progress of a run, without its request and result, which may be long."""
        return RunStatus.of(self._json("GET", f"runs/{_id(run)}/progress", params={"wait": wait}))

    def runs(self) -> list[RunStatus]:
        """Return all runs, newest first, without requests and results."""
        return [RunStatus.of(each) for each in self._json("GET", "runs")]

    def wait(
        self, run: str | RunStatus, seconds: float = 3600, show: Callable[[RunStatus], object] | None = None
    ) -> RunStatus:
        """Return the run once it is done; raise ServiceError if it fails, or after so many seconds.

        `show` is called with its progress from time to time, without its request and result.
        """
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            now = self.progress(run, max(0.0, min(left, _LOOK if show is None else 0.5)))
            if show is not None:
                show(now)
            if now.state == "done":
                return self.run(run)
            if now.is_over:
                raise ServiceError(now.error or {"code": now.state, "message": f"the run is {now.state}"})
            if left <= 0:
                raise ServiceError(
                    {"code": "waiting", "message": f"the run is {now.state} still", "hint": "wait longer"}
                )

    def cancel(self, run: str | RunStatus) -> RunStatus:
        """Ask a run to stop with its best result so far."""
        return RunStatus.of(self._json("POST", f"runs/{_id(run)}/cancel"))

    def delete_run(self, run: str | RunStatus) -> None:
        """Delete a run and all its files permanently."""
        self._asked("DELETE", f"runs/{_id(run)}")

    def fetch(self, run: str | RunStatus, name: str) -> bytes:
        """Return a file that a run made, by its name or its kind: release, manifest, record, ..."""
        place = f"artifacts/{name}" if "." in name else name
        return self._asked("GET", f"runs/{_id(run)}/{place}").content

    def download(self, run: str | RunStatus, name: str, to: str | PathLike[str]) -> Path:
        """Save a file that a run made, by its name or its kind."""
        place = f"artifacts/{name}" if "." in name else name
        return self._saved(f"runs/{_id(run)}/{place}", Path(to))

    def _saved(self, place: str, path: Path, asked: Mapping[str, Any] | None = None) -> Path:
        with self._http.stream("GET", place, params=asked) as answer:
            if answer.is_error:
                answer.read()
                raise _refusal(answer)
            with path.open("wb") as file:
                for block in answer.iter_bytes():
                    file.write(block)
        return path

    def _run(self, kind: str, **asked: Any) -> RunStatus:
        return RunStatus.of(self._json("POST", kind, json=asked))

    def _json(self, method: str, place: str, **more: Any) -> Any:
        return self._asked(method, place, **more).json()

    def _asked(self, method: str, place: str, **more: Any) -> httpx.Response:
        """Return the answer; if too many runs wait, ask again when the service says."""
        until = time.monotonic() + self._patience
        while True:
            answer = self._http.request(method, place, **more)
            if not answer.is_error:
                return answer
            refusal = _refusal(answer)
            if answer.status_code != 429 or time.monotonic() + (refusal.retry_after or 1) > until:
                raise refusal
            time.sleep(refusal.retry_after or 1)


def _id(given: Name) -> str:
    return given if isinstance(given, str) else given.id


def _ids(given: Mapping[str, Name]) -> dict[str, str]:
    return {name: _id(each) for name, each in given.items()}


def _released(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a release of several tables with ids in place of files."""
    return {key: _ids(of) if isinstance(of, Mapping) else _id(of) for key, of in given.items()}


def _plain(given: Any) -> Any:
    """Return part of a request with files and runs as their ids."""
    if isinstance(given, File | RunStatus):
        return given.id
    if isinstance(given, Mapping):
        return {name: _plain(each) for name, each in given.items()}
    return [_plain(each) for each in given] if isinstance(given, list | tuple) else given


def _refusal(answer: httpx.Response) -> ServiceError:
    after = answer.headers.get("retry-after", "")
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        error = {"code": "unknown", "message": f"the answer is not that of the service (HTTP {answer.status_code})"}
    return ServiceError(error, answer.status_code, float(after) if after.isdecimal() else None)
