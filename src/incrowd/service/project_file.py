"""The description of a project file: one table with its settings, hierarchies and runs, for another machine.

A project file is a ZIP archive. Its `project.json` describes all other members; what it does not describe is not read.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

FORMAT = 1
DESCRIPTION = "project.json"
LARGEST_DESCRIPTION = 256 << 20
"""Bytes of the description: settings may hold long hierarchies, and results of runs lists of classes."""

_PART = r"[\w() -][\w.() -]*"
_SAFE = re.compile(rf"{_PART}(/{_PART})?")
"""A name in the folder of a run: of a file, or of one in a folder. No part begins with a dot."""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
FileId = Annotated[str, Field(pattern=r"^f[0-9a-f]{16}$")]
RunId = Annotated[str, Field(pattern=r"^r[0-9a-f]{16}$")]
Moment = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
ArtifactKind = Annotated[str, Field(pattern="^[a-z]{1,20}$")]
"""The kind of a file of a run: record, report, ...; one that is not known here is listed by its name."""
NoteName = Annotated[str, Field(pattern=r"^(-[a-z0-9_-]{1,80})?$")]
Notes = Annotated[dict[NoteName, Any], Field(max_length=1000)]
"""Settings of a table, by what follows the id of the table in their names."""


class _Part(BaseModel):
    """A part of the description; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Content(_Part):
    """A member of the archive."""

    member: Annotated[str, Field(pattern=r"^(files|runs)/[0-9]{1,6}$")]
    size: Annotated[int, Field(ge=0)]
    sha256: Sha256


class ProjectFile(_Part):
    """A file of the workspace: the table, a hierarchy, a manifest or a private record."""

    id: FileId
    name: Annotated[str, Field(min_length=1, max_length=200)]
    purpose: Literal["data", "hierarchy", "manifest", "record"]
    table: Annotated[str, Field(max_length=1000)] | None = None
    """Of a database or a workbook."""
    content: Content | None
    """None of a table that was left out, or that is on a server."""


class ProjectArtifact(_Part):
    """A file that a run made."""

    name: Annotated[str, Field(max_length=300)]
    kind: ArtifactKind
    content: Content

    @field_validator("name")
    @classmethod
    def _is_safe(cls, name: str) -> str:
        if _SAFE.fullmatch(name) is None:
            raise ValueError("not the name of a file that a run makes")
        return name


class ProjectRun(_Part):
    """A run that is done."""

    id: RunId
    kind: Annotated[str, Field(max_length=100)]
    request: dict[str, Any]
    result: dict[str, Any] | None
    uses: Annotated[list[Annotated[str, Field(pattern=r"^[fr][0-9a-f]{16}$")]], Field(min_length=1, max_length=1000)]
    submitted: Moment
    started: Moment | None
    ended: Moment | None
    artifacts: Annotated[list[ProjectArtifact], Field(max_length=1000)]


class Project(_Part):
    """The whole description."""

    format: Literal[1]
    incrowd: Annotated[str, Field(max_length=100)]
    """The version that wrote it."""
    table: FileId
    files: Annotated[list[ProjectFile], Field(max_length=1000)]
    notes: Annotated[dict[FileId, Notes], Field(max_length=1000)]
    """The settings of the pages, of the table and of others that are used with it."""
    runs: Annotated[list[ProjectRun], Field(max_length=5000)]

    @property
    def contents(self) -> list[Content]:
        """Return every member that is described."""
        of_files = [each.content for each in self.files if each.content is not None]
        return [*of_files, *(artifact.content for run in self.runs for artifact in run.artifacts)]
