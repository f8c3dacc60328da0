"""What is brought along beside tables: releases of any make, manifests and private records, told by their names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from nicegui import events, ui

from incrowd.files.private import private_folder
from incrowd.web.parts import choices, layout
from incrowd.web.parts.background import run_in_thread, tried
from incrowd.web.parts.listing import confirmed, size, when

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

PURPOSES = {"manifest": ".manifest.json", "record": ".record.json"}
"""What goes with a release, by how its name ends."""


def purpose_of(name: str) -> str:
    """What a file is for, by its name; what it holds is checked when it is kept."""
    return next((purpose for purpose, ending in PURPOSES.items() if name.lower().endswith(ending)), "data")


async def stored(space: Workspace, owner: str, event: events.UploadEventArguments, purpose: str) -> StoredFile | None:
    """An upload, once it proved to be what it should be."""
    # A large upload lies on disk already; it is moved in pieces, never held in memory.
    with private_folder(Path(gettempdir())) as folder:
        path = folder.path / "upload"
        await event.file.save(path)
        with open(path, "rb") as stream:
            return await tried(space.add_file, event.file.name, stream, owner, purpose)


def drop(
    space: Workspace, owner: str, label: str, mark: str, arrived: Callable[[StoredFile, str], Awaitable[None] | None]
) -> None:
    """A place to drop files; `arrived` hears of each that was kept, and what it is for."""
    box = layout.stack()
    with box as place:

        async def kept(event: events.UploadEventArguments) -> None:
            purpose = purpose_of(event.file.name)
            with place:
                file = await stored(space, owner, event, purpose)
            if file is None:
                upload.reset()
                return
            told = arrived(file, purpose)
            if told is not None:
                await told

        upload = ui.upload(label=label, auto_upload=True, multiple=True, on_upload=kept).classes("small")
        layout.marked(upload, mark)


def of_kind(space: Workspace, owner: str, kind: str) -> dict[str, str]:
    """The manifests or the records that are kept, by id."""
    return {each.id: choices.file_label(each) for each in space.files(owner) if each.kind == kind}


def kept_files(space: Workspace, owner: str) -> None:
    """Manifests and records that were brought along, to delete them; tables are on the first page."""
    files = [each for each in space.files(owner) if each.kind in PURPOSES]
    if not files:
        layout.hint("None yet.")
        return
    with ui.element("table").classes("plain"), ui.element("tbody"):
        for at, file in enumerate(files):
            with ui.element("tr"):
                for cell in (file.name, file.kind, size(file.size), when(file.added)):
                    layout.text(cell, "td")
                with ui.element("td"):

                    async def delete(id: str = file.id) -> None:
                        await run_in_thread(space.delete_file, id, owner)
                        ui.navigate.reload()

                    confirmed(f"Delete {file.name}", f"Delete {file.name} for good?", delete, f"delete-brought-{at}")
