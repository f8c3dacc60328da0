"""Files of the workspace under /v1."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Path, UploadFile
from fastapi.responses import Response

from incrowd.rest.dependencies import ERRORS, Owner, Space
from incrowd.rest.responses import File, Source

router = APIRouter(tags=["files"], responses=ERRORS)

Id = Annotated[str, Path(max_length=100)]


@router.post("/files", status_code=201)
def upload(
    space: Space,
    owner: Owner,
    file: UploadFile,
    purpose: Annotated[Literal["data", "hierarchy", "manifest", "record"], Form()] = "data",
) -> File:
    """Upload a table, a hierarchy, or the manifest or private record of a release; its content decides the format."""
    return File.of(space.add_file(file.filename or "upload", file.file, owner, purpose))


@router.post("/sources", status_code=201)
def name_source(space: Space, owner: Owner, source: Source) -> File:
    """Register a table or a query of a database on a server."""
    return File.of(space.add_source(source.url, source.table, source.query, owner))


@router.get("/files")
def list_files(space: Space, owner: Owner) -> list[File]:
    """Return all files, newest first."""
    return [File.of(stored) for stored in space.files(owner)]


@router.get("/files/{id}")
def get_file(space: Space, owner: Owner, id: Id) -> File:
    """Return one file."""
    return File.of(space.file(id, owner))


@router.delete("/files/{id}", status_code=204, response_class=Response)
def delete_file(space: Space, owner: Owner, id: Id) -> None:
    """Delete a file permanently."""
    space.delete_file(id, owner)
