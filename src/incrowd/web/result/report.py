"""The report on a release, read within the app: a page of its own in a frame that can do nothing to the app."""

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
    "internal": "For you: with private detail. It must not go where the data go.",
    "external": "To hand out beside the data: no value of any record is in it.",
}
FORMS = {".html": "page", ".md": "Markdown", ".json": "JSON"}
_HEADERS = {
    # Its own script sorts tables. Without an origin it reaches nothing of the app, and no other site can frame it.
    "Content-Security-Policy": f"{POLICY}; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts",
    "X-Frame-Options": "SAMEORIGIN",
    "Cache-Control": "no-store",
}


def show(made: Run, file: tuple[str, str] | None, audience: str) -> None:
    """The page: which report, how to take it away, and the report itself."""
    audience = audience if audience in AUDIENCES else "internal"
    with layout.page("The report", AUDIENCES[audience], file, "releases"):
        if f"report-{audience}.html" not in [each.name for each in made.artefacts]:
            layout.message("There is no report: no release was made.", "warning")
            layout.button_link("Back", f"/runs/{made.id}")
            return
        with layout.line():
            layout.marked(layout.button_link("Back to the release", f"/runs/{made.id}").props("outline"), "back")
            for each, called in (("internal", "Report for you"), ("external", "Report to hand out")):
                link = ui.link(called, f"/runs/{made.id}/report?audience={each}").classes("choice inline")
                layout.marked(link.props("aria-current=true") if each == audience else link, f"report-{each}")
            downloads(made, audience)
        box = ui.element("iframe").classes("report")
        box.props["src"] = f"/runs/{made.id}/report/{audience}"
        box.props["title"] = f"Report, {audience}"
        box.props["sandbox"] = "allow-scripts"
        layout.marked(box, "report")


def downloads(made: Run, audience: str) -> None:
    """Links to the forms of a report."""
    there = [each.name for each in made.artefacts]
    with ui.element("span").classes("muted"):
        layout.text("Download: ", "span")
        for form, called in FORMS.items():
            name = f"report-{audience}{form}"
            if name in there:
                link = ui.link(called, f"/runs/{made.id}/files/{quote(name)}").props("download")
                layout.marked(link, f"download-{name.replace('.', '-')}").style("margin-right: .75rem")


def add(app: FastAPI, space: Workspace, owner: Callable[[Request], str]) -> None:
    """The address of the report itself, which alone of all that a run made is shown and not downloaded."""

    @app.get("/runs/{run}/report/{audience}", include_in_schema=False)
    def _report(request: Request, run: str, audience: str) -> Response:
        try:
            if audience not in AUDIENCES:
                return PlainTextResponse("there is no such report", status_code=404)
            path = space.artefact(run, f"report-{audience}.html", owner(request))
        except IncrowdError as error:
            return PlainTextResponse(str(error), status_code=404)
        return FileResponse(path, media_type="text/html; charset=utf-8", headers=_HEADERS)
