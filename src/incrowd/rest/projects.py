"""Project files under /v1: a table with its settings, hierarchies and runs, from one workspace to another."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, UploadFile
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from incrowd.rest.dependencies import ERRORS, Owner, Space
from incrowd.rest.responses import File
from incrowd.service.project_export import discard, export_project
from incrowd.service.project_import import import_project

router = APIRouter(tags=["files"], responses=ERRORS)

_SENT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.post("/projects", status_code=201)
def add_project(space: Space, owner: Owner, file: UploadFile, table: Annotated[str | None, Form()] = None) -> File:
    """Take a project file into the workspace, and return its table; one without its table is attached to `table`."""
    return File.of(import_project(space, file.file, owner, table))


@router.get("/files/{id}/project", response_class=FileResponse, responses={**ERRORS, **_SENT})
def get_project(
    space: Space,
    owner: Owner,
    id: Annotated[str, Path(max_length=100)],
    table: Annotated[bool, Query()] = True,
    private_records: Annotated[bool, Query()] = True,
) -> FileResponse:
    """Return a table with its settings, hierarchies and runs as one private file."""
    path = export_project(space, id, owner, table, private_records)
    return FileResponse(
        path, media_type="application/zip", filename="project.incrowd.zip", background=BackgroundTask(discard, path)
    )
