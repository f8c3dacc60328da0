"""Count and score the releases around one: one level more or less in one column."""

from typing import Annotated, Any

from pydantic import Field

from incrowd.service.path_sandbox import confined
from incrowd.service.references import References
from incrowd.service.requests import Request, Seconds
from incrowd.watch import Show


class Neighbors(Request):
    """Count and score the releases around one: its levels, and those one step up or down in one column."""

    job: dict[str, Any]
    """A job as plain data."""
    levels: dict[str, int]
    """The level of each quasi-identifier, as in a release of the job."""
    rows: Annotated[int, Field(ge=0, le=1000)] = 0
    """Different records to show, before and as the release publishes them."""
    time: Seconds | None = None
    """Time limit (seconds)."""


REQUEST = Neighbors
ALIASES = ("neighbours",)


def prepare(request: Neighbors, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    plain = request.model_dump(exclude_none=True)
    return {**plain, "job": confined(request.job, files, publishes=False)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the metric and the nodes."""
    from incrowd.api import neighbors

    return neighbors(progress=show, **plain).to_dict()
