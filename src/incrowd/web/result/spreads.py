"""The panel of value distributions: each column before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.web.parts import layout
from incrowd.web.parts.background import run_in_thread, run_soon, stop_if_gone, try_in_thread
from incrowd.web.result.facts import facts_of

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, made: Run) -> None:
    """Show the panel with the facts of the internal report."""
    about = "Number of records per value or range of values, before and after."
    with layout.panel("Distributions", about, mark="spread"):
        place = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            facts = await try_in_thread(facts_of, space, made)
            if facts is not None:
                stop_if_gone(place)
                await _show_charts(facts)

    run_soon(fill)


async def _show_charts(facts: dict[str, Any]) -> None:
    """Show a choice of columns and the chart of the chosen one."""
    from incrowd import charts

    columns = {each["name"]: each for each in (*facts["columns"], *facts["sensitive"]) if each["before"]}
    if not columns or not charts.are_possible():
        layout.hint("No distributions to draw.")
        return
    with layout.line():
        select = ui.select(list(columns), value=next(iter(columns)), label="Column").classes("middle")
        layout.mark(select, "spread-column")
    place = layout.mark(ui.element("div").classes("chart"), "spread-chart")

    async def draw() -> None:
        of = columns[select.value]
        drawn = await run_in_thread(charts.before_and_after, of["before"]["bars"], of["after"]["bars"])
        stop_if_gone(place)
        if columns[select.value] is not of:
            # Another column was chosen, and is drawn by another call.
            return
        place.clear()
        with place:
            # The chart escapes text from the data.
            ui.html(drawn, sanitize=False)

    select.on_value_change(draw)
    await draw()
