"""Facts of the internal report, shared by several panels."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_NAME = "report-internal.json"


def facts_of(space: Workspace, made: Run) -> dict[str, Any]:
    """Return the facts of the internal report of a run."""
    facts: dict[str, Any] = json.loads(space.artifact(made.id, _NAME).read_text("utf-8"))
    return facts
