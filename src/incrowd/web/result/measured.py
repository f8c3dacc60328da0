"""A release measured against its original, as the panels of its page ask for it."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from incrowd.core.schema import Role
from incrowd.web.pages import releases
from incrowd.web.parts.background import fetch_result

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

MOST_COLUMNS = 40
"""Columns that are compared with each other."""


def columns_of(made: Run) -> dict[str, list[str]]:
    """Return the published columns by role: quasi-identifiers and sensitive ones first, then kept ones."""
    facts = made.result or {}
    roles = {name: _role(column) for name, column in (made.request.get("job") or {}).get("columns", {}).items()}
    quasi = list(facts.get("levels") or facts.get("forms") or ())
    by_role = {role: [name for name, each in roles.items() if each == role] for role in (Role.SENSITIVE, Role.KEEP)}
    return {"quasi": quasi, "sensitive": by_role[Role.SENSITIVE], "keep": by_role[Role.KEEP]}


def _role(column: Any) -> str:
    return column if isinstance(column, str) else str(column.get("role"))


def kept_too(made: Run, wanted: set[str] | None = None) -> dict[str, Any]:
    """Return the kept columns as a request names them, as many as are compared, or only those that are wanted."""
    by_role = columns_of(made)
    room = max(0, MOST_COLUMNS - len(by_role["quasi"]) - len(by_role["sensitive"]))
    kept = [name for name in by_role["keep"] if wanted is None or name in wanted][:room]
    return {"columns": {name: {"role": str(Role.KEEP)} for name in kept}} if kept else {}


async def measure(space: Workspace, owner: str, made: Run, **options: Any) -> dict[str, Any] | None:
    """Measure the release; show progress, and on failure the reason and return None."""
    request = {"original": releases.file_of(made), **releases.reading_of(made), "releases": [made.id], **options}
    return await fetch_result(space, "measure", request, owner)


def pairs_of(reading: dict[str, Any], names: list[str]) -> dict[tuple[str, str], dict[str, float]]:
    """Return the association of each pair of columns, before and after."""
    parts = reading.get("parts", {})
    found = {}
    for first, second in combinations(names, 2):
        for one, other in ((first, second), (second, first)):
            if f"{one} and {other}" in parts:
                found[one, other] = parts[f"{one} and {other}"]
    return found
