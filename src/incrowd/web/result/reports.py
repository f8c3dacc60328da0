"""The reports on a release, and what became of each column, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.web import frame, runs
from incrowd.web.draft import Draft
from incrowd.web.working import aside, ended, later, submitted, why_not

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_MEANT = {
    "report-external.html": "without any private detail: to hand out beside the data",
    "report-internal.html": "with private detail: for you alone",
}


def show(space: Workspace, owner: str, made: Run) -> None:
    """The panel; reports are made once, when the result is first looked at."""
    about = "One page each that opens without a network; print it to have a PDF."
    with frame.panel("Report", about, mark="report"):
        place = ui.element("div").classes("stack")
    with frame.panel(
        "Each column, before and after", "Records per value: a bar is a value, or a range.", mark="spread"
    ):
        charts = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            waiting = frame.message("The reports are being written ...")
            over = await _reported(space, owner, made)
            waiting.delete()
            if over is not None:
                _links(over)
        if over is not None and over.result is not None:
            with charts:
                await _spreads(over.result["internal"])

    later(fill)


async def _reported(space: Workspace, owner: str, made: Run) -> Run | None:
    """The run that wrote the reports."""
    draft = Draft.of(space, owner, runs.file_of(made))
    try:
        known = draft.reports.get(made.id)
        if known is None:
            request = {"file": made.id, "original": runs.file_of(made)}
            known = draft.reports[made.id] = (await submitted(space, "report", request, owner)).id
            draft.keep(space, owner)
        over = await ended(space, known)
    except IncrowdError as error:
        frame.message(str(error), "error")
        return None
    if over.state != "done":
        frame.message(why_not(over), "error")
        return None
    return over


def _links(over: Run) -> None:
    with ui.element("ul").style("margin: 0; padding-left: 1.2rem"):
        for name, meant in _MEANT.items():
            with ui.element("li"):
                link = ui.link(name, f"/runs/{over.id}/files/{name}").props("download")
                frame.marked(link, f"download-{name.partition('.')[0]}")
                frame.text(f" - {meant}", "span", "muted")


async def _spreads(facts: dict[str, Any]) -> None:
    """A choice of columns, each with its chart."""
    from incrowd.reports import charts

    columns = {each["name"]: each for each in (*facts["columns"], *facts["sensitive"]) if each["before"]}
    if not columns or not charts.are_possible():
        frame.hint("There is nothing to draw.")
        return
    with ui.element("div"):
        select = ui.select(list(columns), value=next(iter(columns)), label="Column").classes("middle")
    frame.marked(select, "spread-column")
    place = frame.marked(ui.element("div").classes("chart"), "spread-chart")

    async def draw() -> None:
        of = columns[select.value]
        drawn = await aside(charts.before_and_after, of["before"]["bars"], of["after"]["bars"])
        place.clear()
        with place:
            # The chart escapes the words that come from the data.
            ui.html(drawn, sanitize=False)

    select.on_value_change(draw)
    await draw()
