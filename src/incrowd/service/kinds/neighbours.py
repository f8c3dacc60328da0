"""The nodes around that of a release: one level more or less in one column, counted and scored."""

from typing import Any

from incrowd.service.path_sandbox import confined
from incrowd.service.references import References
from incrowd.service.requests import Request
from incrowd.watch import Show


class Neighbours(Request):
    """What would a step more or less of generalisation give?"""

    job: dict[str, Any]
    """A job as plain data."""
    levels: dict[str, int]
    """The level of each quasi-identifier."""


REQUEST = Neighbours


def prepare(request: Neighbours, files: References) -> dict[str, Any]:
    """The request for a worker."""
    return {"job": confined(request.job, files, publishes=False), "levels": request.levels}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """The nodes."""
    from incrowd.api import neighbours

    found = neighbours(job=plain["job"], levels=plain["levels"], progress=show)
    return {"metric": found[0].metric, "nodes": [each.to_dict() for each in found]}
