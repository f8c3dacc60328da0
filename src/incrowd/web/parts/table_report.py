"""A report on a table as it is: who stands out, and through which columns, to read and to hand on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from incrowd.web.parts import choices, layout
from incrowd.web.parts.latest_run import LatestRun, downloads

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace
    from incrowd.web.parts.draft import Draft

_FORMS = {"html": "a page", "md": "Markdown", "json": "plain data (JSON)"}


def show(space: Workspace, owner: str, draft: Draft) -> None:
    """The panel."""
    about = "What was found about the table, in words and pictures. The external one holds no value of any record."
    with layout.panel("A report on this table", about, mark="told"):
        standing = LatestRun(space, owner, draft.file, "report", _shown)
        with layout.line():
            form = ui.select(_FORMS, value=standing.request.get("form", "html"), label="Written as").classes("middle")
            layout.marked(form, "told-form")
            time = choices.seconds(standing.request.get("time"))

            async def write() -> None:
                await standing.ask(choices.given(**draft.reading, form=form.value, time=time.value))

            layout.marked(ui.button("Write the report", on_click=write).props("outline no-caps"), "tell")
        standing.here("told-found")


def _shown(over: Run) -> None:
    with layout.line():
        downloads(over)
