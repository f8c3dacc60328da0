"""What /v1 answers, as typed models."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from incrowd.service import Run, StoredFile


class Answer(BaseModel):
    """Something that is answered."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Failure(Answer):
    """What is wrong, and what to do."""

    code: str
    message: str
    hint: str


class Error(Answer):
    """The shape of every error."""

    error: Failure


class File(Answer):
    """A file of the workspace, or a database that was named."""

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
        """As the workspace has it."""
        return cls(**{key: getattr(stored, key) for key in cls.model_fields})


class Progress(Answer):
    """How far a run is."""

    share: float | None
    words: str


class Artefact(Answer):
    """A file that a run made."""

    name: str
    kind: str
    size: int


class RunState(Answer):
    """One thing that was asked for, and what became of it."""

    id: str
    kind: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    cancelling: bool
    """Whether it was asked to end."""
    progress: Progress
    request: dict[str, Any]
    """As it was asked; empty in a list of runs and in progress."""
    result: dict[str, Any] | None
    """Of a run that is done; never in a list of runs or in progress."""
    error: Failure | None
    submitted: float
    started: float | None
    ended: float | None
    artefacts: list[Artefact]

    @classmethod
    def of(cls, run: Run) -> RunState:
        """As the workspace has it."""
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
    """What this service is and takes."""

    version: str
    kinds: list[str]
    limits: dict[str, float]


class Health(Answer):
    """That it is there."""

    status: Literal["ok"] = "ok"
