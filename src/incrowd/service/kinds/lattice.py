"""List the nodes of a lattice: every release with one level for each column."""

from pathlib import Path
from typing import Any

from incrowd.service.path_sandbox import confined
from incrowd.service.references import References
from incrowd.service.requests import Request, Seconds
from incrowd.watch import Show


class Lattice(Request):
    """List every release with one level for each column: whether it satisfies the models, its score, its classes."""

    job: dict[str, Any]
    """A job as plain data."""
    time: Seconds | None = None
    """Time limit (seconds); partial results are reported."""


REQUEST = Lattice
NODES = "nodes.parquet"
"""The file with a row for each node."""


def prepare(request: Lattice, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    plain = request.model_dump(exclude_none=True)
    return {**plain, "job": confined(request.job, files, publishes=False)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return how many nodes there are of each state; write all of them into a file."""
    from incrowd.api import lattice

    found = lattice(progress=show, **plain)
    found.write(Path(NODES))
    return {**found.summary(), "text": str(found)}
