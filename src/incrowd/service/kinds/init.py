"""Draft a first job for a table."""

from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from incrowd.profiles import profile
from incrowd.service.kinds._reading import OF_COLUMNS, located, opened
from incrowd.service.references import References
from incrowd.service.requests import Amount, Reading, Seconds
from incrowd.watch import Show


class Init(Reading):
    """Draft a first job for a table: the likely role of every column, and hierarchies for the quasi-identifiers."""

    k: Annotated[int, Field(ge=1)] | None = None
    """The k of k-anonymity (default: 5, or as in the profile)."""
    suppress: Amount | None = None
    """Suppression limit: a share (0.02, "2%") or a number of records (1) (default: 1%, or as in the profile)."""
    profile: Annotated[str, Field(max_length=100)] | None = None
    """Who gets the release: internal, research or public; sets k, the suppression limit and the models."""
    time: Seconds | None = None
    """Time limit (seconds) for looking at sets of columns."""


REQUEST = Init


def prepare(request: Init, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it; the job names the file as the request does."""
    profile(request.profile)
    plain = located(request, files)
    reading = request.model_dump(exclude_defaults=True, exclude={"k", "suppress", "profile", "time", *OF_COLUMNS})
    plain |= {key: plain["data"].pop(key) for key in OF_COLUMNS if key in plain["data"]}
    return {**plain, "named": {"source": reading.pop("file"), **reading}}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the job, which can be sent to `anonymize`, as plain data and as YAML with comments."""
    from incrowd.api import init
    from incrowd.jobs import Job

    named = plain.pop("named")
    drafted = init(opened(plain), progress=show, **plain)
    named_job = replace(drafted, job=Job.from_dict({"data": named, **drafted.to_dict()}))
    named_job.write("job.yaml")
    found = drafted.inspection.to_dict()
    plain_job, text = named_job.to_dict(), named_job.to_yaml()
    return {
        "job": plain_job,
        "yaml": text,
        "columns": found["columns"],
        "noticed": found["noticed"],
        "people": found["people"],
        "models": drafted.further.to_dict(),
    }
