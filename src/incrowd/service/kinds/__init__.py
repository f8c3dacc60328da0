"""Kinds of runs, one a file, each named as its verb.

A module declares REQUEST (the model of the request), `prepare(request, files)`, which runs in the server, checks all
that can be checked without reading the data and names files as the folder of the run has them, and `run(plain, show)`,
which runs in a worker process, in the folder of the run.
"""

from typing import Any

from incrowd.errors import UsageError, close_to
from incrowd.families import members

ALIASES = {"neighbours": "neighbors"}
"""Names that kinds had before, and still answer to."""


def kinds() -> dict[str, Any]:
    """Return every kind by its name."""
    return members("service.kinds", "REQUEST")


def kind(name: str) -> Any:
    """Return the kind of a name, or of an alias."""
    known = kinds()
    name = ALIASES.get(name, name)
    if name not in known:
        raise UsageError.invalid(
            f"a run of the kind {name!r}",
            "there is none",
            f"there are {', '.join(sorted(known))}{close_to(name, known)}",
        )
    return known[name]
