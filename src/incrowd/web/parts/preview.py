"""The first records of a table, shown to its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.web.parts import tables
from incrowd.web.parts.background import fetch_result, run_soon

if TYPE_CHECKING:
    from incrowd.service import Workspace

_ROWS = 50


def show(space: Workspace, owner: str, request: dict[str, Any]) -> ui.element:
    """Show a place that fills with the first records of a file or of a run's release."""
    place = ui.element("div")

    async def fill() -> None:
        with place:
            head = await fetch_result(space, "head", {**request, "rows": _ROWS}, owner)
            if head is not None:
                tables.show(head["columns"], head["rows"], "records", labels=len(head["columns"]))

    run_soon(fill)
    return place
