"""Show the first records of a table to its owner."""

from typing import Annotated, Any

from pydantic import Field

from incrowd.service.kinds._reading import located, opened
from incrowd.service.references import References
from incrowd.service.requests import Reading, Seconds
from incrowd.watch import Show


class Head(Reading):
    """Show the first records of a table."""

    rows: Annotated[int, Field(ge=1, le=1000)] = 50
    """Number of records."""
    time: Seconds | None = None
    """Time limit (seconds)."""


REQUEST = Head


def prepare(request: Head, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    return located(request, files)


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the columns, and rows of texts."""
    from incrowd.api import head

    return head(opened(plain), progress=show, **plain).to_dict()
