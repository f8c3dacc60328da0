"""The jobs of a frontier: the given one with another k, another search, another suppression limit."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from incrowd.core.grid import Allowed, Generalize, Limit, Point, Suppress, Suppression, kind_of
from incrowd.formats.connections import without_secrets
from incrowd.frontiers.options import FrontierOptions
from incrowd.jobs import Job
from incrowd.jobs.checks import foreign_to
from incrowd.jobs.families import METRICS, SEARCHES
from incrowd.jobs.grid import usual_search
from incrowd.models import PrivacyModel
from incrowd.models.consistent_k import ConsistentK
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import AxisSearch, LocalSearch, PartsSearch, Search

Kind = tuple[object, ...]

_OUTPUT = "release.csv"
"""The default output if the job has none."""


@dataclass(frozen=True, eq=False)
class Variant:
    """One run of a frontier or grid."""

    job: Job
    """All of it, where the release would go included."""
    search: str
    """With its options, as one text."""
    k: int
    left_out: tuple[str, ...]
    """Settings of the given job that this search does not understand, as `columns.age.limit`."""

    point: Point | None = None
    """The point of the grid, if the run belongs to one."""

    @property
    def kind(self) -> Kind:
        """Return what the counts depend on: variants of a kind share the counted table."""
        search = self.job.search
        parts = search.forms if isinstance(search, PartsSearch) else ()
        is_local = isinstance(search, LocalSearch)
        needs_sensitive = isinstance(search, LocalSearch) and search.needs_sensitive
        levels = kind_of(self.job.suppress) if self.job.generalize == Generalize.NONE else None
        rows = levels == Suppress.ROW, levels is None
        return is_local, parts, needs_sensitive, search.looks_at, *rows

    def __str__(self) -> str:
        return f"{self.search}, k = {self.k:,}" if self.point is None else f"{self.point}, {self.search}"


def variants_of(job: Job, options: FrontierOptions) -> Iterator[Variant]:
    """Yield every search with every suppression limit and every k; the lowest k first."""
    for search in options.searches:
        understood, left_out = _understood(job, search)
        for suppress in options.suppress:
            models = with_k(job.models, options.k[0])
            settings = {**understood, "search": search, "models": models, "suppress": _counted_as(job, suppress)}
            if options.time is not None:
                settings["time"] = options.time
            parsed = Job.from_dict(settings, job.base)
            for k in options.k:
                # Nothing that is checked about a job depends on how large k is.
                of_k = parsed.model_copy(update={"models": tuple(with_k(job.models, k))})
                yield Variant(of_k, SEARCHES.spell(search), k, left_out)


def _counted_as(job: Job, amount: Allowed) -> Suppression:
    """Return another amount of what the limit of the job counts."""
    if not isinstance(job.suppress, Limit) or isinstance(amount, Suppress):
        return amount
    return replace(job.suppress, amount=amount)


def on_point(job: Job, point: Point, time: float | None) -> Variant:
    """Return the job on a point of the grid: with its own search if that serves the point, else with the default one.

    If records are suppressed, the limit is that of the job; without one there is no limit.
    """
    rows = job.suppress if job.suppress and not isinstance(job.suppress, Suppress) else Suppress.ROW
    settings: dict[str, Any] = {
        "generalize": point.generalize,
        "suppress": rows if point.suppress == Suppress.ROW else point.suppress,
    }
    search = job.search if job.search.serves(point) else usual_search(settings)
    understood, left_out = _understood(job, search)
    if time is not None:
        settings["time"] = time
    made = Job.from_dict({**understood, **settings, "search": search}, job.base)
    required = [model.k for model in job.models if isinstance(model, KAnonymity)]
    return Variant(made, SEARCHES.spell(search), max(required, default=1), left_out, point)


def with_k(models: tuple[PrivacyModel, ...], k: int) -> list[PrivacyModel]:
    """Return the models with k-anonymity for this k: in place of their own k, or before them all.

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
    """Return the job as plain data without what the search does not support, and what that is."""
    settings = job.to_dict()
    foreign = foreign_to(search)
    left_out = []
    for name, column in settings["columns"].items():
        for key in [key for key in foreign if key in column]:
            del column[key]
            left_out.append(f"columns.{name}.{key}")
    metrics = search.metrics if isinstance(search, PartsSearch) else ("loss",)
    named = "metric" in settings
    if named and isinstance(search, AxisSearch) and METRICS.name_of(job.metric) not in ("loss", *metrics):
        del settings["metric"]
        left_out.append("metric")
    return settings, tuple(left_out)


def publishing(job: Job) -> str | None:
    """Return the command that publishes the result of a job, without passwords; None if the job names no data."""
    if job.data is None:
        return None
    settings = {"output": _OUTPUT, **job.to_dict()}
    for key in ("data", "population"):
        if (part := getattr(job, key)) is not None:
            settings[key] = {**part.to_dict(), "source": part.moved(_without_secrets)}
    if job.output is not None:
        settings["output"] = {**job.output.to_dict(), "to": _without_secrets(job.output.to)}
    return Job.from_dict(settings, job.base).to_command()


def _without_secrets(location: str) -> str:
    return without_secrets(location) if "://" in location else location
