"""The job as a private record keeps it."""

from typing import Any

from incrowd.formats.connections import without_secrets
from incrowd.jobs import Job
from incrowd.jobs.variables import unresolved


def from_anywhere(job: Job) -> dict[str, Any]:
    """Return the job as data, with what it reads named independently of the folder, and without any password.

    Environment variables stay as the job file names them: their values may be secret.
    """
    found = job.to_dict()
    for key in ("data", "population"):
        if (part := getattr(job, key)) is not None:
            sources = part.moved(lambda location: _without_password(job.located(location, absolute=True)))
            found[key] = {**part.to_dict(), "source": sources}
    if job.output is not None:
        found["output"] = {**job.output.to_dict(), "to": _without_password(job.output.to)}
    return unresolved(found, job.unresolved)


def _without_password(location: str) -> str:
    return without_secrets(location) if "://" in location else location
