"""Count the records of a table, and the combinations of some of its columns."""

from typing import Any

from incrowd.service.kinds import located, opened
from incrowd.service.references import References
from incrowd.service.requests import Names, Reading
from incrowd.watch import Show


class Tally(Reading):
    """Count the records of a table, and the combinations of some of its columns."""

    by: Names
    """The columns that are counted."""


REQUEST = Tally


def prepare(request: Tally, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    return located(request, files)


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the numbers."""
    import incrowd

    return incrowd.tally(opened(plain), **plain)
