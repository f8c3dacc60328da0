"""Project files: a table with its settings, hierarchies and runs, exported to a file and imported from one."""

from __future__ import annotations

from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from nicegui import events, ui

from incrowd.files.private import private_folder
from incrowd.service.project_import import import_project
from incrowd.web.parts import choices, layout
from incrowd.web.parts.background import try_in_thread

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

_ABOUT = (
    "The file has the settings of this table, its hierarchies and its finished releases and other runs. Keep it "
    "private, whatever you leave out: settings and hierarchies have values of the table."
)


def export_button(file: StoredFile, mark: str) -> None:
    """Show a button that asks what the project file shall have, and downloads it."""

    async def ask() -> None:
        with ui.dialog() as dialog, ui.card():
            dialog.props["aria-label"] = f"Export {file.name} as a project"
            layout.heading(f"Export {file.name} as a project", 2)
            layout.paragraph(_ABOUT)
            table = ui.checkbox("With the table itself, which others need to import it", value=True)
            layout.mark(table, "export-table")
            records = ui.checkbox("With private records, which can reverse the releases", value=True)
            layout.mark(records, "export-records")
            with layout.line():
                layout.mark(layout.quiet_button("Cancel").on_click(lambda: dialog.submit(False)), "export-cancel")
                export = ui.button("Export", on_click=lambda: dialog.submit(True)).props("no-caps unelevated")
                layout.mark(export, "export-go")
        if await dialog:
            asked = f"table={str(table.value).lower()}&private_records={str(records.value).lower()}"
            ui.navigate.to(f"/v1/files/{file.id}/project?{asked}")

    button = layout.quiet_button("Export").on_click(ask).props("dense")
    button.props["aria-label"] = f"Export {file.name} as a project"
    layout.mark(button, mark)


def show_import(space: Workspace, owner: str) -> None:
    """Show a place for a project file, and a choice of its table if it was exported without one."""
    tables = choices.tables_of(space, owner)
    with (
        layout.panel(mark="project"),
        layout.mark(ui.expansion("Import a project"), "project-import"),
        layout.stack() as box,
    ):
        layout.hint(
            "A file that was exported here or on another machine: a table with its settings, hierarchies and runs. "
            "Hashes of all files are checked, and imported runs are marked."
        )
        table = ui.select(tables, label="Table of a project without it", clearable=True)
        layout.mark(table.classes("wide"), "project-table").set_visibility(bool(tables))
        if tables:
            layout.hint("The settings of the table that you choose are replaced.")

        async def arrived(event: events.UploadEventArguments) -> None:
            with box:
                stored = await _import(space, owner, event, table.value)
            if stored is None:
                drop.reset()
            else:
                ui.navigate.to(f"/files/{stored.id}/releases")

        drop = layout.upload("Drop a project file here, or press + to choose one", "project-drop", arrived)
        drop.classes("small")


async def _import(
    space: Workspace, owner: str, event: events.UploadEventArguments, table: str | None
) -> StoredFile | None:
    # A large upload is on disk already; it is copied in pieces, never held in memory.
    with private_folder(Path(gettempdir())) as folder:
        path = folder.path / "upload"
        await event.file.save(path)
        with open(path, "rb") as stream:
            return await try_in_thread(import_project, space, stream, owner, table)
