"""Create a release with its job and reports."""

from typing import Any

from incrowd.service.kinds._released import keep, keep_job, keep_job_of_tables, keep_tables
from incrowd.service.path_sandbox import confined, confined_tables
from incrowd.service.references import References
from incrowd.service.requests import Anonymize
from incrowd.watch import Show

REQUEST = Anonymize


def prepare(request: Anonymize, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    several = "tables" in request.job
    return {"job": confined_tables(request.job, files) if several else confined(request.job, files)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Make the release, the job, the command and the script that do the same, and reports."""
    from incrowd.api import anonymize
    from incrowd.jobs import Job
    from incrowd.jobs.linked import LinkedJob
    from incrowd.reports.reading import inputs_of

    if "tables" in plain["job"]:
        of_tables = LinkedJob.from_dict(plain["job"])
        released = anonymize(None, of_tables, show)
        found = keep_tables(released, of_tables, show)
        keep_job_of_tables(released, plain["job"])
        return found
    job = Job.from_dict(plain["job"])
    made = anonymize(job=job, progress=show)
    keep_job(job, plain["job"])
    original, people = inputs_of(job)
    return keep(made, original, show, people)
