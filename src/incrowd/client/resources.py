"""Answers of the service, and options of its verbs."""

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
        """HTTP status; None if a run failed."""
        self.retry_after = retry_after
        """Seconds to wait before asking again, if the service said so."""
        super().__init__("; ".join(filter(None, [self.message, self.hint])))


@dataclass(frozen=True)
class File:
    """A file of the workspace, or a registered database."""

    id: str
    name: str
    kind: str
    size: int
    added: float
    table: str | None

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> File:
        """Return it from the service's JSON; keys of a newer service are ignored."""
        return cls(**{key: plain[key] for key in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Artifact:
    """A file that a run made."""

    name: str
    kind: str
    size: int


Artefact = Artifact
"""The earlier name of `Artifact`."""


@dataclass(frozen=True)
class RunStatus:
    """A run: the request, its state and its result."""

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
    artifacts: tuple[Artifact, ...]
    imported: float | None = None
    """When it came with a project file from another workspace; None if it was made there."""

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> RunStatus:
        """Return it from the service's JSON; keys of a newer service are ignored."""
        later = ("artifacts", "imported")
        known = {key: plain[key] for key in cls.__dataclass_fields__ if key not in later}
        artifacts = (Artifact(each["name"], each["kind"], each["size"]) for each in plain["artefacts"])
        # A service of an earlier version does not say it.
        return cls(**known, artifacts=tuple(artifacts), imported=plain.get("imported"))

    @property
    def artefacts(self) -> tuple[Artifact, ...]:
        """The earlier name of `artifacts`."""
        return self.artifacts

    @property
    def is_over(self) -> bool:
        """Return whether the run has ended."""
        return self.state in ("done", "failed", "cancelled")


class Reading(TypedDict, total=False):
    """Options for reading a table."""

    missing: list[str]
    delimiter: str
    encoding: str
    header: bool
    names: list[str]
    widths: list[int]
    prepare: dict[str, Any]
    table: str
    normalize: dict[str, str | list[str]]
    missing_in: dict[str, list[str | int]]


class InspectOptions(Reading, total=False):
    """Options of `inspect`."""

    among: list[str]
    time: float


class DiagnoseOptions(Reading, total=False):
    """Options of `diagnose`; what is left out is asked for."""

    quasi: list[str]
    k: int
    sensitive: str
    l: float  # noqa: E741 - the name that the parameter has in every paper
    t: float
    measure: str
    hierarchy: Any
    suppress: float | Literal["find"]
    among: list[str]
    person: list[str]
    at_most: bool
    at_least: bool
    nulls: Literal["extended", "basic", "maybe", "right_maybe"]
    max_size: int
    up_to: int
    rows: bool
    time: float


class RiskOptions(Reading, total=False):
    """Options of `risk`."""

    manifest: str
    sensitive: list[str]
    person: list[str]
    knows: int | str
    threshold: float | str
    population: int | str | dict[str, str]
    max_size: int
    rows: bool
    time: float


class HierarchyOptions(Reading, total=False):
    """Options of `hierarchy`."""

    spec: Any
    losses: list[float]
    show_values: bool
    time: float


class InitOptions(Reading, total=False):
    """Options of `init`."""

    k: int
    suppress: float
    profile: str
    time: float


class NeighborsOptions(TypedDict, total=False):
    """Options of `neighbors`."""

    rows: int
    time: float


class LatticeOptions(TypedDict, total=False):
    """Options of `lattice`."""

    time: float


class FrontierOptions(TypedDict, total=False):
    """Options of `frontier`."""

    k: list[int]
    searches: list[Any]
    suppress: list[float | int]
    risk: Literal["highest", "average"]
    time: float
    grid: bool


class VerifyOptions(TypedDict, total=False):
    """Options of `verify`."""

    manifest: str
    record: str
    population: str
    original: str | dict[str, str]


class MeasureOptions(TypedDict, total=False):
    """Options of `measure`."""

    missing: list[str]
    delimiter: str
    encoding: str
    header: bool
    names: list[str]
    widths: list[int]
    prepare: dict[str, Any]
    columns: dict[str, Any] | list[str]
    label: str
    pair: list[str]
    queries: str
    metrics: list[str]
    yardsticks: list[str]
    """The earlier name of `metrics`."""
    seed: int
    time: float


class RecordsOptions(TypedDict, total=False):
    """Options of `records`."""

    original: str
    rows: int
    time: float


class AttackOptions(TypedDict, total=False):
    """Options of `attack`."""

    manifest: str
    columns: dict[str, Any] | list[str]
    attacks: list[str | dict[str, Any]]
    outside: str
    name: str
    renamed: dict[str, str]
    person: list[str]
    other: str
    knows: list[str]
    shares: list[str | dict[str, dict[str, float]]]
    missing: list[str]
    time: float


class ReportOptions(Reading, total=False):
    """Options of `report`."""

    audience: Literal["internal", "external", "both"]
    form: Literal["html", "md", "json"]
    manifest: str
    record: str
    original: str | dict[str, str]
    population: int | str
    among: list[str]
    person: list[str]
    time: float


class TableOptions(Reading, total=False):
    """Options of `table`."""

    measure: str
    rules: list[Any]
    protect: str | dict[str, Any]
    hierarchies: dict[str, Any]
    contributors: int
    person: list[str]
    seed: int
    details: bool
    output: str
    time: float


class HeadOptions(Reading, total=False):
    """Options of `head`."""

    rows: int
    time: float


class ExploreOptions(Reading, total=False):
    """Options of `explore`."""

    among: list[str]
    lattice: list[str]
    person: list[str]
    time: float
