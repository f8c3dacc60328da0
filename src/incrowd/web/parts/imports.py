"""Uploads beside tables: releases of any tool, manifests and private records, recognized by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from nicegui import events, ui

from incrowd.errors import NotThere
from incrowd.files.private import private_folder
from incrowd.release.stored import loaded
from incrowd.release.tables import MANIFEST, LinkedManifest, is_linked_manifest
from incrowd.web.parts import choices, layout
from incrowd.web.parts.background import run_in_thread, try_in_thread
from incrowd.web.parts.listing import delete_button, format_size, format_time

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

PURPOSES = {"manifest": ".manifest.json", "record": ".record.json"}
"""File endings of what belongs to a release."""


_KINDS = {"manifest": "manifest", "record": "private record"}


def purpose_of(name: str) -> str:
    """Return the purpose of a file by its name; its content is checked when it is stored."""
    if name.lower() == MANIFEST:
        return "manifest"
    return next((purpose for purpose, ending in PURPOSES.items() if name.lower().endswith(ending)), "data")


async def store_upload(
    space: Workspace, owner: str, event: events.UploadEventArguments, purpose: str
) -> StoredFile | None:
    """Store an upload if its content is valid."""
    # A large upload is on disk already; it is copied in pieces, never held in memory.
    with private_folder(Path(gettempdir())) as folder:
        path = folder.path / "upload"
        await event.file.save(path)
        with open(path, "rb") as stream:
            return await try_in_thread(space.add_file, event.file.name, stream, owner, purpose)


def drop_zone(
    space: Workspace, owner: str, label: str, mark: str, arrived: Callable[[StoredFile, str], Awaitable[None] | None]
) -> None:
    """Show a drop zone; call `arrived` with each stored file and its purpose."""
    box = layout.stack()
    with box as place:

        async def store(event: events.UploadEventArguments) -> None:
            purpose = purpose_of(event.file.name)
            with place:
                file = await store_upload(space, owner, event, purpose)
            if file is None:
                upload.reset()
                return
            pending = arrived(file, purpose)
            if pending is not None:
                await pending

        upload = layout.upload(label, mark, store, multiple=True).classes("small")


def files_of_kind(space: Workspace, owner: str, kind: str) -> dict[str, str]:
    """Return the labels of the stored manifests or private records by id."""
    return {each.id: choices.file_label(each) for each in space.files(owner) if each.kind == kind}


def tables_of_manifest(space: Workspace, owner: str, manifest: str) -> dict[str, str]:
    """Return the ids of the files that the manifest of several tables names, by table; {} if it is of one table."""
    held = space.held(manifest, owner)
    plain = {} if held is None else loaded(held.path)
    if not is_linked_manifest(plain):
        return {}
    named = {table.name: table.data.file for table in LinkedManifest.of(plain).tables}
    found = {name: space.held(file, owner) for name, file in named.items()}
    lacking = [named[name] for name, file in found.items() if file is None]
    if lacking:
        raise NotThere(f"the manifest names {', '.join(lacking)}, which is not stored here; drop all tables of the set")
    return {name: file.id for name, file in found.items() if file is not None}


def list_imports(space: Workspace, owner: str) -> None:
    """Show uploaded manifests and private records with delete buttons; the first page lists tables."""
    files = [each for each in space.files(owner) if each.kind in PURPOSES]
    if not files:
        layout.hint("No files yet.")
        return
    with ui.element("div").classes("scroll").props("tabindex=0"), ui.element("table").classes("plain"):
        layout.table_head(("file", "kind", "size", "added", "action"))
        with ui.element("tbody"):
            for at, file in enumerate(files):
                with ui.element("tr"):
                    for cell in (file.name, _KINDS[file.kind], format_size(file.size), format_time(file.added)):
                        layout.text(cell, "td")
                    with ui.element("td"):
                        _delete_button(space, owner, file, at)


def _delete_button(space: Workspace, owner: str, file: StoredFile, at: int) -> None:
    async def delete() -> None:
        await run_in_thread(space.delete_file, file.id, owner)
        ui.navigate.reload()

    about = f"Delete {file.name}? This cannot be undone."
    delete_button(f"Delete {file.name}", about, delete, f"delete-upload-{at}")
