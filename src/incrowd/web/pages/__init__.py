"""The pages, each named after its address.

A page of a table is at /files/FILE/NAME. Its module declares `STEP`, one of the steps from a table to a release, or
`TOOL`, a page beside them: its place in the navigation and its label. Its `show(space, owner, file)` shows the page.
Another package adds one through an entry point in the group `incrowd.web.pages`.
"""

from typing import Any

from incrowd.families import members


def steps() -> dict[str, Any]:
    """Return the steps from a table to a release, in their order."""
    return _in_order("STEP")


def tools() -> dict[str, Any]:
    """Return the other pages of a table, in their order."""
    return _in_order("TOOL")


def faults(module: Any) -> list[str]:
    """Return what a page lacks."""
    return ["it has no show(space, owner, file)"] * (not callable(getattr(module, "show", None)))


def _in_order(kind: str) -> dict[str, Any]:
    """Return the modules that declare a place in the navigation, by name."""
    found = members("web.pages", kind)
    return dict(sorted(found.items(), key=lambda item: getattr(item[1], kind)))
