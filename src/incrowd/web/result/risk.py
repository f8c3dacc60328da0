"""The risk of a release, beside that of the original table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import number, percent
from incrowd.web.parts import layout, tables
from incrowd.web.parts.background import run_soon, try_in_thread
from incrowd.web.result.facts import facts_of

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, made: Run) -> None:
    """Show the panel."""
    about = "Re-identification risk from an attacker who knows the quasi-identifiers of a person."
    with layout.panel("Risk before and after", about, mark="risk"):
        _show_risk(space, made)


def _show_risk(space: Workspace, made: Run) -> None:
    place = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            facts = await try_in_thread(facts_of, space, made)
            if facts is not None:
                _show_figures(facts)

    run_soon(fill)


def _show_figures(facts: dict[str, Any]) -> None:
    before, after = facts["risk_before"], facts["risk_after"]
    unit = after["unit"]
    rows = [
        [name.format(unit=unit), figure(before), figure(after)] for name, figure in _FIGURES.items() if figure(after)
    ]
    layout.mark(tables.show(["risk", "original", "release"], rows, "wrapped"), "risk-table")
    if after["journalist"] is None:
        layout.hint(
            "Journalist risk, of an attacker who does not know who is in the table, is never higher. To measure it, "
            "choose a population (Privacy, Expert settings)."
        )


_FIGURES: dict[str, Callable[[dict[str, Any]], str]] = {
    "highest risk": lambda found: percent(found["highest"]),
    "average risk": lambda found: percent(found["average"]),
    "{unit} above a risk of 20%": lambda found: number(found["at_risk"]),
    "highest journalist risk": lambda found: _journalist_risk(found, "highest"),
    "average journalist risk": lambda found: _journalist_risk(found, "average"),
    "unique {unit}": lambda found: number(found["unique"]),
    "classes": lambda found: number(found["classes"]),
}
"""Risk figures by label; the unit is records or people."""


def _journalist_risk(found: dict[str, Any], what: str) -> str:
    return "" if found["journalist"] is None else percent(found["journalist"][what])
