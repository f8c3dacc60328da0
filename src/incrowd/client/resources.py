"""What the service answers, as the client gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from incrowd.errors import IncrowdError


class ServiceError(IncrowdError):
    """The service refused a request, or a run failed."""

    def __init__(self, error: Mapping[str, str], status: int | None = None, retry_after: float | None = None) -> None:
        self.code = str(error.get("code", "unknown"))
        self.message = str(error.get("message", "the answer is not that of the service"))
        self.hint = str(error.get("hint", ""))
        self.status = status
        """Of HTTP; None where a run failed."""
        self.retry_after = retry_after
        """Seconds after which it may be asked again, where the service said so."""
        super().__init__("; ".join(filter(None, [self.message, self.hint])))


@dataclass(frozen=True)
class File:
    """A file of the workspace, or a database that was named."""

    id: str
    name: str
    kind: str
    size: int
    added: float
    table: str | None

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> File:
        """As the service says it; what a newer service adds is left out."""
        return cls(**{key: plain[key] for key in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Artefact:
    """A file that a run made."""

    name: str
    kind: str
    size: int


@dataclass(frozen=True)
class Run:
    """One thing that was asked for, and what became of it."""

    id: str
    kind: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    cancelling: bool
    progress: Mapping[str, Any]
    request: Mapping[str, Any]
    result: dict[str, Any] | None
    error: Mapping[str, str] | None
    submitted: float
    started: float | None
    ended: float | None
    artefacts: tuple[Artefact, ...]

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Run:
        """As the service says it; what a newer service adds is left out."""
        known = {key: plain[key] for key in cls.__dataclass_fields__}
        artefacts = (Artefact(each["name"], each["kind"], each["size"]) for each in plain["artefacts"])
        return cls(**{**known, "artefacts": tuple(artefacts)})

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("done", "failed", "cancelled")


class Reading(TypedDict, total=False):
    """How a table is read."""

    missing: list[str]
    delimiter: str
    encoding: str
    header: bool
    names: list[str]
    widths: list[int]
    table: str


class InspectOptions(Reading, total=False):
    """What can be said with `inspect`."""

    among: list[str]
    time: float


class DiagnoseOptions(Reading, total=False):
    """What can be said with `diagnose`; what is left out is asked for."""

    quasi: list[str]
    k: int
    sensitive: str
    l: float  # noqa: E741 - the name that the parameter has in every paper
    t: float
    measure: str
    hierarchy: Any
    suppress: float | Literal["find"]
    among: list[str]
    at_most: bool
    at_least: bool
    nulls: Literal["extended", "basic", "maybe", "right_maybe"]
    max_size: int
    up_to: int
    rows: bool
    time: float


class RiskOptions(Reading, total=False):
    """What can be said with `risk`."""

    sensitive: list[str]
    threshold: float | str
    population: int | str
    max_size: int
    rows: bool
    time: float


class HierarchyOptions(Reading, total=False):
    """What can be said with `hierarchy`."""

    spec: Any
    losses: list[float]
    show_values: bool


class FrontierOptions(TypedDict, total=False):
    """What can be said with `frontier`."""

    k: list[int]
    searches: list[Any]
    suppress: list[float | int]
    risk: Literal["highest", "average"]
    time: float
    grid: bool


class VerifyOptions(TypedDict, total=False):
    """What can be said with `verify`."""

    manifest: str
    record: str
    population: str


class MeasureOptions(TypedDict, total=False):
    """What can be said with `measure`."""

    missing: list[str]
    delimiter: str
    encoding: str
    header: bool
    names: list[str]
    widths: list[int]
    columns: dict[str, Any] | list[str]
    label: str
    queries: str
    yardsticks: list[str]
    seed: int


class AttackOptions(TypedDict, total=False):
    """What can be said with `attack`."""

    columns: dict[str, Any] | list[str]
    attacks: list[str]
    outside: str
    renamed: dict[str, str]
    other: str
    knows: list[str]
    shares: list[str | dict[str, dict[str, float]]]


class ReportOptions(Reading, total=False):
    """What can be said with `report`."""

    audience: Literal["internal", "external", "both"]
    form: Literal["html", "md", "json"]
    manifest: str
    record: str
    original: str
    population: int | str
    time: float


class TableOptions(Reading, total=False):
    """What can be said with `table`."""

    measure: str
    rules: list[Any]
    protect: str | dict[str, Any]
    hierarchies: dict[str, Any]
    contributors: int
    seed: int
    details: bool
    output: str
    time: float


class HeadOptions(Reading, total=False):
    """What can be said with `head`."""

    rows: int


class ExploreOptions(Reading, total=False):
    """What can be said with `explore`."""

    among: list[str]
    lattice: list[str]
