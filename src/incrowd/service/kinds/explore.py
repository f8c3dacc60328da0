"""A set of columns and its neighbours in the lattice of sets, each with its k."""

from typing import Annotated, Any

from pydantic import Field

from incrowd.service.kinds._reading import located, opened
from incrowd.service.references import References
from incrowd.service.requests import Names, Reading
from incrowd.watch import Show


class Explore(Reading):
    """What does one column more or less do to k?"""

    quasi: Names
    """The set of columns."""
    among: Names | None = None
    """Columns that may be added; all of them when not given."""
    lattice: Annotated[Names, Field(max_length=8)] = Field(default_factory=list)
    """Columns all of whose sets are told, too."""


REQUEST = Explore


def prepare(request: Explore, files: References) -> dict[str, Any]:
    """The request for a worker."""
    return located(request, files)


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """The set, those around it, and all sets of the lattice that is asked for."""
    from incrowd.api import diagnose
    from incrowd.diagnosis.neighbors import around

    diagnosis = diagnose(opened(plain), plain.get("among"))
    found: dict[str, Any] = {"sets": around(diagnosis, plain["quasi"], show)}
    if plain["lattice"]:
        found["lattice"] = diagnosis.within(plain["lattice"]).ask(progress=show).answer
    return found
