"""Measure what the models of a job cost in information loss."""

from typing import Any

from incrowd.service.path_sandbox import confined
from incrowd.service.references import References
from incrowd.service.requests import Request
from incrowd.watch import Show


class Costs(Request):
    """Measure what the models of a job cost in information loss: together, and each beside k-anonymity alone."""

    job: dict[str, Any]
    """A job as plain data."""


REQUEST = Costs


def prepare(request: Costs, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    return {"job": confined(request.job, files, publishes=False)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the losses."""
    from incrowd.api import costs

    return costs(progress=show, **plain).to_dict()
