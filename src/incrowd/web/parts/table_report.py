"""The panel that writes a report on a table: unique records and the columns that single them out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.web.parts import choices, layout
from incrowd.web.parts.latest_run import LatestRun, show_downloads

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace
    from incrowd.web.parts.draft import Draft

_FORMS = {"html": "HTML", "md": "Markdown", "json": "JSON"}


def show(space: Workspace, owner: str, draft: Draft) -> None:
    """Show the panel."""
    about = "The diagnosis in text and charts. The external report contains no value of any record."
    with layout.panel("Report on this table", about, mark="table-report"):
        latest = LatestRun(space, owner, draft.file, "report", _show_result)
        with layout.line():
            form = ui.select(_FORMS, value=latest.request.get("form", "html"), label="Format").classes("middle")
            layout.mark(form, "table-report-form")
            time = choices.time_limit(latest.request.get("time"))

            def asked() -> dict[str, Any]:
                return choices.drop_empty(
                    **draft.reading_columns, form=form.value, time=time.value, person=draft.person
                )

            write = ui.button("Write the report", on_click=lambda: latest.start(asked()))
            layout.mark(write.props("outline no-caps"), "write-table-report")
        latest.place_result("table-report-files", asked)


def _show_result(over: Run) -> None:
    with layout.line():
        show_downloads(over)
