"""The panel of what a release guarantees: each model with its limits, and the checks that were made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.verification import WORDS
from incrowd.web.parts import layout, tables
from incrowd.web.parts.background import run_soon, stop_if_gone, try_in_thread
from incrowd.web.result.facts import facts_of

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, made: Run) -> None:
    """Show the panel, if anything is published."""
    if not (made.result or {})["records"]:
        return
    about = "Models that the published data satisfy, and their limits."
    with layout.panel("Guarantees", about, mark="guarantees"):
        place = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            facts = await try_in_thread(facts_of, space, made)
            stop_if_gone(place)
            if facts is not None:
                _show(facts)

    run_soon(fill)


def _show(facts: dict[str, Any]) -> None:
    rows = [[each["promise"], each["not_promised"]] for each in facts["models"]]
    rows += [[sentence, ""] for sentence in facts["further"]]
    with layout.mark(ui.expansion("Guarantees and limits, model by model"), "promises-more"):
        layout.mark(tables.show(["guaranteed", "not guaranteed"], rows, "wrapped"), "promises")
    checks = [[WORDS[each["holds"]], each["name"], each["detail"]] for each in facts["details"]]
    if checks:
        with layout.mark(ui.expansion(f"All {len(checks)} checks"), "checks-more"):
            layout.mark(tables.show(["result", "check", "details"], checks), "checks")
