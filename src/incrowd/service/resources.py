"""Files and runs of a workspace."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

State = Literal["queued", "running", "done", "failed", "cancelled"]
ENDED: frozenset[State] = frozenset({"done", "failed", "cancelled"})

DATABASE = "database"
"""The kind of a source that is not stored here."""

LISTS = ("head", "records")
"""Kinds of runs that list original records: they are deleted with what they list, and no project file has them, because
one without its table must not, and with the table they are soon made again."""


@dataclass(frozen=True)
class StoredFile:
    """An uploaded file, or a registered database."""

    id: str
    name: str
    """As its owner calls it; of a database the URL without its password."""
    kind: str
    """The format of a table, by its name in the registry; or hierarchy, manifest, record or database."""
    size: int
    added: float
    """Seconds since 1970."""
    owner: str
    table: str | None = None
    """Of a database or a workbook."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Artifact:
    """A file that a run made."""

    name: str
    kind: str
    """release, manifest, record, report, job, command, script, mapping, previews, hierarchy, table or other."""
    size: int


@dataclass(frozen=True)
class Run:
    """A run: the request, its state and its result."""

    id: str
    kind: str
    owner: str
    state: State
    progress: dict[str, Any]
    """`share` of the work that is done, None while unknown, and `words`."""
    request: dict[str, Any]
    """The request; empty in lists of runs."""
    result: dict[str, Any] | None
    """Result of a run that is done; not in lists of runs."""
    error: dict[str, str] | None
    """`code`, `message` and `hint`."""
    submitted: float
    """Seconds since 1970, as all times."""
    started: float | None
    ended: float | None
    artifacts: tuple[Artifact, ...]
    uses: tuple[str, ...] = ()
    """The ids of the files and runs that it reads, as its names meant when it was accepted; its table comes first."""
    cancelling: bool = False
    """True if it was asked to stop."""
    imported: float | None = None
    """When it came here with a project file from another workspace, in seconds since 1970; None if it was made here."""

    @property
    def is_over(self) -> bool:
        """Return whether the run has ended."""
        return self.state in ENDED

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        plain = asdict(self)
        made = plain.pop("artifacts")
        return {**plain, "artefacts": list(made)}
