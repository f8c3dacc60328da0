"""Build the hierarchy of a column, describe it along the data, and save it as a table of levels."""

from typing import Any

from incrowd.errors import HierarchyError
from incrowd.service.kinds._reading import located, opened
from incrowd.service.path_sandbox import hierarchy_within
from incrowd.service.references import References
from incrowd.service.requests import Hierarchy
from incrowd.watch import Show

REQUEST = Hierarchy
_NAMED = 100
"""Number of values at fault that are named to those who may see them."""


def prepare(request: Hierarchy, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    plain = located(request, files)
    return {**plain, "spec": hierarchy_within(request.spec, files)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return its levels; if values may be shown also its rows, and the values that it lacks."""
    from incrowd.api import hierarchy

    missing = plain["data"].get("missing") or ()
    try:
        found = hierarchy(opened(plain), missing=missing, progress=show, **plain)
    except HierarchyError as error:
        if not (plain["show_values"] and error.offending):
            raise
        return {"hierarchy": None, "fault": str(error), "lacking": list(error.offending[:_NAMED])}
    found.save("hierarchy.csv")
    return found.to_dict()
