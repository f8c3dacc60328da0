"""What became of each column: its values before, and as published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.web.parts import layout
from incrowd.web.parts.background import later, run_in_thread, stop_where_gone, tried
from incrowd.web.result.facts import facts_of

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, made: Run) -> None:
    """The panel; it draws what the internal report knows."""
    about = "Records per value: a bar is a value, or a range of values."
    with layout.panel("Each column, before and after", about, mark="spread"):
        place = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            facts = await tried(facts_of, space, made)
            if facts is not None:
                stop_where_gone(place)
                await _spreads(facts)

    later(fill)


async def _spreads(facts: dict[str, Any]) -> None:
    """A choice of columns, each with its chart."""
    from incrowd.reports import charts

    columns = {each["name"]: each for each in (*facts["columns"], *facts["sensitive"]) if each["before"]}
    if not columns or not charts.are_possible():
        layout.hint("There is nothing to draw.")
        return
    with layout.line():
        select = ui.select(list(columns), value=next(iter(columns)), label="Column").classes("middle")
        layout.marked(select, "spread-column")
    place = layout.marked(ui.element("div").classes("chart"), "spread-chart")

    async def draw() -> None:
        of = columns[select.value]
        drawn = await run_in_thread(charts.before_and_after, of["before"]["bars"], of["after"]["bars"])
        stop_where_gone(place)
        place.clear()
        with place:
            # The chart escapes the words that come from the data.
            ui.html(drawn, sanitize=False)

    select.on_value_change(draw)
    await draw()
