"""Runs under /v1: start, look at, cancel, fetch, delete."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import FileResponse
from starlette.concurrency import run_in_threadpool

from incrowd.errors import JobError, NotThere
from incrowd.rest import bodies
from incrowd.rest.dependencies import ERRORS, Owner, Space
from incrowd.rest.responses import RunState
from incrowd.service import Run, Workspace
from incrowd.service.kinds import kinds

router = APIRouter(tags=["runs"], responses=ERRORS)

Id = Annotated[str, Path(max_length=100)]
Wait = Annotated[float, Query(ge=0, le=60, allow_inf_nan=False)]
Part = Literal[
    "release",
    "sensitive",
    "manifest",
    "record",
    "report",
    "mapping",
    "previews",
    "job",
    "command",
    "script",
    "hierarchy",
    "table",
]
_LOOK = 0.03
"""Seconds between two looks at a run that is waited for."""


def router_of_kinds() -> APIRouter:
    """Return an endpoint for each kind of run, and for each name that a kind had before."""
    starting = APIRouter(tags=["runs"], responses=ERRORS)
    for kind, module in sorted(kinds().items()):
        if kind != "anonymize":
            _add(starting, kind, module.REQUEST)
        for alias in getattr(module, "ALIASES", ()):
            _add(starting, kind, module.REQUEST, alias)
    return starting


def _add(router: APIRouter, kind: str, request: Any, alias: str | None = None) -> None:
    """Add the endpoint of a kind of run, or one of the name that it had before."""

    async def ask(space: Space, owner: Owner, response: Response, asked: Any, wait: Wait = 0) -> RunState:
        plain = asked.model_dump(exclude_unset=True)
        return await _asked(space, owner, response, kind, plain, wait)

    ask.__annotations__["asked"] = request
    ask.__doc__ = request.__doc__
    name = alias or kind
    router.add_api_route(
        f"/{name}",
        ask,
        methods=["POST"],
        status_code=202,
        response_model=RunState,
        operation_id=name,
        name=name,
        include_in_schema=alias is None,
    )


async def _asked(
    space: Workspace, owner: str, response: Response, kind: str, plain: dict[str, Any], wait: float
) -> RunState:
    run = await run_in_threadpool(space.submit, kind, plain, owner)
    response.headers["Location"] = f"/v1/runs/{run.id}"
    if wait:
        await _over(space, run.id, wait)
        run = await run_in_threadpool(space.run, run.id)
    return RunState.of(run)


async def _over(space: Workspace, id: str, seconds: float) -> None:
    """Wait until the run is over, or for so many seconds, without blocking others."""
    until, pause = time.monotonic() + seconds, _LOOK
    while not await run_in_threadpool(space.is_over, id) and (left := until - time.monotonic()) > 0:
        await asyncio.sleep(min(pause, left))
        pause = min(pause * 1.5, 0.5)


@router.post("/anonymize", status_code=202, operation_id="anonymize", openapi_extra=bodies.CONTENT)
async def anonymize(space: Space, owner: Owner, request: Request, response: Response, wait: Wait = 0) -> RunState:
    """Create a release that satisfies your privacy models. The body is a job: JSON, YAML or XML."""
    body = await request.body()
    written = await run_in_threadpool(bodies.job_of, body, request.headers.get("content-type", ""))
    plain = {"job": dict(written.plain)}
    with bodies.with_all_faults(written):
        if not written.faults:
            return await _asked(space, owner, response, "anonymize", plain, wait)
        await run_in_threadpool(space.check, "anonymize", plain, owner)
        raise JobError.of("the job", [])


@router.get("/runs")
def list_runs(space: Space, owner: Owner) -> list[RunState]:
    """Return all runs, newest first, without their requests and results."""
    return [RunState.of(run) for run in space.runs(owner)]


@router.get("/runs/{id}")
async def get_run(space: Space, owner: Owner, id: Id, wait: Wait = 0) -> RunState:
    """Return a run with its progress and result; `wait` for its end for so many seconds."""
    return RunState.of(await _followed(space, owner, id, wait, space.run))


@router.get("/runs/{id}/progress")
async def get_progress(space: Space, owner: Owner, id: Id, wait: Wait = 0) -> RunState:
    """Return the progress of a run, without its request and result, which may be long."""
    return RunState.of(await _followed(space, owner, id, wait, space.progress))


async def _followed(space: Workspace, owner: str, id: str, wait: float, look: Callable[[str, str], Run]) -> Run:
    """Return a run as `look` has it, once it is over or after so many seconds."""
    if wait:
        # Refused at once where it is another's.
        await run_in_threadpool(space.progress, id, owner)
        await _over(space, id, wait)
    return await run_in_threadpool(look, id, owner)


@router.post("/runs/{id}/cancel")
def cancel(space: Space, owner: Owner, id: Id) -> RunState:
    """Ask a run to stop with its best result so far; asked twice, it is killed."""
    return RunState.of(space.cancel(id, owner))


@router.delete("/runs/{id}", status_code=204, response_class=Response)
def delete_run(space: Space, owner: Owner, id: Id) -> None:
    """Delete a run and all its files permanently."""
    space.delete_run(id, owner)


_FETCHED: dict[int | str, dict[str, Any]] = {
    **ERRORS,
    200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}},
}


@router.get("/runs/{id}/artifacts/{name:path}", response_class=FileResponse, responses=_FETCHED)
# The earlier spelling of the path.
@router.get(
    "/runs/{id}/artefacts/{name:path}", response_class=FileResponse, responses=_FETCHED, include_in_schema=False
)
def get_artifact(space: Space, owner: Owner, id: Id, name: Annotated[str, Path(max_length=300)]) -> FileResponse:
    """Return a file that the run made, by its name."""
    return _sent(space, owner, id, name)


@router.get("/runs/{id}/{part}", response_class=FileResponse, responses=_FETCHED)
def get_part(
    space: Space,
    owner: Owner,
    id: Id,
    part: Part,
    audience: Literal["internal", "external"] = "external",
) -> FileResponse:
    """Return a file that the run made, by its kind; of reports the one for the audience, as a page if there is one."""
    run = space.progress(id, owner)
    begins = f"report-{audience}." if part == "report" else ""
    name = next((each.name for each in run.artifacts if each.kind == part and each.name.startswith(begins)), None)
    if name is None:
        raise NotThere.of(f"{part} of this run", "its artifacts are listed with it")
    return _sent(space, owner, id, name)


def _sent(space: Workspace, owner: str, id: str, name: str) -> FileResponse:
    """Send a file as a download: nothing that holds data is shown as a page of the service."""
    path = space.artifact(id, name, owner)
    return FileResponse(path, media_type="application/octet-stream", filename=PurePosixPath(name).name)
