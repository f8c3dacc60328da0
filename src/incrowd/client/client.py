"""Client: one method for each thing that can be asked of /v1."""

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
    InspectOptions,
    MeasureOptions,
    ReportOptions,
    RiskOptions,
    Run,
    ServiceError,
    TableOptions,
    VerifyOptions,
)

_LOOK = 20
"""Seconds that the service is asked to wait with an answer."""
_TYPES = {"yaml": "application/yaml", "json": "application/json", "xml": "application/xml"}
Name = str | File | Run
"""A file or a run, by its id or itself; a run stands for its release."""


class Client:
    """A service at an address; `patience` is how many seconds a full queue is asked again."""

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
        """Let go of the connection."""
        self._http.close()

    def about(self) -> dict[str, Any]:
        """The version of the service, what can be asked, and its limits."""
        return dict(self._json("GET", "about"))

    # Files

    def upload(
        self,
        content: str | PathLike[str] | IO[bytes] | bytes,
        name: str | None = None,
        purpose: Literal["data", "hierarchy", "manifest", "record"] = "data",
    ) -> File:
        """Give the service a file by its path, or its content under a name."""
        if isinstance(content, str | PathLike):
            with Path(content).open("rb") as file:
                return self.upload(file, name or Path(content).name, purpose)
        files = {"file": (name or "upload", content)}
        return File.of(self._json("POST", "files", files=files, data={"purpose": purpose}))

    def source(self, url: str, table: str | None = None, query: str | None = None) -> File:
        """Name a table or a query of a database on a server."""
        return File.of(self._json("POST", "sources", json={"url": url, "table": table, "query": query}))

    def files(self) -> list[File]:
        """All files, newest first."""
        return [File.of(each) for each in self._json("GET", "files")]

    def file(self, id: str) -> File:
        """One file."""
        return File.of(self._json("GET", f"files/{id}"))

    def delete_file(self, file: str | File) -> None:
        """Remove a file for good."""
        self._asked("DELETE", f"files/{_id(file)}")

    # Runs

    def inspect(self, file: Name, **options: Unpack[InspectOptions]) -> Run:
        """What each column holds, and what it is for."""
        return self._run("inspect", file=_id(file), **options)

    def diagnose(self, file: Name, **options: Unpack[DiagnoseOptions]) -> Run:
        """Who stands out, and through which columns."""
        return self._run("diagnose", file=_id(file), **options)

    def risk(self, file: Name, quasi: Sequence[str], **options: Unpack[RiskOptions]) -> Run:
        """What an attacker who knows these columns finds."""
        return self._run("risk", file=_id(file), quasi=list(quasi), **options)

    def hierarchy(self, file: Name, column: str, **options: Unpack[HierarchyOptions]) -> Run:
        """How the values of a column can be made coarser."""
        return self._run("hierarchy", file=_id(file), column=column, **options)

    def anonymize(self, job: Mapping[str, Any] | str, form: Literal["json", "yaml", "xml"] = "yaml") -> Run:
        """A release: the job as plain data, or as a text in the given form."""
        if isinstance(job, str):
            body: dict[str, Any] = {"content": job.encode(), "headers": {"Content-Type": _TYPES[form]}}
        else:
            body = {"json": dict(job)}
        return Run.of(self._json("POST", "anonymize", **body))

    def apply(self, record: Name, file: Name, output: str = "csv", spreadsheet_safe: bool = False) -> Run:
        """New data with the recoding of an earlier release."""
        return self._run("apply", record=_id(record), file=_id(file), output=output, spreadsheet_safe=spreadsheet_safe)

    def frontier(self, job: Mapping[str, Any], **options: Unpack[FrontierOptions]) -> Run:
        """Which releases are worth having."""
        return self._run("frontier", job=dict(job), **options)

    def verify(self, release: Name, **options: Unpack[VerifyOptions]) -> Run:
        """Whether a release keeps its promises."""
        return self._run("verify", file=_id(release), **options)

    def measure(self, original: Name, releases: Sequence[Name], **options: Unpack[MeasureOptions]) -> Run:
        """What releases are worth, and how well they protect."""
        return self._run("measure", original=_id(original), releases=[_id(each) for each in releases], **options)

    def attack(self, release: Name, **options: Unpack[AttackOptions]) -> Run:
        """What somebody who has a release can learn."""
        return self._run("attack", release=_id(release), **options)

    def report(self, file: Name, **options: Unpack[ReportOptions]) -> Run:
        """A report on a release, or on a table."""
        return self._run("report", file=_id(file), **options)

    def table(self, file: Name, by: Sequence[str], **options: Unpack[TableOptions]) -> Run:
        """A table of counts or sums from which nobody's cell can be computed."""
        return self._run("table", file=_id(file), by=list(by), **options)

    def head(self, file: Name, **options: Unpack[HeadOptions]) -> Run:
        """The first records of a table."""
        return self._run("head", file=_id(file), **options)

    def explore(self, file: Name, quasi: Sequence[str], **options: Unpack[ExploreOptions]) -> Run:
        """A set of columns and those around it, each with its k."""
        return self._run("explore", file=_id(file), quasi=list(quasi), **options)

    def neighbours(self, job: Mapping[str, Any], levels: Mapping[str, int]) -> Run:
        """The nodes around that of a release, counted and scored."""
        return self._run("neighbours", job=dict(job), levels=dict(levels))

    def run(self, run: str | Run, wait: float = 0) -> Run:
        """A run as it is, or once it is over, after so many seconds at most."""
        return Run.of(self._json("GET", f"runs/{_id(run)}", params={"wait": wait}))

    def progress(self, run: str | Run, wait: float = 0) -> Run:
        """The same without request and result, which may be long: for those who ask often."""
        return Run.of(self._json("GET", f"runs/{_id(run)}/progress", params={"wait": wait}))

    def runs(self) -> list[Run]:
        """All runs, newest first, without requests and results."""
        return [Run.of(each) for each in self._json("GET", "runs")]

    def wait(self, run: str | Run, seconds: float = 3600, show: Callable[[Run], object] | None = None) -> Run:
        """The run once it is done; a failure is raised, as is a time that is up.

        `show` sees its progress from time to time, without its request and result.
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

    def cancel(self, run: str | Run) -> Run:
        """Ask a run to end with the best that it has."""
        return Run.of(self._json("POST", f"runs/{_id(run)}/cancel"))

    def delete_run(self, run: str | Run) -> None:
        """Remove a run and all that it made, for good."""
        self._asked("DELETE", f"runs/{_id(run)}")

    def fetch(self, run: str | Run, name: str) -> bytes:
        """A file that a run made, by its name or by what it is: release, manifest, record, ..."""
        place = f"artefacts/{name}" if "." in name else name
        return self._asked("GET", f"runs/{_id(run)}/{place}").content

    def download(self, run: str | Run, name: str, to: str | PathLike[str]) -> Path:
        """The same, into a file."""
        path, place = Path(to), f"artefacts/{name}" if "." in name else name
        with self._http.stream("GET", f"runs/{_id(run)}/{place}") as answer:
            if answer.is_error:
                answer.read()
                raise _refusal(answer)
            with path.open("wb") as file:
                for block in answer.iter_bytes():
                    file.write(block)
        return path

    def _run(self, kind: str, **asked: Any) -> Run:
        return Run.of(self._json("POST", kind, json=asked))

    def _json(self, method: str, place: str, **more: Any) -> Any:
        return self._asked(method, place, **more).json()

    def _asked(self, method: str, place: str, **more: Any) -> httpx.Response:
        """The answer; where too many runs wait, asked again as the service says."""
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


def _refusal(answer: httpx.Response) -> ServiceError:
    after = answer.headers.get("retry-after", "")
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        error = {"code": "unknown", "message": f"the answer is not that of the service (HTTP {answer.status_code})"}
    return ServiceError(error, answer.status_code, float(after) if after.isdecimal() else None)
