"""The facts of the internal report, which several parts of a result show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_NAME = "report-internal.json"


def facts_of(space: Workspace, made: Run) -> dict[str, Any]:
    """Everything that was counted when the release was made."""
    facts: dict[str, Any] = json.loads(space.artefact(made.id, _NAME).read_text("utf-8"))
    return facts
