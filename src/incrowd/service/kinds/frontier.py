"""Run a job under many k and searches."""

from typing import Any

from incrowd.service.path_sandbox import confined
from incrowd.service.references import References
from incrowd.service.requests import Frontier
from incrowd.watch import Show

REQUEST = Frontier


def prepare(request: Frontier, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    plain = request.model_dump(exclude_none=True)
    return {**plain, "job": confined(request.job, files, publishes=False)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the Pareto-optimal releases."""
    from incrowd.api import frontier

    found = frontier(progress=show, **plain)
    return {**found.to_dict(), "text": str(found)}
