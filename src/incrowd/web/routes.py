"""The addresses of the pages."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, PlainTextResponse
from nicegui import app as pages
from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.rest.mounts import exclude_api
from incrowd.service.failures import describe_error
from incrowd.web.pages import check, columns, compare, hierarchies, home, releases, steps, tools
from incrowd.web.pages import run as run_page
from incrowd.web.parts import draft, layout, ownership, pending_input, session_expiry, typed_fields, undo
from incrowd.web.result import record_pages, report

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

_STYLE = Path(__file__).with_name("style.css")
_GRIDS = Path(__file__).with_name("grids.js")
_ACCENT = "#0b5c8a"
_PATIENCE = 30.0
"""Seconds; after two fifths of them a browser that does not answer has lost its connection. A busy one needs some: its
page would be loaded anew, and what was typed lost."""
_LEFT = 3.0
"""Seconds after which what a page asked for is stopped if it was left."""


def add_pages(app: FastAPI, space: Workspace) -> None:
    """Add all pages to an application; they load nothing from other hosts."""
    pages.add_static_file(local_file=_STYLE, url_path="/style.css")
    pages.add_static_file(local_file=_GRIDS, url_path="/grids.js")
    logging.getLogger("nicegui").addFilter(_strip_message)
    _add_downloads(app, space)
    report.add_route(app, space, _owner)
    record_pages.add_route(app, space, _owner)
    _add_routes(space)
    session_expiry.end_expired_pages(app.state.access)
    ownership.bind_pages_to_owners()
    ui.run_with(
        app,
        title="Incrowd",
        favicon="👥",
        language="en-US",
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=_PATIENCE,
    )
    exclude_api(app)


def _strip_message(entry: logging.LogRecord) -> bool:
    """Reduce a log entry to the type and place of its error, because its message may quote a record."""
    if entry.levelno < logging.ERROR:
        return False
    error = entry.exc_info[1] if entry.exc_info else None
    if error is not None:
        entry.msg, entry.args, entry.exc_info, entry.exc_text = describe_error(error)["message"], (), None, None
    entry.stack_info = None
    return True


def _page(path: str) -> ui.page:
    return ui.page(path, reconnect_timeout=_LEFT)


def _add_routes(space: Workspace) -> None:
    @_page("/")
    def _home(request: Request) -> None:
        _add_style()
        home.show(space, _owner(request))

    @_page("/check")
    def _check(request: Request) -> None:
        _add_style()
        check.show(space, _owner(request))

    of_tables = steps() | tools()

    @_page("/files/{file}/hierarchies")
    def _hierarchies(request: Request, file: str, column: int = 0) -> None:
        _add_style()
        _show_for_file(
            space, _owner(request), file, lambda space, owner, stored: hierarchies.show(space, owner, stored, column)
        )

    @_page("/files/{file}/{step}")
    def _step(request: Request, file: str, step: str) -> None:
        _add_style()
        _show_for_file(space, _owner(request), file, of_tables.get(step, columns).show)

    @_page("/runs/{run}")
    def _run(request: Request, run: str, tab: str = "") -> None:
        _add_style()
        _show_or_not_found(
            lambda: space.run(run, _owner(request)), lambda made: run_page.show(space, _owner(request), made, tab)
        )

    @_page("/runs/{run}/report")
    def _report(request: Request, run: str, audience: str = "internal") -> None:
        _add_style()
        owner = _owner(request)
        _show_or_not_found(
            lambda: space.run(run, owner),
            lambda made: report.show(made, releases.table_of(space, owner, made), audience),
        )

    @_page("/compare/{chosen}")
    def _compare(request: Request, chosen: str) -> None:
        _add_style()
        compare.show(space, _owner(request), chosen.split(","))


def _owner(request: Request) -> str:
    """Return the owner of a request's files and runs; empty without sign-in."""
    return str(getattr(request.state, "owner", ""))


def _add_style() -> None:
    ui.colors(primary=_ACCENT, negative="#a3261d", positive="#1b6e4b")
    scripts = f"{session_expiry.TO_LOGIN}{pending_input.FLUSH}{layout.LABEL_UPLOADS}{undo.KEYS}"
    ui.add_head_html(f'<link rel="stylesheet" href="/style.css"><script src="/grids.js"></script>{scripts}')


def _show_for_file(space: Workspace, owner: str, file: str, show: Callable[..., None]) -> None:
    def show_with_draft(stored: StoredFile) -> None:
        show(space, owner, stored)
        undo.show(space, owner, file)
        pending_input.show_again_if_changed(
            lambda: (draft.saved_draft(space, owner, file), typed_fields.typed(space, owner, file))
        )

    _show_or_not_found(lambda: space.file(file, owner), show_with_draft)


def _show_or_not_found(find: Callable[[], Any], show: Callable[[Any], None]) -> None:
    """Show a page about something, or a page that says it was not found."""
    try:
        thing = find()
    except IncrowdError as error:
        with layout.page("Not found", "It may have been deleted, or the address is wrong."):
            layout.message(str(error), "error")
            layout.button_link("Go to your tables", "/")
        return
    show(thing)


def _add_downloads(app: FastAPI, space: Workspace) -> None:
    @app.get("/runs/{run}/files/{name:path}", include_in_schema=False)
    def _download(request: Request, run: str, name: str) -> Response:
        """Send a file of a run, always as a download: files are never shown as pages of the app."""
        try:
            path = space.artifact(run, name, _owner(request))
        except IncrowdError as error:
            return PlainTextResponse(str(error), status_code=404)
        return FileResponse(path, filename=path.name, media_type="application/octet-stream")
