"""The first records of a table, for the eyes of its owner."""

from typing import Annotated, Any

from pydantic import Field

from incrowd.service.kinds._reading import located, opened
from incrowd.service.references import References
from incrowd.service.requests import Reading
from incrowd.watch import Show


class Head(Reading):
    """What do the first records look like?"""

    rows: Annotated[int, Field(ge=1, le=1000)] = 50
    """How many."""


REQUEST = Head


def prepare(request: Head, files: References) -> dict[str, Any]:
    """The request for a worker."""
    return located(request, files)


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Columns, and rows of texts."""
    from incrowd.engines.head import head
    from incrowd.watch import Watch

    source = opened(plain)
    with Watch(None, show) as watch:
        rows = head(source, plain["rows"], watch)
    return {"columns": list(source.columns), "rows": [list(row) for row in rows]}
