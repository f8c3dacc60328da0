"""The report on a release, shown in a sandboxed frame."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, PlainTextResponse
from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.reports.page import POLICY
from incrowd.web.parts import layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.service import Run, Workspace

AUDIENCES = {
    "internal": "For you only: it contains private details. Do not share it with the data.",
    "external": "To share with the data: it contains no value of any record.",
}
FORMS = {".html": "HTML", ".md": "Markdown", ".json": "JSON"}
_HEADERS = {
    # Its own script sorts tables. Without an origin it reaches nothing of the app, and no other site can frame it.
    "Content-Security-Policy": f"{POLICY}; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts",
    "X-Frame-Options": "SAMEORIGIN",
    "Cache-Control": "no-store",
}


def show(made: Run, file: tuple[str, str] | None, audience: str) -> None:
    """Show the choice of report, its downloads, and the report itself."""
    audience = audience if audience in AUDIENCES else "internal"
    with layout.page("Report", AUDIENCES[audience], file, "releases"):
        if f"report-{audience}.html" not in [each.name for each in made.artifacts]:
            layout.message("No report, because no release was created.", "warning")
            layout.button_link("Go to the run", f"/runs/{made.id}")
            return
        with layout.line():
            layout.mark(layout.button_link("Go to the release", f"/runs/{made.id}").props("outline"), "back")
            for each, label in (("internal", "Internal report"), ("external", "External report")):
                link = ui.link(label, f"/runs/{made.id}/report?audience={each}").classes("choice inline")
                layout.mark(link.props("aria-current=true") if each == audience else link, f"report-{each}")
            show_downloads(made, audience)
        box = ui.element("iframe").classes("report")
        box.props["src"] = f"/runs/{made.id}/report/{audience}"
        box.props["title"] = f"Report ({audience})"
        box.props["sandbox"] = "allow-scripts"
        layout.mark(box, "report")


def show_downloads(made: Run, audience: str) -> None:
    """Show links to the formats of a report."""
    there = [each.name for each in made.artifacts]
    with ui.element("span").classes("muted"):
        layout.text("Download: ", "span")
        for form, label in FORMS.items():
            name = f"report-{audience}{form}"
            if name in there:
                link = ui.link(label, f"/runs/{made.id}/files/{quote(name)}").props("download")
                layout.mark(link, f"download-{name.replace('.', '-')}").style("margin-right: .75rem")


def add_route(app: FastAPI, space: Workspace, owner: Callable[[Request], str]) -> None:
    """Add the address of the report itself, the only file of a run that is shown instead of downloaded."""

    @app.get("/runs/{run}/report/{audience}", include_in_schema=False)
    def _report(request: Request, run: str, audience: str) -> Response:
        try:
            if audience not in AUDIENCES:
                return PlainTextResponse("no such report", status_code=404)
            path = space.artifact(run, f"report-{audience}.html", owner(request))
        except IncrowdError as error:
            return PlainTextResponse(str(error), status_code=404)
        return FileResponse(path, media_type="text/html; charset=utf-8", headers=_HEADERS)
