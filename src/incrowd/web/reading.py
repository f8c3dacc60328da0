"""How a file is read: what stands for missing, and of texts the delimiter and the encoding."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from nicegui import ui

from incrowd.web import frame
from incrowd.web.draft import Draft

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace


def show(space: Workspace, owner: str, draft: Draft, file: StoredFile, again: Callable[[], Awaitable[None]]) -> None:
    """The fields; what is left empty is found by looking."""
    with frame.line():
        missing = ui.input("Texts that stand for a missing cell", value=" ".join(draft.missing), placeholder="? n/a")
        frame.marked(missing.classes("middle"), "missing")
        delimiter = ui.input(
            "Cells are separated by", value=draft.delimiter.replace("\t", "\\t"), placeholder="found by looking"
        )
        frame.marked(delimiter.classes("middle"), "delimiter")
        encoding = ui.input("Encoding", value=draft.encoding, placeholder="found by looking").classes("middle")
        frame.marked(encoding, "encoding")
        delimiter.set_visibility(file.kind == "delimited")
        encoding.set_visibility(file.kind == "delimited")
    frame.hint("Empty cells are missing anyway. Separate several texts by blanks; write a tabulator as \\t.")

    async def look() -> None:
        draft.missing, draft.inspection = (missing.value or "").split(), None
        draft.delimiter, draft.encoding = (delimiter.value or "").replace("\\t", "\t"), (encoding.value or "").strip()
        draft.keep(space, owner)
        await again()

    frame.marked(frame.quiet_button("Look again").on_click(look), "look-again")
