"""What a run can do, one kind a file.

A module declares REQUEST (what can be said), `prepare(request, files)`, which runs in the server, checks all that can
be checked without reading the data and names files as the folder of the run has them, and `run(plain, show)`, which
runs in a worker process, in the folder of the run.
"""

from typing import Any

from incrowd.errors import UsageError, close_to
from incrowd.registry import members


def kinds() -> dict[str, Any]:
    """Every kind by its name."""
    return members("service.kinds", "REQUEST")


def kind(name: str) -> Any:
    """One kind."""
    known = kinds()
    if name not in known:
        raise UsageError.senseless(
            f"a run of the kind {name!r}",
            "there is none",
            f"there are {', '.join(sorted(known))}{close_to(name, known)}",
        )
    return known[name]
