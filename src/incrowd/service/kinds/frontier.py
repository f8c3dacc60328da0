"""A job under many k and searches."""

from typing import Any

from incrowd.service.path_sandbox import confined
from incrowd.service.references import References
from incrowd.service.requests import Frontier
from incrowd.watch import Show

REQUEST = Frontier


def prepare(request: Frontier, files: References) -> dict[str, Any]:
    """The request for a worker."""
    plain = request.model_dump(exclude_none=True)
    return {**plain, "job": confined(request.job, files, publishes=False)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """The releases that are worth having."""
    from incrowd.api import frontier

    found = frontier(progress=show, **plain)
    return {**found.to_dict(), "text": str(found)}
