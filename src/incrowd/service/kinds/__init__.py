"""Kinds of runs, one a file, each named as its verb.

A module declares REQUEST (the model of the request), `prepare(request, files)`, which runs in the server, checks all
that can be checked without reading the data and names files as the folder of the run has them, and `run(plain, show)`,
which runs in a worker process, in the folder of the run. Another package adds a kind through an entry point in the
group `incrowd.service.kinds`. `located` and `opened` do both for the table that a request names.
"""

from typing import Any

from incrowd.families import Family
from incrowd.service.kinds._reading import located, opened

__all__ = ["KINDS", "kind", "kinds", "located", "opened"]

KINDS = Family("service.kinds", "REQUEST", "kind of run")


def kinds() -> dict[str, Any]:
    """Return every kind by its name."""
    return KINDS.modules()


def kind(name: str) -> Any:
    """Return the kind of a name, or of an alias."""
    return KINDS.module(name)


def faults(module: Any) -> list[str]:
    """Return what a kind lacks."""
    lacking = [name for name in ("prepare", "run") if not callable(getattr(module, name, None))]
    found = [f"it lacks {' and '.join(lacking)}"] * bool(lacking)
    return found if hasattr(module.REQUEST, "model_fields") else [*found, "its REQUEST is not a pydantic model"]
