"""Compare a set of columns with those around it in the lattice of sets, each with its k."""

from typing import Annotated, Any

from pydantic import Field

from incrowd.service.kinds._reading import located, opened
from incrowd.service.references import References
from incrowd.service.requests import Names, Reading, Seconds
from incrowd.watch import Show


class Explore(Reading):
    """Compare a set of columns with those that have one column more or less, each with its k."""

    quasi: Names
    """The set of columns."""
    among: Names | None = None
    """Columns that may be added (default: all)."""
    lattice: Annotated[Names, Field(max_length=8)] = Field(default_factory=list)
    """Columns every subset of which is counted as well."""
    person: Names = Field(default_factory=list)
    """Columns that together tell which person a record is about: people are counted."""
    time: Seconds | None = None
    """Time limit (seconds)."""


REQUEST = Explore


def prepare(request: Explore, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    return located(request, files)


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the set, those around it, and all sets of the lattice that is asked for."""
    from incrowd.api import explore

    return explore(opened(plain), progress=show, **plain).to_dict()
