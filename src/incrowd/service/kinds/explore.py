"""A set of columns and its neighbours in the lattice of sets, each with its k."""

from typing import Any

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


REQUEST = Explore


def prepare(request: Explore, files: References) -> dict[str, Any]:
    """The request for a worker."""
    return located(request, files)


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """The set, and those around it."""
    from incrowd.api import diagnose
    from incrowd.diagnosis.around import around

    diagnosis = diagnose(opened(plain), plain.get("among"))
    return {"sets": around(diagnosis, plain["quasi"], show)}
