"""The jobs of a sweep: the given one with another k, another search, another share of records to leave out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from incrowd.formats._databases import without_secrets
from incrowd.jobs import Job
from incrowd.jobs.checks import OF_LADDERS, OF_LOCAL
from incrowd.jobs.families import METRICS, SEARCHES
from incrowd.models import PrivacyModel
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Search, is_local, needs_sensitive
from incrowd.sweeping.asked import Asked

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

    @property
    def kind(self) -> tuple[bool, bool]:
        """What the count depends on: variants of a kind are searched on the same counted table."""
        return is_local(self.job.search), needs_sensitive(self.job.search)


def variants_of(job: Job, asked: Asked) -> Iterator[Variant]:
    """Every search with every share to suppress and every k; the lowest k first."""
    for search in asked.searches:
        understood, left_out = _understood(job, search)
        for suppress in asked.suppress:
            for k in asked.k:
                settings = {**understood, "search": search, "models": with_k(job.models, k), "suppress": suppress}
                if asked.time is not None:
                    settings["time"] = asked.time
                yield Variant(Job.from_dict(settings, job.base), SEARCHES.spell(search), k, left_out)


def with_k(models: tuple[PrivacyModel, ...], k: int) -> list[PrivacyModel]:
    """The models with k-anonymity for this k: in place of what they ask for, or before them all."""
    asks = [isinstance(model, KAnonymity) for model in models]
    others = [model for model, is_k in zip(models, asks, strict=True) if not is_k]
    at = asks.index(True) if True in asks else 0
    return [*others[:at], KAnonymity(k), *others[at:]]


def _understood(job: Job, search: Search) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The job as plain data without what the search would refuse, and what that is."""
    settings = job.to_dict()
    foreign = OF_LADDERS if is_local(search) else OF_LOCAL
    left_out = []
    for name, column in settings["columns"].items():
        for key in [key for key in foreign if key in column]:
            del column[key]
            left_out.append(f"columns.{name}.{key}")
    if is_local(search) and METRICS.is_other(job.metric, "loss"):
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
            settings[key] = {**part.to_dict(), "source": [_told(each) for each in part.source]}
    if job.output is not None:
        settings["output"] = {**job.output.to_dict(), "to": _told(job.output.to)}
    return Job.from_dict(settings, job.base).to_command()


def _told(location: str) -> str:
    return without_secrets(location) if "://" in location else location
