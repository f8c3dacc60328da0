"""A release, and all that goes with it."""

from pathlib import Path
from typing import Any

from incrowd.service.confined import confined
from incrowd.service.kinds._released import keep
from incrowd.service.references import References
from incrowd.service.requests import Anonymize
from incrowd.watch import Show

REQUEST = Anonymize


def prepare(request: Anonymize, files: References) -> dict[str, Any]:
    """The request for a worker."""
    return {"job": confined(request.job, files)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """The release; beside it lie the job, and the command and the script that do the same."""
    from incrowd.api import anonymize
    from incrowd.jobs import Job

    job = Job.from_dict(plain["job"])
    made = anonymize(job=job, progress=show)
    for name, text in {
        "job.yaml": job.to_yaml(),
        "command.txt": job.to_command(),
        "script.py": job.to_script(),
    }.items():
        Path(name).write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    return keep(made)
