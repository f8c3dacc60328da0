"""What became of each column: its values before, and as published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.web import frame, runs
from incrowd.web.draft import Draft
from incrowd.web.working import aside, ended, later, stop_where_gone, submitted, why_not

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """The panel; it draws what the internal report knows."""
    about = "Records per value: a bar is a value, or a range of values."
    with frame.panel("Each column, before and after", about, mark="spread"):
        place = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            waiting = frame.message("Counting ...")
            facts = await _facts(space, owner, made)
            stop_where_gone(waiting)
            waiting.delete()
            if facts is not None:
                await _spreads(facts)

    later(fill)


async def _facts(space: Workspace, owner: str, made: Run) -> dict[str, Any] | None:
    """The facts of the internal report, counted when the result is first looked at."""
    draft = Draft.of(space, owner, runs.file_of(made))
    try:
        known = draft.reports.get(made.id)
        if known is None:
            request = {"file": made.id, "original": runs.file_of(made), "audience": "internal", "form": "json"}
            known = (await submitted(space, "report", request, owner)).id
            # Whatever was chosen meanwhile stays.
            draft = Draft.of(space, owner, runs.file_of(made))
            draft.reports[made.id] = known
            draft.keep(space, owner)
        over = await ended(space, known)
    except IncrowdError as error:
        frame.message(str(error), "error")
        return None
    if over.state != "done" or over.result is None:
        frame.message(why_not(over), "error")
        return None
    facts: dict[str, Any] = over.result["internal"]
    return facts


async def _spreads(facts: dict[str, Any]) -> None:
    """A choice of columns, each with its chart."""
    from incrowd.reports import charts

    columns = {each["name"]: each for each in (*facts["columns"], *facts["sensitive"]) if each["before"]}
    if not columns or not charts.are_possible():
        frame.hint("There is nothing to draw.")
        return
    with frame.line():
        select = ui.select(list(columns), value=next(iter(columns)), label="Column").classes("middle")
        frame.marked(select, "spread-column")
    place = frame.marked(ui.element("div").classes("chart"), "spread-chart")

    async def draw() -> None:
        of = columns[select.value]
        drawn = await aside(charts.before_and_after, of["before"]["bars"], of["after"]["bars"])
        stop_where_gone(place)
        place.clear()
        with place:
            # The chart escapes the words that come from the data.
            ui.html(drawn, sanitize=False)

    select.on_value_change(draw)
    await draw()
