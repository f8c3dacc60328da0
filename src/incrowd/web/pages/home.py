"""The first page: open a file, connect a database, continue with a stored table."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from nicegui import events, ui

from incrowd.web.pages import releases
from incrowd.web.parts import choices, imports, layout, projects, samples
from incrowd.web.parts.background import run_in_thread, run_soon, try_in_thread
from incrowd.web.parts.listing import delete_button, format_size, format_time
from incrowd.web.parts.typed_fields import WindowFields

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

_LOCAL = "Tables stay on this computer."


def show(space: Workspace, owner: str) -> None:
    """Show the page."""
    where = "Tables are stored on the server; other users cannot see them." if owner else _LOCAL
    lead = f"Find re-identification risks and make a version to share. {where}"
    with layout.page("Your tables", lead):
        with ui.element("div").classes("two" if space.limits.hosts else "stack"):
            _drop(space, owner)
            if space.limits.hosts:
                _connect(space, owner)
        files = [each for each in space.files(owner) if each.kind not in choices.NO_TABLES]
        if files:
            with layout.panel("Tables", mark="tables"):
                _tables(space, owner, files)
        if files or releases.releases(space, owner, None):
            with layout.panel("Releases", mark="runs"):
                releases.list_releases(space, owner, None)
        projects.show_import(space, owner)


def _drop(space: Workspace, owner: str) -> None:
    about = "A table about people: CSV, Excel, Parquet, SQLite and more."
    with layout.panel("Open a file", about) as box:

        async def arrived(event: events.UploadEventArguments) -> None:
            with box:
                stored = await imports.store_upload(space, owner, event, "data")
            if stored is None:
                drop.reset()
            else:
                ui.navigate.to(f"/files/{stored.id}/columns")

        label = "Drop a file here, or click to choose one"
        drop = layout.upload(label, "drop", arrived)
        _samples(space, owner)


def _samples(space: Workspace, owner: str) -> None:
    """Show a button for each sample table; it opens the one that is there already."""
    layout.hint("Or try invented people:")
    with layout.line():
        for at, sample in enumerate(samples.SAMPLES):
            button = layout.quiet_button(sample.label).props("icon=table_view")
            button.props["title"] = sample.about
            layout.mark(button.on_click(_opens(space, owner, button, sample)), f"sample-{at}")


def _opens(space: Workspace, owner: str, button: ui.button, sample: samples.Sample) -> Callable[[], Awaitable[None]]:
    def stored() -> StoredFile:
        known = [each for each in space.files(owner) if each.name == sample.file]
        return known[0] if known else space.add_file(sample.file, io.BytesIO(sample.csv()), owner)

    async def open_sample() -> None:
        button.disable()
        file = await try_in_thread(stored)
        if file is None:
            button.enable()
        else:
            ui.navigate.to(f"/files/{file.id}/columns")

    return open_sample


def _connect(space: Workspace, owner: str) -> None:
    about = "The password in the URL is stored in your folder and never shown again."
    with layout.panel("Connect a database", about) as box:
        url = layout.mark(
            ui.input(
                "Database URL",
                placeholder="postgresql://user:password@server/database",
                password=True,
                password_toggle_button=True,
            ).props("autocomplete=off"),
            "url",
        )
        with layout.line():
            table = layout.mark(ui.input("Table").classes("middle"), "table")
            query = layout.mark(ui.input("Query (instead of a table)").classes("middle"), "query")

        async def connect() -> None:
            with box:
                stored = await try_in_thread(
                    space.add_source, url.value, table.value or None, query.value or None, owner
                )
            if stored is not None:
                WindowFields(space, owner, "connect").forget()
                ui.navigate.to(f"/files/{stored.id}/columns")

        with layout.line():
            layout.mark(ui.button("Connect", on_click=connect).props("no-caps unelevated"), "connect")
        run_soon(lambda: WindowFields(space, owner, "connect").watch(box))


def _tables(space: Workspace, owner: str, files: list[StoredFile]) -> None:
    with ui.element("div").classes("scroll"), ui.element("table").classes("plain"):
        layout.table_head(("table", "size", "added", "action"))
        with ui.element("tbody"):
            for file in files:
                _file(space, owner, file)


def _file(space: Workspace, owner: str, file: StoredFile) -> None:
    with ui.element("tr"):
        with ui.element("td"):
            layout.mark(ui.link(file.name, f"/files/{file.id}/columns"), "open-file")
        layout.text(format_size(file.size), "td")
        layout.text(format_time(file.added), "td")
        with ui.element("td"):
            about = f"Delete {file.name} and everything made from it? This cannot be undone."

            async def delete() -> None:
                await run_in_thread(releases.delete_all, space, owner, file.id)
                ui.navigate.to("/")

            projects.export_button(file, "export-file")
            delete_button(f"Delete {file.name}", about, delete, "delete-file")
