"""What a workspace holds: files and runs, as others see them."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

State = Literal["queued", "running", "done", "failed", "cancelled"]
ENDED: frozenset[State] = frozenset({"done", "failed", "cancelled"})

DATABASE = "database"
"""The kind of a source that is not stored here."""


@dataclass(frozen=True)
class StoredFile:
    """A file that was uploaded, or a database that was named."""

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
        """Plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Artefact:
    """A file that a run made."""

    name: str
    kind: str
    """release, manifest, record, report, job, command, script, mapping, hierarchy or other."""
    size: int


@dataclass(frozen=True)
class Run:
    """One thing that was asked for, and what became of it."""

    id: str
    kind: str
    owner: str
    state: State
    progress: dict[str, Any]
    """`share` of the work that is done, None while unknown, and `words`."""
    request: dict[str, Any]
    """As it was asked; empty in lists of runs."""
    result: dict[str, Any] | None
    """Of a run that is done; not in lists of runs."""
    error: dict[str, str] | None
    """`code`, `message` and `hint`."""
    submitted: float
    """Seconds since 1970, as all times."""
    started: float | None
    ended: float | None
    artefacts: tuple[Artefact, ...]
    uses: tuple[str, ...] = ()
    """The ids of the files and runs that it reads, as its names meant when it was accepted; its table comes first."""
    cancelling: bool = False
    """Whether it was asked to end."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ENDED

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**asdict(self), "artefacts": [asdict(each) for each in self.artefacts]}
