"""The jobs of a sweep: the given one with another k, another search, another share of records to leave out."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from incrowd.core.grid import Generalize, Point, Suppress, kind_of
from incrowd.formats.connections import without_secrets
from incrowd.frontiers.options import FrontierOptions
from incrowd.jobs import Job
from incrowd.jobs.checks import foreign_to
from incrowd.jobs.families import METRICS, SEARCHES
from incrowd.jobs.grid import usual_search
from incrowd.jobs.partitioning import understood_metrics
from incrowd.models import PrivacyModel
from incrowd.models.consistent_k import ConsistentK
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Search, is_local, looks_at, looks_at_axes, needs_sensitive, part_forms, partitions, serves

Kind = tuple[object, ...]

_OUTPUT = "release.csv"
"""Where the release goes when neither the job nor anybody says so."""


@dataclass(frozen=True, eq=False)
class Variant:
    """One run of a sweep."""

    job: Job
    """All of it, where the release would go included."""
    search: str
    """With its options, as one text."""
    k: int
    left_out: tuple[str, ...]
    """Settings of the given job that this search does not understand, as `columns.age.limit`."""

    point: Point | None = None
    """Of the grid, where that is what is swept."""

    @property
    def kind(self) -> Kind:
        """What the count depends on: variants of a kind are searched on the same counted table."""
        search = self.job.search
        parts = partitions(search) and part_forms(search)
        levels = kind_of(self.job.suppress) if self.job.generalize == Generalize.NONE else None
        rows = levels == Suppress.ROW, levels is None
        return is_local(search), parts, needs_sensitive(search), looks_at(search), *rows

    def __str__(self) -> str:
        return f"{self.search}, k = {self.k:,}" if self.point is None else f"{self.point}, {self.search}"


def variants_of(job: Job, asked: FrontierOptions) -> Iterator[Variant]:
    """Every search with every share to suppress and every k; the lowest k first."""
    for search in asked.searches:
        understood, left_out = _understood(job, search)
        for suppress in asked.suppress:
            for k in asked.k:
                settings = {**understood, "search": search, "models": with_k(job.models, k), "suppress": suppress}
                if asked.time is not None:
                    settings["time"] = asked.time
                yield Variant(Job.from_dict(settings, job.base), SEARCHES.spell(search), k, left_out)


def on_point(job: Job, point: Point, time: float | None) -> Variant:
    """The job on a point of the grid: with its own search where that serves the point, else with the usual one.

    Where rows are left out, they are as many as the job says; where it does not say how many, as many as it takes.
    """
    rows = job.suppress if job.suppress and not isinstance(job.suppress, Suppress) else Suppress.ROW
    settings: dict[str, Any] = {
        "generalize": point.generalize,
        "suppress": rows if point.suppress == Suppress.ROW else point.suppress,
    }
    search = job.search if serves(job.search, point) else usual_search(settings)
    understood, left_out = _understood(job, search)
    if time is not None:
        settings["time"] = time
    made = Job.from_dict({**understood, **settings, "search": search}, job.base)
    asked = [model.k for model in job.models if isinstance(model, KAnonymity)]
    return Variant(made, SEARCHES.spell(search), max(asked, default=1), left_out, point)


def with_k(models: tuple[PrivacyModel, ...], k: int) -> list[PrivacyModel]:
    """The models with k-anonymity for this k: in place of what they ask for, or before them all.

    Where they ask for it in the revisited sense, that with this k.
    """
    revisited = [replace(model, k=k) for model in models if isinstance(model, ConsistentK)]
    if revisited:
        return [*revisited, *(model for model in models if not isinstance(model, ConsistentK | KAnonymity))]
    asks = [isinstance(model, KAnonymity) for model in models]
    others = [model for model, is_k in zip(models, asks, strict=True) if not is_k]
    at = asks.index(True) if True in asks else 0
    return [*others[:at], KAnonymity(k), *others[at:]]


def _understood(job: Job, search: Search) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The job as plain data without what the search would refuse, and what that is."""
    settings = job.to_dict()
    foreign = foreign_to(search)
    left_out = []
    for name, column in settings["columns"].items():
        for key in [key for key in foreign if key in column]:
            del column[key]
            left_out.append(f"columns.{name}.{key}")
    metrics = understood_metrics(search) if partitions(search) else ("loss",)
    named = "metric" in settings
    if named and looks_at_axes(search) and METRICS.name_of(job.metric) not in ("loss", *metrics):
        del settings["metric"]
        left_out.append("metric")
    return settings, tuple(left_out)


def without_output(job: Job) -> Job:
    """The job as it reads, since nothing is written: what lies where the release would go does not matter."""
    return Job.from_dict({key: of for key, of in job.to_dict().items() if key != "output"}, job.base)


def publishing(job: Job) -> str | None:
    """The command that publishes what a job of the sweep found, without passwords; None where the job names no data."""
    if job.data is None:
        return None
    settings = {"output": _OUTPUT, **job.to_dict()}
    for key in ("data", "population"):
        if (part := getattr(job, key)) is not None:
            settings[key] = {**part.to_dict(), "source": part.moved(_told)}
    if job.output is not None:
        settings["output"] = {**job.output.to_dict(), "to": _told(job.output.to)}
    return Job.from_dict(settings, job.base).to_command()


def _told(location: str) -> str:
    return without_secrets(location) if "://" in location else location
