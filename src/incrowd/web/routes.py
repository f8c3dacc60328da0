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
from incrowd.web.pages import (
    apply,
    check,
    columns,
    compare,
    diagnose,
    frontier,
    hierarchies,
    home,
    measure,
    privacy,
    releases,
    risk,
    table,
)
from incrowd.web.pages import (
    run as run_page,
)
from incrowd.web.parts import draft, layout, ownership, pending_input, session_expiry
from incrowd.web.result import report

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

_STYLE = Path(__file__).with_name("style.css")
_ACCENT = "#0b5c8a"


def add(app: FastAPI, space: Workspace) -> None:
    """All pages, on an application of one's own; nothing that they need comes from another host."""
    pages.add_static_file(local_file=_STYLE, url_path="/style.css")
    logging.getLogger("nicegui").addFilter(_without_words)
    _downloads(app, space)
    report.add(app, space, _owner)
    _pages(space)
    session_expiry.watch(app.state.access)
    ownership.bind()
    ui.run_with(app, title="Incrowd", favicon="👥", tailwind=False, show_welcome_message=False)
    exclude_api(app)


def _without_words(entry: logging.LogRecord) -> bool:
    """An error as it may be logged: its kind and its place, because its words may quote a record. Who asked for what
    is not logged either."""
    if entry.levelno < logging.ERROR:
        return False
    error = entry.exc_info[1] if entry.exc_info else None
    if error is not None:
        entry.msg, entry.args, entry.exc_info, entry.exc_text = describe_error(error)["message"], (), None, None
    entry.stack_info = None
    return True


def _pages(space: Workspace) -> None:
    @ui.page("/")
    def _home(request: Request) -> None:
        _dressed()
        home.show(space, _owner(request))

    @ui.page("/check")
    def _check(request: Request) -> None:
        _dressed()
        check.show(space, _owner(request))

    steps: dict[str, Callable[..., None]] = {
        "columns": columns.show,
        "diagnose": diagnose.show,
        "privacy": privacy.show,
        "releases": releases.page,
        "risk": risk.show,
        "frontier": frontier.show,
        "apply": apply.show,
        "measure": measure.show,
        "table": table.show,
    }

    @ui.page("/files/{file}/hierarchies")
    def _hierarchies(request: Request, file: str, column: int = 0) -> None:
        _dressed()
        _of_file(
            space, _owner(request), file, lambda space, owner, stored: hierarchies.show(space, owner, stored, column)
        )

    @ui.page("/files/{file}/{step}")
    def _step(request: Request, file: str, step: str) -> None:
        _dressed()
        _of_file(space, _owner(request), file, steps.get(step, columns.show))

    @ui.page("/runs/{run}")
    def _run(request: Request, run: str) -> None:
        _dressed()
        _found(lambda: space.run(run, _owner(request)), lambda made: run_page.show(space, _owner(request), made))

    @ui.page("/runs/{run}/report")
    def _report(request: Request, run: str, audience: str = "internal") -> None:
        _dressed()
        owner = _owner(request)
        _found(
            lambda: space.run(run, owner),
            lambda made: report.show(made, releases.table_of(space, owner, made), audience),
        )

    @ui.page("/compare/{chosen}")
    def _compare(request: Request, chosen: str) -> None:
        _dressed()
        compare.show(space, _owner(request), chosen.split(","))


def _owner(request: Request) -> str:
    """Whose files and runs a request is about; nobody's in particular where nobody is asked who they are."""
    return str(getattr(request.state, "owner", ""))


def _dressed() -> None:
    ui.colors(primary=_ACCENT, negative="#a3261d", positive="#1b6e4b")
    ui.add_head_html(f'<link rel="stylesheet" href="/style.css">{session_expiry.TO_LOGIN}{pending_input.FLUSH}')


def _of_file(space: Workspace, owner: str, file: str, show: Callable[..., None]) -> None:
    def shown(stored: StoredFile) -> None:
        show(space, owner, stored)
        pending_input.show_again_if_changed(lambda: draft.kept(space, owner, file))

    _found(lambda: space.file(file, owner), shown)


def _found(find: Callable[[], Any], show: Callable[[Any], None]) -> None:
    """The page of something; where it is not there, a page that says so."""
    try:
        thing = find()
    except IncrowdError as error:
        with layout.page("It is not there", "It may have been deleted, or the address is wrong."):
            layout.message(str(error), "error")
            layout.button_link("To your tables", "/")
        return
    show(thing)


def _downloads(app: FastAPI, space: Workspace) -> None:
    @app.get("/runs/{run}/files/{name}", include_in_schema=False)
    def _download(request: Request, run: str, name: str) -> Response:
        """A file that a run made, always as a download: it is never shown as a page of this app."""
        try:
            path = space.artefact(run, name, _owner(request))
        except IncrowdError as error:
            return PlainTextResponse(str(error), status_code=404)
        return FileResponse(path, filename=name, media_type="application/octet-stream")
