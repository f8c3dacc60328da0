"""Typed models of the answers of /v1."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from incrowd.service import Artifact, Run, StoredFile
from incrowd.service.resources import State


class Answer(BaseModel):
    """An answer."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Failure(Answer):
    """An error: what is wrong, and what to do."""

    code: str
    message: str
    hint: str


class Error(Answer):
    """The shape of every error."""

    error: Failure


class File(Answer):
    """A file of the workspace, or a registered database."""

    id: str
    name: str
    kind: str
    """The format of a table; or hierarchy, manifest, record or database."""
    size: int
    added: float
    """Seconds since 1970, as all times."""
    table: str | None

    @classmethod
    def of(cls, stored: StoredFile) -> File:
        """Return it from the workspace's own."""
        return cls(**{key: getattr(stored, key) for key in cls.model_fields})


class Progress(Answer):
    """Progress of a run."""

    share: float | None
    words: str


class RunState(Answer):
    """A run: the request, its state and its result."""

    id: str
    kind: str
    state: State
    cancelling: bool
    """True if it was asked to stop."""
    progress: Progress
    request: dict[str, Any]
    """The request; empty in a list of runs and in progress."""
    result: dict[str, Any] | None
    """Result of a run that is done; never in a list of runs or in progress."""
    error: Failure | None
    submitted: float
    started: float | None
    ended: float | None
    artefacts: list[Artifact]
    imported: float | None
    """When it came with a project file from another workspace; null if it was made here."""

    @classmethod
    def of(cls, run: Run) -> RunState:
        """Return it from the workspace's own."""
        return cls.model_validate({key: value for key, value in run.to_dict().items() if key != "owner"})


class Source(BaseModel):
    """A database on a server."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    url: str
    """scheme://user:password@host/name; the password is never shown again."""
    table: str | None = None
    """The table to read."""
    query: str | None = None
    """Or a query whose result is the table."""


class About(Answer):
    """Version, kinds of runs and limits of the service."""

    version: str
    kinds: list[str]
    limits: dict[str, float]


class Health(Answer):
    """The service is up."""

    status: Literal["ok"] = "ok"
