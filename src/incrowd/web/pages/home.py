"""The first page: drop a file or connect a database, and go on with what is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import events, ui

from incrowd.web.pages import releases
from incrowd.web.parts import choices, imports, layout
from incrowd.web.parts.background import run_in_thread, tried
from incrowd.web.parts.listing import confirmed, size, when

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

_HERE = "It stays on this computer, in a folder that only you can read."


def show(space: Workspace, owner: str) -> None:
    """The page."""
    where = "It is kept on the server, and nobody else sees it." if owner else _HERE
    lead = f"See who stands out in a table, and make a version to hand out. {where}"
    with layout.page("Your tables", lead):
        with ui.element("div").classes("two" if space.limits.hosts else "stack"):
            _drop(space, owner)
            if space.limits.hosts:
                _connect(space, owner)
        with layout.panel("Tables", mark="tables"):
            _tables(space, owner)
        with layout.panel("Releases", mark="runs"):
            releases.listed(space, owner, None)


def _drop(space: Workspace, owner: str) -> None:
    about = "A header and one row per person: CSV, TSV, Excel, Parquet, JSON lines, XML or SQLite."
    with layout.panel("Open a file", about) as box:

        async def arrived(event: events.UploadEventArguments) -> None:
            with box:
                stored = await imports.stored(space, owner, event, "data")
            if stored is None:
                drop.reset()
            else:
                ui.navigate.to(f"/files/{stored.id}/columns")

        drop = ui.upload(label="Drop a file here, or press + to choose one", auto_upload=True, on_upload=arrived)
        layout.marked(drop, "drop")


def _connect(space: Workspace, owner: str) -> None:
    about = "By its URL. The password is kept in your folder, and never shown again."
    with layout.panel("Or connect a database", about) as box:
        url = layout.marked(
            ui.input(
                "URL",
                placeholder="postgresql://user:password@server/database",
                password=True,
                password_toggle_button=True,
            ).props("autocomplete=off"),
            "url",
        )
        with layout.line():
            table = layout.marked(ui.input("Table").classes("middle"), "table")
            query = layout.marked(ui.input("or a query").classes("middle"), "query")

        async def connect() -> None:
            with box:
                stored = await tried(space.add_source, url.value, table.value or None, query.value or None, owner)
            if stored is not None:
                ui.navigate.to(f"/files/{stored.id}/columns")

        with layout.line():
            layout.marked(ui.button("Connect", on_click=connect).props("no-caps unelevated"), "connect")


def _tables(space: Workspace, owner: str) -> None:
    files = [each for each in space.files(owner) if each.kind not in choices.NO_TABLES]
    if not files:
        layout.hint("None yet. What you open is kept here.")
        return
    with ui.element("table").classes("plain"):
        _head("table", "size", "added", "")
        with ui.element("tbody"):
            for file in files:
                _file(space, owner, file)


def _head(*names: str) -> None:
    with ui.element("thead"), ui.element("tr"):
        for name in names:
            layout.text(name, "th").props("scope=col")


def _file(space: Workspace, owner: str, file: StoredFile) -> None:
    with ui.element("tr"):
        with ui.element("td"):
            layout.marked(ui.link(file.name, f"/files/{file.id}/columns"), "open-file")
        layout.text(size(file.size), "td")
        layout.text(when(file.added), "td")
        with ui.element("td"):
            about = f"Delete {file.name} and all that was made from it, for good?"

            async def delete() -> None:
                await run_in_thread(releases.delete_all, space, owner, file.id)
                ui.navigate.to("/")

            confirmed(f"Delete {file.name}", about, delete, "delete-file")
